"""The examples of the documentation run, and give what the same example in C gives."""

import re
import subprocess
import sys
import unittest

import sample

FOLDER = sample.REPOSITORY / "docs" / "examples"


def printed(name):
    return subprocess.run([sys.executable, FOLDER / name], capture_output=True, text=True, check=True, timeout=300).stdout


class Examples(unittest.TestCase):
    def test_predict_gives_the_build_up_of_the_example(self):
        found = re.search(r"largest build-up ([0-9.]+) bar, largest saturation (0\.\d+)", printed("03_predict.py"))
        self.assertIsNotNone(found)
        self.assertAlmostEqual(float(found.group(1)), 43.1, delta=0.2)

    def test_predict_takes_ten_lines(self):
        lines = (FOLDER / "03_predict.py").read_text().splitlines()
        self.assertLessEqual(len([line for line in lines[1:] if line.strip()]), 10)


if __name__ == "__main__":
    unittest.main()
