#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over sources of a build and fails when it finds something.

Usage: tidy.py [--build build/mpi] [--all | --since COMMIT] [--most UNITS]
  --all     every source of src and apps; else those that differ from COMMIT, which is origin/main, or where that is the
            present state the commit before
  --most    stops after that many compilations and names how many it left out
Exit status 1 when something is found, 77 when there is no clang-tidy.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from touched import INCLUDE, ROOT, base_commit, changed_files  # noqa: E402

INCLUDED_SOURCE = re.compile(r'^#include "(.*\.cpp)"', re.MULTILINE)  # in what CMake writes for a group of sources


def units_of(build):
    """What the compiler is called for, with the sources of the repository in it."""
    units = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = Path(entry["file"])
        is_group = "Unity" in file.parts
        sources = INCLUDED_SOURCE.findall(file.read_text()) if is_group else [str(file)]
        own = {os.path.relpath(source, ROOT) for source in sources}
        own = {source for source in own if source.startswith(("src/", "apps/"))}
        if own:
            units[str(file)] = own
    return units


def touched(units, changed):
    """Units of the changed sources; for a header the unit of the source of its name, else of the first that includes it."""
    wanted = {unit for unit, sources in units.items() if sources & changed}
    headers = {name for name in changed if name.endswith(".hpp")}
    for header in headers:
        stem = Path(header).stem
        place = re.sub(r"^(include|src)/", "", header)
        by_name = [unit for unit, sources in units.items() if any(Path(source).stem == stem for source in sources)]
        users = by_name or [unit for unit, sources in units.items() if any(
            place in INCLUDE.findall((ROOT / source).read_text()) for source in sources)]
        if users and not wanted & set(users):
            wanted.add(sorted(users)[0])
    return sorted(wanted)


def run_tidy(program, build, unit):
    result = subprocess.run([program, "-p", str(build), "--quiet", "--extra-arg=-w", unit],
                            cwd=ROOT, capture_output=True, text=True)
    found = "\n".join(line for line in result.stdout.splitlines() if not line.endswith("warnings generated."))
    return found.strip() or ("" if result.returncode == 0 else result.stderr.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "mpi")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--since")
    parser.add_argument("--most", type=int, default=sys.maxsize)
    options = parser.parse_args()
    program = shutil.which("clang-tidy-16") or shutil.which("clang-tidy")
    if program is None:
        print("no clang-tidy (package clang-tidy-16)")
        return 77
    units = units_of(options.build.resolve())
    wanted = sorted(units) if options.all else touched(units, changed_files(options.since or base_commit(), "src", "include", "apps"))
    chosen = wanted[:options.most]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = list(filter(None, pool.map(lambda unit: run_tidy(program, options.build, unit), chosen)))
    print("\n".join(findings))
    left_out = f", {len(wanted) - len(chosen)} left out" if len(wanted) > len(chosen) else ""
    print(f"clang-tidy: {len(chosen)} of {len(units)} compilations looked at{left_out}, {len(findings)} with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
