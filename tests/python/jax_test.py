"""Predictions within JAX."""

import unittest

import numpy as np
import plumecast
import sample
from trained import Trained

try:
    import jax
except ImportError:
    jax = None
else:
    from plumecast.jax import function


@unittest.skipIf(jax is None, "JAX is not installed")
class Jax(Trained):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.predict = staticmethod(function(cls.model, fields=["pressure_buildup"]))
        cls.inputs = {name: array.astype(np.float32) for name, array in sample.arrays(**cls.model.grid).items()}

    def loss(self, permeability):
        fields = self.predict({**self.inputs, "permeability_r": permeability})
        return jax.numpy.nansum(fields["pressure_buildup"] * self.weights)

    def test_derivatives_are_those_of_recordings(self):
        cases = plumecast.Cases(**self.inputs)
        field = self.predict(self.inputs)["pressure_buildup"]
        np.testing.assert_array_equal(field, self.model.predict(cases, limits=False)["pressure_buildup"])
        expected = self.gradients(cases)["permeability_r"]
        for derivative in (jax.grad(self.loss), jax.jit(jax.grad(self.loss))):
            np.testing.assert_allclose(derivative(self.inputs["permeability_r"]), expected, rtol=1e-6)

    def test_largest_has_a_gradient_where_inactive_cells_have_a_value(self):
        rate = self.inputs["injection_rate"]
        for inactive, is_there in ((np.nan, False), (-np.inf, True)):
            predict = function(self.model, inactive=inactive)
            largest = lambda given: jax.numpy.max(predict({**self.inputs, "injection_rate": given})["pressure_buildup"])
            self.assertEqual(bool(np.isfinite(largest(rate))), is_there)
            slope = jax.grad(largest)(rate)
            self.assertEqual(bool(np.isfinite(slope).all() and np.any(slope)), is_there)

    def test_integers_have_no_derivatives(self):
        inputs = {**self.inputs, "active": self.inputs["active"].astype(np.int32)}

        def loss(given):
            return jax.numpy.nansum(self.predict(given)["pressure_buildup"])

        gradients = jax.grad(loss, allow_int=True)(inputs)
        self.assertEqual(gradients["active"].dtype, jax.dtypes.float0)
        self.assertEqual(np.count_nonzero(gradients["times"]), 0)

    def test_narrow_arrays_are_taken(self):
        for kind in (jax.numpy.bfloat16, jax.numpy.float16):
            given = jax.numpy.asarray(self.inputs["permeability_r"], kind)
            found = self.predict({**self.inputs, "permeability_r": given})["pressure_buildup"]
            wide = self.predict({**self.inputs, "permeability_r": given.astype(np.float32)})["pressure_buildup"]
            np.testing.assert_array_equal(found, wide)
            self.assertEqual(jax.grad(self.loss)(given).dtype, kind)

    def test_all_fields_by_default_have_gradients_but_of_dissolved_co2(self):
        predict = function(self.model)

        def loss(rate):
            fields = predict({**self.inputs, "injection_rate": rate})
            return jax.numpy.nansum(fields["pressure_buildup"]) + jax.numpy.nansum(fields["gas_saturation"])

        self.assertNotEqual(float(jax.grad(loss)(self.inputs["injection_rate"])[0]), 0)

    def test_second_derivatives_are_refused(self):
        with self.assertRaisesRegex(plumecast.InvalidInput, "second derivatives"):
            jax.grad(lambda k: jax.numpy.sum(jax.grad(self.loss)(k)))(self.inputs["permeability_r"])


if __name__ == "__main__":
    unittest.main()
