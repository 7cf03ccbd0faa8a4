"""Predictions from arrays and files into arrays and files."""

import gc
import json
import shutil
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path

import numpy as np
import plumecast
import sample


class Predict(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = sample.model()
        cls.fields = cls.model.predict(sample.cases())

    def test_gives_all_fields_in_physical_units(self):
        self.assertEqual(list(self.fields), ["gas_saturation", "pressure_buildup", "dissolved_co2"])
        active = np.broadcast_to(sample.arrays()["active"][:, None] == 1, sample.SHAPE)
        for name, field in self.fields.items():
            self.assertEqual((field.dtype, field.shape), (np.dtype(np.float32), sample.SHAPE), name)
            np.testing.assert_array_equal(np.isfinite(field), active)
        saturation = self.fields["gas_saturation"][active]
        self.assertTrue(0 <= saturation.min() and 0.3 < saturation.max() <= 1)
        self.assertTrue(1 < np.nanmax(self.fields["pressure_buildup"]) < 200)

    def test_gives_the_fields_that_are_named(self):
        some = self.model.predict(sample.cases(), fields=["pressure_buildup"])
        self.assertEqual(list(some), ["pressure_buildup"])
        np.testing.assert_array_equal(some["pressure_buildup"], self.fields["pressure_buildup"])

    def test_gives_a_file_the_bits_of_arrays(self):
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", plumecast.PlumecastWarning)
            path = self.model.predict(sample.RADIAL, output=Path(folder) / "fields.h5")
            fields = self.model.predict(str(sample.RADIAL))
            written = plumecast.Cases.open(path)
            self.assertEqual(written.extents.shape, fields["gas_saturation"].shape)
            try:
                import h5py
            except ImportError:
                self.skipTest("h5py is not installed; the result file was not compared")
            with h5py.File(path) as file:
                for name, field in fields.items():
                    np.testing.assert_array_equal(file["outputs"][name][:], field, name)

    def test_gives_bands_of_a_model_that_is_calibrated_for_them(self):
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", plumecast.PlumecastWarning)
            copy = Path(shutil.copytree(self.model.path, Path(folder) / "model"))
            description = json.loads((copy / "model.json").read_text())
            bands = [{"field": "pressure_buildup", "scale": {"value": 0.1}, "width": 0.5}]
            description["training"]["trust"]["field_bands"] = {
                "level": 0.9, "share": 0.9, "cases": 150, "data_sha256": "0" * 64, "fields": bands,
            }
            (copy / "model.json").write_text(json.dumps(description))
            model = plumecast.load(str(copy), device="cpu", threads=1)
            bare = Path(shutil.copytree(copy, Path(folder) / "bare"))
            del description["training"]["trust"]["field_bands"]
            (bare / "model.json").write_text(json.dumps(description))
            with self.assertRaisesRegex(plumecast.InvalidInput, "records no bands"):
                plumecast.load(str(bare), device="cpu", threads=1).predict(sample.cases(), uncertainty=True)
            self.assertEqual(list(model.bands), ["pressure_buildup_low", "pressure_buildup_high"])
            fields = model.predict(str(sample.SCHEDULES), uncertainty=True)  # on the grid and at the times of the calibration
            buildup, high = fields["pressure_buildup"], fields["pressure_buildup_high"]
            known = np.isfinite(high)
            self.assertTrue(known.any())
            half = 0.5 * (1 + 0.1 * np.abs(buildup))
            np.testing.assert_allclose(high[known], (buildup + half)[known], rtol=1e-4)
            np.testing.assert_allclose(fields["pressure_buildup_low"][known], (buildup - half)[known], rtol=1e-4, atol=1e-3)
            self.assertEqual(fields.quantities["pressure_buildup_low"].unit, "bar")
            some = model.predict(str(sample.SCHEDULES), fields=["pressure_buildup_low"])
            np.testing.assert_array_equal(some["pressure_buildup_low"], fields["pressure_buildup_low"])
            path = model.predict(sample.SCHEDULES, output=Path(folder) / "fields.h5", uncertainty=True)
            self.assertTrue(plumecast.Cases.open(path).extents.shape)
            self.assertIn("pressure_buildup_low", repr(fields))

    def test_writes_straight_through_the_strides_of_out(self):
        room = np.zeros((1, 24, 32, 128))
        out = {"gas_saturation": room[..., ::2]}
        fields = self.model.predict(sample.cases(), out=out)
        self.assertIs(fields["gas_saturation"], out["gas_saturation"])
        np.testing.assert_array_equal(room[..., ::2].astype(np.float32), self.fields["gas_saturation"])
        self.assertEqual(np.count_nonzero(room[..., 1::2]), 0)

    def test_refuses_out_that_cannot_be_written(self):
        fixed = np.zeros(sample.SHAPE, np.float32)
        fixed.flags.writeable = False
        for out, words in (
            ({"gas_saturation": fixed}, "writable NumPy array"),
            ({"gas_saturation": np.zeros((1, 2), np.float32)}, "has the shape [1, 2]"),
            ({"gas_saturation": np.zeros(sample.SHAPE, np.int32)}, "gas_saturation"),
            ({"gas_saturatoin": np.zeros(sample.SHAPE, np.float32)}, "did you mean gas_saturation?"),
        ):
            with self.subTest(words), self.assertRaises(plumecast.InvalidInput) as caught:
                self.model.predict(sample.cases(), out=out)
            self.assertIn(words, str(caught.exception))

    def test_results_outlive_model_and_cases(self):
        fields = sample.model().predict(sample.cases())
        kept = fields["gas_saturation"]
        del fields
        gc.collect()
        np.testing.assert_array_equal(kept, self.fields["gas_saturation"])

    def test_gives_the_same_fields_in_any_batch(self):
        cases = plumecast.Cases(**sample.repeated(5))
        for batch in (1, 5):
            field = self.model.predict(cases, batch=batch)["gas_saturation"]
            np.testing.assert_allclose(field[4], self.fields["gas_saturation"][0], atol=2e-6)
        with self.assertRaises(plumecast.InvalidInput):
            self.model.predict(cases, batch=-1)

    def test_warns_of_inputs_outside_the_training_ranges(self):
        with self.assertWarnsRegex(plumecast.PlumecastWarning, "injection_rate"):
            self.model.predict(sample.cases(injection_rate=[5.0]))

    def test_goes_on_without_a_case_that_cannot_be_computed(self):
        two = sample.repeated(3) | {"temperature": np.array([60.0, 200.0, 60.0]), "injection_rate": np.array([1.0, 1.0, 0.0])}
        with self.assertWarnsRegex(plumecast.PlumecastWarning, "1 of 3 cases could not be computed .*case 1: temperature .*200"):
            fields = self.model.predict(plumecast.Cases(**two))
        active = np.broadcast_to(sample.arrays()["active"] == 1, sample.SHAPE[1:])
        for name, field in fields.items():
            np.testing.assert_allclose(field[0], self.fields[name][0], rtol=1e-4, atol=1e-5)
            self.assertTrue(np.isnan(field[1]).all(), name)
            self.assertTrue((field[2][active] == 0).all(), name)
        self.assertEqual([one.trust for one in fields.verdicts[1:]], ["bad", "good"])
        self.assertRegex(fields.verdicts[1].reasons, "has no values: .*case 1: ")
        out = {"gas_saturation": np.zeros((3, *sample.SHAPE[1:]), np.float32)}
        with self.assertRaisesRegex(plumecast.InvalidData, "bad.*strict"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.model.predict(plumecast.Cases(**two), out=out, strict=True)
        np.testing.assert_array_equal(out["gas_saturation"], fields["gas_saturation"])

    def test_refuses_options_that_cannot_be(self):
        for options in ({"batch": -3}, {"buildup_limit": -1.0}, {"extrapolate": "guess"}):
            with self.assertRaises(plumecast.InvalidInput):
                self.model.predict(sample.cases(), **options)

    def test_refuses_what_are_no_cases(self):
        with self.assertRaisesRegex(plumecast.InvalidInput, "cases are a int"):
            self.model.predict(3)

    def test_shows_what_it_gives(self):
        self.assertRegex(repr(self.fields), r"gas_saturation float32 \(1, 24, 32, 64\): 0 to 0\.\d+ 1")


class Callbacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = sample.model()
        cls.cases = plumecast.Cases(**sample.repeated(6))

    def test_progress_counts_to_the_end(self):
        told = []
        self.model.predict(self.cases, batch=2, progress=lambda done, all: told.append((done, all)))
        self.assertEqual(told[-1][0], told[-1][1])
        self.assertEqual(told, sorted(told))
        self.assertGreater(len(told), 2)

    def test_stop_ends_the_work(self):
        asked = []
        with self.assertRaises(plumecast.Interrupted):
            self.model.predict(self.cases, batch=1, stop=lambda: bool(asked.append(1)) or len(asked) > 2)
        self.assertEqual(len(asked), 3)

    def test_what_they_raise_ends_the_work(self):
        def fail(*_):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            self.model.predict(self.cases, batch=1, progress=fail)
        with self.assertRaisesRegex(KeyError, "mine"):
            self.model.predict(self.cases, batch=1, stop=fail)

    def test_other_threads_run_meanwhile(self):
        cases, seen = plumecast.Cases(**sample.repeated(40)), []
        done = threading.Event()

        def work():
            self.model.predict(cases, batch=2)
            done.set()

        worker = threading.Thread(target=work)
        worker.start()
        while not done.is_set():
            seen.append(time.monotonic())
            time.sleep(0.001)
        worker.join()
        self.assertGreater(len(seen), 20)
        self.assertLess(np.diff(seen).max(), 0.5 * (seen[-1] - seen[0]))

    def test_threads_share_a_model(self):
        expected = self.model.predict(sample.cases())["gas_saturation"]
        got = [None] * 4

        def work(which):
            got[which] = self.model.predict(sample.cases())["gas_saturation"]

        workers = [threading.Thread(target=work, args=(which,)) for which in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for field in got:
            np.testing.assert_array_equal(field, expected)


if __name__ == "__main__":
    unittest.main()
