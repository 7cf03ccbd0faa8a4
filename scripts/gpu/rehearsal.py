#!/usr/bin/env python3
"""Runs all calls of scripts/gpu_check.sh on this machine, with stand-ins for every program that fail in turn.

Each step once works, once fails but for its fallback, once crashes always and once hangs. Those that measure which way
is the faster keep a choice, as the programs do.
Usage: rehearsal.py OUTPUT     exit status 1 when a call ends early or a result is missing or wrong
"""
import dataclasses
import os
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_run  # noqa: E402
import check_steps  # noqa: E402

HANGING_LIMIT = 0.1  # seconds
STAND_IN = """#!/bin/sh
step=${CHECK_STEP:-} plain=${CHECK_STEP%%@*}
if [ -n "${PLUMECAST_CUDA_TUNING:-}" ]; then
    echo '{"machines": {"a stand-in": {"a convolution": "cudnn"}}}' > "$PLUMECAST_CUDA_TUNING"
fi
case $(cat "$REHEARSAL/$plain" 2>/dev/null) in
    fails) [ "$step" != "$plain" ] || { echo "the stand-in fails" >&2; exit 3; } ;;
    crashes) kill -SEGV $$ ;;
    hangs) sleep 60 ;;
esac
exit 0
"""
PROGRAMS = ("plumecast", "bench_conv_matrix", "bench_device_ceilings", "bench_network_speed", "bench_published_pass",
            "bench_spectral_ways", "test_architectures", "test_backend", "test_integration", "test_graph", "test_threads", "test_training")
OTHERS = ("bash", "python3", "nvidia-smi", "ncu", "compute-sanitizer")
EXPECTED = {
    "works": "| ok |",
    "fails": "| FAILED (3){again} |",
    "crashes": "| FAILED (-11){again} |",
    "hangs": "| FAILED (limit passed) |",
}


def packed(archive):
    """Names of the files in an archive."""
    try:
        with tarfile.open(archive) as opened:
            return {Path(name).name for name in opened.getnames()}
    except (OSError, tarfile.TarError):
        return set()


def rehearse(name, turn, programs, output):
    """One call, in which step n behaves in the (n + turn)-th way; what is wrong with its results."""
    wrong, ways = [], list(EXPECTED)
    call = check_run.Call(name, programs, "", output, check_steps.SECONDS[name])
    expected = []
    for number, step in enumerate(check_steps.CALLS[name]()):
        behaviour = ways[(number + turn) % len(ways)]
        (Path(os.environ["REHEARSAL"]) / step.name).write_text(behaviour)
        call.do(dataclasses.replace(step, limit=HANGING_LIMIT) if behaviour == "hangs" else step)
        is_repeated = bool(step.fallback) and behaviour in ("fails", "crashes")
        logs = {f"{step.name}.log"} | ({f"{step.name}@{step.fallback}.log"} if is_repeated else set())
        if not logs <= packed(output / f"{name}.tar.gz"):
            wrong.append(f"{name}: {step.name} ({behaviour}) is not in the archive after it was done")
        if "PLUMECAST_CUDA_TUNING" in step.environment and check_steps.TUNING not in packed(output / f"{name}.tar.gz"):
            wrong.append(f"{name}: what {step.name} chose is not in the archive after it was done")
        again = f", {'ok' if behaviour == 'fails' else 'failed too'} with {step.fallback}" if is_repeated else ""
        expected.append(f"| {step.name} {EXPECTED[behaviour].format(again=again)}")
    if any("PLUMECAST_CUDA_TUNING" in step.environment for step in check_steps.CALLS[name]()):
        expected.append("| a convolution | cudnn |")
    lines = (output / f"{name}.txt").read_text().splitlines()
    wrong += [f"{name}: the table lacks '{line}'" for line in expected if not any(row.startswith(line) for row in lines)]
    call.close()
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    output, wrong, steps = Path(sys.argv[1]), [], 0
    with tempfile.TemporaryDirectory() as folder:
        programs = Path(folder) / "bin"
        programs.mkdir()
        for program in PROGRAMS + OTHERS:
            (programs / program).write_text(STAND_IN)
            (programs / program).chmod(0o755)
        os.environ["REHEARSAL"] = folder
        os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
        for turn in range(len(EXPECTED)):
            for name in check_steps.CALLS:
                wrong += rehearse(name, turn, programs, output)
                steps += len(check_steps.CALLS[name]())
    print("\n".join(wrong) if wrong else f"rehearsal: {steps} steps, each result packed and tabled")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
