"""Models: what they tell of themselves, pickling, and what cannot be loaded."""

import html.parser
import json
import pickle
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import plumecast
import sample
from plumecast import errors


class Package(unittest.TestCase):
    def test_is_the_installed_one(self):
        self.assertTrue(Path(plumecast.__file__).is_relative_to(sys.prefix))

    def test_has_the_version_of_the_library(self):
        from importlib.metadata import requires, version

        self.assertEqual(plumecast.__version__, version("plumecast"))
        self.assertEqual([one for one in requires("plumecast") if "extra" not in one], ["numpy>=1.24"])

    def test_has_a_class_for_every_status(self):
        header = (sample.REPOSITORY / "include" / "plumecast.h").read_text()
        statuses = header.partition("typedef enum plumecast_status {")[2].partition("}")[0]
        for number in range(1, statuses.count(" = ")):
            self.assertNotEqual(errors.class_of(number) is errors.InternalError, number != 11, number)
        self.assertEqual(statuses.count(" = "), 12)


class Description(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = sample.model()

    def test_tells_inputs_fields_and_ranges(self):
        permeability = self.model.inputs["permeability_r"]
        self.assertEqual(permeability[:3], ("permeability_r", "mD", ("N", "Z", "R")))
        self.assertTrue(permeability.required)
        self.assertTrue(permeability.low < permeability.trained[0] < permeability.trained[1] < permeability.high)
        self.assertEqual(self.model.fields["pressure_buildup"].unit, "bar")
        self.assertEqual(len(self.model.hash), 64)

    def test_requires_no_input_that_files_may_leave_out(self):
        inputs = plumecast.load("radial-co2", device="cpu", threads=1).inputs
        for name in ("salinity", "residual_gas_saturation"):  # 0 where they are not there
            self.assertFalse(inputs[name].required, name)
        self.assertTrue(inputs["irreducible_water_saturation"].required)

    def test_shows_a_table(self):
        text = repr(self.model)
        for word in ("cpu: 1 thread", "permeability_r", "mD", "N, Z, R", "dissolved_co2", "kg/m3"):
            self.assertIn(word, text)

    def test_shows_a_table_of_html(self):
        tags = []

        class Parser(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                tags.append(tag)

        Parser().feed(self.model._repr_html_())
        self.assertEqual(tags.count("tr"), 2 + len(self.model.inputs) + len(self.model.fields))


class Loading(unittest.TestCase):
    def test_takes_paths_and_names(self):
        by_path = plumecast.load(sample.REPOSITORY / "models" / "radial-co2-fast", threads=1)
        self.assertEqual(by_path.hash, sample.model().hash)
        self.assertEqual(by_path.path, str(sample.REPOSITORY / "models" / "radial-co2-fast"))

    def test_raises_the_class_of_the_status(self):
        with self.assertRaisesRegex(plumecast.InvalidModel, "no such model"):
            plumecast.load("no such model")
        with self.assertRaisesRegex(ValueError, "device 'gpu' is not known"):
            sample.model(device="gpu")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "model.json").write_text("{")
            with self.assertRaisesRegex(plumecast.InvalidModel, "model.json"):
                plumecast.load(folder)

    def test_refuses_a_version_of_the_physics_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(shutil.copytree(sample.model().path, Path(folder) / "model"))
            description = json.loads((copy / "model.json").read_text())
            description["networks"][0]["physics"]["version"] = 99
            (copy / "model.json").write_text(json.dumps(description))
            with self.assertRaisesRegex(plumecast.InvalidModel, r"physics\.version is 99 \(this program has version "):
                plumecast.load(str(copy), threads=1)

    def test_respects_a_limit_of_memory(self):
        with self.assertRaises(plumecast.OutOfMemory) as caught:
            sample.model(memory_limit=1 << 20).predict(sample.cases())
        self.assertIsInstance(caught.exception, MemoryError)

    def test_stores_fields_in_16_bits_where_asked(self):
        exact = sample.model().predict(sample.cases())["gas_saturation"]
        rough = sample.model(bfloat16=True).predict(sample.cases())["gas_saturation"]
        self.assertFalse(np.array_equal(exact, rough, equal_nan=True))
        self.assertLess(np.nanmax(np.abs(exact - rough)), 0.1)

    def test_gives_memory_back(self):
        model = sample.model()
        before = model.predict(sample.cases())["gas_saturation"]
        model.trim()
        np.testing.assert_array_equal(model.predict(sample.cases())["gas_saturation"], before)


class Pickling(unittest.TestCase):
    def test_keeps_path_and_options(self):
        model = sample.model()
        copied = pickle.loads(pickle.dumps(model))
        self.assertEqual((copied.path, copied.hash, copied.device), (model.path, model.hash, model.device))

    def test_refuses_another_model_at_the_path(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "model"
            shutil.copytree(sample.REPOSITORY / "models" / "radial-co2-fast", place)
            pickled = pickle.dumps(plumecast.load(place, threads=1))
            shutil.rmtree(place)
            shutil.copytree(sample.REPOSITORY / "models" / "radial-co2", place)
            with self.assertRaisesRegex(plumecast.InvalidModel, "the model that was pickled had"):
                pickle.loads(pickled)


if __name__ == "__main__":
    unittest.main()
