#!/usr/bin/env python3
"""Turns the results of bench/run.sh into tables in Markdown.

Usage: report.py --results FOLDER --output PAGE.md [--command TEXT]
  FOLDER holds networks.jsonl and kernels_1.json, kernels_2.json ..., and may hold predict.json and ops_TASK.json
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
from pathlib import Path


def machine():
    """Processor, cores and memory, in words."""
    processor, memory = platform.processor() or platform.machine(), ""
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            processor = line.split(":", 1)[1].strip()
    for line in Path("/proc/meminfo").read_text().splitlines() if Path("/proc/meminfo").exists() else ():
        if line.startswith("MemTotal"):
            memory = f", {int(line.split()[1]) / 2**20:.0f} GiB of memory"
    return f"{processor}, {os.cpu_count()} processors{memory}, {platform.system()} {platform.release()}"


def commit():
    def git(*words):
        return subprocess.run(["git", *words], capture_output=True, text=True).stdout.strip()

    return (git("rev-parse", "--short=12", "HEAD") or "unknown") + (" with changes" if git("status", "--porcelain", "-uno") else "")


def table(header, rows):
    """Markdown; every column but the first is aligned right."""
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def timed(lines, **wanted):
    return [line for line in lines if "median_s" in line and all(line.get(k) == v for k, v in wanted.items())]


def summary(lines):
    """Median of the rounds' medians, fastest and slowest single run, peak memory in MB."""
    return {
        "median": statistics.median(line["median_s"] for line in lines),
        "min": min(line["min_s"] for line in lines),
        "max": max(line["max_s"] for line in lines),
        "memory": max(line["peak_memory_mb"] for line in lines),
    }


def seconds(value):
    return f"{value:.3f}" if value < 10 else f"{value:.2f}"


def span(found):
    return f"{seconds(found['median'])} ({seconds(found['min'])} - {seconds(found['max'])})"


def jobs_of(lines):
    """(size, task, threads) in the order measured."""
    return list(dict.fromkeys((line["size"], line["task"], line["threads"]) for line in lines if "size" in line))


def variants_of(lines, size, task, threads, engine="torch"):
    """Setting of PyTorch -> summary."""
    found = timed(lines, engine=engine, size=size, task=task, threads=threads)
    return {
        variant: summary([line for line in found if line["variant"] == variant])
        for variant in dict.fromkeys(line["variant"] for line in found)
    }


def network_rows(lines):
    rows = []
    for size, task, threads in jobs_of(lines):
        mine = timed(lines, engine="plumecast", size=size, task=task, threads=threads)
        if not mine:  # the time was spent
            continue
        ours, theirs = summary(mine), variants_of(lines, size, task, threads)
        small = timed(lines, engine="plumecast_f2", size=size, task=task, threads=threads)
        row = [f"{size}, {task}", str(threads), span(ours), span(summary(small)) if small else ""]
        if theirs:
            best = min(theirs, key=lambda name: theirs[name]["median"])
            row += [span(theirs[best]), best, f"{theirs[best]['median'] / ours['median']:.2f}",
                    f"{ours['memory']:.0f}", f"{theirs[best]['memory']:.0f}",
                    f"{theirs['stock']['memory']:.0f}" if "stock" in theirs else ""]
        else:
            row += ["", "", "", f"{ours['memory']:.0f}", "", ""]
        rows.append(row + [f"{mine[-1]['planned_memory_mb']:.0f}"])
    return rows


def network_section(lines):
    header = ["network", "threads", "Plumecast [s]", "with f2 [s]", "best PyTorch [s]", "its setting", "PyTorch / Plumecast",
              "Plumecast [MB]", "best PyTorch [MB]", "stock PyTorch [MB]", "planned tensors [MB]"]
    text = "## Whole networks\n\nU-FNO on random input, float32, batch of one. Median of the rounds, in brackets the fastest and slowest\n"
    text += "single run; MB is the peak resident memory of the whole process, interpreter and libraries included.\n\n"
    text += "The column f2 is with `--winograd f2`, the smaller tiles of convolutions.\n\n"
    sizes = {line["size"]: line for line in lines if line.get("engine") == "plumecast"}
    for name, line in sizes.items():
        grid, modes = " x ".join(map(str, line["grid"])), " x ".join(map(str, line["modes"]))
        text += f"- {name}: {line['network']}, input {grid}, {line['channels']} channels, width {line['width']}, modes {modes}\n"
    return text + "\n" + table(header, network_rows(lines))


