"""What scripts/test.sh hands to CTest: stages without a name leave out the label long and nothing else, and `long` runs that label."""
import json
import os
import re
import shutil
import subprocess
import unittest

from source_tree import ROOT, FolderTest

SCRIPT = (ROOT / "scripts/test.sh").read_text()
PRESETS = {preset["name"]: preset for preset in json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]}
REPORT = '<testsuite tests="1" failures="0" skipped="0" disabled="0"><testcase name="A.a" status="run"/></testsuite>'


def excluded(name):
    """The labels that a test preset leaves out, as a pattern."""
    preset = PRESETS[name]
    own = preset.get("filter", {}).get("exclude", {}).get("label")
    return own or excluded(preset["inherits"])


class Presets(unittest.TestCase):
    def test_leave_out_the_label_long_alone(self):
        for name in set(PRESETS) - {"debug"}:
            self.assertEqual(excluded(name), "^long$", name)

    def test_leave_out_programs_and_large_nets_too_with_sanitizers(self):
        self.assertEqual(set(excluded("debug").split("|")), {"integration", "golden_oracle", "^long$"})


class Stages(FolderTest):
    def setUp(self):
        super().setUp()
        for name in ("scripts/test.sh", "scripts/ci/count_tests.py"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        (self.folder / "build/onnxruntime/onnxruntime").mkdir(parents=True)  # need not be fetched
        self.program("scripts/install_dependencies.sh", "")
        self.program("bin/cmake", 'exit "${CMAKE_STATUS:-0}"')
        self.program("bin/ctest", f"""echo "$@" >>"$CALLS"
while [ $# -gt 1 ]; do [ "$1" != --output-junit ] || echo '{REPORT}' >"$2"; shift; done""")
        for name in ("clang++-16", "nm", "ccache"):
            self.program(f"bin/{name}", "exit 1")

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{text}\n")
        path.chmod(0o755)

    def run_stages(self, *stages, **environment):
        """What it says, and how CTest was called."""
        calls = self.folder / "calls"
        calls.write_text("")
        done = subprocess.run([self.folder / "scripts/test.sh", *stages], capture_output=True, text=True, env={
            **os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "CALLS": str(calls), **environment})
        return done.stdout, calls.read_text().splitlines()

    def test_ask_for_the_preset_whole(self):
        for stage, preset in (("release", "mpi"), ("debug", "debug")):
            said, calls = self.run_stages(stage)
            self.assertEqual(len(calls), 1, said)
            self.assertTrue(calls[0].startswith(f"--preset {preset} "), calls)
            self.assertIsNone(re.search(r" (-L|-LE|-R|-E|-I)\b", calls[0]), calls)
            self.assertIn(f"  {preset}: 1 ok, 0 failed, 0 skipped (", said)

    def test_long_asks_for_the_label_in_both_builds(self):
        said, calls = self.run_stages("long")
        self.assertEqual([call.split(" -j ")[0] for call in calls],
                         [f"--test-dir build/{preset} --output-on-failure -L ^long$" for preset in ("mpi", "debug")], said)

    def test_run_no_tests_of_a_build_that_failed(self):
        said, calls = self.run_stages("release", CMAKE_STATUS="3")
        self.assertEqual(calls, [])
        self.assertIn("FAILED   configure mpi (status 3)", said)

    def test_say_how_long_each_step_took(self):
        said, _ = self.run_stages("release")
        self.assertRegex(said, r"  ok       configure mpi \(\d+ s, processors \d+ s and \d+ s of the system\)")

    def test_count_what_runs_side_by_side_in_its_order_and_a_part_that_ends_early_as_failed(self):
        functions = SCRIPT.partition('step "dependencies"')[0]
        self.program("scripts/parts.sh", functions + """
slow() { sleep 0.3; step "slow one" true; step "broken one" false; }
quick() { step "quick one" true; }
dead() { exit 7; }
beside slow quick dead
echo "$passed $failed $skipped\"""")
        done = subprocess.run([self.folder / "scripts/parts.sh"], capture_output=True, text=True)
        said = re.findall(r"(ok|FAILED) +(\w+ one)|^(\d+ \d+ \d+)$", done.stdout, re.M)
        self.assertEqual(["".join(one) for one in said], ["okslow one", "FAILEDbroken one", "okquick one", "2 2 0"], done.stdout)

    def test_without_a_name_are_all_but_long_and_cuda(self):
        stages = set(re.findall(r"^stage_(\w+)\(\)", SCRIPT, re.M))
        default = re.search(r"^\[ \$# -gt 0 \] \|\| set -- (.*)$", SCRIPT, re.M)[1].split()
        self.assertEqual(stages - set(default), {"long", "cuda"})


if __name__ == "__main__":
    unittest.main()
