#!/usr/bin/env python3
"""Counts the tests of a CTest report (JUnit): prints how many there were, failed and were skipped.

A test program that CTest runs in parts counts with the tests that each part says it ran; a part that fails without a count,
as one that crashes, is one failure. A report that is not there or holds no test is a failure too.

  count_tests.py REPORT.xml
"""
import re
import sys
import xml.etree.ElementTree as tree


def number(pattern, text):
    found = re.search(pattern, text, re.M)
    return int(found[1]) if found else 0


def count_part(case):
    """Tests, failures and skipped tests of a part, from what the program printed at its end."""
    text = case.findtext("system-out") or ""
    ran = number(r"^\[==========\] (\d+) tests? from", text)
    failed = number(r"^ *(\d+) FAILED TESTS?$", text) or number(r"^\[  FAILED  \] (\d+) tests?", text)
    skipped = number(r"^\[  SKIPPED \] (\d+) tests?", text)
    if case.get("status") != "run":
        failed = max(failed, 1)
        ran = max(ran, failed + skipped)
    return ran, failed, skipped


def count(report):
    try:
        suite = tree.parse(report).getroot()
    except (OSError, tree.ParseError):
        return 1, 1, 0
    total, failed, skipped = (int(suite.get(name, 0)) for name in ("tests", "failures", "skipped"))
    skipped += int(suite.get("disabled", 0))
    for case in suite.findall("testcase"):
        if re.search(r"\.part_\d+_of_\d+$", case.get("name")):  # CTest has counted it as one test
            part = count_part(case)
            total += part[0] - 1
            failed += part[1] - int(case.get("status") != "run")
            skipped += part[2]
    return (total, failed, skipped) if total > 0 else (1, 1, 0)


if __name__ == "__main__":
    print(*count(sys.argv[1]))
