#!/usr/bin/env python3
"""Holds the library of plumecast.h to the committed description of its functions and types: they are only ever added.

A function that is gone or changed, a type that is laid out differently, a constant with another value fail; new functions,
new constants and new members at the end of the structs that begin with their size pass.

  check_abi.py --build build/mpi            compares the library of a build with tests/abi/plumecast_c.xml
  check_abi.py --build build/mpi --write    refreshes the description after functions were added, once the comparison passes

Needs abidw and abidiff (package abigail-tools); exit status 77 where they are not installed, 1 for a difference.
"""
import argparse
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
stored = root / "tests/abi/plumecast_c.xml"
header = root / "include/plumecast.h"

NOT_INSTALLED = 77
# Of abidiff's exit status: it could not compare, or was called wrongly; the bits above tell of differences.
ERROR_BITS = 1 | 2


def described(library, header, compiled_in):
    """What a library with debug information exports, as XML: functions and the types that the header declares."""
    # A type belongs to the header when its debug information names the very path, which may be one from the build's folder.
    command = ["abidw", "--header-file", str(header), "--header-file", os.path.relpath(header, compiled_in), "--drop-private-types",
               "--exported-interfaces-only", "--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--no-elf-needed",
               "--type-id-style", "hash", str(library)]
    text = subprocess.run(command, check=True, capture_output=True, text=True, cwd=compiled_in).stdout
    missing = [name for name in declared_structs(header.read_text())
               if not re.search(rf"<class-decl name='{name}' size-in-bits", text)]
    if missing:
        raise RuntimeError(f"{library} does not describe {', '.join(missing)} (abidw finds no debug information of {header}); "
                           "build its target again")
    return re.sub(r"(<abi-instr [^>]*)path='[^']*'", rf"\1path='{header.name}'", text)


def declared_structs(header):
    """Names of the structs that a header defines."""
    return re.findall(r"typedef struct (\w+) \{", header)


def sized_structs(header):
    """Names of the structs that begin with their size, which may grow at their end."""
    return re.findall(r"typedef struct (\w+) \{\s*size_t size;", header)


def allowed(header):
    """abidiff's suppressions: what may be added."""
    names = "|".join(sized_structs(header))
    if not names:
        return ""
    return f"[suppress_type]\ntype_kind = struct\nname_regexp = ^({names})$\nhas_data_member_inserted_at = end\n"


def differences(before, after, header):
    """What abidiff says of two descriptions beyond additions; empty when there is nothing."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("before.xml", "after.xml", "allowed.ini")]
        for path, text in zip(paths, (before, after, allowed(header))):
            path.write_text(text)
        # Harmless for abidiff is what it takes to be compatible, as a constant that was added; its value is looked at below.
        command = ["abidiff", "--no-added-syms", "--no-show-locs", "--suppressions", str(paths[2]), str(paths[0]), str(paths[1])]
        result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode & ERROR_BITS:
        raise RuntimeError(f"abidiff failed: {result.stderr.strip() or result.stdout.strip()}")
    found = result.stdout.strip() if result.returncode else ""
    lost = lost_constants(before, after)
    return "\n".join(part for part in (found, *lost) if part)


def lost_constants(before, after):
    """Constants of enumerations that are gone or have another value."""
    def constants(text):
        return dict(re.findall(r"<enumerator name='(\w+)' value='(-?\d+)'/>", text))

    now = constants(after)
    return [f"constant {name} was {value} and is {now.get(name, 'gone')}"
            for name, value in constants(before).items() if now.get(name) != value]


def exported(library):
    """The symbols that a library shows."""
    text = subprocess.run(["nm", "-D", "--defined-only", str(library)], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in text.splitlines() if line.split()[-2] in "TtWwBDRVi"}


def check(build, write):
    library = build / "src/bindings/c/libplumecast_c.so"
    companion = build / "tests/abi/libplumecast_c.so"
    shown, built = exported(companion), exported(library)
    if shown != built:
        print(f"{library} and the library that describes it show other symbols: {sorted(shown ^ built)}; build both again")
        return 1
    now = described(companion, header, build)
    found = differences(stored.read_text(), now, header.read_text()) if stored.exists() else ""
    if found:
        print(found)
        print(f"\nplumecast.h has changed beyond additions (programs that were built with it would break; {stored} holds "
              "what they rely on); bring back what is gone or changed, and add a function beside it instead")
        return 1
    if write:
        stored.write_text(now)
        print(f"{stored}: written")
    else:
        print(f"{len(built)} symbols, none of them gone or changed")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/mpi")
    parser.add_argument("--write", action="store_true", help="refresh the committed description")
    arguments = parser.parse_args()
    if not (shutil.which("abidw") and shutil.which("abidiff")):
        print("no abidw and abidiff (package abigail-tools); the library was not compared with its description")
        return NOT_INSTALLED
    if platform.machine() not in ("x86_64", "AMD64"):
        print(f"the description is of x86_64, this is {platform.machine()}; the library was not compared with it")
        return NOT_INSTALLED
    return check(arguments.build.resolve(), arguments.write)


if __name__ == "__main__":
    sys.exit(main())
