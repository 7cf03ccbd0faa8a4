"""Rates that change: what predictions, estimates, reports and exports make of schedules, and their verdicts."""

import csv
import json
import unittest

import h5py
import numpy as np

from cli_test_case import DATA, CliTestCase

FIELDS = ["gas_saturation", "pressure_buildup"]


class Schedules(CliTestCase):
    def scheduled(self, name="cases.h5", ends=(100.0, 500.0)):
        """The guided sample, times to day 1000: a rate that changes and stops, one that stops, a constant one."""
        path = self.sample("guided", name)
        with h5py.File(path, "r+") as file:
            file.attrs["format_version"] = 2
            rate = file["inputs/injection_rate"][:]
            del file["inputs/injection_rate"]
            rates = rate[:, None, None] * np.array([[[1.0, 0.5, 0.0]], [[1.0, 1.0, 0.0]], [[1.0, 1.0, 1.0]]])
            for array, unit, values in (("end", "day", [*ends, 1000.0]), ("rate", "Mt/year", rates)):
                made = file.create_dataset(f"schedule/{array}", data=values)
                made.attrs["units"], made.attrs["long_name"] = unit, array
        return path

    def reasons(self, name):
        with h5py.File(self.folder / name) as file:
            return file["case/trust"][:], [text.decode() for text in file["case/trust_reasons"]]

    def test_are_doubtful_where_a_network_corrects_physics(self):
        self.sample("guided")
        self.succeed("train", self.recipe(physics={"kind": "two_phase", "substeps": 2}, fields=FIELDS, epochs=1))
        self.scheduled()
        self.succeed("predict", "run/best", "cases.h5", "-o", "out.h5")
        trust, reasons = self.reasons("out.h5")
        for case in (0, 1):
            self.assertGreater(trust[case], 0)
            self.assertIn("the network was trained on constant rates", reasons[case])
        self.assertNotIn("constant rates", reasons[2])
        self.succeed("validate", "out.h5")
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(file.attrs["format_version"], 2)
            self.assertEqual(file["schedule/rate"].shape, (3, 1, 3))

    def test_are_bad_where_the_model_knows_one_rate(self):
        self.sample("guided")
        self.succeed("train", self.recipe(fields=["pressure_buildup"], epochs=1))
        self.scheduled()
        self.succeed("predict", "run/best", "cases.h5", "-o", "out.h5")
        trust, reasons = self.reasons("out.h5")
        self.assertEqual(list(trust[:2]), [2, 2])
        self.assertIn("the model knows its mean alone", reasons[0])
        self.assertNotIn("its mean alone", reasons[2])

    def test_are_estimated_reported_and_exported(self):
        self.scheduled()
        self.succeed("estimate", "cases.h5", "-o", "out.h5")
        self.assertNotIn("the rate of injection changes", " ".join(self.reasons("out.h5")[1]))
        with h5py.File(self.folder / "cases.h5") as file:
            rates, days = file["schedule/rate"][:, 0].astype(float), file["grid/times"][:]
        ends, starts = np.array([100.0, 500.0, 1000.0]), np.array([0.0, 100.0, 500.0])
        injected = (np.clip(days[:, None] - starts, 0.0, ends - starts) @ rates.T / 365.25).T
        self.succeed("report", "out.h5", "-o", "report")
        with open(self.folder / "report" / "series.csv") as table:
            rows = list(csv.DictReader(table))
        for case in range(3):
            own = [row for row in rows if row["case"] == str(case)]
            np.testing.assert_allclose([float(row["mass_injected [Mt]"]) for row in own], injected[case], rtol=1e-5)
        first = [row for row in rows if row["case"] == "0"]
        np.testing.assert_allclose([float(row["injection_rate [Mt/year]"]) for row in first], rates[0, [0, 0, 2]])
        np.testing.assert_allclose(float(first[2]["years_since_stop [year]"]), 500.0 / 365.25, rtol=1e-5)
        figures = json.loads((self.folder / "report" / "report.json").read_text())["cases"][0]["key_figures"]
        self.assertAlmostEqual(figures["years_since_stop"], 500.0 / 365.25, places=4)
        self.assertIn("Rate of injection", (self.folder / "report" / "report.html").read_text())
        self.succeed("export", "out.h5", "-o", "files", "--case", "0", "--format", "eclipse", "--format", "csv")

    def test_are_kept_by_subset_split_and_merge_and_change_what_physics_is_kept_for(self):
        self.scheduled()
        self.succeed("subset", "cases.h5", "-o", "first.h5", "--cases", "0")
        self.succeed("subset", "cases.h5", "-o", "last.h5", "--cases", "1-2")
        self.succeed("merge", "first.h5", "last.h5", "-o", "all.h5")
        self.succeed("validate", "all.h5")
        with h5py.File(self.folder / "cases.h5") as one, h5py.File(self.folder / "all.h5") as two:
            np.testing.assert_array_equal(one["schedule/rate"][:], two["schedule/rate"][:])
        self.scheduled("other.h5", ends=(50.0, 500.0))
        self.refuse(DATA, "merge", "first.h5", "other.h5", "-o", "wrong.h5", says=["/schedule/end", "other.h5"])

    def test_are_described(self):
        self.scheduled()
        self.assertIn("schedule  rates in 3 periods", self.succeed("info", "cases.h5"))
        self.assertEqual(json.loads(self.succeed("info", "cases.h5", "--json"))["schedule_periods"], 3)

    def test_name_what_is_wrong(self):
        for ends, message in (((500.0, 100.0), "periods follow each other"), ((0.0, 500.0), "begins at 0")):
            path = self.scheduled("wrong.h5", ends=ends)
            self.assertIn(message, self.run_cli("validate", "wrong.h5").stdout)
            self.refuse(DATA, "estimate", "wrong.h5", "-o", "out.h5", says=["wrong.h5", "/schedule/end", message])
            path.unlink()


if __name__ == "__main__":
    unittest.main()
