#!/usr/bin/env python3
"""`plumecast invert` with the method smc beside rejection sampling, on a problem of two unknown numbers (docs/benchmarks/inversion.md).

Usage: invert_rejection.py PLUMECAST FOLDER [--runs N] [--members N]                                             needs h5py and numpy

A small cylinder (2 x 8 cells, three times) has one logarithm of permeability and one porosity; the prior is normal in both. Two build-ups and
two saturations of a truth are observed with wide errors. Rejection sampling draws N runs of `estimate` from the prior and keeps each with its
likelihood over the largest; `smc` draws members by the same physics. Prints the Jensen-Shannon divergence [bit] of the two samples in
12 x 12 cells, and that of two halves of the kept runs, which chance alone makes. A command that was stopped goes on where it was when it is given again.
"""

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path

import h5py
import numpy as np

import invert_twins

AT_ONCE = 5000
MEAN, DEVIATION = np.array([np.log(80.0), 0.2]), np.array([0.6, 0.03])  # of log permeability_r [mD] and porosity
TRUTH = MEAN + DEVIATION * np.array([0.5, -0.6])
ANISOTROPY = 10.0
OBSERVED = [("pressure_buildup", 1, 1, 0, 3.0), ("pressure_buildup", 2, 0, 4, 1.0), ("gas_saturation", 2, 0, 3, 0.04), ("gas_saturation", 2, 1, 2, 0.04)]


def write_cases(options, path, numbers):
    """A data set whose cases have these logarithms of permeability and porosities."""
    invert_twins.run(options.plumecast, "generate", options.config, "-o", path, "--inputs-only", "--cases", len(numbers), "--force")
    with h5py.File(path, "a") as file:
        shape = file["inputs/porosity"].shape
        permeability = np.exp(numbers[:, 0])[:, None, None]
        file["inputs/permeability_r"][:] = np.broadcast_to(permeability, shape)
        file["inputs/permeability_z"][:] = np.broadcast_to(permeability / ANISOTROPY, shape)
        file["inputs/porosity"][:] = np.broadcast_to(numbers[:, 1][:, None, None], shape)


def estimated(options, numbers):
    """What is observed of these cases, [N, D]."""
    cases, fields = options.folder / "some.h5", options.folder / "some_fields.h5"
    write_cases(options, cases, numbers)
    invert_twins.run(options.plumecast, "estimate", cases, "-o", fields, "--force")
    with h5py.File(fields) as file:
        return np.stack([file["outputs/" + field][:, time, row, column] for field, time, row, column, _ in OBSERVED], axis=1)


def accepted(options, observed, first, count):
    """Numbers [K, 2] of `count` runs that are kept, drawn by the number of the first: a file holds them from then on."""
    facts = json.dumps([observed.tolist(), first, count, options.program])
    path = options.folder / f"kept_{first:07}.npz"
    if path.exists():
        with np.load(path) as file:
            if str(file["facts"]) == facts:
                return file["numbers"]
    rng = np.random.default_rng([1, first])
    numbers = MEAN + DEVIATION * rng.standard_normal((count, 2))
    misfit = ((estimated(options, numbers) - observed) / np.array([one[-1] for one in OBSERVED])) ** 2
    numbers = numbers[rng.random(count) < np.exp(-0.5 * misfit.sum(axis=1))]  # the likelihood is 1 at most
    partial = path.with_name("partial.npz")
    np.savez(partial, facts=facts, numbers=numbers)
    os.replace(partial, path)
    return numbers


def rejection(options, observed):
    """Numbers [K, 2] of the runs that are kept."""
    kept = []
    for first in range(0, options.runs, AT_ONCE):
        kept.append(accepted(options, observed, first, min(AT_ONCE, options.runs - first)))
        print(f"{min(first + AT_ONCE, options.runs)} runs, {sum(map(len, kept))} kept", file=sys.stderr, flush=True)
    return np.concatenate(kept)


