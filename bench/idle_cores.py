#!/usr/bin/env python3
"""Runs a command and tells which share of the machine's cores it kept busy.

Counts, for every thread of the command and of what it started, the time on a core and the time it waited for one that was
taken. The rest is idleness: in it the command had nothing to run, and on a machine of its own a core would stand still. The end
is left out of a second figure, since when the last jobs run, others have nothing left to do. Linux only.

Usage: idle_cores.py [--end SECONDS] COMMAND...     for example  idle_cores.py plumecast generate cases.json -o data.h5 --jobs 2
"""
import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

INTERVAL = 0.02  # [s]; what a process does after the last look at it is not seen


def look(root, seen):
    """Notes for every living thread below a process the nanoseconds it ran and waited so far."""
    processes = [root]
    for process in processes:
        try:
            for task in Path(f"/proc/{process}/task").iterdir():
                ran, waited, _ = (task / "schedstat").read_text().split()
                seen[process, task.name] = int(ran), int(waited)
                processes += (task / "children").read_text().split()
        except OSError:
            continue  # it has just ended


def totals(seen):
    return [1e-9 * sum(times[i] for times in seen.values()) for i in (0, 1)]


def report(name, first, last):
    """Of two samples (moment, time on a core, time in wait of one)."""
    seconds, ran, waited = (b - a for a, b in zip(first, last))
    whole = seconds * len(os.sched_getaffinity(0))
    print(f"{name}: {seconds:.1f} s, of all cores {100 * ran / whole:.1f} % running, {100 * waited / whole:.1f} % waiting for a core, "
          f"{100 * (1 - (ran + waited) / whole):.1f} % idle", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--end", type=float, default=10.0, help="seconds at the end to leave out of the second figure")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("name a command")
    process = subprocess.Popen(arguments.command)
    seen, samples = {}, []
    while process.poll() is None:
        look(process.pid, seen)
        samples.append((time.monotonic(), *totals(seen)))
        time.sleep(INTERVAL)
    report("whole run", samples[0], samples[-1])
    middle = [sample for sample in samples if sample[0] <= samples[-1][0] - arguments.end]
    if len(middle) > 1:
        report(f"without the last {arguments.end:g} s", middle[0], middle[-1])
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
