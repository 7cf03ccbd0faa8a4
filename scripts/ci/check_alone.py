#!/usr/bin/env python3
"""Reads each source of src and bench alone, and each public header that is no source's first include, as the compiler does without making
code, so that each includes what it uses; warnings are errors.

Usage: check_alone.py [--build build/alone] [--all]
  --build   a folder that `cmake --preset alone` has configured; nothing need be compiled in it
  --all     every source and header; else those that a change touches and an eighth of the others (touched.py)
Exit status 1 when one does not compile.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from touched import ROOT, chosen_now  # noqa: E402


def entries_of(build, root=ROOT):
    """How the compiler is called for each source of src and bench and for each header of header_check, by their paths."""
    kept = (root / "src", root / "bench", build / "header_check")
    entries = json.loads((build / "compile_commands.json").read_text())
    return {entry["file"]: entry for entry in entries if any(Path(entry["file"]).is_relative_to(folder) for folder in kept)}


def command_of(entry):
    """The command without what it would write."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    return [word for word in words[:output] + words[output + 2:] if word != "-c"] + ["-fsyntax-only"]


def complaint(entry):
    """What the compiler says of a source, or ''."""
    done = subprocess.run(command_of(entry), cwd=entry["directory"], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr.strip() or f"{entry['file']}: status {done.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "alone")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    entries = entries_of(options.build.resolve())
    files = sorted(entries) if options.all else chosen_now(entries)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = list(filter(None, pool.map(lambda file: complaint(entries[file]), files)))
    print("\n".join(complaints))
    print(f"alone: {len(files)} of {len(entries)} sources and headers looked at, {len(complaints)} with errors")
    return 1 if complaints or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
