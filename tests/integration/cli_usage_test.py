import json
import os
import pty
import subprocess
import unittest
from pathlib import Path

from cli_test_case import DATA, MODEL, PLUMECAST, SYSTEM, USAGE, CliTestCase

REFERENCE = Path(__file__).resolve().parents[1] / "reference"
SUBCOMMANDS = ("train", "predict", "evaluate", "plot", "curve", "info", "validate", "config", "import-weights", "combine",
               "version")
ARCHITECTURES = ("fno", "conv_fno", "ufno", "cnn", "f_fno", "uno")


class Usage(CliTestCase):
    def test_every_subcommand_explains_itself_with_exit_codes(self):
        overview = self.succeed("--help")
        for subcommand in SUBCOMMANDS:
            self.assertIn(subcommand, overview)
            self.assertIn("plumecast " + subcommand, self.succeed(subcommand, "--help"))
        self.assertIn("130 interrupted", overview)

    def test_names_the_nearest_subcommand_for_an_unknown_one(self):
        self.refuse(USAGE, "predcit", says=["unknown subcommand 'predcit'", "did you mean 'predict'?"])

    def test_refuses_missing_and_unknown_arguments(self):
        self.refuse(USAGE)
        self.refuse(USAGE, "predict", "model", says=["predict --help"])
        self.refuse(USAGE, "info", "file", "--jsn", says=["--jsn"])
        self.refuse(USAGE, "predict", "model", "in.h5", "-o", "out.h5", "--batch", "0", says=["--batch"])

    def test_refuses_a_device_or_precision_that_does_not_exist(self):
        predict = ("predict", "model", "in.h5", "-o", "out.h5")
        for device in ("gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda1"):
            self.refuse(USAGE, *predict, "--device", device, says=["--device " + device, "cuda:N"])
        self.refuse(USAGE, *predict, "--precision", "fp8", says=["--precision"])
        self.refuse(USAGE, *predict, "--device", "cpu", "--precision", "tf32", says=["--device cuda"])

    def test_refuses_memory_of_a_device_that_is_no_share_and_no_size(self):
        predict = ("predict", "model", "sample.h5", "-o", "out.h5")
        for memory in ("0", "1.5", "-1", "120%", "8", "3x", "24 TiB", "GiB", "inf", "nan", "1e300GiB"):
            self.refuse(USAGE, *predict, "--device", "cuda", "--device-memory=" + memory, says=["--device-memory", "24GiB"])
        self.refuse(USAGE, *predict, "--device", "cpu", "--device-memory", "24GiB", says=["--device cuda"])

    def test_says_why_a_device_cannot_be_used(self):
        built = "cuda" in self.succeed("version")
        predict = ("predict", "model", "in.h5", "-o", "out.h5")
        self.refuse(SYSTEM if built else USAGE, *predict, "--device", "cuda:1000", says=["CUDA"])

    def test_prints_version_and_build_features(self):
        self.assertEqual(self.succeed("version"), self.succeed("--version"))
        self.assertIn("backends: cpu", self.succeed("version"))

    def test_shows_no_colour_on_a_terminal_that_wants_none(self):
        for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
            reader, writer = pty.openpty()
            plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
            subprocess.run([PLUMECAST, "info", "nothing.h5"], stderr=writer, stdout=subprocess.DEVNULL,
                           env={**plain, "TERM": "xterm", **environment}, cwd=self.folder)
            os.close(writer)
            shown = b""
            while b"\n" not in shown:  # a terminal hands on what is written in parts
                shown += os.read(reader, 4096)
            self.assertEqual(b"\x1b[3" in shown, coloured)
            os.close(reader)


