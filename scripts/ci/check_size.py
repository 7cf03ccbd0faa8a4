#!/usr/bin/env python3
"""Refuses what is longer than 1.5 times the advice of CONTRIBUTING.md: header 250 lines, source 400, function 60, 15 files of one
extension in a folder.

A folder counts files by extension because tests and their CMake list, or a header and its source, may share it.
Exemptions with their reasons stand in scripts/ci/size_exemptions.txt.
Usage: check_size.py [--root FOLDER]     exit status 1 when something is found
"""
import argparse
import re
import sys
from collections import Counter
from pathlib import Path

FOLDERS = ("include", "src", "apps", "tests", "bench")
LIMITS = {".hpp": 375, ".h": 375, ".cuh": 375, ".cpp": 600, ".c": 600, ".cu": 600}
FUNCTION_LIMIT = 90
FOLDER_LIMIT = 22
NOT_CODE = re.compile(
    r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    r"|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
    re.DOTALL | re.MULTILINE,
)
SCOPE = re.compile(r"^\s*(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b[^()]*$")


def code_only(text):
    """The text with comments, literals and directives blanked out, line numbers kept."""
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def functions(text):
    """Yields (name, first line, lines) of every function body that is not inside another one."""
    code = code_only(text)
    depth, inside, start, head, line = 0, 0, 0, "", 1
    name, head_line = "", 1
    for character in code:
        if character == "{":
            depth += 1
            signature = re.sub(r"template\s*<[^{};()]*>", "", head)
            if not inside and "(" in signature and not SCOPE.match(signature):
                inside, start = depth, head_line
                found = re.search(r"([~\w:]+|operator\S+)\s*\(", signature)
                name = found.group(1) if found else "?"
        elif character == "}":
            if inside == depth:
                yield name, start, line - start + 1
                inside = 0
            depth -= 1
        if character in "{};":
            head = ""
        else:
            if not head.strip() and not character.isspace():
                head_line = line
            head += character
        line += character == "\n"


def read_exemptions(path):
    """Exempted names; raises ValueError for an exemption without a reason."""
    names = set()
    for line in path.read_text().splitlines() if path.exists() else []:
        if not line.strip() or line.startswith("#"):
            continue
        name, _, reason = line.strip().partition(" ")
        if not reason.strip():
            raise ValueError(f"size_exemptions.txt: {name} gives no reason")
        names.add(name)
    return names


def check(root):
    """All findings in a source tree, as lines of text."""
    exempt = read_exemptions(root / "scripts" / "ci" / "size_exemptions.txt")
    found, counts = [], Counter()
    for path in sorted(p for top in FOLDERS for p in (root / top).rglob("*") if p.suffix in LIMITS):
        name = str(path.relative_to(root))
        text = path.read_text()
        lines = text.count("\n")
        counts[f"{path.parent.relative_to(root)}/*{path.suffix}"] += 1
        if lines > LIMITS[path.suffix]:
            found.append((name, f"{name}: {lines} lines (limit {LIMITS[path.suffix]}); split it by subject"))
        for function, first, length in functions(text):
            if length > FUNCTION_LIMIT:
                message = f"{name}:{first}: {function} has {length} lines (limit {FUNCTION_LIMIT}); extract its steps"
                found.append((f"{name}:{function}", message))
    for folder, count in sorted(counts.items()):
        if count > FOLDER_LIMIT:
            found.append((folder, f"{folder}: {count} files (limit {FOLDER_LIMIT}); give a subject its own folder"))
    return [message for key, message in found if key not in exempt]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    findings = check(parser.parse_args().root)
    print("\n".join(findings) if findings else "sizes: every file, function and folder is within its limit")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
