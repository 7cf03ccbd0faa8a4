"""The examples of the documentation run and state their numbers."""

import importlib.util
import json
import re
import subprocess
import sys
import unittest

import sample
from trained import Trained

FOLDER = sample.REPOSITORY / "docs" / "examples"


def printed(name, *arguments):
    done = subprocess.run([sys.executable, FOLDER / name, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def needs(module):
    return unittest.skipIf(importlib.util.find_spec(module) is None, f"{module} is not installed")


class Prediction(unittest.TestCase):
    def test_gives_the_build_up_of_the_example_in_c(self):
        found = re.search(r"largest build-up ([0-9.]+) bar, largest saturation (0\.\d+)", printed("03_predict.py"))
        self.assertIsNotNone(found)
        self.assertAlmostEqual(float(found.group(1)), 43.1, delta=0.2)

    def test_takes_ten_lines(self):
        lines = (FOLDER / "03_predict.py").read_text().splitlines()
        self.assertLessEqual(len([line for line in lines[1:] if line.strip()]), 10)


@needs("xarray")
class Labelled(unittest.TestCase):
    def test_build_up_grows_with_the_rate(self):
        found = re.findall(r"(\d\.\d) Mt/year: largest build-up ([0-9.]+) bar", printed("07_predict_xarray.py"))
        self.assertEqual([rate for rate, _ in found], ["0.5", "1.0", "1.5", "2.0"])
        buildups = [float(value) for _, value in found]
        self.assertEqual(buildups, sorted(buildups))
        self.assertAlmostEqual(buildups[1], 43.1, delta=0.2)  # as 03_predict.py has it


class Speed(unittest.TestCase):
    def test_program_finds_the_bits_of_c_in_python(self):
        program = sample.REPOSITORY / "bench" / "python_speed.py"
        stated = json.loads(printed(program, "radial-co2-fast", "--rounds", "1"))
        self.assertGreater(stated["c_seconds"], 0)
        self.assertGreater(stated["python_over_c"], -1)


class Gradients(Trained):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.arguments = (cls.model.path, sample.RADIAL)

    def test_come_from_recordings(self):
        self.assertRegex(printed("04_gradients.py", *self.arguments), r"strongest at row \d+, column \d+: -?[0-9.]+")

    @needs("h5py")
    @needs("torch")
    def test_lead_pytorch_towards_what_was_observed(self):
        found = re.search(r"factor ([0-9.]+) after", printed("05_torch.py", *self.arguments))
        self.assertLess(abs(float(found.group(1)) - 1), 0.2)

    @needs("h5py")
    @needs("jax")
    def test_come_through_jax(self):
        self.assertRegex(printed("06_jax.py", *self.arguments), r"bar per Mt/year: (-?[0-9.e+-]+(, )?){8}\n")


if __name__ == "__main__":
    unittest.main()
