"""What onnxruntime computes from exported networks, beside this library. onnxruntime comes from pip: its folder is named by
PLUMECAST_ONNXRUNTIME, or it is installed; the tests skip without it."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from cli_test_case import OK, USAGE, CliTestCase

if os.environ.get("PLUMECAST_ONNXRUNTIME"):
    sys.path.insert(0, os.environ["PLUMECAST_ONNXRUNTIME"])
try:
    import numpy
    import onnxruntime
except ImportError:
    onnxruntime = None

MODELS = Path(__file__).resolve().parents[2] / "models"


def session_of(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def read_array(folder, entry):
    return numpy.fromfile(folder / entry["file"], dtype="<f4").reshape(entry["shape"])


@unittest.skipIf(onnxruntime is None, "onnxruntime is not installed")
class OnnxRuntimeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        models = [MODELS / "radial-co2", MODELS / "radial-co2-fast"]
        subprocess.run([os.environ["PLUMECAST_WRITE_ONNX"], cls.folder, *models], check=True)
        cls.samples = json.loads((cls.folder / "samples.json").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_gives_what_the_library_gives_for_any_batch(self):
        for sample in self.samples:
            with self.subTest(sample["name"]):
                session = session_of(self.folder / sample["model"])
                inputs = {name: read_array(self.folder, entry) for name, entry in sample["inputs"].items()}
                (output,) = session.run(None, inputs)
                expected = read_array(self.folder, sample["expected"])
                self.assertEqual(output.shape, expected.shape)
                error = numpy.linalg.norm(output - expected) / numpy.linalg.norm(expected)
                self.assertLess(error, 1e-5)

    def test_covers_all_architectures_on_radial_and_cartesian_grids(self):
        models = {sample["model"] for sample in self.samples}
        for name in ("fno", "conv_fno", "ufno", "cnn", "f_fno", "uno"):
            self.assertIn(f"{name}.onnx", models)
            self.assertIn(f"{name}_3d.onnx", models)


class ExportOnnxTest(CliTestCase):
    def export(self, *arguments):
        return "export-onnx", MODELS / "radial-co2", "-o", self.folder / "model.onnx", *arguments

    def test_writes_the_shipped_model_with_its_description(self):
        self.assertIn("28 input channels", self.succeed(*self.export()))
        content = (self.folder / "model.onnx").read_bytes()
        for text in (b"plumecast.network", b'"log_permeability_r"', b"plumecast.grid", b"[32, 64, 32]", b"batch"):
            self.assertIn(text, content)
        if onnxruntime is not None:
            metadata = session_of(self.folder / "model.onnx").get_modelmeta().custom_metadata_map
            description = json.loads(metadata["plumecast.network"])
            self.assertEqual(description["architecture"], "ufno")
            self.assertEqual(description["channels"][0]["unit"], "mD")

    def test_takes_another_grid_and_replaces_its_own_files_alone(self):
        output = self.folder / "model.onnx"
        self.succeed(*self.export())
        whole = output.read_bytes()
        self.assertEqual(self.run_cli(*self.export()).stderr, "")
        other = self.run_cli(*self.export("--grid", "16,40,12"))
        self.assertEqual(other.returncode, OK)
        self.assertIn("trained on a grid [32, 64, 32], not [16, 40, 12], where its errors are not known", other.stderr)
        self.assertIn(b"[16, 40, 12]", output.read_bytes())
        self.succeed(*self.export())
        self.assertEqual(output.read_bytes(), whole)
        output.write_bytes(b"notes of a user")
        self.refuse(USAGE, *self.export(), says=("it is no ONNX file that plumecast wrote",))
        self.succeed(*self.export("--force"))
        self.assertEqual(output.read_bytes(), whole)

    def test_names_what_cannot_be_exported(self):
        for arguments, message in (
            (("--grid", "16,40"), "--grid 16,40 does not fit (the network wants Z,R,T)"),
            (("--grid", "0,40,12"), "--grid 0,40,12 does not fit"),
            (("--grid", "16,40,1,2"), "--grid 16,40,1,2 does not fit"),
            (("--field", "porosity"), "predicts no field porosity (its fields: gas_saturation, pressure_buildup)"),
        ):
            self.refuse(USAGE, *self.export(*arguments), says=(message,))
            self.assertFalse((self.folder / "model.onnx").exists())


if __name__ == "__main__":
    unittest.main()
