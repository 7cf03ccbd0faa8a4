"""The shipped model for schedules, salt and residual trapping, on simulated cases that it was not trained on."""

import json
import unittest
from pathlib import Path

import h5py
import numpy
from cli_test_case import CliTestCase

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "radial-co2"
SCHEDULES = ROOT / "data" / "radial_schedules.h5"
CONSTANT = ROOT / "data" / "radial_sample.h5"


class ScheduledModelTest(CliTestCase):
    def means(self, cases):
        """Mean errors of the model and of its physics alone, by field."""
        fields = json.loads(self.succeed("evaluate", MODEL, cases, "--json"))["fields"]
        return {field["field"]: (field["mean"], field["physics_mean"]) for field in fields}

    def test_corrects_the_physics_during_and_after_an_injection(self):
        means = self.means(SCHEDULES)
        saturation, by_physics = means["gas_saturation"]
        self.assertLess(saturation["mpe"], 0.012)
        self.assertLess(saturation["relative_l2"], by_physics["relative_l2"])
        buildup, by_physics = means["pressure_buildup"]
        self.assertLess(buildup["relative_l2"], by_physics["relative_l2"])
        self.succeed("predict", MODEL, SCHEDULES, "-o", "fields.h5")
        with h5py.File(SCHEDULES) as data, h5py.File(self.folder / "fields.h5") as fields:
            truth, found = (file["outputs/pressure_buildup"][()].astype(float) for file in (data, fields))
            active = data["inputs/active"][()] > 0
            self.assertTrue((data["schedule/rate"][:, :, -1] == 0).all() or data["schedule/end"][-1] < data["grid/times"][-1])
            for case, of in enumerate(active):  # a century after the end
                off = numpy.abs(found[case, -1][of] - truth[case, -1][of]).mean() / truth[case, -1][of].max()
                self.assertLess(off, 0.04, case)
            self.assertLess(fields["case/trust"][()].max(), 2)

    def test_takes_fresh_water_at_constant_rates_too(self):
        means = self.means(CONSTANT)
        self.assertLess(means["gas_saturation"][0]["mpe"], 0.02)
        self.assertLess(means["pressure_buildup"][0]["mre"], 0.01)

    def test_takes_a_well_that_has_not_begun(self):
        with h5py.File(SCHEDULES) as given, h5py.File(self.folder / "late.h5", "w") as late:
            for name in given:
                given.copy(name, late)
            late.attrs.update(given.attrs)
            del late["outputs"], late["inputs/injection_rate"]
            ends = late["schedule/end"][()]
            late["schedule/rate"][:, :, ends < 400] = 0.0
        self.succeed("predict", MODEL, "late.h5", "-o", "fields.h5")
        with h5py.File(self.folder / "fields.h5") as fields:
            before = fields["grid/times"][()] < 100
            buildup = fields["outputs/pressure_buildup"][()][:, before]
            self.assertLess(numpy.nanmax(numpy.abs(buildup)), 0.1)
            self.assertGreater(numpy.nanmax(fields["outputs/gas_saturation"][()]), 0.1)


if __name__ == "__main__":
    unittest.main()