def variant_section(lines):
    rows = []
    for size, task, threads in jobs_of(lines):
        settings = {**variants_of(lines, size, task, threads), **variants_of(lines, size, task, threads, "torch_bf16")}
        for variant, found in settings.items():
            rows.append([f"{size}, {task}", str(threads), variant, span(found), f"{found['memory']:.0f}"])
        failed = {line["variant"]: line["error"] for line in lines if line.get("error") and
                  (line.get("size"), line["task"], line["threads"]) == (size, task, threads)}
        rows += [[f"{size}, {task}", str(threads), variant, "failed: " + error.replace("|", "/")[:80], ""]
                 for variant, error in failed.items()]
    if not rows:
        return "PyTorch was not installed where this was measured.\n"
    return "## Settings of PyTorch\n\n" + table(["network", "threads", "setting", "time [s]", "peak memory [MB]"], rows)


def narrow_section(lines):
    """bfloat16 beside PyTorch's autocast, and beside float32 of each."""
    rows = []
    for size, task, threads in jobs_of(lines):
        of = {"size": size, "task": task, "threads": threads}
        mine, wide = timed(lines, engine="plumecast_bf16", **of), timed(lines, engine="plumecast", **of)
        theirs = variants_of(lines, size, task, threads, "torch_bf16")
        their_wide = variants_of(lines, size, task, threads)
        if not mine:
            continue
        ours = summary(mine)
        row = [f"{size}, {task}", str(threads), span(ours), f"{summary(wide)['median'] / ours['median']:.2f}" if wide else ""]
        if theirs:
            best = min(theirs, key=lambda name: theirs[name]["median"])
            row += [span(theirs[best]), best, f"{theirs[best]['median'] / ours['median']:.2f}"]
        else:
            row += ["", "", ""]
        fastest = min((found["median"] for found in their_wide.values()), default=None)
        row += [f"{fastest / ours['median']:.2f}" if fastest else "", f"{ours['memory']:.0f}",
                f"{theirs[best]['memory']:.0f}" if theirs else ""]
        rows.append(row)
    header = ["network", "threads", "Plumecast bf16 [s]", "its float32 / bf16", "PyTorch autocast [s]", "its setting",
              "PyTorch bf16 / Plumecast bf16", "PyTorch float32 / Plumecast bf16", "Plumecast [MB]", "PyTorch [MB]"]
    return "## bfloat16\n\n" + table(header, rows) if rows else ""


def thread_section(lines):
    """What a second thread brings."""
    rows = []
    for size, task, threads in jobs_of(lines):
        one, more = (timed(lines, engine="plumecast", size=size, task=task, threads=n) for n in (1, threads))
        if threads > 1 and one and more:
            rows.append([f"{size}, {task}", str(threads),
                         f"{summary(one)['median'] / summary(more)['median']:.2f}"])
    return "## Threads\n\n" + table(["network", "threads", "times as fast as one"], rows) if rows else ""


def predict_section(path):
    if not path.exists():
        return ""
    found = json.loads(path.read_text())
    alone, whole = (1e3 * found[name] / found["cases"] for name in ("compute_s", "whole_s"))
    return ("## From file to file\n\n`plumecast bench predict` with the shipped model: "
            f"{found['cases']} cases, batches of {found['batch']}, median of {found['rounds']} rounds. The networks alone take "
            f"{alone:.2f} ms per case, from file to file it is {whole:.2f} ms: **{found['kept_rate']:.2f}** of the rate of the "
            "networks alone.\n")


