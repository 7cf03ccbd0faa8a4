"""gpu_check.sh goes through all its calls whatever fails, and leaves a packed result of every step."""
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class GpuCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_script(self, *command):
        return subprocess.run([str(ROOT / command[0]), *map(str, command[1:])], capture_output=True, text=True, check=False,
                              timeout=120, cwd=ROOT)

    def test_rehearses_every_step_working_failing_crashing_and_hanging(self):
        done = self.run_script("scripts/gpu_check.sh", "--rehearse", "--output", self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("each result packed and tabled", done.stdout)
        for call in ("alive", "right", "speed", "peer", "rest"):
            self.assertEqual({path.name for path in self.folder.glob(f"{call}.*")},
                             {f"{call}.tar.gz", f"{call}.json", f"{call}.txt"})

    def test_tables_steps_whose_programs_are_missing_and_those_that_no_time_is_left_for(self):
        done = self.run_script("scripts/gpu/check_run.py", "rest", "--programs", self.folder / "none", "--output",
                               self.folder, "--seconds", 60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("| many | FAILED (127) |", done.stdout)
        done = self.run_script("scripts/gpu/check_run.py", "rest", "--programs", self.folder / "none", "--output",
                               self.folder, "--seconds", 0)
        self.assertIn("| many | skipped | 0.0 | no time is left |", done.stdout)
        with tarfile.open(self.folder / "rest.tar.gz") as packed:
            self.assertIn("rest/many.log", packed.getnames())

    def test_explains_its_options(self):
        done = self.run_script("scripts/gpu_check.sh", "--help")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--rehearse", done.stdout)


if __name__ == "__main__":
    unittest.main()
