"""Limits of the pressure in the well: what predictions, estimates and reports make of wells that inject less than was asked for."""

import csv
import json
import unittest
from pathlib import Path

import h5py
import numpy as np

from cli_test_case import DATA, CliTestCase

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "radial-co2"
SCHEDULES = ROOT / "data" / "radial_schedules.h5"


class Limits(CliTestCase):
    def limited(self, limits, of="two.h5"):
        """Cases, usually two with schedules, with these limits [bar]."""
        if of == "two.h5" and not (self.folder / of).exists():
            self.succeed("subset", SCHEDULES, "-o", of, "--cases", "0-1", "--without-outputs")
        path = self.folder / "cases.h5"
        path.write_bytes((self.folder / of).read_bytes())
        with h5py.File(path, "r+") as file:
            file.attrs["format_version"] = 5
            made = file.create_dataset("inputs/bottom_hole_pressure_limit", data=np.array(limits, np.float32))
            made.attrs["units"], made.attrs["long_name"] = "bar", "largest pressure in the well"
        return path

    def throttled(self):
        """The same, where the first limit is half of what drives its well at most, and the other one is never reached."""
        self.succeed("estimate", self.limited([9999.0, 9999.0]), "-o", "free.h5")
        with h5py.File(self.folder / "free.h5") as file:
            start, most = file["inputs/initial_pressure"][0], np.nanmax(file["case/bottom_hole_pressure"][0])
        self.assertGreater(most, start + 2.0)
        return self.limited([0.5 * (start + most), 9999.0])

    def case(self, name, array):
        with h5py.File(self.folder / name) as file:
            return file["case/" + array][()]

    def asked(self):
        """CO2 asked for until each time [Mt]."""
        with h5py.File(self.folder / "two.h5") as file:
            rates, ends, days = file["schedule/rate"][()].sum(axis=1), file["schedule/end"][()], file["grid/times"][()]
        starts = np.concatenate([[0.0], ends[:-1]])
        return rates @ np.clip(days[:, None] - starts, 0.0, ends - starts).T / 365.25

    def test_hold_down_what_is_injected_in_predictions_and_reports(self):
        self.throttled()
        result = self.run_cli("predict", MODEL, "cases.h5", "-o", "out.h5")
        self.assertEqual(result.returncode, 0, result.stderr)
        asked, injected = self.asked(), self.case("out.h5", "injected_mass")
        self.assertLess(injected[0, -1], 0.95 * asked[0, -1])
        np.testing.assert_allclose(injected[1], asked[1], rtol=1e-5, atol=1e-7)
        reasons = [text.decode() for text in self.case("out.h5", "trust_reasons")]
        self.assertRegex(reasons[0], f"rate limited by bottom-hole pressure from day [0-9.e+]+ to [0-9.e+]+: {injected[0, -1]:.4g} Mt of {asked[0, -1]:.4g} asked")
        self.assertIn("corrects those that the physics limits", reasons[0])
        self.assertNotIn("limit", reasons[1])
        self.assertGreater(self.case("out.h5", "trust")[0], 0)
        self.assertRegex(result.stderr, "case 0 is (doubtful|bad): .*rate limited by bottom-hole pressure")
        self.succeed("validate", "out.h5")
        self.succeed("report", "out.h5", "-o", "report")
        with open(self.folder / "report" / "series.csv") as table:
            first = [row for row in csv.DictReader(table) if row["case"] == "0"]
        for name, expected in (("mass_injected [Mt]", injected[0]), ("mass_asked [Mt]", asked[0])):
            np.testing.assert_allclose([float(row[name]) for row in first], expected, rtol=1e-5, atol=1e-7)
        report = json.loads((self.folder / "report" / "report.json").read_text())["cases"][0]
        self.assertAlmostEqual(report["key_figures"]["mass_balance"], 1.0, delta=1e-3)
        self.assertIn("rate limited by bottom-hole pressure", json.dumps(report))
        self.assertIn("rate limited by bottom-hole pressure", (self.folder / "report" / "report.html").read_text())

    def test_are_known_to_a_network_of_one_field(self):
        self.sample("guided")
        self.succeed("train", self.recipe(physics={"kind": "two_phase", "substeps": 2}, fields=["gas_saturation"], epochs=1))
        self.limited([9999.0, 160.0, 9999.0], of="sample.h5")
        self.succeed("estimate", "cases.h5", "-o", "estimate.h5", "--substeps", "2")
        self.succeed("predict", "run/best", "cases.h5", "-o", "out.h5")
        injected = self.case("out.h5", "injected_mass")
        np.testing.assert_array_equal(injected, self.case("estimate.h5", "injected_mass"))
        self.assertLess(injected[1, -1], 0.095 * 1000.0 / 365.25)
        self.assertIn("corrects those that the physics limits", self.case("out.h5", "trust_reasons")[1].decode())

    def test_are_kept_by_subset_and_merge_and_refused_beside_cases_without(self):
        self.limited([300.0, 400.0])
        for number in "01":
            self.succeed("subset", "cases.h5", "-o", f"{number}.h5", "--cases", number)
        self.succeed("merge", "0.h5", "1.h5", "-o", "all.h5")
        with h5py.File(self.folder / "all.h5") as file:
            self.assertEqual(file.attrs["format_version"], 5)
            np.testing.assert_array_equal(file["inputs/bottom_hole_pressure_limit"][()], [300.0, 400.0])
        self.refuse(DATA, "merge", "0.h5", "two.h5", "-o", "wrong.h5", says=["/inputs/bottom_hole_pressure_limit", "two.h5"])

    def test_are_refused_on_boxes(self):
        path = self.folder / "box.h5"
        path.write_bytes((ROOT / "data" / "box_sample.h5").read_bytes())
        with h5py.File(path, "r+") as file:
            made = file.create_dataset("inputs/bottom_hole_pressure_limit", data=np.full(len(file["inputs/injection_rate"]), 200.0, np.float32))
            made.attrs["units"] = "bar"
        self.refuse(DATA, "estimate", "box.h5", "-o", "out.h5", says=["/inputs/bottom_hole_pressure_limit", "Cartesian grids have no limit"])

    def test_below_the_initial_pressure_are_warned_of_and_leave_one_case_out(self):
        self.limited([50.0, 9999.0])
        self.assertIn("bottom_hole_pressure_limit: case 0: it is below the initial pressure", self.run_cli("validate", "cases.h5").stdout)
        result = self.run_cli("estimate", "cases.h5", "-o", "out.h5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("below the initial pressure of the uppermost perforated cell nothing could be injected", result.stderr)
        self.assertEqual(self.case("out.h5", "trust")[0], 2)


if __name__ == "__main__":
    unittest.main()
