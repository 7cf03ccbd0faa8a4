#!/usr/bin/env python3
"""Checks every #include against scripts/layers.txt, and that no files include each other in a circle.

Usage: check_layers.py [--root FOLDER]     exit status 1 when something is found
"""
import argparse
import fnmatch
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".hpp", ".h", ".cpp", ".c", ".cu", ".cuh"}
C_HEADERS = {"assert.h", "errno.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h"}


class Rules:
    """The table of layers.txt."""

    def __init__(self, text):
        self.modules, self.vendors, self.apart = {}, [], []
        for number, line in enumerate(text.splitlines(), start=1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            kind, _, rest = line.partition(" ")
            name, _, values = rest.partition(":")
            if kind == "module":
                self.modules[name.strip()] = set(values.split())
            elif kind == "vendor":
                self.vendors.append((name.strip(), values.split()))
            elif kind == "apart":
                self.apart.append(tuple(rest.split()))
            else:
                raise ValueError(f"layers.txt:{number}: '{kind}' is not module, vendor or apart")

    def vendor_allowed(self, path, header):
        return any(
            (path == where or path.startswith(where + "/")) and any(fnmatch.fnmatch(header, h) for h in headers)
            for where, headers in self.vendors
        )


def module_of(path):
    """Room of a repository path: src/data/x.cpp, include/plumecast/data/x.hpp -> data; apps/x.cpp -> apps."""
    parts = path.split("/")
    if parts[0] == "src":
        return parts[1]
    if parts[:2] == ["include", "plumecast"]:
        return parts[2]
    return parts[0]


def is_standard(header):
    return header in C_HEADERS or ("/" not in header and "." not in header)


def resolve(files, path, quoted, header):
    """Repository path of an included project file, or None for a header from outside."""
    candidates = [f"include/{header}", f"src/{header}"]
    if quoted:
        beside = Path(path).parent / header
        candidates.insert(0, str(beside))
        if path.startswith("apps/"):
            candidates.insert(1, f"apps/{header}")
    return next((c for c in candidates if c in files), None)


def check_include(rules, files, path, quoted, header):
    """What is wrong with one include, or None."""
    target = resolve(files, path, quoted, header)
    module = module_of(path)
    if target is None and (quoted or header.startswith("plumecast/")):
        return f"includes {header}, which does not exist"
    if target is None:
        if is_standard(header):
            return None
        if path.startswith("include/"):
            return f"includes {header}, but public headers know no vendor"
        return None if rules.vendor_allowed(path, header) else f"includes {header}, which module {module} is not granted"
    if path.startswith("include/") and not target.startswith("include/"):
        return f"includes {target}, but public headers see only public headers"
    if path.startswith("apps/") and target.startswith("src/"):
        return f"includes {target}, but the applications see only public headers"
    other = module_of(target)
    if other != module and other not in rules.modules[module]:
        return f"includes {target}, but module {module} must not know module {other}"
    for a, b in rules.apart:
        if (path.startswith(a) and target.startswith(b)) or (path.startswith(b) and target.startswith(a)):
            return f"includes {target}, but {a} and {b} never see each other"
    return None


def find_cycle(graph):
    """One circle of includes as a list of files, or an empty list."""
    done, trail = set(), []

    def visit(node):
        if node in trail:
            return trail[trail.index(node):] + [node]
        if node in done:
            return []
        trail.append(node)
        for following in sorted(graph.get(node, ())):
            circle = visit(following)
            if circle:
                return circle
        trail.pop()
        done.add(node)
        return []

    return next((c for c in map(visit, sorted(graph)) if c), [])


def check(root):
    """All findings in a source tree, as lines of text."""
    rules = Rules((root / "scripts" / "layers.txt").read_text())
    files = {
        str(p.relative_to(root))
        for top in ("include", "src", "apps")
        for p in (root / top).rglob("*")
        if p.suffix in SUFFIXES and (top != "include" or "plumecast" in p.parts)
    }
    findings, graph = [], {}
    for path in sorted(files):
        if module_of(path) not in rules.modules:
            findings.append(f"{path}: module {module_of(path)} is not in layers.txt")
            continue
        for number, line in enumerate((root / path).read_text().splitlines(), start=1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quoted, header = match.group(1) == '"', match.group(2)
            problem = check_include(rules, files, path, quoted, header)
            if problem:
                findings.append(f"{path}:{number}: {problem}")
            target = resolve(files, path, quoted, header)
            if target:
                graph.setdefault(path, set()).add(target)
    circle = find_cycle(graph)
    if circle:
        findings.append("files include each other in a circle: " + " -> ".join(circle))
    return findings


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    findings = check(parser.parse_args().root)
    print("\n".join(findings) if findings else "layers: every include is allowed")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
