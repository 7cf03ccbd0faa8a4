"""Networks by themselves: forward passes, derivatives, weights and inputs."""

import os
import pickle
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

import numpy as np
import plumecast
import sample

SMALL = {
    "architecture": "conv_fno",
    "channels": 2,
    "fields": 1,
    "width": 3,
    "modes": [2, 2, 2],
    "fourier_blocks": 1,
    "extended_blocks": 1,
    "hidden": 4,
    "activation": "gelu",
    "padding": [0, 0, 0],
    "padded_multiple": 1,
}


def small(**other):
    return plumecast.Network({**SMALL, **other}, seed=1, threads=1)


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


class OfAConfiguration(unittest.TestCase):
    def setUp(self):
        self.network = small()
        self.channels = normal(2, 6, 5, 4, 2)

    def test_derivatives_are_those_of_differences(self):
        cotangent = normal(2, 6, 5, 4, 1, seed=1)
        gradients = self.network.vjp(self.channels, cotangent)

        def loss():
            return float(np.sum(self.network.forward(self.channels).astype(float) * cotangent))

        arrays = {"channels": self.channels, **self.network.parameters}
        found = {"channels": gradients.channels, **gradients.parameters}
        self.assertEqual(found.keys(), arrays.keys())
        for name, array in arrays.items():
            kept, direction = array.copy(), normal(*array.shape, seed=2)
            expected = float(np.sum(found[name].astype(float) * direction))
            array[...] = kept + 2.0**-6 * direction
            above = loss()
            array[...] = kept - 2.0**-6 * direction
            slope = (above - loss()) / 2.0**-5
            array[...] = kept
            self.assertAlmostEqual(slope, expected, delta=5e-3 * np.linalg.norm(found[name]) + 1e-3, msg=name)

    def test_parameters_are_the_memory_of_the_network(self):
        before = self.network.forward(self.channels)
        bias = self.network.parameters["projection.second.bias"]
        bias += 2
        np.testing.assert_allclose(self.network.forward(self.channels), before + 2, rtol=1e-5, atol=1e-5)
        kept = self.network.parameters["lift.weight"]
        del self.network, bias
        self.assertTrue(np.isfinite(kept).all())  # keeps what it lies in
        with self.assertRaises(TypeError):
            small().parameters["lift.weight"] = kept

    def test_every_real_type_is_taken(self):
        self.channels[...] = np.round(self.channels * 4) / 4  # what 16 bits hold
        expected = self.network.forward(self.channels)
        for kind in (np.float16, np.float64):
            np.testing.assert_array_equal(self.network.forward(self.channels.astype(kind)), expected)
        spread = np.zeros((2, 6, 5, 4, 4), np.float32)[..., ::2]
        spread[...] = self.channels
        np.testing.assert_array_equal(self.network.forward(spread), expected)
        out = np.empty(expected.shape, np.float64)
        self.assertIs(self.network.forward(self.channels, out=out), out)
        np.testing.assert_array_equal(out, expected)

    def test_training_moves_running_statistics(self):
        network = small(architecture="ufno", padded_multiple=8)
        before = {name: array.copy() for name, array in network.buffers.items()}
        self.assertTrue(before)
        network.vjp(self.channels, np.ones((2, 6, 5, 4, 1)), training=True)
        self.assertTrue(all((network.buffers[name] == array).all() for name, array in before.items()))
        trained, evaluated = network.forward(self.channels, training=True), network.forward(self.channels)
        self.assertFalse((trained == evaluated).all())
        self.assertTrue(any((network.buffers[name] != array).any() for name, array in before.items()))

    def test_copies_and_pickles_are_alike_and_apart(self):
        expected = self.network.forward(self.channels)
        for other in (self.network.copy(), pickle.loads(pickle.dumps(self.network))):
            np.testing.assert_array_equal(other.forward(self.channels), expected)
            other.parameters["lift.bias"][:] = 7
            np.testing.assert_array_equal(self.network.forward(self.channels), expected)

    def test_weights_are_saved_and_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "weights.safetensors"
            self.network.save(file)
            other = plumecast.Network(SMALL, seed=2, threads=1)
            other.load(file)
            with self.assertRaisesRegex(plumecast.InvalidInput, "only how many channels"):
                self.network.save(Path(folder) / "model")
        np.testing.assert_array_equal(other.forward(self.channels), self.network.forward(self.channels))

    def test_threads_get_the_same(self):
        expected, found = self.network.forward(self.channels), [None] * 4

        def work(place):
            found[place] = self.network.forward(self.channels)

        threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for values in found:
            np.testing.assert_array_equal(values, expected)

    def test_gradient_descent_of_ones_own_lowers_a_loss(self):
        target = np.sin(self.channels[..., :1])

        def loss():
            return float(np.mean((self.network.forward(self.channels) - target) ** 2))

        first = loss()
        for _ in range(80):
            difference = self.network.forward(self.channels) - target
            gradients = self.network.vjp(self.channels, 2 * difference / difference.size, by_channels=False)
            for name, gradient in gradients.parameters.items():
                self.network.parameters[name][...] -= 0.1 * gradient
        self.assertLess(loss(), 0.8 * first)

    def test_is_refused_in_a_process_made_by_fork(self):
        self.network.forward(self.channels)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads of other packages
            child = os.fork()
        if child == 0:
            try:
                self.network.forward(self.channels)
            except plumecast.InvalidInput as refused:
                os._exit(0 if "spawn" in str(refused) else 2)
            finally:
                os._exit(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_mistakes_are_named(self):
        for call, said in (
            (lambda: self.network.forward(self.channels[..., :1]), r"has the shape \[2, 6, 5, 4, 1\]"),
            (lambda: self.network.forward("channels"), "the channels are no array of real numbers"),
            (lambda: self.network.vjp(self.channels, self.channels), "the cotangent has the shape"),
            (lambda: self.network.vjp(self.channels, self.channels[..., :1], ["lift.bais"]), "did you mean lift.bias"),
            (lambda: self.network.assign({"lift.bias": [1.0]}), r"has the shape \[1\]"),
            (lambda: self.network.named_inputs(sample.cases()), "only how many channels"),
            (lambda: plumecast.Network({**SMALL, "widht": 3}), "did you mean"),
            (lambda: plumecast.Network(SMALL, "gas_saturation"), "field is given with a configuration"),
        ):
            with self.assertRaisesRegex(plumecast.InvalidInput, said):
                call()


class OfAModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = sample.model()
        cls.network = plumecast.Network(cls.model)
        cls.cases = sample.cases(**cls.model.grid)
        cls.inputs = cls.network.named_inputs(cls.cases)

    def test_predicts_what_the_model_predicts(self):
        values = self.inputs.base + self.inputs.correction * self.network.forward(self.inputs.channels)
        expected = self.model.predict(self.cases, limits=False)
        known = {one["name"]: one for one in self.network.configuration["fields"]}
        for place, name in enumerate(self.network.fields):
            field = values[..., place] * self.inputs.scales[:, None, None, :, place] + known[name]["offset"]
            found = np.where(self.inputs.active[..., None] > 0, field, np.nan)
            np.testing.assert_allclose(np.moveaxis(found, -1, 1), expected[name], rtol=1e-3, atol=1e-3)

    def test_predicts_what_a_model_of_schedules_predicts(self):
        model = plumecast.load(sample.REPOSITORY / "models" / "radial-co2", device="cpu", threads=1)
        network = plumecast.Network(model)
        inputs = network.named_inputs(sample.SCHEDULES)
        self.assertEqual(inputs.scales.shape, (2, 32, 2))
        self.assertGreater(inputs.scales[0, :, 1].max(), 5 * inputs.scales[0, -1, 1])
        values = inputs.base + inputs.correction * network.forward(inputs.channels)
        expected = model.predict(sample.SCHEDULES, limits=False)
        for place, name in enumerate(network.fields):
            field = np.where(inputs.active[..., None] > 0, values[..., place] * inputs.scales[:, None, None, :, place], np.nan)
            np.testing.assert_allclose(np.moveaxis(field, -1, 1), expected[name], rtol=1e-3, atol=1e-3)

    def test_inputs_go_by_the_names_of_channels(self):
        self.assertEqual(tuple(self.inputs), self.network.channels)
        np.testing.assert_array_equal(self.inputs["porosity"], self.inputs.channels[..., self.network.channels.index("porosity")])
        self.assertIsNone(self.inputs.targets)
        again = self.model.named_inputs(self.cases)
        np.testing.assert_array_equal(again.channels, self.inputs.channels)
        with self.assertRaises(KeyError):
            self.inputs["no_such_channel"]

    def test_targets_are_the_outputs_normalised(self):
        inputs = self.network.named_inputs(sample.RADIAL, targets=True)
        self.assertEqual(inputs.targets.shape, (*inputs.channels.shape[:-1], 2))
        with self.assertRaisesRegex(plumecast.InvalidData, "no outputs|missing"):
            self.network.named_inputs(sample.cases(), targets=True)

    def test_a_saved_model_predicts_with_the_weights_that_were_set(self):
        network = plumecast.Network(self.model)
        network.parameters["projection.second.bias"][:] = 0
        with tempfile.TemporaryDirectory() as folder:
            network.save(Path(folder) / "model", "Mine")
            saved = plumecast.load(Path(folder) / "model", device="cpu", threads=1)
            self.assertEqual(saved.title, "Mine")
            self.assertEqual(saved.grid.keys(), self.model.grid.keys())
            found = saved.predict(sample.cases())["gas_saturation"]
        self.assertFalse(np.array_equal(found, self.model.predict(sample.cases())["gas_saturation"], equal_nan=True))

    def test_fields_without_a_network_are_named(self):
        with self.assertRaisesRegex(plumecast.InvalidInput, "no network of the model predicts 'dissolved_co2'"):
            plumecast.Network(self.model, "dissolved_co2")


if __name__ == "__main__":
    unittest.main()
