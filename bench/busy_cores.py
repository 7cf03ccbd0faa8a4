#!/usr/bin/env python3
"""Times a command with one thread and with two while all cores are busy, and prints the ratio.

As many loops run beside it as this process may use cores. Runs take turns, so that a change of the machine's speed meets both.
Threads that spin while they wait for each other take many times as long as one thread there; they may take 1.3 times as long at
most.

Usage: busy_cores.py [--rounds N] [--at-most R] COMMAND...   `--threads N` is put behind the command, for example
       busy_cores.py build/mpi/apps/plumecast predict models/radial-co2 data/radial_sample.h5 -o out.h5 --force
"""
import argparse
import os
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager

BUSY = "while True: pass"


@contextmanager
def busy_cores():
    """Keeps every core that this process may use busy."""
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in os.sched_getaffinity(0)]
    try:
        yield len(loops)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def seconds_of(command):
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def median_seconds(command, rounds):
    """By number of threads, the median of some runs that take turns."""
    times = {1: [], 2: []}
    for _ in range(rounds):
        for threads, seconds in times.items():
            seconds.append(seconds_of([*command, "--threads", str(threads)]))
    return {threads: statistics.median(seconds) for threads, seconds in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7, help="runs with each number of threads")
    parser.add_argument("--at-most", type=float, help="exit with 1 where two threads take more times as long as one")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command or arguments.rounds < 1:
        parser.error("name a command, and one round or more")
    with busy_cores() as cores:
        one, two = median_seconds(arguments.command, arguments.rounds).values()
    ratio = two / one
    print(f"{cores} busy cores: one thread {one:.3f} s, two threads {two:.3f} s, two over one {ratio:.2f}")
    return int(arguments.at_most is not None and ratio > arguments.at_most)


if __name__ == "__main__":
    sys.exit(main())
