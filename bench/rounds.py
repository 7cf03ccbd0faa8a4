#!/usr/bin/env python3
"""Measures whole networks, this engine and PyTorch in turn, and writes one line of JSON per measurement.

Both first run the same weights on the same input; when their outputs differ by more than 1e-5 (in bfloat16, from the
float32 output, by 1e-1) nothing is timed. First comes every size, task and count of threads beside the first setting of
PyTorch, then bfloat16 beside its autocast and the trained model, then the other settings of PyTorch with the first count
of threads; later rounds repeat the first setting and the one that was fastest.

Usage: rounds.py --build FOLDER --output RESULTS.jsonl [--python PYTHON] [--rounds 3] [--repeat 5]
                       [--sizes published shipped small] [--threads 2 1] [--bundle MODEL]
                       [--variants channels_last+malloc stock ...] [--narrow bf16+malloc ...]
                       [--budget SECONDS] [--limit SECONDS]

With a budget nothing new is begun when it is spent; what was left out is written down. A setting of PyTorch that takes
longer than the limit counts as failed.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PEER = Path(__file__).resolve().parent.parent / "bench" / "peer"
SIZES = {
    "published": {"grid": (96, 200, 24), "width": 36, "modes": (10, 10, 10)},
    "shipped": {"grid": (32, 64, 24), "width": 24, "modes": (5, 8, 4)},
    "small": {"grid": (32, 64, 24), "width": 32, "modes": (10, 10, 10)},
    "tiny": {"grid": (8, 16, 8), "width": 8, "modes": (4, 4, 4)},
}
SMALL_TILES = "--winograd-f2"
NARROW = "--bf16"
VARIANTS = ("channels_last+malloc", "stock", "channels_last", "malloc", "compile+malloc")
NARROW_VARIANTS = ("bf16+malloc", "bf16+channels_last+malloc")
TASKS = ("forward", "training")


def numbers(values):
    return [str(value) for value in values]


def shape_options(size):
    return ["--grid", *numbers(size["grid"]), "--width", str(size["width"]), "--modes", *numbers(size["modes"])]


def finished(command, limit):
    """What a command printed; ends it and all that it started after `limit` seconds."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        printed, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return subprocess.CompletedProcess(command, process.returncode, printed, errors)


