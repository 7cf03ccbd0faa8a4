#!/usr/bin/env python3
"""Checks libraries for functions whose answer depends on the locale of the program that they become a part of.

Usage: check_locale.py LIBRARY...     exit status 1 when something is found; needs nm (binutils)

Numbers are read by std::from_chars and written by fmt, letters are those of src/core/text/ascii.hpp: in a locale that
writes 4,5, or where the capital of i is another letter, files and messages stay the same.
"""
import argparse
import re
import subprocess
import sys

# std::to_string() of a real number, streams of numbers, and what C has for both and for letters.
FOLLOWS = re.compile(r"__gnu_cxx::__to_xstring|std::o?stream::(_M_insert<|operator<<\((int|short)\))|std::istream::(_M_extract<|operator>>\()"
                     r"|^(to(upper|lower)|is(alpha|digit|alnum|space|print|punct|xdigit|upper|lower)|strto(f|d|ld)|atof|localeconv)$")
# The parser of JSON has its own way with numbers, of which plumecast::Json takes none.
EXEMPT = {("libplumecast_core.a", "strtod"), ("libplumecast_core.a", "localeconv")}


def found_in(library):
    symbols = subprocess.run(["nm", "-C", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    symbols += subprocess.run(["nm", "-C", "--undefined-only", library], capture_output=True, text=True, check=True).stdout
    name = library.rsplit("/", 1)[-1]
    names = {re.sub(r"^\s*[0-9a-f]*\s+\w\s+", "", line) for line in symbols.splitlines()}
    return sorted(f"{library}: uses {symbol[:100]}, which follows the locale; use std::from_chars, fmt or text/ascii.hpp"
                  for symbol in names if FOLLOWS.search(symbol) and (name, symbol) not in EXEMPT)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("libraries", nargs="+")
    findings = [finding for library in parser.parse_args().libraries for finding in found_in(library)]
    print("\n".join(findings) if findings else "locale: nothing that follows it")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
