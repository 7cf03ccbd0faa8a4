#!/usr/bin/env python3
"""Builds the presets cuda and cuda-mpi as a whole with every toolkit here, for all architectures that it knows.

That takes half an hour a toolkit, so it is for the stage cuda of scripts/test.sh; in each run of the checks check_kernels.py
compiles all kernels for all architectures, and check_toolkits.py all sources with CUDA 12.4. cuda-mpi has NCCL where its header is.
Usage: check_cuda_builds.py [FOLDER ...]     toolkits; without one that of nvcc, CUDA12_HOME and /usr/local/cuda-[0-9]*, and where
                                             none of these is 12.x, CUDA 12.4 as fetch_cuda_12.py fetches it
Exit status 1 where a build fails or lacks an architecture, 77 without a toolkit. The last line says what was built.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from check_kernels import compiler  # noqa: E402
from check_toolkits import architectures, compiler as compiler_of_12, dnn_headers  # noqa: E402

PRESETS = ("cuda", "cuda-mpi")
OLDEST, NEWEST = 12, 13  # families of toolkits that the backend is for


def toolkits(named):
    """nvcc of each toolkit, each once."""
    main = compiler()
    folders = named or [os.environ.get("CUDA12_HOME", ""), *sorted(glob.glob("/usr/local/cuda-[0-9]*"))]
    found = [main] if main and not named else []
    found += filter(None, (shutil.which("nvcc", path=f"{folder}/bin") for folder in folders if folder))
    if not named and (old := compiler_of_12("libraries")):
        found.append(old)
    return list({version_of(nvcc): nvcc for nvcc in reversed(found)}.items())[::-1]


def version_of(nvcc):
    said = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"release (\d+\.\d+)", said).group(1)


def built_for(folder):
    """Architectures that sources of a build folder have machine code for."""
    commands = json.loads((folder / "compile_commands.json").read_text())
    kernels = [command["command"] for command in commands if command["file"].endswith(".cu")]
    each = [frozenset(map(int, re.findall(r"\bsm_(\d+)", command))) for command in kernels]
    return tuple(sorted(frozenset.intersection(*each))) if each else ()


def nccl_options(preset):
    """Builds NCCL in where ranks can use it and its header is here; the library is opened when a program runs."""
    places = ["/usr/local/cuda/include", "/usr/local/include", "/usr/include"]
    found = next((place for place in places if Path(place, "nccl.h").exists()), None)
    return ["-DPLUMECAST_NCCL=ON", f"-DPLUMECAST_NCCL_INCLUDE_DIR={found}"] if found and preset == "cuda-mpi" else []


def build(preset, nvcc, version):
    """What is wrong with a build; '' where nothing is."""
    folder = Path("build", f"{preset}-{version}")
    launcher = "ccache" if shutil.which("ccache") else ""
    configure = ["cmake", "--preset", preset, "-B", str(folder), f"-DCMAKE_CUDA_COMPILER={os.path.abspath(nvcc)}",
                 f"-DPLUMECAST_CUDNN_INCLUDE_DIR={dnn_headers() or ''}", *nccl_options(preset),
                 *(f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX", "CUDA"))]
    for command in (configure, ["cmake", "--build", str(folder), "-j", os.environ.get("PLUMECAST_JOBS", str(os.cpu_count()))]):
        if subprocess.run(command, check=False).returncode != 0:
            return f"{preset} with CUDA {version}: {' '.join(command[:2])} fails"
    expected, found = architectures(version), built_for(folder)
    return "" if found == expected else f"{preset} with CUDA {version}: machine code for {found}, not for {expected}"


def main():
    found = toolkits(sys.argv[1:])
    if not found:
        print("no nvcc; nothing was built")
        return 77
    problems = list(filter(None, (build(preset, nvcc, version) for version, nvcc in found for preset in PRESETS)))
    families = {int(version.partition(".")[0]) for version, _ in found}
    missing = [f"no toolkit {family}.x is here" for family in range(OLDEST, NEWEST + 1) if family not in families]
    built = [f"{' and '.join(PRESETS)} with CUDA {version} for {', '.join(map(str, architectures(version)))}" for version, _ in found]
    print("\n".join(problems) or f"NCCL in cuda-mpi: {'yes' if nccl_options('cuda-mpi') else 'no, nccl.h is not here'}")
    print("CUDA builds: " + "; ".join([f"{len(problems)} fail"] if problems else built + missing))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
