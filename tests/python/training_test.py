"""Training from Python, and gradients and errors of what was trained."""

import json
import os
import signal
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import plumecast
import sample
from plumecast.series import measured
from trained import Trained, recipe


class Training(Trained):
    def test_tells_of_batches_and_epochs(self):
        self.assertEqual(len(self.epochs), 2)
        self.assertGreater(self.epochs[0]["validation_loss"], 0)
        epoch, epochs, done, cases, loss = self.told[-1]
        self.assertEqual((epoch, epochs, done, cases), (2, 2, 2, 2))
        self.assertGreater(loss, 0)

    def test_gives_the_best_model_of_the_run(self):
        self.assertEqual(self.model.path, str(Path(self.folder) / "run" / "best"))
        self.assertEqual(list(self.model.fields), ["gas_saturation", "pressure_buildup"])

    def test_ends_where_it_is_asked_to_and_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            wanted = recipe(folder)
            with self.assertRaises(plumecast.Interrupted):
                plumecast.train(wanted, device="cpu", threads=1, stop=lambda: True)
            with self.assertRaisesRegex(plumecast.InvalidInput, "resume"):
                plumecast.train(wanted, device="cpu", threads=1)
            model = plumecast.train(wanted, resume=True, device="cpu", threads=1)
            self.assertEqual(model.hash, self.model.hash)

    def test_ctrl_c_leaves_a_checkpoint(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # may be ignored in the background
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with tempfile.TemporaryDirectory() as folder:
            wanted = recipe(folder)
            with self.assertRaises(KeyboardInterrupt):
                plumecast.train(
                    wanted, device="cpu", threads=1, on_progress=lambda *_: os.kill(os.getpid(), signal.SIGINT)
                )
            model = plumecast.train(wanted, resume=True, device="cpu", threads=1)
            self.assertEqual(model.hash, self.model.hash)

    def test_takes_cases_and_recipes_in_files(self):
        with tempfile.TemporaryDirectory() as folder:
            wanted = recipe(folder)
            del wanted["data"]["train"], wanted["data"]["validation"]
            path = Path(folder) / "recipe.json"
            path.write_text(json.dumps(wanted))
            cases = plumecast.Cases.open(sample.RADIAL)
            model = plumecast.train(path, data=cases, validation=cases, device="cpu", threads=1)
            self.assertEqual(model.hash, self.model.hash)

    def test_refuses_a_recipe_with_an_unknown_entry(self):
        with self.assertRaisesRegex(plumecast.InvalidInput, "epochs"):
            plumecast.train(recipe(self.folder, epoch=3))


class Gradients(Trained):
    def sums(self, **other):
        fields = self.model.predict(self.cases(**other), limits=False)
        return np.nansum(fields["pressure_buildup"].astype(float) * self.weights)

    def test_are_those_of_central_differences(self):
        gradients = self.model.record(self.cases(), limits=False).pull_back({"pressure_buildup": self.weights})
        given = sample.arrays()
        for name, step in (("permeability_r", 1.0), ("porosity", 2e-3), ("injection_rate", 1e-2), ("temperature", 0.5)):
            with self.subTest(name):
                direction = step * (given[name] != 0)
                difference = self.sums(**{name: given[name] + direction}) - self.sums(**{name: given[name] - direction})
                expected = np.sum(gradients[name] * direction)
                self.assertAlmostEqual(difference / 2, expected, delta=0.02 * abs(expected) + 1e-3)

    def test_of_series_are_those_of_central_differences(self):
        def pressure(**other):
            return self.model.record(self.cases(**other), limits=False).series("bottom_hole_pressure")

        recording = self.model.record(self.cases(), limits=False)
        series = recording.series("bottom_hole_pressure")
        self.assertEqual(series.shape, sample.SHAPE[:2])
        np.testing.assert_allclose(series[0], recording.fields.measure()[0]["bottom_hole_pressure"].values, rtol=1e-9)
        weights = np.linspace(0.5, 1.0, series.size).reshape(series.shape)
        gradients = recording.pull_back({"bottom_hole_pressure": weights})
        given = sample.arrays()
        for name, step in (("permeability_r", 2.0), ("initial_pressure", 0.5), ("injection_rate", 1e-2), ("temperature", 0.2)):
            with self.subTest(name):
                direction = step * (given[name] != 0)
                difference = pressure(**{name: given[name] + direction}) - pressure(**{name: given[name] - direction})
                expected = np.sum(gradients[name] * direction)
                self.assertAlmostEqual(np.sum(weights * difference) / 2, expected, delta=0.02 * abs(expected) + 1e-3)
        with self.assertRaisesRegex(plumecast.InvalidInput, "pulled back before"):
            recording.series("mass_free")
        with self.assertRaisesRegex(plumecast.InvalidInput, "there are bottom_hole_pressure, mass_free, mass_trapped"):
            self.model.record(self.cases()).series("mass_dissolved")

    def test_have_the_shapes_of_their_inputs(self):
        recording = self.model.record(self.cases(), fields=["pressure_buildup"])
        self.assertEqual(list(recording.fields), ["pressure_buildup"])
        gradients = recording.pull_back({"pressure_buildup": self.weights})
        self.assertEqual(tuple(gradients), recording.inputs)
        self.assertNotIn("active", gradients)
        self.assertEqual(gradients["permeability_r"].shape, (1, 32, 64))
        self.assertEqual(gradients["injection_rate"].shape, (1,))
        self.assertEqual(np.count_nonzero(gradients["porosity"][:, 16:]), 0)
        self.assertGreater(np.count_nonzero(gradients["porosity"][:, :16]), 0)

    def test_come_for_the_rates_of_a_schedule(self):
        rates = np.array([[[0.8, 1.2]]])
        scheduled = {"schedule_end": np.array([5475.0, 10950.0]), "schedule_rate": rates}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cases.h5"
            self.cases(**scheduled).save(path)
            found = []
            for cases in (self.cases(**scheduled), path):
                recording = self.model.record(cases, limits=False)
                self.assertIn("schedule_rate", recording.inputs)
                self.assertNotIn("injection_rate", recording.inputs)
                found.append(recording.pull_back({"pressure_buildup": self.weights})["schedule_rate"])
        self.assertEqual(found[0].shape, (1, 1, 2))
        np.testing.assert_allclose(found[0], found[1], rtol=1e-5)
        by_mean = self.model.record(self.cases(), limits=False).pull_back({"pressure_buildup": self.weights})["injection_rate"]
        np.testing.assert_allclose(found[0][0, 0], by_mean[0] / 2, rtol=1e-4)

    def test_come_for_the_inputs_that_are_named(self):
        recording = self.model.record(self.cases())
        self.assertEqual(list(recording.pull_back({"gas_saturation": self.weights}, inputs=["porosity"])), ["porosity"])

    def test_come_once_and_outlive_model_and_cases(self):
        recording = plumecast.load(self.model.path, threads=1).record(self.cases())
        expected = self.model.predict(self.cases())["pressure_buildup"]
        np.testing.assert_allclose(recording.fields["pressure_buildup"], expected, rtol=1e-3, atol=1e-3)
        recording.pull_back({"pressure_buildup": self.weights})
        with self.assertRaises(plumecast.InvalidInput):
            recording.pull_back({"pressure_buildup": self.weights})

    def test_name_what_does_not_fit(self):
        recording = self.model.record(self.cases())
        for weights, inputs, words in (
            ({"pressure_build": self.weights}, None, "pressure_build"),
            ({"pressure_buildup": self.weights[:, 1:]}, None, "23"),
            ({"pressure_buildup": self.weights}, ["permeability"], "permeability"),
        ):
            with self.subTest(words), self.assertRaisesRegex(plumecast.InvalidInput, words):
                recording.pull_back(weights, inputs)
        recording.pull_back({"pressure_buildup": self.weights})

    def test_go_through_physics_of_two_phases(self):
        recording = sample.model().record(self.cases(), limits=False)
        gradients = recording.pull_back({"pressure_buildup": self.weights})
        for name in ("permeability_r", "porosity", "injection_rate", "temperature", "van_genuchten_lambda"):
            with self.subTest(name):
                self.assertTrue(np.all(np.isfinite(gradients[name])))
                self.assertGreater(np.count_nonzero(gradients[name]), 0)

    def test_limits_clip_where_they_are_on(self):
        free = self.model.predict(self.cases(), limits=False)["gas_saturation"]
        limited = self.model.predict(self.cases())["gas_saturation"]
        self.assertFalse(np.array_equal(free, limited, equal_nan=True))
        self.assertGreaterEqual(np.nanmin(limited), 0)


class Errors(Trained):
    def test_are_told_of_each_field(self):
        scores = self.model.evaluate(plumecast.Cases.open(sample.RADIAL))
        self.assertEqual(list(scores), ["gas_saturation", "pressure_buildup"])
        table = repr(scores)
        for shown in ("field", "measure", "9 of 10 cases", "gas_saturation", "mae [bar]"):
            self.assertIn(shown, table)
        self.assertIn("<table>", scores._repr_html_())
        self.assertEqual(len({len(row) for row in scores.rows()}), 1)
        better = sample.model().evaluate(str(sample.RADIAL))
        self.assertEqual(len(better["gas_saturation"]["cases"]), 8)
        self.assertGreater(better["pressure_buildup"]["pooled_r2"], 0.99)
        self.assertLess(scores["pressure_buildup"]["pooled_r2"], 0.99)

    def test_need_outputs(self):
        with self.assertRaises(plumecast.InvalidData):
            self.model.evaluate(sample.cases())


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fields = sample.model().predict(sample.cases())

    def test_are_measured_as_the_report_does(self):
        (series,) = self.fields.measure()
        buildup = series["max_buildup"]
        self.assertEqual(buildup.unit, "bar")
        self.assertEqual(buildup.values.shape, (24,))
        expected = np.nanmax(self.fields["pressure_buildup"][0], axis=(1, 2))
        np.testing.assert_allclose(buildup.values, expected, rtol=1e-5)

    def test_of_a_case_without_values_are_none(self):
        names = ("gas_saturation", "pressure_buildup")
        fields = {name: np.repeat(self.fields[name], 2, axis=0) for name in names}
        for values in fields.values():
            values[0] = np.nan
        found = measured(sample.cases(**sample.repeated(2), **fields), (), 0.0, 0.0, 0.0, 0.0, 0.0)
        self.assertEqual([len(series) > 0 for series in found], [False, True])
        (expected,) = self.fields.measure()
        np.testing.assert_array_equal(found[1]["max_buildup"].values, expected["max_buildup"].values)

    def test_are_saved_as_a_data_set(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fields.h5"
            self.fields.save(path)
            saved = plumecast.Cases.open(path)
            self.assertEqual([one for one in saved.check() if one.is_error], [])
            self.assertEqual(saved.extents.shape, sample.SHAPE)
            try:
                import h5py
            except ImportError:
                self.skipTest("h5py is not installed; the file was not compared")
            with h5py.File(path) as file:
                written = np.nan_to_num(file["outputs/gas_saturation"][:])
            np.testing.assert_array_equal(written, np.nan_to_num(self.fields["gas_saturation"]))

    def test_of_a_file_are_measured_and_saved(self):
        try:
            import h5py  # noqa: F401
        except ImportError:
            self.skipTest("h5py is not installed")
        with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
            warnings.simplefilter("ignore", plumecast.PlumecastWarning)
            fields = sample.model().predict(sample.RADIAL)
            self.assertEqual(len(fields.measure()), len(fields.cases))
            fields.save(Path(folder) / "fields.h5")
            again = sample.model().predict(Path(folder) / "fields.h5")
        np.testing.assert_array_equal(again["pressure_buildup"], fields["pressure_buildup"])


if __name__ == "__main__":
    unittest.main()
