#!/usr/bin/env python3
"""Compiles the CUDA backend with the oldest toolkit that it is for, CUDA 12.4, beside the one that builds it.

Where a toolkit 12.x is installed (CUDA12_HOME, or /usr/local/cuda-12.*), its nvcc compiles every source. Elsewhere the headers of
12.4 come from pip into build/cuda-12.4, and clang checks host and device code against them, which needs no nvcc.
Usage: check_toolkits.py     exit status 77 where neither can be
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HEADERS = ("nvidia-cuda-nvcc-cu12==12.4.131", "nvidia-cuda-runtime-cu12==12.4.127", "nvidia-cublas-cu12==12.4.5.8",
           "nvidia-curand-cu12==10.3.5.147", "nvidia-cuda-cccl-cu12==12.4.127")
KEPT = re.compile(r"nvidia/[a-z_]+/(include/.*|nvvm/libdevice/.*|bin/ptxas)$")
ARCHITECTURES = {"12.4": (80, 90), "12.8": (80, 90, 100, 120)}  # that a toolkit knows, from that version on
INCLUDES = ("-std=c++20", "-Isrc", "-Iinclude")


def architectures(version):
    """Of those that the backend is for, what a toolkit of a version like '12.4' knows."""
    number = tuple(map(int, version.split(".")))
    return ARCHITECTURES["12.8" if number >= (12, 8) else "12.4"]


def installed_compiler():
    """Path of the nvcc of an installed toolkit 12.x, or None."""
    folders = [os.environ.get("CUDA12_HOME", ""), *sorted(glob.glob("/usr/local/cuda-12.*"))]
    return next(filter(None, (shutil.which("nvcc", path=f"{folder}/bin") for folder in folders if folder)), None)


def keep(wheel, target):
    """Unpacks what clang reads of a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if found := KEPT.match(name):
                path = target / found.group(1)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(packed.read(name))


def fetched_headers(target):
    """Whether the headers of CUDA 12.4 and of the cuDNN here lie in a folder that looks like a toolkit."""
    if (target / "complete").exists():
        return True
    shutil.rmtree(target, ignore_errors=True)
    wheels = target / "wheels"
    done = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps",
                           "--only-binary=:all:", "-d", str(wheels), *HEADERS], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return False
    for wheel in wheels.glob("*.whl"):
        keep(wheel, target)
    shutil.rmtree(wheels)
    (target / "bin/ptxas").chmod(0o755)
    (target / "complete").touch()
    return True


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
    version = re.search(r"release (\d+\.\d+)", subprocess.run([nvcc, "--version"], capture_output=True, text=True,
                                                              check=True).stdout).group(1)
    targets = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in architectures(version)]
    for source in sorted(Path("src/backend/cuda").rglob("*.cu")):
        yield [nvcc, *INCLUDES, f"-I{dnn}", "--expt-relaxed-constexpr", *targets, "-c", str(source), "-o", os.devnull]


def main():
    dnn, nvcc, clang = dnn_headers(), installed_compiler(), shutil.which("clang++-16") or shutil.which("clang++")
    if dnn is None:
        print("no headers of cuDNN; CUDA 12 was not tried")
        return 77
    if nvcc:
        way, todo = f"nvcc of {nvcc}", list(nvcc_commands(nvcc, dnn))
    else:
        headers = Path("build/cuda-12.4")
        if clang is None or not fetched_headers(headers):
            print("neither a toolkit 12.x nor its headers from pip and clang; CUDA 12 was not tried")
            return 77
        way, todo = "clang with the headers of CUDA 12.4", list(commands(headers, clang, dnn))
    bad = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for command, done in zip(todo, pool.map(lambda one: subprocess.run(one, capture_output=True, text=True), todo)):
            if done.returncode != 0:
                bad += 1
                print(f"{' '.join(command)}\n{done.stderr}")
    print(f"toolkits: {bad} of {len(todo)} sources fail with {way}" if bad
          else f"toolkits: all {len(todo)} sources pass {way}")
    return 1 if bad or not todo else 0


if __name__ == "__main__":
    sys.exit(main())
