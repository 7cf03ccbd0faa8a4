"""scripts/gpu/run_tests.py runs what fails together once more, each test in a process of its own."""
import json
import subprocess
import sys
import unittest

from source_tree import ROOT, FolderTest

# A program of four tests in the manner of GoogleTest, of which Op.B breaks the device for all after it.
PROGRAM = """#!{python}
import json, sys
options = dict(argument[2:].partition("=")[::2] for argument in sys.argv[1:])
names = ["Op.A", "Op.B", "Op.C", "Graph.D"]
wanted = options["gtest_filter"]
chosen = names if wanted == "*" else [name for name in names if name == wanted]
if "gtest_list_tests" in options:
    suite = ""
    for name in chosen:
        this, case = name.split(".")
        print("" if this == suite else this + ".\\n", "  " + case + "  # of a kind", sep="")
        suite = this
    sys.exit()
broken, cases = False, []
for name in chosen:
    if name == "Op.B":
        {fault}
    this, case = name.split(".")
    cases.append({{"suite": this, "name": case}} | ({{"failures": [{{}}]}} if broken else {{}}))
report = {{"testsuites": [{{"name": case.pop("suite"), "testsuite": [case]}} for case in cases]}}
open(options["gtest_output"].partition(":")[2], "w").write(json.dumps(report))
sys.exit(broken)
"""


class GpuRunTests(FolderTest):
    def run_with(self, fault, pattern="*", seconds="60"):
        """Exit status and result of each test where the second meets a fault."""
        program = self.folder / "program"
        program.write_text(PROGRAM.format(python=sys.executable, fault=fault))
        program.chmod(0o755)
        report = self.folder / "report.json"
        status = subprocess.run([sys.executable, str(ROOT / "scripts/gpu/run_tests.py"), str(program), pattern, str(report), seconds],
                                check=False, capture_output=True).returncode
        cases = json.loads(report.read_text())["testsuites"] if report.exists() else []
        return status, {f"{suite['name']}.{case['name']}": "failures" not in case for suite in cases for case in suite["testsuite"]}

    def test_passes_what_passes_together(self):
        self.assertEqual(self.run_with("pass"), (0, dict.fromkeys(("Op.A", "Op.B", "Op.C", "Graph.D"), True)))

    def test_clears_tests_that_fail_only_after_the_fault_of_another(self):
        expected = (1, {"Op.A": True, "Op.B": False, "Op.C": True, "Graph.D": True})
        self.assertEqual(self.run_with("broken = True"), expected)

    def test_knows_the_rest_of_a_program_that_crashes(self):
        crash = "import os; os.abort()"
        self.assertEqual(self.run_with(crash), (1, {"Op.A": True, "Op.B": False, "Op.C": True, "Graph.D": True}))

    def test_ends_when_time_is_up_and_refuses_a_filter_of_nothing(self):
        self.assertEqual(self.run_with("import time; time.sleep(60)", seconds="1")[0], 124)
        self.assertEqual(self.run_with("pass", pattern="None.At")[0], 1)


if __name__ == "__main__":
    unittest.main()
