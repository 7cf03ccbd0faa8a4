#!/usr/bin/env python3
"""Tables what a call of scripts/gpu_check.sh left in a folder, and writes gpu_check.json beside it. A step that was
repeated by a fallback is called STEP@FALLBACK.

Usage: gpu_check_report.py FOLDER     exit status 1 when a step failed or the devices disagree
"""
import csv
import json
import math
import sys
from collections import defaultdict
from pathlib import Path

AGREEMENT = 1e-4  # of the mean errors of the sample cases, CUDA against the CPU


def read_json(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def read_lines(path):
    """The JSON objects of a file, one a line, without those that say why a setting failed."""
    try:
        lines = [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]
    except (OSError, ValueError):
        return []
    return [line for line in lines if "median_s" in line]


def test_counts(report):
    """passed, failed and skipped of a report by GoogleTest."""
    cases = [case for suite in report.get("testsuites", []) for case in suite.get("testsuite", [])]
    failed = sum(1 for case in cases if case.get("failures"))
    skipped = sum(1 for case in cases if case.get("result") == "SKIPPED")
    return {"passed": len(cases) - failed - skipped, "failed": failed, "skipped": skipped}


def disagreement(first, second):
    """Largest relative difference between the mean errors of two evaluations."""
    worst = 0.0
    for a, b in zip(first["fields"], second["fields"]):
        for name, value in a["mean"].items():
            other = b["mean"][name]
            if isinstance(value, (int, float)) and isinstance(other, (int, float)):
                worst = max(worst, abs(value - other) / max(abs(value), abs(other), 1e-12))
            elif value != other:
                return math.inf
    return worst


def last_line(path):
    try:
        lines = path.read_text(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip()[:160].replace("|", "/") for line in reversed(lines) if line.strip()), "")


def summary(folder):
    steps = [line.split("\t") for line in (folder / "steps.tsv").read_text().splitlines()]
    results = []
    for name, status, seconds in steps:
        result = {"step": name, "status": int(status), "seconds": float(seconds)}
        if int(status) != 0:
            result["log"] = last_line(folder / f"{name}.log") or last_line(folder / f"{name}.out")
        report = read_json(folder / f"{name}.json")
        if report is not None:
            result.update(test_counts(report))
        elif name.startswith("speed_") or name == "ceilings":
            result.update(read_json(folder / f"{name}.out") or {})
        elif name.startswith("published_"):
            result.update(read_json(folder / f"{name}.out") or {})
        elif name == "kernels_of_a_pass":
            result["kernels"] = kernels(folder / f"{name}.out")
        elif name.startswith("conv_"):
            result["convolutions"] = (read_json(folder / f"{name}.out") or {}).get("convolutions", [])
        elif name.startswith(("file_", "ranks_")) and int(status) == 0:
            result["text"] = (folder / f"{name}.out").read_text().strip().rpartition(": ")[2]
        elif name.startswith(("torch_", "onnxruntime_", "tensorrt_")):
            result["settings"] = read_lines(folder / f"{name}.out")
        results.append(result)
    device_file = folder / "driver.out"
    outcome = {"device": device_file.read_text().strip() if device_file.exists() else "", "steps": results}
    choices = tuning_choices(folder)
    if choices:
        outcome["choices"] = dict(choices)
    cuda, cpu = read_json(folder / "device.out"), read_json(folder / "cpu.out")
    if cuda and cpu:
        outcome["disagreement"] = disagreement(cuda, cpu)
    return outcome


def tuning_choices(folder):
    """(kind of convolution, way that was measured to be the fastest), as cuda_tuning.json keeps them."""
    kept = read_json(folder / "cuda_tuning.json") or {}
    return sorted(choice for machine in kept.get("machines", {}).values() for choice in machine.items())


def kernels(path):
    """[name, launches, seconds] of the table that ncu writes behind what the program says, the longest first."""
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        return []
    start = next((n for n, line in enumerate(lines) if '"Kernel Name"' in line), len(lines))
    units = {"nsecond": 1e-9, "ns": 1e-9, "usecond": 1e-6, "us": 1e-6, "msecond": 1e-3, "ms": 1e-3, "second": 1.0, "s": 1.0}
    found = defaultdict(lambda: [0, 0.0])
    for row in csv.DictReader(lines[start:]):
        if (row.get("Metric Name") or "").startswith("gpu__time_duration") and row.get("Metric Unit") in units:
            kernel = found[row["Kernel Name"]]
            kernel[0] += 1
            kernel[1] += float(row["Metric Value"].replace(",", "")) * units[row["Metric Unit"]]
    return sorted(([name, *of] for name, of in found.items()), key=lambda kernel: -kernel[2])


def kernel_rows(steps):
    """Rows of the kernels of a profile that take 0.5 % of it or more."""
    rows = []
    for step in steps:
        whole = sum(seconds for _, _, seconds in step.get("kernels", []))
        rows += [f"| `{name[:120].replace('|', '/')}` | {launches} | {1e6 * seconds:.1f} | {100 * seconds / whole:.1f} % |"
                 for name, launches, seconds in step.get("kernels", []) if seconds >= 0.005 * whole]
    return rows


def op_rows(steps):
    """Rows of the ops of a pass by shape, as a program with --ops tells them."""
    return [f"| {op['op']} | {op['shape']} | {op['calls']} | {1e6 * op['seconds']:.1f} |"
            for step in steps for op in step.get("ops", [])]


