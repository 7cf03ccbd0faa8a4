"""The first example is as short as it says, and the program that times Python runs; CTest runs the examples."""

import json
import subprocess
import sys
import unittest

import sample


class Prediction(unittest.TestCase):
    def test_takes_ten_lines(self):
        lines = (sample.REPOSITORY / "docs" / "examples" / "03_predict.py").read_text().splitlines()
        self.assertLessEqual(len([line for line in lines[1:] if line.strip()]), 10)


class Speed(unittest.TestCase):
    def test_program_finds_the_bits_of_c_in_python(self):
        program = [sys.executable, sample.REPOSITORY / "bench" / "python_speed.py", "radial-co2-fast", "--rounds", "1"]
        done = subprocess.run(program, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        stated = json.loads(done.stdout)
        self.assertGreater(stated["c_seconds"], 0)
        self.assertGreater(stated["python_over_c"], -1)


if __name__ == "__main__":
    unittest.main()
