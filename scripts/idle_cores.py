#!/usr/bin/env python3
"""Runs a command and tells how long the machine's cores were idle meanwhile; to be run where nothing else is at work.

The end is left out of a second figure, since when the last jobs run, others have nothing left to do. Linux only (/proc/stat).

Usage: idle_cores.py [--end SECONDS] COMMAND...     for example  idle_cores.py plumecast generate cases.json -o data.h5 --jobs 2
"""
import argparse
import resource
import subprocess
import sys
import time


def core_times():
    """Time of all cores since the start of the system, and idle time among it (waiting for the disk is idle too) [ticks]."""
    fields = [int(text) for text in open("/proc/stat").readline().split()[1:9]]
    return sum(fields), fields[3] + fields[4]


def idle_share(first, last):
    return (last[1] - first[1]) / max(1, last[0] - first[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--end", type=float, default=10.0, help="seconds at the end to leave out of the second figure")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("name a command")
    begin = time.monotonic()
    samples = [(begin, core_times())]
    process = subprocess.Popen(arguments.command)
    while process.poll() is None:
        time.sleep(0.2)
        samples.append((time.monotonic(), core_times()))
    seconds = samples[-1][0] - begin
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{seconds:.1f} s, {usage.ru_utime + usage.ru_stime:.1f} s of processor time in the command and what it started; cores idle "
          f"{100 * idle_share(samples[0][1], samples[-1][1]):.1f} %", file=sys.stderr)
    middle = [times for moment, times in samples if moment <= samples[-1][0] - arguments.end]
    if len(middle) > 1:
        print(f"without the last {arguments.end:g} s: idle {100 * idle_share(middle[0], middle[-1]):.1f} %", file=sys.stderr)
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
