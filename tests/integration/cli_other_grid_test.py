import csv
import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from cli_test_case import DATA, OK, USAGE, CliTestCase

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "data"
SHIPPED = str(ROOT / "models" / "radial-co2")


class OtherGrid(CliTestCase):
    """A guided model of a tiny grid on the radial sample of 32 x 64 cells at 24 times."""

    def setUp(self):
        super().setUp()
        self.sample("guided", "tiny.h5")
        shutil.copy(SAMPLES / "radial_sample.h5", self.folder / "cases.h5")
        self.succeed("train", self.recipe(
            data={"train": "tiny.h5"}, physics={"kind": "two_phase", "substeps": 1}, channels="guided",
            network={"architecture": "fno", "width": 4, "hidden": 6, "modes": [2, 2, 2],
                                      "fourier_blocks": 1, "extended_blocks": 0}))

    def test_predicts_and_evaluates_any_grid_and_says_how(self):
        said = "the grid and times 32 x 64 x 24 are not those of the model (4 x 5 x 3): physics on yours"
        predicted = self.run_cli("predict", "run/best", "cases.h5", "-o", "out.h5")
        self.assertEqual(predicted.returncode, OK, predicted.stderr)
        self.assertEqual(predicted.stderr.count(said), 1, predicted.stderr)
        self.assertIn("times up to", predicted.stderr)
        self.succeed("validate", "out.h5")
        evaluated = self.run_cli("evaluate", "run/best", "cases.h5")
        self.assertEqual(evaluated.returncode, OK, evaluated.stderr)
        self.assertIn(said, evaluated.stderr)
        self.assertIn("physics alone", evaluated.stdout)

    def test_the_shipped_model_conserves_co2(self):
        self.succeed("predict", SHIPPED, "cases.h5", "-o", "own.h5")
        self.succeed("report", "own.h5", "-o", "report")
        with open(self.folder / "report" / "series.csv", encoding="utf-8") as table:
            found = [float(row["mass_balance"]) for row in csv.DictReader(table)]
        self.assertEqual(len(found), 8 * 24)
        for share in found:
            self.assertAlmostEqual(share, 1.0, delta=1e-6)

    def test_says_nothing_on_the_grid_of_the_training(self):
        predicted = self.run_cli("predict", "run/best", "tiny.h5", "-o", "out.h5")
        self.assertEqual(predicted.returncode, OK, predicted.stderr)
        self.assertNotIn("those of the model", predicted.stderr)

    def test_info_tells_the_grid_of_the_training(self):
        self.assertIn("grid      4 x 5 x 3 cells and times, radius 100000 m, depth 40 m, 10 to 1000 days",
                      self.succeed("info", "run/best"))


class PlainOtherGrid(CliTestCase):
    """A plain model of 4 x 5 cells out to 100 km, 40 m deep and 1000 days long, on the radial sample."""

    def test_brings_inputs_over_refuses_what_lies_beyond_or_leaves_nan(self):
        self.sample("guided")
        model = self.train()
        shutil.copy(SAMPLES / "radial_sample.h5", self.folder / "cases.h5")
        self.fail(DATA, "predict", model, "cases.h5", "-o", "out.h5",
                  says=["cases.h5", "those of the model", "--extrapolate nan"])
        self.assertFalse((self.folder / "out.h5").exists())
        self.fail(DATA, "evaluate", model, "cases.h5", says=["those of the model"])
        self.fail(USAGE, "predict", model, "cases.h5", "-o", "out.h5", "--extrapolate", "linear", says=["--extrapolate"])
        predicted = self.run_cli("predict", model, "cases.h5", "-o", "out.h5", "--extrapolate", "nan")
        self.assertEqual(predicted.returncode, OK, predicted.stderr)
        self.assertIn("(fields hold NaN beyond)", predicted.stderr)
        self.assertEqual(predicted.stderr.count("inputs brought onto the model's, fields brought back"), 1)
        self.assertIn("not finite", self.run_cli("validate", "out.h5").stdout)
        self.assertIn("grid      4 x 5 x 3 cells and times, radius 100000 m", self.succeed("info", model))

    def test_warns_where_a_model_does_not_say_what_it_knows(self):
        model = self.train()
        description = json.loads((model / "model.json").read_text())
        del description["training"]["grid"]
        (model / "model.json").write_text(json.dumps(description))
        predicted = self.run_cli("predict", model, "sample.h5", "-o", "out.h5")
        self.assertEqual(predicted.returncode, OK, predicted.stderr)
        self.assertIn("the model does not say on which grid and for which times it was trained", predicted.stderr)
        self.assertIn("grid      unknown", self.succeed("info", model))


@unittest.skipIf(h5py is None, "h5py and numpy are not installed (python3-h5py)")
class NewcomersDataSet(CliTestCase):
    """The example of docs/data_format.md, with the shipped model."""

    def plume(self, name, *changes):
        """Times [day], CO2 in the plume [m3] and its root mean square radius [m] of each case, on a grid of its own."""
        code = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "data_format.md").read_text(), re.DOTALL).group(1)
        for old, new in changes:
            self.assertIn(old, code)
            code = code.replace(old, new)
        subprocess.run([sys.executable, "-c", code], cwd=self.folder, check=True)
        self.succeed("validate", "cases.h5")
        self.succeed("predict", SHIPPED, "cases.h5", "-o", name, "--threads", "1")
        with h5py.File(self.folder / name) as file:
            r, z, times = (file["grid"][axis][:] for axis in ("r_edges", "z_edges", "times"))
            pores = file["inputs/porosity"][:] * file["inputs/active"][:] * np.pi * np.diff(r**2) * np.diff(z)[:, None]
            gas = np.nan_to_num(file["outputs/gas_saturation"][:].astype(float)) * pores[:, None]
        volume = gas.sum((2, 3))
        return times, volume, np.sqrt((gas * (r[1:] ** 2 + r[:-1] ** 2) / 2).sum((2, 3)) / volume)

    def test_gives_the_same_plume_on_three_grids(self):
        own = json.loads((Path(SHIPPED) / "model.json").read_text())["training"]["grid"]
        edges, times = "np.concatenate([[0.1], np.geomspace(4.0, 100e3, R)])", "np.geomspace(1.0, 10950.0, T)"
        known = self.plume("own.h5", (edges, f"np.array({own['r_edges']})"), (times, f"np.array({own['times']})"))
        as_written = self.plume("written.h5")
        finer = self.plume("finer.h5", ("3, 32, 64, 24", "3, 64, 100, 16"), ("[:, :16", "[:, :32"), ("8:16", "16:32"))
        for others_times, *others in (as_written, finer):
            late = others_times > 365.0
            self.assertGreater(late.sum(), 4)
            for other, own_values in zip(others, known[1:]):
                for case in range(3):
                    expected = np.exp(np.interp(np.log(others_times), np.log(known[0]), np.log(own_values[case])))
                    np.testing.assert_allclose(other[case][late], expected[late], rtol=0.05)


if __name__ == "__main__":
    unittest.main()
