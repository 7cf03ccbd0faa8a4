"""bench/schedule_accuracy.py counts the cases that both sides have values of, and names the others."""
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

ROOT = Path(__file__).resolve().parents[2]
# Copies the fields beside itself to where its option -o says; its report leaves out case 1. That of fields has 0.1 Mt more free CO2 than that of the data.
STAND_IN = """#!{python}
import pathlib, shutil, sys
output = sys.argv[sys.argv.index("-o") + 1]
if sys.argv[1] == "report":
    free = 1.0 if sys.argv[2].endswith("data.h5") else 1.1
    rows = [f"{{case}},{{100.0 + 10.0 * case}},10.0,{{free}},0.5" for case in (0, 2, 3) for time in range(3)]
    text = "\\n".join(["case,bottom_hole_pressure [bar],bottom_hole_buildup [bar],mass_free [Mt],mass_trapped [Mt]", *rows])
    (pathlib.Path(output) / "series.csv").write_text(text)
else:
    shutil.copy(pathlib.Path(__file__).parent / (sys.argv[1] + ".h5"), output)
"""
CASES, TIMES, ROWS = 4, 3, 2


def write(path, rates, saturation, dissolved=None, well=None, axes=("r",)):
    """Cases of one period that ends after the second of three years, with a build-up of 2 bar."""
    edges = {"r": [0.1, 10.0, 30.0, 90.0], "y": [0.0, 100.0, 300.0], "x": [0.0, 1000.0, 1500.0, 2000.0]}
    cells = (ROWS, *(len(edges[axis]) - 1 for axis in axes))
    shape = (CASES, TIMES, *cells)
    with h5py.File(path, "w") as file:
        file["grid/times"] = 365.25 * numpy.arange(1.0, 4.0)
        file["grid/z_edges"] = [0.0, 5.0, 10.0]
        for axis in axes:
            file[f"grid/{axis}_edges"] = edges[axis]
        file["schedule/end"], file["schedule/rate"] = [730.5], numpy.reshape(rates, (CASES, 1, 1))
        file["inputs/active"] = numpy.ones((CASES, *cells), "u1")
        file["inputs/porosity"] = numpy.full((CASES, *cells), 0.2)
        values = {"gas_saturation": saturation, "pressure_buildup": [2.0] * CASES}
        for name, of_cases in {**values, **({"dissolved_co2": dissolved} if dissolved else {})}.items():
            file[f"outputs/{name}"] = numpy.broadcast_to(numpy.reshape(of_cases, (CASES, *(len(shape) - 1) * (1,))), shape)
        if well:
            file["case/bottom_hole_pressure"] = numpy.broadcast_to(numpy.reshape(well, (CASES, 1)), (CASES, TIMES))


@unittest.skipIf(h5py is None, "h5py or numpy is not installed")
class ScheduleAccuracy(unittest.TestCase):
    def table(self, data, fields):
        """What the script prints of data and of the fields that the stand-in computes."""
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / "data.h5", **data)
            write(Path(folder) / "estimate.h5", **fields)
            program = Path(folder) / "plumecast"
            program.write_text(STAND_IN.format(python=sys.executable))
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            done = subprocess.run([sys.executable, ROOT / "bench/schedule_accuracy.py", program, Path(folder) / "data.h5", "--steps", "1"],
                                  text=True, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout

    def test_counts_all_cases_that_have_values(self):
        text = self.table({"rates": [1.0] * 4, "saturation": [0.5] * 4, "dissolved": [1.0] * 4},
                          {"rates": [1.0] * 4, "saturation": [0.4, 0.5, 0.5, 0.5], "dissolved": [1.0] * 4})
        self.assertIn("4 cases; ", text)
        self.assertIn("| physics, 1 steps | 0.0250, 0.0000 | 0.0250, 0.0000 | 0.0250, 0.0000 | 0.0000 (0.0000), 0.0000 |", text)
        self.assertNotIn("left out", text)

    def test_takes_boxes(self):
        axes = ("y", "x")  # of 1.2e6 m3 of pores: 1.2 Mt dissolved of 2 Mt injected, 1.08 in one of the cases
        text = self.table({"rates": [1.0] * 4, "saturation": [0.5] * 4, "dissolved": [1000.0] * 4, "axes": axes},
                          {"rates": [1.0] * 4, "saturation": [0.4, 0.5, 0.5, 0.5], "dissolved": [1000.0, 900.0, 1000.0, 1000.0], "axes": axes})
        self.assertIn("| physics, 1 steps | 0.0250, 0.0000 | 0.0250, 0.0000 | 0.0250, 0.0000 | 0.0150 (0.0600), 0.0250 |", text)

    def test_leaves_out_by_name_what_was_not_computed(self):
        nan = float("nan")
        text = self.table({"rates": [1.0] * 4, "saturation": [0.5, 0.5, 0.5, nan], "dissolved": [1.0] * 4},
                          {"rates": [1.0] * 4, "saturation": [0.4, nan, 0.5, 0.5], "dissolved": [1.0] * 4})
        self.assertIn("left out, as the data lack values: case 3\n", text)
        self.assertIn("3 cases; ", text)
        self.assertIn("| physics, 1 steps | 0.0500, 0.0000 |", text)
        self.assertIn("physics, 1 steps: left out, as values are missing: case 1\n", text)

    def test_leaves_out_by_name_cases_without_injection(self):
        text = self.table({"rates": [0.0, 1.0, 0.0, 1.0], "saturation": [0.5] * 4, "dissolved": [1.0] * 4},
                          {"rates": [0.0, 1.0, 0.0, 1.0], "saturation": [0.1, 0.4, 0.5, 0.5], "dissolved": [1.0] * 4})
        self.assertIn("left out, as nothing is injected: cases 0, 2\n", text)
        self.assertIn("| physics, 1 steps | 0.0500, 0.0000 |", text)

    def test_compares_pressures_in_wells_where_a_case_was_not_computed(self):
        nan = float("nan")
        text = self.table({"rates": [1.0] * 4, "saturation": [0.5] * 4, "dissolved": [1.0] * 4, "well": [100.0, 110.0, 121.0, 130.0]},
                          {"rates": [1.0] * 4, "saturation": [0.5, nan, 0.5, 0.5], "dissolved": [1.0] * 4})
        # 0.1 of 2 Mt injected; 1 bar of 11 in one of three cases.
        self.assertRegex(text, r"\| 0\.0500 \(0\.0500\) \| 0\.0000 \(0\.0000\) \| 0\.0000, 0\.0909, 0\.0909 \| \d+\.\d{3} \|")
        self.assertIn("physics, 1 steps: left out, as values are missing: case 1\n", text)

    def test_takes_data_without_dissolved_co2(self):
        text = self.table({"rates": [1.0] * 4, "saturation": [0.5] * 4}, {"rates": [1.0] * 4, "saturation": [0.5] * 4, "dissolved": [1.0] * 4})
        self.assertIn("| physics, 1 steps | 0.0000, 0.0000 | 0.0000, 0.0000 | 0.0000, 0.0000 | none |", text)


if __name__ == "__main__":
    unittest.main()
