"""Predictions within PyTorch."""

import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np
import plumecast
import sample
from trained import Trained

try:
    import torch
except ImportError:
    torch = None
else:
    from plumecast.torch import Predict


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Torch(Trained):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.predict = Predict(cls.model, fields=["pressure_buildup"])

    def inputs(self, *wanted):
        return {
            name: torch.tensor(array, dtype=torch.float64, requires_grad=name in wanted)
            for name, array in sample.arrays(**self.model.grid).items()
        }

    def loss(self, fields):
        return torch.nansum(fields["pressure_buildup"] * torch.from_numpy(self.weights))

    def test_derivatives_are_those_of_recordings(self):
        inputs = self.inputs("permeability_r", "injection_rate")
        fields = self.predict(**inputs)
        expected = self.model.predict(self.cases(), limits=False)["pressure_buildup"]
        np.testing.assert_array_equal(fields["pressure_buildup"].detach().numpy(), expected)
        self.loss(fields).backward()
        for name in ("permeability_r", "injection_rate"):
            np.testing.assert_allclose(inputs[name].grad.numpy(), self.gradients(self.cases())[name], rtol=1e-6)
        self.assertIsNone(inputs["porosity"].grad)

    def test_largest_has_a_gradient_where_inactive_cells_have_a_value(self):
        for inactive, is_there in ((float("nan"), False), (float("-inf"), True)):
            inputs = self.inputs("injection_rate")
            predict = Predict(self.model, inactive=inactive)
            largest = predict(**inputs)["pressure_buildup"].max()
            self.assertEqual(bool(torch.isfinite(largest)), is_there)
            largest.backward()
            self.assertEqual(bool(inputs["injection_rate"].grad.nan_to_num().any()), is_there)

    def test_operation_passes_opcheck(self):
        inputs = self.inputs("permeability_r", "porosity")
        with torch.no_grad():  # no cell is inactive, since opcheck takes NaN for a difference
            for name, value in {"active": 1, "permeability_r": 100, "permeability_z": 10, "porosity": 0.2}.items():
                inputs[name].fill_(value)
        torch.library.opcheck(
            torch.ops.plumecast.predict.default, (self.predict.arguments, " ".join(inputs), list(inputs.values()))
        )

    def test_narrow_tensors_are_taken_and_have_gradients_of_their_type(self):
        single = {name: torch.tensor(array, dtype=torch.float32) for name, array in sample.arrays(**self.model.grid).items()}
        for kind in (torch.bfloat16, torch.float16):
            rounded = single["permeability_r"].to(kind)
            given = rounded.clone().requires_grad_()
            fields = self.predict(**(single | {"permeability_r": given}))
            expected = self.predict(**(single | {"permeability_r": rounded.float()}))
            self.assertTrue(torch.equal(fields["pressure_buildup"].nan_to_num(), expected["pressure_buildup"].nan_to_num()))
            self.loss(fields).backward()
            self.assertEqual(given.grad.dtype, kind)
            self.assertTrue(bool(given.grad.isfinite().all() and given.grad.any()))
            cases = plumecast.Cases(**(single | {"permeability_r": rounded}))
            own = self.model.predict(cases, limits=False)["pressure_buildup"]
            np.testing.assert_array_equal(own, expected["pressure_buildup"].numpy())

    def test_all_fields_by_default_have_gradients_but_of_dissolved_co2(self):
        inputs = self.inputs("injection_rate")
        fields = Predict(self.model)(**inputs)
        self.assertEqual(set(fields), set(self.model.fields))
        (fields["pressure_buildup"].nansum() + fields["gas_saturation"].nansum()).backward()
        self.assertNotEqual(float(inputs["injection_rate"].grad), 0)

    def test_works_compiled(self):
        inputs = self.inputs("permeability_r")
        compiled = torch.compile(lambda **given: self.loss(self.predict(**given)), backend="aot_eager")
        compiled(**inputs).backward()
        np.testing.assert_allclose(inputs["permeability_r"].grad.numpy(), self.gradients(self.cases())["permeability_r"], rtol=1e-6)

    def test_may_be_imported_before_and_after(self):
        for first, second in (("torch", "plumecast"), ("plumecast", "torch")):
            program = f"import {first}, {second}, sample; torch.rand(512, 512) @ torch.rand(512, 512); " + (
                "print(float(sample.model(threads=2).predict(sample.cases())['gas_saturation'][0, -1, 0, 0]))"
            )
            done = subprocess.run(
                [sys.executable, "-c", program], cwd=Path(__file__).parent, capture_output=True, text=True, timeout=120
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(0 <= float(done.stdout) <= 1, done.stdout)

    def test_second_derivatives_are_refused(self):
        inputs = self.inputs("permeability_r")
        (first,) = torch.autograd.grad(self.loss(self.predict(**inputs)), inputs["permeability_r"], create_graph=True)
        with self.assertRaisesRegex((plumecast.InvalidInput, RuntimeError), "second derivatives"):
            first.sum().backward()


if __name__ == "__main__":
    unittest.main()
