#!/usr/bin/env python3
"""Bytes that a rank sends for one spectral transform, for several schemes and process grids, and what time that takes.

Usage: communication_report.py [--latency S] [--bandwidth B/S] [--memory-bandwidth B/S] [--passes N]

The schemes: `reduce` and `transpose` are Plumecast's (docs/distributed.md), of which it takes the cheaper for each cut
axis; `full` is a pencil transform of the whole spectrum, x in rows, then y in columns; `one hop` truncates z and t, then
changes once from a cut of (x, y) to a cut of the (z, t) modes, as Grady et al., "Model-parallel Fourier neural operators as
learned surrogates for large-scale parametric PDEs", Computers & Geosciences 178 (2023) 105402 publish it. Times follow the
alpha-beta model: messages times latency plus bytes over bandwidth, beside passes over a rank's memory for the computation,
without overlap. The machine's numbers are inputs; the defaults are round figures for a GPU on a fast network, not
measurements.
"""
import argparse
from dataclasses import dataclass
from math import prod

COMPLEX = 8  # bytes


@dataclass
class Case:
    """One field: cells, kept modes (both signs) of the space axes, kept time modes; z first and never cut."""
    cells: tuple
    modes: tuple
    times: int
    kept_times: int
    channels: int = 36
    batch: int = 1

    def line(self):
        return COMPLEX * self.batch * self.channels


def by_axes(case, grid, left):
    """Axes of the grid in turn, the last one last; left(cells, modes, parts) of an axis travel for it and for those before.

    B C S n_x [n_y (1 - 1/Py) + (Ky / Py) (1 - 1/Px)] complex numbers, S = Kz Kt."""
    axes = list(zip(case.cells[-len(grid):], case.modes[-len(grid):], grid))
    pencils = case.line() * case.kept_times * prod(case.modes[:len(case.modes) - len(grid)])
    sent, before = 0, pencils
    for at, (cells, modes, parts) in enumerate(axes):
        behind = prod(left(*axis) for axis in axes[at:])
        sent += before * behind * (1 - 1 / parts)
        before *= modes / parts
    return sent, sum(parts - 1 for parts in grid)


def reduce_route(case, grid):
    return by_axes(case, grid, lambda cells, modes, parts: modes)


def transpose_route(case, grid):
    return by_axes(case, grid, lambda cells, modes, parts: cells / parts)


def ours(case, grid):
    return by_axes(case, grid, lambda cells, modes, parts: min(cells / parts, modes) if parts > 1 else modes)


def full_spectrum(case, grid):
    pencils = case.line() * case.cells[0] * (case.times // 2 + 1)
    held = prod(cells / parts for cells, parts in zip(case.cells[1:], grid))
    return sum(pencils * held * (1 - 1 / parts) for parts in grid), sum(parts - 1 for parts in grid)


def one_hop(case, grid):
    ranks = prod(grid)
    pencils = case.line() * case.modes[0] * case.kept_times
    return pencils * prod(case.cells[1:]) / ranks * (1 - 1 / ranks), ranks - 1


def megabytes(sent):
    return f"{sent[0] / 1e6:.3g}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def bytes_table(case, grids):
    header = ["cuts of y x x" if len(grids[0]) > 1 else "cuts of r", "full spectrum", "one hop", "reduce", "transpose", "ours", "messages: full", "one hop", "ours"]
    schemes = (full_spectrum, one_hop, reduce_route, transpose_route, ours)
    counted = (full_spectrum, one_hop, ours)
    return table(header, [["x".join(map(str, grid)), *(megabytes(scheme(case, grid)) for scheme in schemes),
                           *(scheme(case, grid)[1] for scheme in counted)] for grid in grids])


def seconds(case, grid, scheme, machine):
    """A layer forward: a transform and its inverse, and the computation on what a rank holds."""
    sent, messages = scheme(case, grid)
    field = 4 * case.batch * case.channels * prod(case.cells) * case.times / prod(grid)
    travel = 2 * (messages * machine.latency + sent / machine.bandwidth)
    return travel + machine.passes * field / machine.memory_bandwidth


def scaling_table(cases, grids, machine):
    """`cases`: of each grid. Efficiency is against one rank with its share of the work and no messages."""
    rows = []
    for case, grid in zip(cases, grids):
        share = Case((case.cells[0], *(cells / parts for cells, parts in zip(case.cells[1:], grid))), case.modes,
                     case.times, case.kept_times, case.channels, case.batch)
        alone = seconds(share, (1,) * len(grid), ours, machine)
        times = [seconds(case, grid, scheme, machine) for scheme in (full_spectrum, one_hop, ours)]
        rows.append(["x".join(map(str, grid)), prod(grid), *(f"{1e3 * time:.3g}" for time in times),
                     *(f"{alone / time:.2f}" for time in times)])
    return table(["cuts of y x x", "ranks", "full [ms]", "one hop", "ours", "efficiency: full", "one hop", "ours"], rows)


def memory_table(case, grids):
    rows = []
    for grid in grids:
        field = 4 * case.batch * case.channels * prod(case.cells) * case.times / prod(grid)
        weights = COMPLEX * case.channels ** 2 * prod(case.modes) * case.kept_times / prod(grid)
        rows.append(["x".join(map(str, grid)), f"{field / 2**30:.3g}", f"{weights / 2**30:.3g}",
                     f"{4 * weights / 2**30:.3g}"])
    return table(["cuts of y x x", "one field [GiB]", "spectral weights of a block", "with gradient and moments"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", type=float, default=20e-6, help="seconds per message")
    parser.add_argument("--bandwidth", type=float, default=45e9, help="bytes per second and rank")
    parser.add_argument("--memory-bandwidth", type=float, default=2e12, help="bytes per second of a rank's memory")
    parser.add_argument("--passes", type=float, default=40, help="passes over a field that a layer takes")
    machine = parser.parse_args()
    space = Case((64, 256, 256), (16, 24, 24), 32, 8)
    grids = [(2, 2), (4, 2), (4, 4), (8, 4), (8, 8), (16, 8), (16, 16), (32, 16)]
    weak = [Case((64, 64 * y, 64 * x), (16, 24, 24), 32, 8) for y, x in grids]
    radial = Case((104, 208), (20, 20), 32, 10)
    cuts = [(ranks,) for ranks in (2, 4, 8, 16, 32, 64)]
    print(f"### 64 x 256 x 256 cells x 32 times, modes 16 x 24 x 24 x 8, 36 channels: MB per rank and transform\n\n"
          f"{bytes_table(space, grids)}\n\n"
          f"### 104 x 208 cells x 32 times, modes 20 x 20 x 10, 36 channels: MB per rank and transform\n\n"
          f"{bytes_table(radial, cuts)}\n\n"
          f"### Model: strong scaling of one layer forward, 64 x 256 x 256 x 32\n\n"
          f"Latency {machine.latency:g} s, {machine.bandwidth:g} B/s between ranks, {machine.memory_bandwidth:g} B/s of "
          f"memory, {machine.passes:g} passes.\n\n{scaling_table([space] * len(grids), grids, machine)}\n\n"
          f"### Model: weak scaling of one layer forward, 64 x 64 x 64 x 32 on each rank\n\n"
          f"{scaling_table(weak, grids, machine)}\n\n"
          f"### Memory per rank, 64 x 256 x 256 x 32\n\n{memory_table(space, grids)}")


if __name__ == "__main__":
    main()
