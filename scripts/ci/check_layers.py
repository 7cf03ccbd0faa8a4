#!/usr/bin/env python3
"""Checks the code against scripts/ci/layers.txt: every #include and every type that a file uses belongs to a module that its
own may know. Also that no files, components (a header and its source) or modules know each other in a circle, that public
headers mirror the sources, and that no module has more than a fifth of the lines.

Usage: check_layers.py [--root FOLDER]     exit status 1 when something is found
"""
import argparse
import fnmatch
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TYPE_OF_HEADER = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)
ANY_TYPE = re.compile(r"\b(?:enum class|enum|struct|class|using|typename) (?:\w+::)*(\w+)\b(?!\s*;)")
WORD = re.compile(r"\b[A-Z]\w+")
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
LARGEST_PART = 0.2  # of all lines, in one module
LEAST_LINES = 1000  # of all modules; in fewer, parts say nothing
SUFFIXES = {".hpp", ".h", ".cpp", ".c", ".cu", ".cuh"}
C_HEADERS = {"assert.h", "errno.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h"}


class Rules:
    """The table of layers.txt."""

    def __init__(self, text):
        self.modules, self.vendors, self.components = {}, [], {}
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
            elif kind == "component":
                self.components[name.strip()] = values.split()
            else:
                raise ValueError(f"layers.txt:{number}: '{kind}' is not module, vendor or component")

    def module_of(self, path):
        """src/reservoir/h5/x.cpp and include/plumecast/reservoir/h5/x.hpp -> reservoir/h5; apps/x.cpp -> apps."""
        place = within_tree(path)
        known = [m for m in self.modules if place.startswith(m + "/")]
        return max(known, key=len) if known else place.split("/")[0]

    def vendor_allowed(self, path, header):
        return any(
            (path == where or path.startswith(where + "/")) and any(fnmatch.fnmatch(header, h) for h in headers)
            for where, headers in self.vendors
        )


def within_tree(path):
    """A path below src/ or include/plumecast/; others as they are."""
    return re.sub(r"^(src|include/plumecast)/", "", path)


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
    module = rules.module_of(path)
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
    other = rules.module_of(target)
    if other != module and other not in rules.modules[module]:
        return f"includes {target}, but module {module} must not know module {other}"
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


def component_of(rules, path):
    """A header and its source are one: include/plumecast/core/json.hpp and src/core/json.cpp -> core/json."""
    name = str(Path(within_tree(path)).with_suffix(""))
    return next((whole for whole, parts in rules.components.items() if any(fnmatch.fnmatch(name, p) for p in parts)), name)


def components(rules, graph):
    """The graph of the files as one of components."""
    result = {}
    for path, targets in graph.items():
        for target in targets:
            names = component_of(rules, path), component_of(rules, target)
            if names[0] != names[1]:
                result.setdefault(names[0], set()).add(names[1])
    return result


def types_in(rules, texts):
    """Names of all types that the code of each module defines, nested ones and template parameters too."""
    types = {}
    for path, text in texts.items():
        types.setdefault(rules.module_of(path), set()).update(ANY_TYPE.findall(NOT_CODE.sub(" ", text)))
    return types


def check_types(rules, texts):
    """Types of headers that a file uses though its module must not know theirs, whatever it includes."""
    types, owners = types_in(rules, texts), {}
    for path, text in texts.items():
        if path.endswith(".hpp"):
            owners.update(dict.fromkeys(TYPE_OF_HEADER.findall(text), rules.module_of(path)))
    for path, text in texts.items():
        module = rules.module_of(path)
        granted = {module, *rules.modules.get(module, ())}
        for name in sorted(set(WORD.findall(NOT_CODE.sub(" ", text))) & owners.keys()):
            if not any(name in types.get(known, ()) for known in granted):
                yield f"{path}: uses {name}, but module {module} must not know module {owners[name]}"


def check_mirror(paths):
    """Public headers that stand elsewhere than the source of their name in the same library folder."""
    sources = {}
    for path in paths:
        if path.startswith("src/") and Path(path).suffix in {".cpp", ".cu"}:
            sources.setdefault(Path(path).stem, set()).add(str(Path(within_tree(path)).parent))
    for path in paths:
        if not path.startswith("include/"):
            continue
        place = Path(within_tree(path))
        same_library = {f for f in sources.get(place.stem, ()) if f.split("/")[0] == place.parts[0]}
        if same_library and str(place.parent) not in same_library:
            yield f"{path}: its source is in src/{min(same_library)}; headers mirror sources"


def check_lines(rules, texts):
    """Modules with more than their part of the lines of src and include."""
    lines = {}
    for path, text in texts.items():
        if not path.startswith("apps/"):
            module = rules.module_of(path)
            lines[module] = lines.get(module, 0) + text.count("\n")
    total = sum(lines.values())
    for module, count in sorted(lines.items()):
        if total >= LEAST_LINES and count > LARGEST_PART * total:
            yield f"module {module} has {count} of {total} lines; divide it by subject"


def check_includes(rules, files, path, text, graph):
    """What is wrong with the includes of a file; adds them to the graph of the files."""
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, header = match.group(1) == '"', match.group(2)
        problem = check_include(rules, files, path, quoted, header)
        if problem:
            yield f"{path}:{number}: {problem}"
        target = resolve(files, path, quoted, header)
        if target:
            graph.setdefault(path, set()).add(target)


def check(root):
    """All findings in a source tree, as lines of text."""
    rules = Rules((root / "scripts" / "ci" / "layers.txt").read_text())
    texts = {
        str(p.relative_to(root)): p.read_text()
        for top in ("include", "src", "apps")
        for p in sorted((root / top).rglob("*"))
        if p.suffix in SUFFIXES and (top != "include" or "plumecast" in p.parts)
    }
    files, findings, graph = set(texts), [], {}
    for path, text in texts.items():
        if rules.module_of(path) not in rules.modules:
            findings.append(f"{path}: module {rules.module_of(path)} is not in layers.txt")
            continue
        findings.extend(check_includes(rules, files, path, text, graph))
    findings.extend(check_types(rules, texts))
    findings.extend(check_mirror(texts))
    findings.extend(check_lines(rules, texts))
    of_files = find_cycle(graph)
    of_components = [] if of_files else find_cycle(components(rules, graph))
    of_modules = find_cycle(rules.modules)
    for circle, kind in ((of_files, "files include"), (of_components, "components know"), (of_modules, "modules know")):
        if circle:
            findings.append(f"{kind} each other in a circle: " + " -> ".join(circle))
    return findings


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    findings = check(parser.parse_args().root)
    print("\n".join(findings) if findings else "layers: every include and every type used is allowed")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
