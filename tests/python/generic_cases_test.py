"""Cases of generic data: named inputs from arrays, predicted, recorded, written and learnt from."""

import importlib.util
import pickle
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import plumecast
import sample
from plumecast.tensors import Function

CASES, TIMES = 3, 2


class Data:
    """Arrays of an operator on points along `axes`, with an input of each kind, and a model that has learnt from them."""

    def __init__(self, axes, space, has_times):
        random = np.random.default_rng(len(space))
        draw = lambda *shape: random.uniform(1, 2, shape).astype(np.float32)  # noqa: E731
        over_time = (CASES, TIMES) if has_times else (CASES,)
        self.axes, self.title = axes, f"{axes}, {'with' if has_times else 'without'} times"
        self.inputs = {"/inputs/map": draw(CASES, *space), "/inputs/number": draw(CASES).astype(float)}
        self.others = {"/grid/x": np.linspace(0, 3, space[-1]), "active": np.ones((CASES, *space), bool)}
        if has_times:
            self.inputs["/inputs/field"] = np.asfortranarray(draw(CASES, TIMES, *space))
            self.others["times"] = [1.0, 2.5]
            if len(space) > 1:  # on a line it would be a map
                self.inputs["/inputs/series"] = draw(CASES, TIMES)
        self.others["active"][0].flat[1] = False
        self.outputs = {"/outputs/u": draw(*over_time, *space)}
        self.units = {"/inputs/map": "m2", "/outputs/u": "K"} | ({"times": "s"} if has_times else {})
        modes = [2 if extent > 1 else 0 for extent in ((1, *space) if len(space) == 1 else space)] + [2 if has_times else 0]
        self.recipe = {
            "network": {"architecture": "fno", "width": 3, "modes": modes, "padding": [0] * len(modes), "fourier_blocks": 1,
                        "hidden": 3, "activation": "gelu"},
            "channels": [{"name": path[8:], "source": path, "unit": self.units.get(path, "1")} for path in self.inputs],
            "fields": [{"name": "u", "unit": "K"}],
            "loss": {"derivative_weight": 0},
            "epochs": 1,
            "batch_size": 2,
            "seed": 1,
            "threads": 1,
        }

    def cases(self, **changed):
        """Without outputs; `changed` are inputs by the last part of their paths."""
        inputs = self.inputs | {f"/inputs/{name}": array for name, array in changed.items()}
        return plumecast.Cases.generic(self.axes, inputs | self.others, self._units(inputs))

    def with_outputs(self):
        return plumecast.Cases.generic(self.axes, self.inputs | self.others | self.outputs, self.units)

    def _units(self, inputs):
        return {name: unit for name, unit in self.units.items() if name in inputs or name in self.others}

    def model(self, folder):
        run = {"output": str(Path(folder) / self.title)}
        return plumecast.train(self.recipe | run, data=self.with_outputs(), device="cpu", threads=1)


class GenericCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.all = []
        for axes, space in (("x", (6,)), ("y,x", (4, 5)), ("z,y,x", (2, 3, 4))):
            for has_times in (True, False):
                data = Data(axes, space, has_times)
                cls.all.append((data, data.model(cls.folder)))
        cls.plane, cls.model = cls.all[2]

    def test_are_predicted_in_the_shape_of_outputs_as_from_a_file(self):
        for data, model in self.all:
            with self.subTest(data.title):
                u = data.outputs["/outputs/u"]
                cases = data.cases()
                self.assertEqual(cases.check(), [])
                self.assertEqual((len(cases), cases.extents.shape), (CASES, u.shape))
                predicted = model.predict(cases)["u"]
                self.assertEqual(predicted.shape, u.shape)
                active = data.others["active"]
                self.assertTrue(np.isnan(predicted[0].reshape(-1, active[0].size)[:, ~active[0].ravel()]).all())
                self.assertTrue(np.isfinite(predicted[1:]).all())
                given = np.full(u.shape, -7.0)
                model.predict(cases, out={"u": given})
                np.testing.assert_array_equal(given.astype(np.float32), predicted)
                cases.save(self.folder / "cases.h5")
                self.assertEqual(plumecast.Cases.open(self.folder / "cases.h5").check(), [])
                np.testing.assert_array_equal(model.predict(self.folder / "cases.h5")["u"], predicted)

    def test_have_gradients_by_each_input_in_its_shape(self):
        for data, model in self.all:
            with self.subTest(data.title):
                random = np.random.default_rng(5)
                weights = random.normal(size=data.outputs["/outputs/u"].shape)
                recording = model.record(data.cases(), limits=False)
                self.assertEqual(sorted(recording.inputs), sorted(data.inputs))
                gradients = recording.pull_back({"u": weights})
                for path, array in data.inputs.items():
                    self.assertEqual(gradients[path].shape, array.shape, path)
                    direction = random.choice([-1.0, 1.0], array.shape)
                    sums = [
                        np.nansum(weights * model.predict(data.cases(**{path[8:]: array + step * direction}), limits=False)["u"])
                        for step in (0.01, -0.01)
                    ]
                    slope = (sums[0] - sums[1]) / 0.02
                    self.assertAlmostEqual(np.sum(gradients[path] * direction), slope, delta=0.01 * abs(slope) + 1e-3, msg=path)
                    self.assertGreater(np.abs(gradients[path]).max(), 1e-4, path)

    def test_of_a_file_have_the_same_gradients(self):
        if importlib.util.find_spec("h5py") is None:
            self.skipTest("h5py is not installed")
        for data, model in self.all:
            with self.subTest(data.title):
                data.cases().save(self.folder / "cases.h5")
                weights = {"u": np.ones(data.outputs["/outputs/u"].shape)}
                own = model.record(data.cases()).pull_back(weights)
                of_file = model.record(self.folder / "cases.h5").pull_back(weights)
                self.assertEqual(own.keys(), of_file.keys())
                for path, gradient in own.items():
                    np.testing.assert_array_equal(of_file[path], gradient, path)

    def test_are_evaluated_and_their_fields_saved_as_outputs(self):
        for data, model in self.all:
            with self.subTest(data.title):
                self.assertGreater(model.evaluate(data.with_outputs())["u"]["mean"]["relative_l2"], 0.01)
                fields = model.predict(data.cases())
                fields.save(self.folder / "fields.h5")
                self.assertLess(model.evaluate(self.folder / "fields.h5")["u"]["mean"]["relative_l2"], 1e-6)
                self.assertEqual(plumecast.Cases.open(self.folder / "fields.h5").check(), [])
                model.predict(data.cases(), output=self.folder / "result.h5")
                self.assertLess(model.evaluate(self.folder / "result.h5")["u"]["mean"]["relative_l2"], 1e-6)

    def test_of_a_file_are_saved_with_their_fields(self):
        if importlib.util.find_spec("h5py") is None:
            self.skipTest("h5py is not installed")
        for data, model in self.all:
            with self.subTest(data.title):
                data.cases().save(self.folder / "cases.h5")
                model.predict(self.folder / "cases.h5").save(self.folder / "fields.h5")
                self.assertLess(model.evaluate(self.folder / "fields.h5")["u"]["mean"]["relative_l2"], 1e-6)

    def test_give_the_channels_of_a_network(self):
        for data, model in self.all:
            with self.subTest(data.title):
                taken = model.named_inputs(data.with_outputs(), targets=True)
                self.assertEqual(set(taken), {path[8:] for path in data.inputs})
                np.testing.assert_allclose(taken["map"][..., 0].reshape(data.inputs["/inputs/map"].shape)[1:], data.inputs["/inputs/map"][1:])
                self.assertEqual(taken.targets.size, data.outputs["/outputs/u"].size)

    def test_are_looked_at_where_they_are_and_survive_pickling(self):
        before = self.model.predict(self.plane.cases())["u"]
        copied = pickle.loads(pickle.dumps(self.plane.cases()))
        np.testing.assert_array_equal(self.model.predict(copied)["u"], before)
        own = self.plane.inputs["/inputs/map"].copy()
        cases = self.plane.cases(map=own)
        own += 1
        self.assertFalse(np.array_equal(self.model.predict(cases)["u"], before, equal_nan=True))
        self.assertIn("/inputs/map (3, 4, 5) [m2]", repr(cases))
        self.assertEqual(cases.units["/inputs/number"], "1")

    def assert_refused(self, words, act, kind=plumecast.InvalidData):
        with self.assertRaises(kind) as caught:
            act()
        for word in words.split("|"):
            self.assertIn(word, str(caught.exception))

    def test_that_do_not_fit_are_refused_by_name(self):
        generic = plumecast.Cases.generic
        self.assert_refused("axes are 'x,y'|\"y,x\"", lambda: generic("x,y", {}), plumecast.InvalidInput)
        self.assert_refused("/inputs/a is a str|give a NumPy array", lambda: generic("x", {"/inputs/a": "b"}), plumecast.InvalidInput)
        self.assert_refused("units name '/inputs/b'", lambda: generic("x", {}, {"/inputs/b": "m"}), plumecast.InvalidInput)
        self.assert_refused("is no name of an array", lambda: generic("x", {3: [1.0]}), plumecast.InvalidInput)
        wrong = self.plane.cases()
        misnamed = generic("y,x", {**wrong.arrays, "coefficient": np.ones((CASES, 4, 5))}, wrong.units)
        self.assert_refused("coefficient is left over|put inputs under /inputs", lambda: self.model.predict(misnamed))
        self.assert_refused("/inputs/map has 6 entries along X|make the arrays agree",
                            lambda: self.model.predict(self.plane.cases(map=np.ones((CASES, 4, 6)))))
        less = {name: array for name, array in wrong.arrays.items() if name != "/inputs/map"}
        lacking = generic("y,x", less, {name: unit for name, unit in wrong.units.items() if name in less})
        self.assert_refused("no input /inputs/map|give a data set that has it", lambda: self.model.predict(lacking))
        metric = generic("y,x", wrong.arrays, wrong.units | {"/inputs/map": "km2"})
        self.assert_refused("/inputs/map is in km2|the network has it in m2", lambda: self.model.predict(metric))
        self.assertIn("/inputs/map", [one.path for one in self.plane.cases(map=np.full((CASES, 4, 5), np.nan)).check()])
        self.assert_refused("output u has the shape|give an array of that shape",
                            lambda: self.model.predict(wrong, out={"u": np.empty((CASES, 4, 5, TIMES))}), plumecast.InvalidInput)
        self.assert_refused("weights of u have the shape", lambda: self.model.record(wrong).pull_back({"u": np.ones((CASES, 4))}),
                            plumecast.InvalidInput)
        self.assert_refused("'/grid/x' is no input", lambda: self.model.record(wrong).pull_back({"u": np.ones((CASES, TIMES, 4, 5))}, ["/grid/x"]),
                            plumecast.InvalidInput)

    def test_are_refused_by_what_is_about_reservoirs(self):
        fields = self.model.predict(self.plane.cases())
        self.assert_refused("generic data", fields.measure)
        if importlib.util.find_spec("matplotlib"):
            self.assert_refused("generic data have points|plumecast plot", fields.plot, plumecast.InvalidInput)
        self.assert_refused("/inputs/map", lambda: self.model.predict(sample.cases()))
        self.assert_refused("torch.Module, or jax.apply_of", lambda: Function(self.model, None, False, 0), plumecast.InvalidInput)


if __name__ == "__main__":
    unittest.main()
