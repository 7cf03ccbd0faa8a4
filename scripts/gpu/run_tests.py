#!/usr/bin/env python3
"""Runs tests of a GoogleTest program in one process; after a failure, those that have not passed each in its own.

A fault of a CUDA device stays with the process that caused it, so that every later test of that process fails too.
Usage: run_tests.py PROGRAM FILTER REPORT.json SECONDS     exit status 1 when a test fails by itself, 124 when time is up
"""
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOO_LATE = 124


def listed(program, pattern, seconds):
    """Full names of the tests of a filter, in their order."""
    said = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={pattern}"], capture_output=True, text=True,
                          timeout=seconds, check=True).stdout
    names, suite = [], ""
    for line in said.splitlines():
        name = line.split("#")[0].rstrip()
        if name.startswith("  "):
            names.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return names


def outcomes(report):
    """'passed', 'failed' or 'skipped' by full name, of a report by GoogleTest; nothing where there is none."""
    try:
        suites = json.loads(report.read_text()).get("testsuites", [])
    except (OSError, ValueError):
        return {}
    found = {}
    for suite in suites:
        for case in suite.get("testsuite", []):
            result = "failed" if case.get("failures") else "skipped" if case.get("result") == "SKIPPED" else "passed"
            found[f"{suite['name']}.{case['name']}"] = result
    return found


def run(program, pattern, seconds):
    """Outcomes of one process, and how it ended."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        try:
            status = subprocess.run([program, f"--gtest_filter={pattern}", "--gtest_brief=1", f"--gtest_output=json:{report}"],
                                    timeout=max(seconds, 0.1), check=False).returncode
        except subprocess.TimeoutExpired:
            status = TOO_LATE
        return outcomes(report), status


def ended_by(status):
    return f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"


def write(report, known, names):
    """The same form as GoogleTest's, so that one reader serves both."""
    suites = {}
    for name in names:
        suite, _, case = name.partition(".")
        result = known.get(name, "not run")
        entry = {"name": case, "result": "SKIPPED" if result in ("skipped", "not run") else "COMPLETED"}
        suites.setdefault(suite, []).append(entry | ({"failures": [{"failure": result}]} if result.startswith("failed") else {}))
    report.write_text(json.dumps({"testsuites": [{"name": suite, "testsuite": cases} for suite, cases in suites.items()]}))


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    program, pattern, report = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    end = time.monotonic() + float(sys.argv[4])
    names = listed(program, pattern, float(sys.argv[4]))
    if not names:
        print(f"{program} has no test of the filter {pattern}", file=sys.stderr)
        return 1
    known, status = run(program, pattern, end - time.monotonic())
    if status not in (0, TOO_LATE):
        print(f"together: {ended_by(status)}; what has not passed runs alone", flush=True)
        for name in names:
            if known.get(name) in ("passed", "skipped"):
                continue
            if time.monotonic() > end:
                status = TOO_LATE
                break
            alone, status = run(program, name, end - time.monotonic())
            known[name] = alone.get(name, f"failed: {ended_by(status)}")
            print(f"{name}, alone: {known[name]}", flush=True)
    write(report, known, names)
    failed = [name for name in names if known.get(name, "").startswith("failed")]
    late = TOO_LATE if status == TOO_LATE else 0
    return 1 if failed else late


if __name__ == "__main__":
    sys.exit(main())
