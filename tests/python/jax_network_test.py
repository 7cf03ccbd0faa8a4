"""Networks as functions of JAX."""

import unittest

import numpy as np
import plumecast
from network_test import normal, small

try:
    import jax
except ImportError:
    jax = None
else:
    from plumecast.jax import apply_of


@unittest.skipIf(jax is None, "JAX is not installed")
class JaxNetwork(unittest.TestCase):
    def setUp(self):
        self.network = small()
        self.apply, self.parameters = apply_of(self.network)
        self.channels = normal(2, 6, 5, 4, 2)

    def loss(self, parameters, channels):
        return jax.numpy.sum(self.apply(parameters, channels) ** 2)

    def test_derivatives_are_those_of_the_network(self):
        values = self.network.forward(self.channels)
        np.testing.assert_array_equal(self.apply(self.parameters, self.channels), values)
        expected = self.network.vjp(self.channels, 2 * values)
        for derivative in (jax.grad(self.loss, argnums=(0, 1)), jax.jit(jax.grad(self.loss, argnums=(0, 1)))):
            by_parameters, by_channels = derivative(self.parameters, self.channels)
            np.testing.assert_allclose(by_channels, expected.channels, rtol=1e-5, atol=1e-5)
            for name, gradient in expected.parameters.items():
                np.testing.assert_allclose(by_parameters[name], gradient, rtol=1e-4, atol=1e-4, err_msg=name)

    def test_parameters_are_apart_from_the_network(self):
        before = self.network.forward(self.channels)
        parameters = self.parameters | {"projection.second.bias": self.parameters["projection.second.bias"] + 2}
        np.testing.assert_allclose(self.apply(parameters, self.channels), before + 2, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(self.network.forward(self.channels), before)
        self.network.assign(parameters)
        np.testing.assert_allclose(self.network.forward(self.channels), before + 2, rtol=1e-5, atol=1e-5)

    def test_descent_lowers_a_loss(self):
        target = jax.numpy.sin(self.channels[..., :1])

        def loss(parameters):
            return jax.numpy.mean((self.apply(parameters, self.channels) - target) ** 2)

        parameters, step = self.parameters, jax.jit(jax.value_and_grad(loss))
        first = float(loss(parameters))
        for _ in range(80):
            _, gradient = step(parameters)
            parameters = jax.tree.map(lambda one, slope: one - 0.1 * slope, parameters, gradient)
        self.assertLess(float(loss(parameters)), 0.8 * first)

    def test_narrow_arrays_are_taken(self):
        channels = np.round(self.channels * 4) / 4
        expected = self.apply(self.parameters, channels)
        for kind in (jax.numpy.bfloat16, jax.numpy.float16):
            given = jax.numpy.asarray(channels, kind)
            np.testing.assert_array_equal(self.apply(self.parameters, given), expected)
            self.assertEqual(jax.grad(self.loss, argnums=1)(self.parameters, given).dtype, kind)

    def test_training_takes_the_statistics_of_the_batch(self):
        network = small(architecture="ufno", padded_multiple=8)
        apply, parameters = apply_of(network, training=True)
        expected = network.copy().forward(self.channels, training=True)
        np.testing.assert_allclose(apply(parameters, self.channels), expected, rtol=1e-5, atol=1e-6)

    def test_second_derivatives_are_refused(self):
        with self.assertRaisesRegex(plumecast.InvalidInput, "second derivatives"):
            jax.grad(lambda given: jax.numpy.sum(jax.grad(self.loss, argnums=1)(self.parameters, given)))(self.channels)


if __name__ == "__main__":
    unittest.main()
