"""Limits of the rate of dissolution: what estimates, predictions and the commands that copy cases make of them."""

import json
import unittest
from pathlib import Path

import h5py
import numpy as np

from cli_test_case import DATA, CliTestCase

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "radial-co2"
SCHEDULES = ROOT / "data" / "radial_schedules.h5"
NEVER = 1e6  # [kg/m3/year]


class Dissolution(CliTestCase):
    def limited(self, limits, name="cases.h5"):
        """Two cases with schedules and these limits [kg/m3/year]."""
        if not (self.folder / "two.h5").exists():
            self.succeed("subset", SCHEDULES, "-o", "two.h5", "--cases", "0-1", "--without-outputs")
        path = self.folder / name
        path.write_bytes((self.folder / "two.h5").read_bytes())
        with h5py.File(path, "r+") as file:
            file.attrs["format_version"] = 6
            made = file.create_dataset("inputs/dissolution_rate_limit", data=np.array(limits, np.float32))
            made.attrs["units"], made.attrs["long_name"] = "kg/m3/year", "largest rate of dissolution"
        return path

    def field(self, name, field):
        with h5py.File(self.folder / name) as file:
            return np.nan_to_num(file["outputs/" + field][()])

    def test_slow_down_estimates_and_leave_cases_without_as_they_were(self):
        self.limited([0.2, NEVER])
        self.succeed("estimate", "two.h5", "-o", "equilibrium.h5")
        self.succeed("estimate", "cases.h5", "-o", "limited.h5")
        for field in ("gas_saturation", "pressure_buildup", "dissolved_co2"):
            equilibrium, limited = self.field("equilibrium.h5", field), self.field("limited.h5", field)
            np.testing.assert_array_equal(limited[1], equilibrium[1])
            self.assertTrue(np.any(limited[0] != equilibrium[0]))
        with h5py.File(self.folder / "cases.h5") as file:
            years = file["grid/times"][()] / 365.25
        limited = self.field("limited.h5", "dissolved_co2")[0]
        self.assertLess(np.max(limited / (0.2 * years[:, None, None])), 1.01)
        self.assertGreater(np.max(limited[-1]), 0.1 * 0.2 * years[-1])
        self.assertLess(np.max(limited[5]), 0.3 * np.max(self.field("equilibrium.h5", "dissolved_co2")[0][5]))
        with h5py.File(self.folder / "limited.h5") as file:
            np.testing.assert_allclose(file["case/mass_balance"][()], 1.0, atol=0.01)
        self.succeed("validate", "limited.h5")
        self.succeed("report", "limited.h5", "-o", "report")

    def test_make_predictions_doubtful_where_the_networks_know_none(self):
        self.limited([0.2, NEVER])
        result = self.run_cli("predict", MODEL, "cases.h5", "-o", "out.h5")
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.folder / "out.h5") as file:
            reasons = [text.decode() for text in file["case/trust_reasons"][()]]
            trust = file["case/trust"][()]
        self.assertIn("the physics keeps to dissolution_rate_limit", reasons[0])
        self.assertGreater(trust[0], 0)
        self.assertNotIn("dissolution_rate_limit", reasons[1])

    def test_are_known_to_models_that_learned_them(self):
        self.sample("guided")
        with h5py.File(self.folder / "sample.h5", "r+") as file:
            file.attrs["format_version"] = 6
            made = file.create_dataset("inputs/dissolution_rate_limit", data=np.full(len(file["inputs/temperature"]), 2.0, np.float32))
            made.attrs["units"], made.attrs["long_name"] = "kg/m3/year", "largest rate of dissolution"
        self.succeed("train", self.recipe(physics={"kind": "two_phase", "substeps": 2}, fields=["gas_saturation"], epochs=1))
        model = json.loads((self.folder / "run" / "best" / "model.json").read_text())
        self.assertIs(model["training"]["dissolution_limits"], True)
        self.succeed("predict", "run/best", "sample.h5", "-o", "out.h5")
        with h5py.File(self.folder / "out.h5") as file:
            self.assertNotIn("dissolution_rate_limit", str(file["case/trust_reasons"][()]))
        with h5py.File(self.folder / "sample.h5", "r+") as file:
            file["inputs/dissolution_rate_limit"][0] = NEVER
        self.succeed("predict", "run/best", "sample.h5", "-o", "equilibrium.h5")
        with h5py.File(self.folder / "equilibrium.h5") as file:
            self.assertNotIn("dissolution_rate_limit", str(file["case/trust_reasons"][()]), "what stands for no limit is no limit")

    def test_are_kept_by_subset_and_merge_and_refused_where_they_are_no_rates(self):
        self.limited([3.0, 0.0])
        for number in "01":
            self.succeed("subset", "cases.h5", "-o", f"{number}.h5", "--cases", number)
        self.succeed("merge", "0.h5", "1.h5", "-o", "all.h5")
        with h5py.File(self.folder / "all.h5") as file:
            self.assertEqual(file.attrs["format_version"], 6)
            np.testing.assert_array_equal(file["inputs/dissolution_rate_limit"][()], [3.0, 0.0])
        self.refuse(DATA, "merge", "0.h5", "two.h5", "-o", "wrong.h5", says=["/inputs/dissolution_rate_limit", "two.h5"])
        for wrong in (-1.0, np.nan, np.inf, 2e6):
            self.limited([wrong, 1.0], "wrong.h5")
            self.refuse(DATA, "estimate", "wrong.h5", "-o", "out.h5", says=["/inputs/dissolution_rate_limit"])
        with h5py.File(self.limited([1.0, 1.0], "old.h5"), "r+") as file:
            file.attrs["format_version"] = 5
        self.refuse(DATA, "estimate", "old.h5", "-o", "out.h5", says=["format_version is 5", "/inputs/dissolution_rate_limit"])

    def test_are_refused_on_boxes(self):
        path = self.folder / "box.h5"
        path.write_bytes((ROOT / "data" / "box_sample.h5").read_bytes())
        with h5py.File(path, "r+") as file:
            made = file.create_dataset("inputs/dissolution_rate_limit", data=np.full(len(file["inputs/injection_rate"]), 2.0, np.float32))
            made.attrs["units"] = "kg/m3/year"
        self.refuse(DATA, "estimate", "box.h5", "-o", "out.h5", says=["/inputs/dissolution_rate_limit", "Cartesian grids gas and brine are in equilibrium"])


if __name__ == "__main__":
    unittest.main()
