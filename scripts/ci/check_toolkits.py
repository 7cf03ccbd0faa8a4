#!/usr/bin/env python3
"""Compiles the CUDA backend with the oldest toolkit that it is for, CUDA 12.4, beside the one that builds it.

Where a toolkit 12.x is installed (CUDA12_HOME, or /usr/local/cuda-12.*) or can be fetched (fetch_cuda_12.py), its nvcc compiles every
source for compute capability 9.0; check_cuda_builds.py does so for all. Elsewhere clang checks host and device code against the headers
of 12.4, which needs no nvcc. A source that is not done after five minutes fails: nvcc 12.4 takes 20 seconds where it ends at all.
Usage: check_toolkits.py [--touched]     exit status 77 where neither can be
  --touched   the sources that a change touches and an eighth of the others (touched.py); else all
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import fetch_cuda_12  # noqa: E402
from touched import chosen_now  # noqa: E402

ARCHITECTURES = {"12.4": (80, 90), "12.8": (80, 90, 100, 120)}  # that a toolkit knows, from that version on
MOST_SECONDS = 300
INCLUDES = ("-std=c++20", "-Isrc", "-Iinclude")


def architectures(version):
    """Of those that the backend is for, what a toolkit of a version like '12.4' knows."""
    number = tuple(map(int, version.split(".")))
    return ARCHITECTURES["12.8" if number >= (12, 8) else "12.4"]


def installed_compiler():
    """Path of the nvcc of an installed toolkit 12.x, or None."""
    folders = [os.environ.get("CUDA12_HOME", ""), *sorted(glob.glob("/usr/local/cuda-12.*"))]
    return next(filter(None, (shutil.which("nvcc", path=f"{folder}/bin") for folder in folders if folder)), None)


def fetched(*parts):
    """Whether those parts of CUDA 12.4 lie in the folder for it."""
    try:
        fetch_cuda_12.fetched(fetch_cuda_12.FOLDER, *parts)
    except fetch_cuda_12.Unavailable as reason:
        print(f"CUDA 12.4, {' and '.join(parts)}: {reason}")
        return False
    return True


def compiler(*more):
    """Path of the nvcc of a toolkit 12.x, installed or fetched with more parts; None where there is none."""
    if installed := installed_compiler():
        return installed
    return str(fetch_cuda_12.FOLDER / "bin/nvcc") if fetched("headers", "compiler", *more) else None


def dnn_headers():
    """The folder of cuDNN's headers, or None."""
    places = ["/usr/local/cuda/include", "/usr/local/include", "/usr/include", "/usr/include/x86_64-linux-gnu"]
    return next((place for place in places if Path(place, "cudnn_version.h").exists()), None)


def commands(headers, clang, dnn):
    """One command per source."""
    device = [clang, "-x", "cuda", f"--cuda-path={headers}", "--cuda-gpu-arch=sm_90", "-fsyntax-only", *INCLUDES,
              "-Wno-unknown-cuda-version", "-Wno-unknown-attributes"]
    host = [clang, "-fsyntax-only", *INCLUDES, f"-I{headers}/include", f"-idirafter{dnn}"]
    for source in sorted(Path("src/backend/cuda").rglob("*.c[up]*")):
        if source.suffix in (".cu", ".cpp") and source.name != "not_built.cpp":
            yield [*(device + [f"-idirafter{dnn}"] if source.suffix == ".cu" else host), str(source)]


def nvcc_commands(nvcc, dnn):
    cache = [found for found in [shutil.which("ccache")] if found]
    for source in sorted(Path("src/backend/cuda").rglob("*.cu")):
        yield [*cache, nvcc, *INCLUDES, "-isystem", dnn, "--expt-relaxed-constexpr", "-gencode=arch=compute_90,code=sm_90", "-c",
               str(source), "-o"]


def source_of(command):
    """What a command compiles."""
    return Path(command[-2] if command[-1] == "-o" else command[-1])


def wanted(todo, arguments):
    """Of the commands those that the command line asks for."""
    if arguments != ["--touched"]:
        return todo
    sources = set(chosen_now(map(source_of, todo)))
    return [command for command in todo if source_of(command) in sources]


def compiled(command):
    """Status of a command and what it says; an object goes to a place of its own."""
    with tempfile.TemporaryDirectory() as folder:
        with subprocess.Popen([*command, f"{folder}/one.o"] if command[-1] == "-o" else command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
            try:
                said = running.communicate(timeout=MOST_SECONDS)[1]
                return running.returncode, said
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)  # the programs that nvcc runs, too
                return 1, f"not done after {MOST_SECONDS} s"


def main():
    dnn, clang = dnn_headers(), shutil.which("clang++-16") or shutil.which("clang++")
    if dnn is None:
        print("no headers of cuDNN; CUDA 12 was not tried")
        return 77
    if nvcc := compiler():
        headers = Path(nvcc).parent.parent
        host = [command for command in commands(headers, "g++", dnn) if command[-1].endswith(".cpp")]
        way, todo = f"nvcc of {nvcc}", [*nvcc_commands(nvcc, dnn), *host]
    elif clang and fetched("headers"):
        way, todo = "clang with the headers of CUDA 12.4", list(commands(fetch_cuda_12.FOLDER, clang, dnn))
    else:
        print("neither a toolkit 12.x nor its headers from pip and clang; CUDA 12 was not tried")
        return 77
    every, bad = len(todo), 0
    todo = wanted(todo, sys.argv[1:])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for command, (status, said) in zip(todo, pool.map(compiled, todo)):
            if status != 0:
                bad += 1
                print(f"{' '.join(command)}\n{said}")
    print(f"toolkits: {bad} of {len(todo)} sources fail with {way}" if bad
          else f"toolkits: {'all' if len(todo) == every else f'{len(todo)} of'} {every} sources pass {way}")
    return 1 if bad or not every else 0


if __name__ == "__main__":
    sys.exit(main())
