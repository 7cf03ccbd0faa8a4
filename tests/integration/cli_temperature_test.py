"""Temperatures of cylinders that grow with depth: which models verdicts name as knowing one temperature alone."""

import unittest

import h5py

from cli_test_case import CliTestCase

REASON = "temperature_gradient is not known to the model"
PHYSICS = {"kind": "two_phase", "substeps": 2}


class Temperatures(CliTestCase):
    def warm(self, name):
        """The guided sample, 0.05 degC warmer with each metre."""
        path = self.sample("guided", name)
        with h5py.File(path, "r+") as file:
            file.attrs["temperature_gradient"] = 0.05
        return path

    def reasons_of(self, model):
        self.warm("cases.h5")
        self.succeed("predict", model, "cases.h5", "-o", "out.h5", "--force")
        with h5py.File(self.folder / "out.h5") as file:
            trust = file["case/trust"][:]
            reasons = [text.decode() for text in file["case/trust_reasons"]]
        return trust, reasons

    def test_are_doubtful_where_the_model_knows_one(self):
        self.sample("guided")
        self.succeed("train", self.recipe(fields=["pressure_buildup"], epochs=1))
        trust, reasons = self.reasons_of("run/best")
        for case in range(3):
            self.assertGreater(trust[case], 0)
            self.assertIn(REASON, reasons[case])

    def test_are_no_reason_where_the_physics_or_the_data_had_them(self):
        self.sample("guided")
        self.succeed("train", self.recipe(physics=PHYSICS, fields=["gas_saturation", "pressure_buildup"], epochs=1))
        self.assertNotIn(REASON, " ".join(self.reasons_of("run/best")[1]))
        self.warm("sample.h5")
        self.succeed("train", self.recipe(fields=["pressure_buildup"], epochs=1, output="warm"))
        self.assertNotIn(REASON, " ".join(self.reasons_of("warm/best")[1]))


if __name__ == "__main__":
    unittest.main()