def sampled(options, observed):
    """Numbers [N, 2] of the members of smc. Its prior has exactly the moments of the one above."""
    rng = np.random.default_rng(2)
    drawn = rng.standard_normal((200, 2))
    drawn -= drawn.mean(axis=0)
    drawn = drawn @ np.linalg.inv(np.linalg.cholesky(np.cov(drawn.T)).T)
    write_cases(options, options.folder / "prior.h5", MEAN + DEVIATION * drawn)
    write_cases(options, options.folder / "case.h5", TRUTH[None])
    with h5py.File(options.folder / "case.h5") as file:
        r, z, times = (file["grid/" + name][:] for name in ("r_edges", "z_edges", "times"))
    rows = ["field,r,z,time,value,unit,standard_deviation"]
    for (field, time, row, column, error), value in zip(OBSERVED, observed):
        rows.append(f"{field},{(r[column] + r[column + 1]) / 2},{(z[row] + z[row + 1]) / 2},{times[time]},{value},"
                    f"{'bar' if field == 'pressure_buildup' else 1},{error}")
    (options.folder / "observations.csv").write_text("\n".join(rows) + "\n")
    config = {"model": "estimate", "case": "case.h5", "prior": "prior.h5", "unknown": invert_twins.UNKNOWN, "observations": "observations.csv",
              "output": "posterior", "method": "smc", "members": options.members, "seed": 1}
    (options.folder / "inversion.json").write_text(json.dumps(config))
    print(invert_twins.output(options.plumecast, "invert", options.folder / "inversion.json", "--resume"), end="")
    with h5py.File(options.folder / "posterior" / "posterior.h5") as file:
        return np.stack([np.log(file["inputs/permeability_r"][:, 0, 0]), file["inputs/porosity"][:, 0, 0]], axis=1)


def divergence(one, other):
    """Jensen-Shannon divergence [bit] of two samples [N, 2] in 12 x 12 cells within three deviations of the prior."""
    ranges = [(m - 3 * s, m + 3 * s) for m, s in zip(MEAN, DEVIATION)]
    p, q = (np.histogram2d(*np.clip(x, *np.transpose(ranges)).T, bins=12, range=ranges)[0] / len(x) for x in (one, other))
    middle = (p + q) / 2
    terms = [np.where(a > 0, a * np.log2(np.where(a > 0, a, 1) / np.where(middle > 0, middle, 1)), 0).sum() for a in (p, q)]
    return sum(terms) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumecast")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=100000)
    parser.add_argument("--members", type=int, default=2000)
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    options.plumecast = os.path.abspath(options.plumecast)
    options.program = hashlib.sha256(Path(options.plumecast).read_bytes()).hexdigest()
    config = {
        "seed": 5, "grid": {"rows": 2, "columns": 8}, "times": {"count": 3, "growth": 9.0},
        "lattice": {"rows": 2, "columns": 8, "height": 40.0, "first_width": 20.0, "width_growth": 1.95},
        "inputs": {"injection_rate": [0.5, 0.5], "initial_pressure": [150, 150], "temperature": [60, 60],
                   "irreducible_water_saturation": [0.2, 0.2], "van_genuchten_lambda": [0.5, 0.5], "thickness": [40, 40], "least_perforation": 40.0},
        "media": {"gaussian": 0, "von_karman": 0, "discontinuous": 0, "layered": 0, "homogeneous": 1.0},
        "checks": {"estimated_buildup": 1e9},
    }
    options.config = options.folder / "cases.json"
    options.config.write_text(json.dumps(config))
    observed = estimated(options, TRUTH[None])[0]
    print(f"observed {observed}, of two other places of the prior {estimated(options, np.stack([MEAN - DEVIATION, MEAN + DEVIATION]))}", file=sys.stderr)
    members = sampled(options, observed)
    kept = rejection(options, observed)
    half = len(kept) // 2
    print(f"{options.runs} runs, {len(kept)} kept; Jensen-Shannon divergence from {len(members)} members of smc: {divergence(kept, members):.4f} bit; "
          f"between halves of the kept runs: {divergence(kept[:half], kept[half:]):.4f}")
    print(f"means {kept.mean(axis=0)} and {members.mean(axis=0)}, deviations {kept.std(axis=0)} and {members.std(axis=0)}")


if __name__ == "__main__":
    main()
