#!/usr/bin/env python3
"""Two types of one name in one namespace, defined in different files, give undefined behaviour that no compiler reports.

Usage: check_names.py [FOLDER]     looks through the headers and sources of include, src and apps
"""
import re
import sys
from pathlib import Path

OPENS = re.compile(r"^(?:inline )?namespace ?([\w:]*) \{$")
CLOSES = re.compile(r"^\}  // namespace")
DEFINES = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?(?: : [^;]*)? \{")


def types_of(text):
    """Qualified names of the types defined at namespace level; those of unnamed namespaces are the file's own."""
    spaces = []
    for line in text.splitlines():
        if opened := OPENS.match(line):
            spaces.append(opened.group(1))
        elif CLOSES.match(line):
            spaces.pop()
        elif (defined := DEFINES.match(line)) and all(spaces):
            yield "::".join((*spaces, defined.group(1)))


def check(root):
    """One line for every name that is given twice."""
    places = {}
    for folder in ("include", "src", "apps"):
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            for name in types_of(path.read_text()):
                places.setdefault(name, []).append(str(path.relative_to(root)))
    return [f"{name}: defined in {' and '.join(files)}; give one of them another name or an unnamed namespace"
            for name, files in sorted(places.items()) if len(files) > 1]


def main():
    found = check(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(found) if found else "names: every type has its own name")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