class Config(CliTestCase):
    def test_prints_defaults_that_it_reads_back(self):
        for architecture in ARCHITECTURES:
            text = self.succeed("config", "--default", architecture, "--set", "data.train=a.h5", "--set", "output=run")
            (self.folder / "c.json").write_text(text)
            again = json.loads(self.succeed("config", "c.json"))
            self.assertEqual({**json.loads(text), "data": None, "output": None}, {**again, "data": None, "output": None})

    def test_publishes_a_schema_that_knows_every_entry(self):
        def compare(schema, entries, path):
            self.assertEqual(set(schema["properties"]) - {"$schema"}, set(entries), path)
            for name, value in entries.items():
                if isinstance(value, dict):
                    compare(schema["properties"][name], value, f"{path}.{name}")

        schema = json.loads(self.succeed("config", "--schema"))
        compare(schema, json.loads(self.succeed("config", "--default", "ufno")), "recipe")

    def test_wants_one_thing_and_knows_the_architectures(self):
        self.refuse(USAGE, "config", says=["--schema"])
        self.refuse(USAGE, "config", "--default", "unfo", says=["ufno"])
        self.refuse(SYSTEM, "config", "nothing.json", says=["nothing.json"])


class Inspect(CliTestCase):
    def test_describes_a_data_set(self):
        text = self.succeed("info", self.sample())
        for part in ("sample", "4 rows x 5 columns x 3 times", "porosity", "gas_saturation"):
            self.assertIn(part, text)
        self.assertEqual(json.loads(self.succeed("info", "sample.h5", "--json"))["cases"], 3)

    def test_accepts_a_valid_file_and_names_each_violation_of_another(self):
        self.assertIn("valid", self.succeed("validate", self.sample()))
        self.sample("broken", "broken.h5")
        result = self.run_cli("validate", "broken.h5")
        self.assertEqual(result.returncode, DATA)
        self.assertIn("/inputs/porosity", result.stdout)
        report = json.loads(self.run_cli("validate", "broken.h5", "--json").stdout)
        self.assertFalse(report["valid"])
        self.assertIn("/inputs/porosity", [violation["path"] for violation in report["violations"]])

    def test_refuses_what_is_no_data_file_and_no_model(self):
        (self.folder / "text.h5").write_text("no HDF5 at all")
        (self.folder / "empty").mkdir()
        self.refuse(DATA, "info", "text.h5", says=["text.h5"])
        self.refuse(DATA, "validate", "text.h5", says=["text.h5"])
        self.refuse(MODEL, "info", "empty", says=["empty", "model.json"])

    def test_keeps_control_characters_of_file_names_off_the_terminal(self):
        self.assertNotIn("\x1b", self.refuse(SYSTEM, "info", "\x1b[31mred.h5"))

    def test_prints_control_characters_of_texts_escaped(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("h5py is not installed (python3-h5py)")
        self.sample()
        with h5py.File(self.folder / "sample.h5", "r+") as file:
            file.attrs["title"] = "\x1b]0;another title\x07 \x9b31m red \u202egpj.exe\u2066\u2028 f\u00fcr 2 \u2248 \u4e8c"
        printed = self.succeed("info", "sample.h5")
        self.assertIn("\\x1b]0;another title\\x07", printed)
        for control in "\x1b\x07\x9b\u202e\u2066\u2028":
            self.assertNotIn(control, printed)
        self.assertIn("\\xe2\\x80\\xaegpj.exe", printed)
        self.assertIn("f\u00fcr 2 \u2248 \u4e8c", printed)


class ImportWeights(CliTestCase):
    def test_reads_published_names(self):
        weights = REFERENCE / "ufno_small.safetensors"
        self.succeed("import-weights", weights, "-o", "model")
        self.refuse(USAGE, "import-weights", weights, "-o", "model", says=["exists already", "--force"])
        self.succeed("import-weights", weights, "-o", "model", "--field", "pressure_buildup", "--force")
        description = json.loads(self.succeed("info", "model", "--json"))
        self.assertEqual(description["networks"][0]["architecture"], "ufno")
        self.assertEqual(description["networks"][0]["fields"][0]["name"], "pressure_buildup")

    def test_refuses_another_file_and_an_unknown_field(self):
        (self.folder / "w.safetensors").write_bytes(b"\xff" * 64)
        self.refuse(MODEL, "import-weights", "w.safetensors", "-o", "model", says=["w.safetensors"])
        weights = REFERENCE / "ufno_small.safetensors"
        self.refuse(USAGE, "import-weights", weights, "-o", "model", "--field", "gas", says=["gas_saturation"])


if __name__ == "__main__":
    unittest.main()
