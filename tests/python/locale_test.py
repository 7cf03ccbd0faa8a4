"""Models load and predict, and messages have points, in a program whose locale writes 4,5."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = """
import locale, sys
locale.setlocale(locale.LC_ALL, sys.argv[1])
assert locale.localeconv()["decimal_point"] == ",", locale.localeconv()
import numpy as np, plumecast, sample
model = sample.model()
cases = sample.cases(entry_pressure=0.25)
cases.check()
print(f"{float(np.nanmax(model.predict(cases)['pressure_buildup'])):.6f}", model.inputs["porosity"].low)
try:
    sample.cases(entry_pressure=-0.5).check()
except plumecast.InvalidInput as error:
    print(error)
"""


class CommaLocale(unittest.TestCase):
    def run_in(self, name, **environment):
        done = subprocess.run([sys.executable, "-c", PROGRAM, name], capture_output=True, text=True, timeout=300,
                              cwd=Path(__file__).parent, env={**os.environ, **environment})
        return done

    def test_changes_no_number(self):
        if shutil.which("localedef") is None:
            self.skipTest("localedef is not installed (package libc-bin)")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("de_DE", "nb_NO", "tr_TR"):
                made = subprocess.run(["localedef", "-i", name, "-f", "UTF-8", f"{folder}/{name}.UTF-8"],
                                      capture_output=True, check=False)
                if made.returncode != 0:
                    self.skipTest("the locales of C are not installed (package locales)")
                done = self.run_in(f"{name}.UTF-8", LOCPATH=folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                number, message = done.stdout.splitlines()
                self.assertRegex(number, r"^\d+\.\d{6} 1e-06$")
                self.assertIn("entry_pressure is -0.5 (a number from 0 to 100 bar is needed)", message)


if __name__ == "__main__":
    unittest.main()