def op_section(results):
    """Where the time of a network goes, by op; shapes of the most expensive ones."""
    text = ""
    for path in sorted(results.glob("ops_*.json")):
        found = json.loads(path.read_text())
        total = sum(entry["seconds"] for entry in found["ops"])
        by_op = {}
        for entry in found["ops"]:
            calls, seconds_of = by_op.get(entry["op"], (0, 0.0))
            by_op[entry["op"]] = (calls + entry["calls"], seconds_of + entry["seconds"])
        rows = [[op, str(calls), f"{1e3 * spent:.1f}", f"{100 * spent / total:.1f}"]
                for op, (calls, spent) in sorted(by_op.items(), key=lambda item: -item[1][1]) if spent > 1e-3 * total]
        text += f"### {found['task']}, {found['threads']} thread(s), {found['median_s']:.3f} s\n\n"
        text += table(["op", "calls", "ms", "%"], rows) + "\n"
    return "## Where the time goes, published size\n\n" + text if text else ""


def left_out_section(lines):
    left_out = [line["left_out"] for line in lines if "left_out" in line]
    return "Left out because the time was spent: " + "; ".join(left_out) + ".\n" if left_out else ""


def check_section(lines):
    checks = [f"{line['check']} {line['relative_l2']:.1e}" for line in lines if "check" in line]
    version = next((line["torch"] for line in lines if line.get("torch")), None)
    if not checks:
        return ""
    autocast = [f"{line['check'].split()[0]} {line['autocast_relative_l2']:.1e}" for line in lines if "autocast_relative_l2" in line]
    text = (f"Before timing, both engines ran the same weights on the same input; relative L2 distance of the outputs: "
            f"{', '.join(checks)} (limit 1e-5; in bfloat16 1e-1, from the float32 output). PyTorch {version}.\n")
    return text + (f"PyTorch's own autocast lies from its float32: {', '.join(autocast)}.\n" if autocast else "")


def counter(entry, name, scale=1.0, digits=1):
    return f"{scale * entry[name]:.{digits}f}" if name in entry else ""


def kernel_section(path):
    """Table of one run of bench_kernels, with the ceilings measured in that run."""
    document = json.loads(path.read_text())
    ceilings = json.loads(document["context"]["ceilings"])
    rows = []
    for entry in document["benchmarks"]:
        name = entry["name"].removesuffix("/real_time")
        if entry.get("error_occurred"):
            rows.append([name, entry["error_message"], "", "", "", ""])
            continue
        rows.append([name, f"{entry['real_time']:.2f}", counter(entry, "GFLOP/s"), counter(entry, "of_peak", 100.0, 0),
                     counter(entry, "GB/s"), counter(entry, "of_copy", 100.0, 0)])
    text = f"## Kernels, {ceilings['threads']} thread(s)\n\n"
    text += (f"Ceilings of the machine, measured in the same run: {ceilings['gflops']:.0f} GFLOP/s of float32 multiply-adds "
             f"({ceilings['instruction_set']}), {ceilings['copy_gbs']:.1f} GB/s copying, {ceilings['read_gbs']:.1f} GB/s "
             f"reading. {document['context']['device']}.\n\n")
    return text + table(["kernel", "ms", "GFLOP/s", "% of peak", "GB/s", "% of copy"], rows)


def page(arguments):
    lines = read_lines(arguments.results / "networks.jsonl")
    device = next((line["device"] for line in lines if "device" in line), "unknown")
    parts = [
        "# Speed on the CPU\n",
        f"Machine: {machine()}.  \nEngine: commit {commit()}, {device}.  \nCommand: `{arguments.command}`\n",
        network_section(lines),
        check_section(lines),
        narrow_section(lines),
        variant_section(lines),
        thread_section(lines),
        left_out_section(lines),
        predict_section(arguments.results / "predict.json"),
        op_section(arguments.results),
    ]
    parts += [kernel_section(path) for path in sorted(arguments.results.glob("kernels_*.json"))]
    parts.append(
        "Every kernel was checked at full size against its definition in double precision before it was timed. Bytes count\n"
        "each array once, so a kernel that must pass several times over an array stays below the copy ceiling, and small\n"
        "cases that fit the caches may exceed it. `full_fftw` transforms all modes, `transform_and_back` only the kept ones;\n"
        "`plain_pass` is y = relu(x + a).\n"
    )
    return "\n".join(part for part in parts if part)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--command", default="bench/run.sh")
    arguments = parser.parse_args()
    arguments.output.write_text(page(arguments))


if __name__ == "__main__":
    main()
