"""bench/busy_cores.py tells how much longer two threads take than one beside busy cores."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Sleeps so many tenths of a second as its number of threads asks for.
STAND_IN = "import sys, time; time.sleep({'1': %g, '2': %g}[sys.argv[sys.argv.index('--threads') + 1]])"


def timed(one, two, *options):
    """Exit code and what is printed for a command that takes so many seconds with one thread and with two."""
    command = [sys.executable, ROOT / "bench/busy_cores.py", "--rounds", "1", *options]
    done = subprocess.run([*command, sys.executable, "-c", STAND_IN % (one, two)], text=True, capture_output=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


class BusyCores(unittest.TestCase):
    def test_prints_the_ratio_of_two_threads_to_one(self):
        code, text = timed(0.5, 2.5)
        self.assertEqual(code, 0, text)
        one, two, ratio = map(float, re.search(r"one thread ([\d.]+) s, two threads ([\d.]+) s, two over one ([\d.]+)", text).groups())
        self.assertGreaterEqual(one, 0.5)
        self.assertGreaterEqual(two, 2.5)
        self.assertAlmostEqual(ratio, two / one, delta=0.01)

    def test_fails_where_the_ratio_is_above_what_is_allowed(self):
        self.assertEqual(timed(0.3, 3.0, "--at-most", "1.3")[0], 1)
        self.assertEqual(timed(2.0, 0.1, "--at-most", "1.3")[0], 0)

    def test_fails_with_the_command(self):
        done = subprocess.run([sys.executable, ROOT / "bench/busy_cores.py", "false"], capture_output=True, timeout=60)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
