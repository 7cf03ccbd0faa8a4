"""What the executable makes of options and of the values that they are given."""

import json
import os
import struct
import subprocess
import unittest
from pathlib import Path

from cli_test_case import MODEL, OK, PLUMECAST, SYSTEM, USAGE, CliTestCase

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = ROOT / "tests" / "reference" / "ufno_small.safetensors"
SAMPLE = ROOT / "data" / "radial_sample.h5"
CORES = len(os.sched_getaffinity(0))


class Options(CliTestCase):
    def test_names_the_nearest_option_for_an_unknown_one(self):
        self.refuse(USAGE, "info", "a.h5", "--jsn", says=["unknown option '--jsn'", "did you mean '--json'?"])
        self.refuse(USAGE, "predict", "m", "a.h5", "-o", "b.h5", "--thread=2", says=["'--thread'", "did you mean '--threads'?"])
        self.refuse(USAGE, "bench", "predict", "m", "a.h5", "--round", "2", says=["did you mean '--rounds'?"])
        self.refuse(USAGE, "info", "a.h5", "--colour-of-the-sea", says=["unknown option", "run 'plumecast info --help'"])
        self.refuse(USAGE, "info", "a.h5", "b.h5", says=["'b.h5' is one argument too many"])
        self.refuse(USAGE, "--jobs", "2", says=["unknown option '--jobs'"])

    def test_refuses_numbers_that_an_option_cannot_take(self):
        predict = ("predict", "m", "a.h5", "-o", "b.h5")
        for call, says in (((*predict, "--threads", "-2"), "-2 is negative; give 0 or more"),
                           ((*predict, "--threads", "two"), "'two' is no number"),
                           ((*predict, "--threads", "nan"), "'nan' is no number"),
                           (("bench", "predict", "m", "a.h5", "--rounds", "0"), "0 is not above 0"),
                           (("estimate", "a.h5", "-o", "b.h5", "--substeps", "0"), "0 is not between 1 and 1000"),
                           (("report", "a.h5", "-o", "r", "--front", "1e999"), "'1e999' is no number")):
            message = self.refuse(USAGE, *call, says=[says])
            self.assertLess(len(message), 200)

    def test_takes_no_more_threads_than_cores_and_says_so(self):
        self.sample()
        model = self.train(epochs=1)
        result = self.run_cli("predict", model, "sample.h5", "-o", "out.h5", "--threads", 5 * CORES)
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertIn(f"{5 * CORES} threads were asked for", result.stderr)
        self.assertIn(f"cpu: {CORES} thread", result.stdout)
        result = self.run_cli("predict", model, "sample.h5", "-o", "out.h5", "--threads", CORES)
        self.assertNotIn("threads were asked for", result.stderr)

    def test_shows_options_of_ranks_only_where_there_is_mpi(self):
        has_mpi = "MPI:      none" not in self.succeed("version")
        for subcommand in ("train", "predict", "evaluate"):
            text = self.succeed(subcommand, "--help")
            self.assertEqual("--grid" in text, has_mpi)
            self.assertEqual("--timeout" in text, has_mpi)
            self.assertIn("--plan", text)
        if not has_mpi:
            self.refuse(USAGE, "predict", "m", "a.h5", "-o", "b.h5", "--grid", "1x2", says=["no MPI", "PLUMECAST_MPI"])
        if "cuda" not in self.succeed("version"):
            self.refuse(USAGE, "predict", "m", "a.h5", "-o", "b.h5", "--transport", "nccl", says=["--transport", "this build has no"])

    def test_knows_the_unit_of_a_fracture_gradient(self):
        call = ("report", "a.h5", "-o", "r", "--fracture-gradient")
        self.refuse(USAGE, *call, "16", says=["bar/m", "16 kPa/m or MPa/km are 0.16 bar/m"])
        self.refuse(USAGE, *call, "0.7", says=["0.7 psi/ft are 0.1583 bar/m"])
        self.refuse(USAGE, *call, "1600", says=["divide kPa/m or MPa/km by 100, multiply psi/ft by 0.2262"])
        self.refuse(USAGE, *call, "-0.16", says=["no fracture gradient"])

    def test_says_that_nothing_reads_the_modes_of_a_cnn(self):
        default = self.run_cli("config", "--default", "cnn")
        self.assertNotIn("no effect", default.stderr)
        self.sample()
        recipe = self.recipe(network={"architecture": "cnn", "width": 2, "hidden": 4, "modes": [4, 4, 4], "residual_blocks": 1},
                             epochs=1)
        for call in (("config", recipe), ("train", recipe)):
            result = self.run_cli(*call)
            self.assertEqual(result.returncode, OK, result.stderr)
            self.assertIn("network.modes has no effect (nothing reads it in a cnn", result.stderr)


class Pictures(CliTestCase):
    def test_takes_the_format_from_the_ending_or_refuses(self):
        self.sample()
        for name, start in (("a.PDF", b"%PDF"), ("a.Png", b"\x89PNG"), ("a.svg", b"<?xml")):
            self.succeed("plot", "sample.h5", "-o", name)
            self.assertTrue((self.folder / name).read_bytes().startswith(start), name)
        for name in ("a.jpg", "a", "a.pdf.gz"):
            self.refuse(USAGE, "plot", "sample.h5", "-o", name, says=["use .png, .pdf or .svg"])
            self.assertFalse((self.folder / name).exists())

    def test_refuses_times_outside_those_of_the_file(self):
        self.sample()
        info = json.loads(self.succeed("info", "sample.h5", "--json"))
        for day in (info["last_time_day"] * 1.1, info["first_time_day"] / 2, -5, "nan"):
            self.refuse(USAGE, "plot", "sample.h5", "-o", "a.png", "--time", day, says=["outside the times of the file"])
        self.succeed("plot", "sample.h5", "-o", "a.png", "--time", info["last_time_day"], "--time", info["first_time_day"])