def spectral_rows(path):
    """Rows of both ways of spectral transforms, as bench_spectral_ways tells them, a JSON object a line."""
    try:
        rows = [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]
    except (OSError, ValueError):
        return []
    return [f"| {row['precision']} | {row['length']} | {row['modes']} | {row['products_ms']:.4f} | "
            f"{format(row['cufft_ms'], '.4f') if 'cufft_ms' in row else ''} |" for row in rows]


def print_rows(head, rows):
    if rows:
        print(f"\n{head}\n|{'---|' * (head.count('|') - 1)}")
        print("\n".join(rows) + "\n")


def milliseconds(result):
    return f"{1e3 * result['median_s']:.2f} ms"


def convolution_rows(steps):
    """Rows of the matrix of convolutions: one per product, kind and step."""
    rows = []
    for step in steps:
        for one in step.get("convolutions", []):
            measured = (f"{one['ms']:.3f} | {one['tflops']:.1f}" if one.get("accepted")
                        else f"refused: {one.get('why', '')[:120].replace('|', '/')} |")
            error = f"{one['error']:.1e}" if "error" in one else ""
            rows.append(f"| {step['step'].removeprefix('conv_')} | {one['kind']} | {one['product']} | {error} | {measured} |")
    return rows


def comparison(steps):
    """Rows of ours beside PyTorch's plain setting and its fastest one, for the tasks that both did."""
    rows = []
    for peer in steps:
        settings = peer.get("settings") or []
        task = peer["step"].removeprefix("torch_")
        if not settings or not peer["step"].startswith("torch_"):
            continue
        stock = next((one for one in settings if one["variant"] == "stock"), settings[0])
        best = min(settings, key=lambda one: one["median_s"])
        for ours in steps:
            if ours["step"].startswith(f"speed_{task}_") and "median_s" in ours:
                rows.append(
                    f"| {ours['step'].removeprefix('speed_')} | {milliseconds(ours)} | {milliseconds(stock)} | "
                    f"{stock['median_s'] / ours['median_s']:.1f} | {milliseconds(best)} ({best['variant']}) | "
                    f"{best['median_s'] / ours['median_s']:.1f} |"
                )
    return rows


def remark(step):
    if "copy_gb_per_s" in step:
        return (
            f"copy {step['copy_gb_per_s']:.0f} GB/s, products {step['fp32_tflops']:.0f} (fp32), "
            f"{step['tf32_tflops']:.0f} (tf32), {step['bf16_tflops']:.0f} (bf16) TFLOP/s"
        )
    if "text" in step:
        return step["text"]
    if "settings" in step:
        return ", ".join(f"{one['variant']} {milliseconds(one)}" for one in step["settings"])
    if "field_difference" in step:
        return (f"from float32 on the CPU: field {step['field_difference']:.1e}, loss {step['loss_difference']:.1e}, "
                f"gradients {step['largest_gradient_difference']:.1e} at most")
    if "median_s" in step:
        return f"{1e3 * step['median_s']:.2f} ms (best {1e3 * step['min_s']:.2f}), {step['peak_tensors_mb']:.0f} MiB"
    if "passed" in step:
        return f"{step['passed']} passed, {step['failed']} failed, {step['skipped']} skipped"
    return ""


def result_of(step, steps):
    """'ok', or how it failed and whether its fallback did."""
    status = step["status"]
    if status == 0:
        return "ok"
    if status == 77:
        return "skipped"
    text = f"FAILED ({status})" if status != 124 else "FAILED (limit passed)"
    for other in steps:
        if other["step"].startswith(step["step"] + "@"):
            way = other["step"].rpartition("@")[2]
            outcome = {0: "ok", 77: "not tried"}.get(other["status"], "failed too")
            text += f", {outcome} with {way}"
    return text


def table(folder):
    """Prints the table of a folder; what went wrong in it."""
    outcome = summary(folder)
    (folder / "gpu_check.json").write_text(json.dumps(outcome, indent=1) + "\n")
    if outcome["device"]:
        print(f"device: {outcome['device']}")
    print("| step | result | seconds | |")
    print("|---|---|---|---|")
    for step in outcome["steps"]:
        if "@" not in step["step"]:
            print(f"| {step['step']} | {result_of(step, outcome['steps'])} | {step['seconds']} | "
                  f"{remark(step) or step.get('log', '')} |")
    steps = outcome["steps"]
    print_rows("| precision and way | convolution | product | error | ms | TFLOP/s |", convolution_rows(steps))
    print_rows("| task | Plumecast | PyTorch, stock | ratio | PyTorch, best | ratio |", comparison(steps))
    print_rows("| op | shape | calls | us, each by itself |", op_rows(steps))
    print_rows("| kernel | launches | us | share |", kernel_rows(steps))
    print_rows("| precision | length | modes | products, ms | cuFFT, ms |", spectral_rows(folder / "spectral_ways.out"))
    print_rows("| choice | fastest |", [f"| {kind} | {way} |" for kind, way in outcome.get("choices", {}).items()])
    bad = [step for step in outcome["steps"] if step["status"] not in (0, 77)]
    if "disagreement" in outcome:
        print(f"mean errors of the sample cases, CUDA against CPU: {outcome['disagreement']:.1e} apart")
        bad += [] if outcome["disagreement"] <= AGREEMENT else ["disagreement"]
    return bad


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    return 1 if table(Path(sys.argv[1])) else 0


if __name__ == "__main__":
    sys.exit(main())
