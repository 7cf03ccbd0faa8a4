import json
import os
import signal
import subprocess
import time
import unittest

from cli_test_case import DATA, INTERRUPTED, MODEL, PLUMECAST, SYSTEM, TIME_LIMIT, USAGE, CliTestCase, no_room_for_files

PNG = b"\x89PNG\r\n\x1a\n"


class Predict(CliTestCase):
    def setUp(self):
        super().setUp()
        self.model = self.train()

    def expect_no_result(self):
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith("out")], [])

    def test_writes_fields_that_validate(self):
        self.sample("inputs", "inputs.h5")
        output = self.succeed("predict", self.model, "inputs.h5", "-o", "out.h5")
        self.assertRegex(output, r"out.h5: 3 cases, [0-9.]+ ms per case")
        self.succeed("validate", "out.h5")
        self.assertIn("gas_saturation", json.loads(self.succeed("info", "out.h5", "--json"))["outputs"])

    def test_measures_how_fast_it_predicts(self):
        bench = ("bench", "predict", self.model, "sample.h5", "--rounds", "1", "--device", "cpu")
        self.assertRegex(self.succeed(*bench), r"from file to file +[0-9.]+ ms per case, [0-9.]+ of the rate")
        found = json.loads(self.succeed(*bench, "--json", "-o", "out.h5"))
        self.assertEqual(found["cases"], 3)
        self.assertAlmostEqual(found["kept_rate"], found["compute_s"] / found["whole_s"])
        self.succeed("validate", "out.h5")
        self.refuse(USAGE, "bench", says=["bench --help"])

    def test_names_a_missing_and_a_truncated_file(self):
        self.refuse(SYSTEM, "predict", self.model, "nothing.h5", "-o", "out.h5", says=["nothing.h5"])
        whole = (self.folder / "sample.h5").read_bytes()
        (self.folder / "cut.h5").write_bytes(whole[: len(whole) // 2])
        self.refuse(DATA, "predict", self.model, "cut.h5", "-o", "out.h5", says=["cut.h5"])
        self.refuse(DATA, "predict", self.model, self.sample("broken", "b.h5"), "-o", "out.h5", says=["porosity"])
        self.expect_no_result()

    def test_refuses_a_damaged_model(self):
        weights = self.model / "gas_saturation.safetensors"
        weights.write_bytes(weights.read_bytes()[:-4])
        self.refuse(MODEL, "predict", self.model, "sample.h5", "-o", "out.h5", says=["gas_saturation.safetensors"])
        self.expect_no_result()

    def test_names_an_output_that_cannot_be_written(self):
        self.refuse(SYSTEM, "predict", self.model, "sample.h5", "-o", "no/such/folder/out.h5", says=["no/such/folder"])
        self.refuse(SYSTEM, "predict", self.model, "sample.h5", "-o", "sample.h5/out.h5", says=["sample.h5"])

    def test_leaves_nothing_behind_on_a_full_disk(self):
        self.refuse(SYSTEM, "predict", self.model, "sample.h5", "-o", "out.h5", preexec_fn=no_room_for_files)
        self.expect_no_result()

    def test_says_when_standard_output_is_full(self):
        with open("/dev/full", "w") as full:
            self.refuse(SYSTEM, "info", "sample.h5", stdout=full, says=["standard output"])

    def test_leaves_no_result_when_interrupted(self):
        self.sample("many", "many.h5")
        before = set(os.listdir(self.folder))
        process = subprocess.Popen([PLUMECAST, "predict", self.model, "many.h5", "-o", "out.h5", "--batch", "1"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and set(os.listdir(self.folder)) == before:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIME_LIMIT)
        self.assertEqual(process.returncode, INTERRUPTED, errors)
        self.assertIn("interrupted", errors)
        self.assertEqual(set(os.listdir(self.folder)), before)


class Evaluate(CliTestCase):
    def test_prints_a_table_and_json_with_every_case(self):
        model = self.train()
        table = self.succeed("evaluate", model, "sample.h5", "--per-case")
        self.assertRegex(table, r"MPE +[0-9.]+ +<= +[0-9.]+")
        self.assertRegex(table, r"3 cases, [0-9.]+ ms per case")
        result = json.loads(self.succeed("evaluate", model, "sample.h5", "--json"))
        self.assertEqual(len(result["fields"][0]["cases"]), 3)
        self.assertIn("mpe", result["fields"][0]["mean"])

    def test_refuses_a_file_without_outputs(self):
        model = self.train()
        self.sample("inputs", "inputs.h5")
        self.refuse(DATA, "evaluate", model, "inputs.h5", says=["inputs.h5", "/outputs"])


class Combine(CliTestCase):
    def test_joins_two_fields_that_predict_and_plot_together(self):
        parts = [self.train(), self.train("pressure_buildup", "pressure")]
        self.succeed("combine", *parts, "-o", "models/both", "--title", "Two fields")
        description = json.loads(self.succeed("info", "models/both", "--json"))
        self.assertEqual(description["title"], "Two fields")
        self.assertIn("porosity", description["training"]["ranges"])
        self.assertEqual(description["training"]["parts"][0]["recipe"]["data"]["train"], "sample.h5")
        self.assertIn("pressure_buildup", (self.folder / "models" / "both" / "README.md").read_text())
        self.succeed("predict", "models/both", "sample.h5", "-o", "out.h5")
        self.succeed("plot", "out.h5", "--compare", "sample.h5", "--case", "1", "-o", "plume.png")
        self.assertEqual((self.folder / "plume.png").read_bytes()[:8], PNG)

    def test_refuses_a_field_twice_and_a_place_that_is_no_bundle(self):
        model = self.train()
        self.refuse(USAGE, "combine", model, model, "-o", "both", says=["gas_saturation", "another part"])
        self.refuse(USAGE, "combine", model, "-o", "run", says=["run", "no model bundle"])


if __name__ == "__main__":
    unittest.main()
