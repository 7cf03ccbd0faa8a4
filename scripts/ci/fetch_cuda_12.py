#!/usr/bin/env python3
"""Puts CUDA 12.4 into a folder that looks like a toolkit, so that the backend can be built with it: nothing is installed, and no
rights are needed. The headers come from pip, the compiler and what programs link from Debian's packages.

Usage: fetch_cuda_12.py [FOLDER] [--link]     default build/toolkit-12.4
  --link   also the static runtime, which lies in a package of 0.9 GB; without it sources can be compiled, not linked
Exit status 77 where pip or apt-get cannot have it.
"""
import argparse
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FOLDER = Path("build/toolkit-12.4")
WHEELS = ("nvidia-cuda-nvcc-cu12==12.4.131", "nvidia-cuda-runtime-cu12==12.4.127", "nvidia-cublas-cu12==12.4.5.8",
          "nvidia-cufft-cu12==11.2.1.3", "nvidia-curand-cu12==10.3.5.147", "nvidia-cuda-cccl-cu12==12.4.127")
KEPT = re.compile(r"nvidia/[a-z_]+/(include/.*|nvvm/libdevice/.*|bin/ptxas|lib/libcudart\.so\.12)$")
SUITE, COMPONENT = "trixie", "non-free"  # the release of Debian that has 12.4
COMPILER, LIBRARIES = "nvidia-cuda-toolkit=12.4.131~*", "nvidia-cuda-dev=12.4.127~*"
PROGRAMS = re.compile(r"usr/(?:bin|lib/nvidia-cuda-toolkit/bin)/(nvcc|cudafe\+\+|cicc|ptxas|fatbinary|nvlink|bin2c|cuobjdump|crt/\w+\.stub)$")
STATIC = re.compile(r"usr/lib/[\w-]+/(libcudart_static|libcudadevrt|libculibos)\.a$")
KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
MOST_SECONDS = 900  # of a command: a mirror that hangs is one that has nothing
PROFILE = """TOP = $(_HERE_)/..
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
PATH += $(TOP)/nvvm/bin:$(_HERE_):
INCLUDES =+ "-I$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64"
"""


class Unavailable(Exception):
    """What is asked for cannot be had here."""


def run(*command, folder=None):
    """What a command prints; raises Unavailable where it cannot run, fails or does not end."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"{command[0]} is not done after {MOST_SECONDS} s") from error
    except OSError as error:
        raise Unavailable(f"{command[0]} cannot be started: {error.strerror}") from error
    if done.returncode != 0:
        raise Unavailable(f"{command[0]} fails: {done.stderr.strip()[-300:]}")
    return done.stdout


def keep(wheel, target):
    """Unpacks what a compiler reads of a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if found := KEPT.match(name):
                path = target / found.group(1)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(packed.read(name))


def fetch_headers(target):
    """Headers, device library and shared runtime from pip."""
    with tempfile.TemporaryDirectory(dir=target) as folder:
        run(sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:",
            "-d", folder, *WHEELS)
        for wheel in Path(folder).glob("*.whl"):
            keep(wheel, target)
    (target / "bin/ptxas").chmod(0o755)
    (target / "lib64").symlink_to("lib")
    (target / "lib/libcudart.so").symlink_to("libcudart.so.12")


def debian_archive():
    """The archive of Debian that this system installs from."""
    if platform.machine() != "x86_64":
        raise Unavailable(f"Debian has no such package for {platform.machine()}")
    listed = run("apt-get", "update", "--print-uris")
    found = re.search(r"'(\S+/debian)/dists/", listed)
    if not found:
        raise Unavailable("this system installs nothing from Debian")
    return found.group(1)


def package(named, folder):
    """A package of the suite that has 12.4, by lists of its own: those of the system stay as they are."""
    signed = f"[signed-by={KEYS}] " if KEYS.exists() else ""
    (folder / "sources.list").write_text(f"deb {signed}{debian_archive()} {SUITE} {COMPONENT}\n")
    for place in ("lists/partial", "cache/archives/partial", "packages"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    apart = [f"-oDir::Etc::sourcelist={folder}/sources.list", "-oDir::Etc::sourceparts=-", f"-oDir::State::lists={folder}/lists",
             f"-oDir::Cache={folder}/cache", "-oAPT::Architecture=amd64", "-oAPT::Sandbox::User="]
    run("apt-get", *apart, "-q", "update")
    run("apt-get", *apart, "-q", "download", named, folder=folder / "packages")
    for archive in (folder / "packages").glob("*.deb"):
        return archive
    raise Unavailable(f"apt-get brought no {named}")


def unpack(named, target, places):
    """Takes the files out of a package whose place in a toolkit the function `places` tells."""
    with tempfile.TemporaryDirectory(dir=target) as folder:
        archive = package(named, Path(folder).resolve())
        contents = run("dpkg-deb", "--contents", str(archive))
        wanted = [name for name in re.findall(r"^-.* \./(\S+)$", contents, re.MULTILINE) if places(name)]
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE) as packed:
            done = subprocess.run(["tar", "-x", "-C", folder, *(f"./{name}" for name in wanted)], stdin=packed.stdout, check=False)
        if done.returncode != 0 or not wanted:
            raise Unavailable(f"{archive.name} does not hold what it should")
        for name in wanted:
            path = target / places(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(f"{folder}/{name}", path)


def place_of_program(name):
    """Where a toolkit has a program; None for what is none. The nvcc in usr/bin only starts the other."""
    found = PROGRAMS.match(name)
    if not found or name == "usr/bin/nvcc":
        return None
    return f"{'nvvm/' if found.group(1) == 'cicc' else ''}bin/{found.group(1)}"


def fetch_compiler(target):
    unpack(COMPILER, target, place_of_program)
    (target / "bin/nvcc.profile").write_text(PROFILE)
    run(str(target / "bin/nvcc"), "--version")


def fetch_libraries(target):
    unpack(LIBRARIES, target, lambda name: f"lib/{Path(name).name}" if STATIC.match(name) else None)


def fetched(target, *parts):
    """Fetches those parts ('headers', 'compiler', 'libraries') that a folder lacks; raises Unavailable."""
    for part in parts:
        done = target / f"{part}.complete"
        if not done.exists():
            if part == "headers":
                shutil.rmtree(target, ignore_errors=True)  # what an attempt that was cut short left
            target.mkdir(parents=True, exist_ok=True)
            {"headers": fetch_headers, "compiler": fetch_compiler, "libraries": fetch_libraries}[part](target)
            done.touch()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--link", action="store_true")
    options = parser.parse_args()
    try:
        fetched(options.folder, "headers", "compiler", *(["libraries"] if options.link else []))
    except Unavailable as reason:
        print(f"CUDA 12.4 cannot be fetched ({reason}); set CUDA12_HOME to a toolkit 12.x")
        return 77
    print(f"CUDA 12.4 is in {options.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