class PublishedWeights(CliTestCase):
    def test_says_how_a_file_of_pytorch_is_converted(self):
        for content in (b"PK\x03\x04 zipped", b"\x80\x02 plain"):
            (self.folder / "w.pt").write_bytes(content)
            self.refuse(MODEL, "import-weights", "w.pt", "-o", "model", says=[
                "convert first: python3 ", "convert_checkpoint.py w.pt w.safetensors"])

    def test_reads_names_of_a_wrapped_network(self):
        content = WEIGHTS.read_bytes()
        size = struct.unpack("<Q", content[:8])[0]
        header = json.loads(content[8:8 + size])
        wrapped = {name if name == "__metadata__" else "module." + name: entry for name, entry in header.items()}
        text = json.dumps(wrapped).encode()
        (self.folder / "w.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + content[8 + size:])
        self.succeed("import-weights", "w.safetensors", "-o", "wrapped")
        self.succeed("import-weights", WEIGHTS, "-o", "plain")
        hashes = [json.loads(self.succeed("info", model, "--json"))["networks"][0]["sha256"] for model in ("wrapped", "plain")]
        self.assertEqual(hashes[0], hashes[1])


    def test_refuses_weights_that_are_no_floats_and_leaves_out_counts(self):
        content = WEIGHTS.read_bytes()
        size = struct.unpack("<Q", content[:8])[0]
        original = json.loads(content[8:8 + size])
        name = next(name for name in original if name.endswith("fc1.bias"))

        def write(dtype, shape, entries=()):
            header = {**original, name: {**original[name], "dtype": dtype, "shape": shape}}
            data = content[8 + size:]
            for other, kind, values in entries:
                header[other] = {"dtype": kind, "shape": [], "data_offsets": [len(data), len(data) + len(values)]}
                data += values
            text = json.dumps(header).encode()
            (self.folder / "w.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)

        shape = original[name]["shape"]
        for dtype, of_type, says in (("I32", shape, "whole numbers"), ("U32", shape, "whole numbers"),
                                     ("BOOL", [4 * shape[0]], "truth values")):
            write(dtype, of_type)
            self.refuse(MODEL, "import-weights", "w.safetensors", "-o", "model",
                      says=[f"w.safetensors: array '{name}' holds {dtype}, {says}", "tensor.float()"])
            self.assertFalse((self.folder / "model").exists())
        prefix = name[:-len("fc1.bias")]
        write("F32", shape, [(prefix + "unet9.conv1.1.num_batches_tracked", "I64", struct.pack("<q", 7))])
        self.succeed("import-weights", "w.safetensors", "-o", "model")


class ModelsByName(CliTestCase):
    def run_in(self, program, *arguments, **environment):
        return subprocess.run([str(program), *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                              env={**os.environ, **environment})

    def test_finds_models_in_the_folders_of_the_variable(self):
        variable = f"{self.folder / 'nowhere'}:{ROOT / 'models'}"
        for name in ("radial-co2", "models/radial-co2"):
            result = self.run_in(PLUMECAST, "info", name, PLUMECAST_MODELS=variable)
            self.assertEqual(result.returncode, OK, result.stderr)
            self.assertIn(f"{ROOT / 'models' / 'radial-co2'}: model", result.stdout)
        result = self.run_in(PLUMECAST, "predict", "radial-c02", SAMPLE, "-o", "out.h5", PLUMECAST_MODELS=variable)
        self.assertEqual(result.returncode, MODEL)
        self.assertIn("radial-c02: no such file or folder", result.stderr)
        self.assertIn("PLUMECAST_MODELS", result.stderr)

    def test_prefers_what_is_there_to_what_is_installed(self):
        (self.folder / "radial-co2").mkdir()
        result = self.run_in(PLUMECAST, "info", "radial-co2", PLUMECAST_MODELS=str(ROOT / "models"))
        self.assertEqual(result.returncode, MODEL)

    @unittest.skipUnless("PLUMECAST_BUILD" in os.environ, "the build folder is not known")
    def test_works_from_anywhere_once_installed(self):
        prefix = self.folder / "prefix"
        done = subprocess.run(["cmake", "--install", os.environ["PLUMECAST_BUILD"], "--prefix", str(prefix)],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, OK, done.stderr)
        share = prefix / "share" / "plumecast"
        self.assertTrue((prefix / "share" / "doc" / "plumecast" / "docs" / "cli.md").exists())
        program = next(prefix.glob("bin/plumecast"))
        calls = (("info", "models/radial-co2"), ("validate", share / "data" / "radial_sample.h5"),
                 ("subset", share / "data" / "radial_sample.h5", "-o", "cases.h5", "--cases", "0"),
                 ("predict", "models/radial-co2", "cases.h5", "-o", "fields.h5"),
                 ("evaluate", "radial-co2", "cases.h5"), ("plot", "fields.h5", "--case", "0", "-o", "plume.png"))
        for call in calls:
            result = self.run_in(program, *call, PLUMECAST_MODELS="")
            self.assertEqual(result.returncode, OK, f"{call}: {result.stderr}")
        (self.folder / "w.pt").write_bytes(b"PK\x03\x04")
        message = self.run_in(program, "import-weights", "w.pt", "-o", "model").stderr
        script = share / "scripts" / "convert" / "convert_checkpoint.py"
        self.assertIn(f"python3 {script} w.pt w.safetensors", message)
        self.assertEqual(subprocess.run(["python3", str(script), "--help"], capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
