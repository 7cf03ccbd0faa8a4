#!/usr/bin/env python3
"""Times two builds of bench_network_speed in turn: what a change costs or gains, free of how fast the machine just is.

Usage: paired.py OLD/bench/bench_network_speed NEW/bench/bench_network_speed [--rounds 5] [--only TEXT]

Each round runs both, the old one first in every second round. Prints a row of Markdown per setting: medians, the
ratio of the medians (above 1 the new one is faster), the least and the greatest ratio of a round, the ratio of the shortest times, which
others on the same host disturb least, and the peak of resident memory.
"""
import argparse
import json
import statistics
import subprocess

SHIPPED = "--width 24 --modes 5 8 4 --grid 32 64 24"
SETTINGS = [
    ("published, forward, 2 threads", "--threads 2 --repeat 3"),
    ("published, forward, 1 thread", "--threads 1 --repeat 2"),
    ("published, forward, bf16, 2 threads", "--threads 2 --repeat 3 --bf16"),
    ("published fno, forward, 2 threads", "--network fno --threads 2 --repeat 3"),
    ("published conv_fno, forward, 2 threads", "--network conv_fno --threads 2 --repeat 3"),
    ("published cnn, forward, 2 threads", "--network cnn --threads 2 --repeat 3"),
    ("shipped size, forward, 2 threads", f"{SHIPPED} --threads 2 --repeat 20"),
    ("shipped size, forward, 1 thread", f"{SHIPPED} --threads 1 --repeat 20"),
    ("shipped size, forward, 4 cases, 2 threads", f"{SHIPPED} --batch 4 --threads 2 --repeat 8"),
    ("shipped size, forward, bf16, 2 threads", f"{SHIPPED} --threads 2 --repeat 20 --bf16"),
    ("shipped size, training, 2 threads", f"{SHIPPED} --task training --threads 2 --repeat 8"),
    ("shipped size, training, 1 thread", f"{SHIPPED} --task training --threads 1 --repeat 8"),
    ("shipped size, training, bf16, 2 threads", f"{SHIPPED} --task training --threads 2 --repeat 8 --bf16"),
    ("published, training, 2 threads", "--task training --threads 2 --repeat 2"),
    ("published, training, 1 thread", "--task training --threads 1 --repeat 1"),
    ("published, training, bf16, 2 threads", "--task training --threads 2 --repeat 2 --bf16"),
    ("published fno, training, 2 threads", "--task training --network fno --threads 2 --repeat 2"),
    ("published conv_fno, training, 2 threads", "--task training --network conv_fno --threads 2 --repeat 2"),
    ("published cnn, training, 2 threads", "--task training --network cnn --threads 2 --repeat 2"),
]


def measured(program, options):
    return json.loads(subprocess.run([program, *options.split()], check=True, capture_output=True, text=True).stdout)


def row(name, options, programs, rounds):
    seconds, shortest, memory = {program: [] for program in programs}, {}, {}
    for number in range(rounds):
        for program in programs if number % 2 == 0 else reversed(programs):
            result = measured(program, options)
            seconds[program].append(result["median_s"])
            shortest[program] = min(shortest.get(program, result["min_s"]), result["min_s"])
            memory[program] = max(memory.get(program, 0.0), result["peak_memory_mb"])
    old, new = (statistics.median(seconds[program]) for program in programs)
    ratios = [a / b for a, b in zip(*(seconds[program] for program in programs))]
    return (f"| {name} | {1e3 * old:.1f} ms | {1e3 * new:.1f} ms | {old / new:.3f} | {min(ratios):.3f} .. {max(ratios):.3f} "
            f"| {shortest[programs[0]] / shortest[programs[1]]:.3f} | {memory[programs[0]]:.0f} MB | {memory[programs[1]]:.0f} MB |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="settings whose name has this text")
    arguments = parser.parse_args()
    print("| setting | old | new | ratio | of a round | of the shortest | memory, old | new |\n|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    for name, options in SETTINGS:
        if arguments.only in name:
            print(row(name, options, (arguments.old, arguments.new), arguments.rounds), flush=True)


if __name__ == "__main__":
    main()
