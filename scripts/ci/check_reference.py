#!/usr/bin/env python3
"""Makes the reference of the public headers (docs/Doxyfile) and checks that what they declare is described.

Usage: check_reference.py [-o FOLDER]
  -o FOLDER   keeps the pages there; without it they are made in a temporary folder

plumecast.h must be described whole: each function, struct, member, constant. Of the C++ headers each class and struct, and what
stands in a namespace, must be; members whose names say it may do without. Any other warning of doxygen counts too. Exit status 1 when
something is missing, 77 without doxygen.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MEMBER = re.compile(r"warning: Member .* of (class|struct|union) \S+ is not documented")


def warnings_of(folder):
    """What doxygen says, with paths from the root of the repository."""
    settings = (ROOT / "docs" / "Doxyfile").read_text() + f"\nOUTPUT_DIRECTORY = {folder}\nWARN_LOGFILE =\n"
    done = subprocess.run(["doxygen", "-"], input=settings, cwd=ROOT, capture_output=True, text=True)
    said = [line.replace(f"{ROOT}/", "") for line in done.stderr.splitlines() if line.strip()]
    if done.returncode != 0:
        said.append(f"doxygen ended with status {done.returncode}")
    return said


def is_wrong(warning):
    return warning.startswith("include/plumecast.h:") or not MEMBER.search(warning)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="folder", type=Path)
    folder = parser.parse_args().folder
    if shutil.which("doxygen") is None:
        print("no doxygen (package doxygen); the reference was not made")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        pages = (folder or Path(scratch)).resolve()
        pages.mkdir(parents=True, exist_ok=True)
        said = warnings_of(pages)
        if not (pages / "html" / "plumecast_8h.html").exists():
            said.append("no page of plumecast.h was made")
    wrong = [warning for warning in said if is_wrong(warning)]
    print("\n".join(wrong) or f"reference: all is described but {len(said)} members of C++ classes, whose names stand for themselves")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
