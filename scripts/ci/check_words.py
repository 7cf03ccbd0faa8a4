#!/usr/bin/env python3
"""Checks tracked files for paths of one machine, names that say nothing and marks of unfinished work.

Usage: check_words.py [--root FOLDER]     exit status 1 when something is found
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

EMPTY_NAME = re.compile(r"(^|/)(utils?|common|misc|helpers?)(\.[^/]*)?(/|$)", re.IGNORECASE)
MACHINE_PATH = re.compile(r"(^|[^A-Za-z0-9_.])/(home|root|work|farm|Users|tmp)/[A-Za-z0-9_.]")
UNFINISHED = re.compile(r"\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b")
CODE = {".cpp", ".hpp", ".h", ".c", ".cu", ".py", ".sh", ".cmake"}


def tracked(root):
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True, text=True).stdout
    return [name for name in listing.split("\0") if name and (root / name).is_file()]


def check(root):
    """All findings among the tracked files, as lines of text."""
    findings = []
    for name in tracked(root):
        if EMPTY_NAME.search(name):
            findings.append(f"{name}: the name says nothing; call it after what it holds")
        content = (root / name).read_bytes()
        if b"\0" in content[:8000]:
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
            if MACHINE_PATH.search(line):
                findings.append(f"{name}:{number}: a path that exists on one machine only; make it relative")
            if Path(name).suffix in CODE and UNFINISHED.search(line):
                findings.append(f"{name}:{number}: a mark of unfinished work; finish it or file an issue")
    return findings


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    findings = check(parser.parse_args().root)
    print("\n".join(findings) if findings else "words: no machine paths, empty names or unfinished marks")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
