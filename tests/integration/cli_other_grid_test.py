import csv
import shutil
import unittest
from pathlib import Path

from cli_test_case import OK, CliTestCase

SHIPPED = str(Path(__file__).resolve().parents[2] / "models/radial-co2")
SAMPLES = Path(__file__).resolve().parents[2] / "data"


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


if __name__ == "__main__":
    unittest.main()