class Runner:
    """Runs one measurement after the other and keeps what they print."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.ours = str(arguments.build / "bench_network_speed")
        self.lines = []
        self.end = time.monotonic() + arguments.budget if arguments.budget else None

    def has_time(self, what):
        """Whether the budget allows to begin; else writes down what is left out."""
        if self.end is None or time.monotonic() < self.end:
            return True
        print(f"  left out, the time is spent: {what}", flush=True)
        with open(self.arguments.output, "a") as file:
            file.write(json.dumps({"left_out": what}) + "\n")
        return False

    def keep(self, engine, size, round_number, printed):
        result = {**json.loads(printed), "engine": engine, "size": size, "round": round_number}
        self.lines.append(result)
        with open(self.arguments.output, "a") as file:
            file.write(json.dumps(result) + "\n")
        shown = f"{result['median_s']:.3f} s" if "median_s" in result else f"error: {result.get('error')}"
        print(f"  round {round_number}  {size:10} {result['task']:8} {result['threads']} thread(s)  "
              f"{engine:9} {result.get('variant', ''):22} {shown}", flush=True)
        return result

    def measure_ours(self, name, options, task, threads, round_number, engine="plumecast"):
        if not self.has_time(f"{name}, {task}, {threads} thread(s), {engine}"):
            return
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
        command = [self.ours, *options, "--task", task, "--threads", str(threads), "--repeat", str(self.arguments.repeat)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"error: {' '.join(command)} failed: {done.stderr.strip()}")
        self.keep(engine, name, round_number, done.stdout)

    def measure_torch(self, name, size, task, threads, variant, round_number, engine="torch"):
        if not self.has_time(f"{name}, {task}, {threads} thread(s), PyTorch {variant}"):
            return
        command = [self.arguments.python, str(PEER / "torch_speed.py"), *shape_options(size), "--tasks", task,
                   "--threads", str(threads), "--variants", variant, "--repetitions", str(self.arguments.repeat)]
        error = f"took longer than {self.arguments.limit} s"
        try:
            done = finished(command, self.arguments.limit)
            printed, error = done.stdout.strip(), done.stderr.strip()[-200:]
        except subprocess.TimeoutExpired:
            printed = ""
        self.keep(engine, name, round_number, printed or json.dumps(
            {"task": task, "threads": threads, "variant": variant, "error": error}))

    def prove(self, name, size, options=()):
        """Ends the run unless both engines give the same numbers."""
        name = " ".join((name, *options))
        narrow = ["--bf16", "--tolerance", "1e-1"] if NARROW in options else []
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([self.ours, *shape_options(size), *options, "--repeat", "1", "--dump", folder],
                           check=True, stdout=subprocess.DEVNULL)
            done = subprocess.run([self.arguments.python, str(PEER / "torch_check.py"), folder, *narrow],
                                  capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"error: {name}: outputs differ, nothing is timed: {done.stdout}{done.stderr[-400:]}")
        result = json.loads(done.stdout)
        print(f"  {name}: both give the same output, relative L2 {result['relative_l2']:.1e}", flush=True)
        with open(self.arguments.output, "a") as file:
            file.write(json.dumps({"check": name, **result}) + "\n")

    def fastest(self, name, task, threads):
        """Setting of PyTorch that was fastest in the first round; None when all failed."""
        done = [line for line in self.lines if line["engine"] == "torch" and "median_s" in line
                and (line["size"], line["task"], line["threads"]) == (name, task, threads)]
        return min(done, key=lambda line: line["median_s"])["variant"] if done else None

    def pair(self, name, task, threads, variant, round_number):
        """This engine and a setting of PyTorch, where there is one, right after each other."""
        self.measure_ours(name, shape_options(SIZES[name]), task, threads, round_number)
        if variant:
            self.measure_torch(name, SIZES[name], task, threads, variant, round_number)

    def narrow_pair(self, name, task, threads, variant, round_number):
        self.measure_ours(name, [*shape_options(SIZES[name]), NARROW], task, threads, round_number, "plumecast_bf16")
        if variant:
            self.measure_torch(name, SIZES[name], task, threads, variant, round_number, "torch_bf16")

    def small_tiles(self, name, task, threads, round_number):
        self.measure_ours(name, [*shape_options(SIZES[name]), SMALL_TILES], task, threads, round_number, "plumecast_f2")

    def bundle(self, threads, round_number):
        options = ["--bundle", self.arguments.bundle, "--grid", *numbers(SIZES["small"]["grid"])]
        self.measure_ours("bundle", options, "forward", threads, round_number)

    def first_round(self, counts, variants, narrow):
        """What matters most first, since a budget may end it anywhere."""
        sizes, most = self.arguments.sizes, counts[0]
        every = [(name, task) for name in sizes for task in TASKS]
        for threads in counts:
            for name, task in every:
                self.pair(name, task, threads, variants[0], 1)
        for name, task in every:
            self.narrow_pair(name, task, most, narrow[0], 1)
        for threads in counts if self.arguments.bundle else ():
            self.bundle(threads, 1)
        for name, task in every:
            self.small_tiles(name, task, most, 1)
        for variant in variants[1:]:
            for name, task in every:
                self.pair(name, task, most, variant, 1)
        for variant in narrow[1:]:
            for name, task in every:
                self.narrow_pair(name, task, most, variant, 1)

    def later_round(self, counts, variants, narrow, round_number):
        for threads in counts:
            for name in self.arguments.sizes:
                for task in TASKS:
                    best = self.fastest(name, task, counts[0]) or variants[0]
                    for variant in dict.fromkeys((variants[0], best)):
                        self.pair(name, task, threads, variant, round_number)
                    if threads == counts[0]:
                        self.narrow_pair(name, task, threads, narrow[0], round_number)
                        self.small_tiles(name, task, threads, round_number)
            if self.arguments.bundle:
                self.bundle(threads, round_number)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help="folder of bench_network_speed")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--python", help="interpreter with torch; without it only ours is measured")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--sizes", nargs="+", default=("published", "shipped", "small"), choices=SIZES)
    parser.add_argument("--threads", type=int, nargs="+", default=(2, 1))
    parser.add_argument("--bundle", help="a trained model to measure too, at the small size")
    parser.add_argument("--variants", nargs="+", default=VARIANTS, help="settings of PyTorch, the reference first")
    parser.add_argument("--narrow", nargs="+", default=NARROW_VARIANTS, help="its settings in bfloat16, likewise")
    parser.add_argument("--budget", type=float, help="seconds after which nothing new is begun")
    parser.add_argument("--limit", type=float, help="seconds that a setting of PyTorch may take")
    arguments = parser.parse_args()
    runner = Runner(arguments)
    counts = [threads for threads in arguments.threads if threads <= (os.cpu_count() or 1)]
    for name in arguments.sizes if arguments.python else ():
        for options in ([], [SMALL_TILES], [NARROW]):
            runner.prove(name, SIZES[name], options)
    variants = arguments.variants if arguments.python else (None,)
    narrow = arguments.narrow if arguments.python else (None,)
    runner.first_round(counts, variants, narrow)
    for round_number in range(2, arguments.rounds + 1):
        runner.later_round(counts, variants, narrow, round_number)


if __name__ == "__main__":
    sys.exit(main())
