import json
import os
import signal
import unittest
from pathlib import Path

from cli_test_case import DATA, INTERRUPTED, MODEL, OK, RESUME_ME, SYSTEM, USAGE, CliTestCase, no_room_for_files

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

EPOCHS = 40


class Train(CliTestCase):
    def test_writes_a_best_model_metrics_and_the_recipe(self):
        self.sample()
        output = self.succeed("train", self.recipe())
        self.assertRegex(output, r"memory: about .* while training")
        self.assertRegex(output, r"(?m)^epoch 2/2 .* train [0-9.]+  validation [0-9.]+")
        for name in ("best/model.json", "checkpoint/state.json", "metrics.csv", "recipe.json"):
            self.assertTrue((self.folder / "run" / name).exists(), name)
        lines = (self.folder / "run" / "metrics.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["epoch"] for line in lines], [1, 2])

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_refuses_what_validate_refuses(self):
        for group, name, value, says in (("inputs", "perforation", 0.0, "no active cell is perforated"),
                                         ("outputs", "gas_saturation", 2.0, "lies outside 0 to 1")):
            self.sample()
            with h5py.File(self.folder / "sample.h5", "a") as file:
                file[group][name][...] = value * file["inputs/active"][:].reshape(-1, *(1,) * (group == "outputs"), 4, 5)
            self.refuse(DATA, "train", self.recipe(), says=["sample.h5", name, says])
            self.assertEqual(self.run_cli("validate", "sample.h5").returncode, DATA)
        self.assertFalse((self.folder / "run").exists())

    def test_shows_no_progress_off_a_terminal(self):
        self.sample()
        result = self.run_cli("train", self.recipe(), "--device", "cpu")
        self.assertEqual(result.stderr, "")
        self.assertNotIn("\r", result.stdout)

    def test_refuses_to_overwrite_a_run_without_resume(self):
        self.train()
        self.refuse(USAGE, "train", self.recipe(), says=["run", "already", "--resume", "--output"])

    def test_takes_entries_and_output_from_the_command_line(self):
        self.sample()
        self.recipe()
        self.succeed("train", "recipe.json", "--set", "epochs=1", "--set", "network.width=6", "--output", "other")
        recipe = json.loads((self.folder / "other" / "recipe.json").read_text())
        self.assertEqual((recipe["epochs"], recipe["network"]["width"]), (1, 6))
        self.assertEqual((recipe["data"]["train"], Path(recipe["output"])), ("../sample.h5", Path(".")))
        self.succeed("train", "other/recipe.json", "--resume", "--set", "epochs=2")

    def test_computes_in_fp32_and_says_so_where_bf16_gains_nothing(self):
        self.sample()
        lower = dict(os.environ, PLUMECAST_SIMD="baseline")
        result = self.run_cli("train", self.recipe(precision="bf16", epochs=1), "--device", "cpu", env=lower)
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertIn("computing in fp32: bf16 gains nothing here (PLUMECAST_SIMD is baseline)", result.stderr)
        self.assertEqual(json.loads((self.folder / "run" / "recipe.json").read_text())["precision"], "fp32")

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_members_are_trained_one_after_the_other_and_their_mean_predicts(self):
        self.sample()
        recipe = self.recipe(fields=["gas_saturation", "pressure_buildup"], members=2, epochs=1)
        said = self.run_cli("train", recipe)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("member 2 of 2, seed 18", said.stderr)
        model = json.loads((self.folder / "run/best/model.json").read_text())
        self.assertEqual(model["networks"][0]["members"], 2)
        self.assertEqual([one["seed"] for one in model["training"]["members"]], [17, 18])
        alone = json.loads((self.folder / "run/members/1/best/model.json").read_text())
        self.assertNotIn("members", alone["networks"][0])
        self.assertNotIn("members", alone["training"]["recipe"])
        fields = []
        for bundle in ("members/0/best", "members/1/best", "best"):
            self.succeed("predict", f"run/{bundle}", "sample.h5", "-o", "fields.h5", "--force")
            with h5py.File(self.folder / "fields.h5") as file:
                fields.append(file["outputs/pressure_buildup"][:])
        np.testing.assert_allclose(fields[2], 0.5 * (fields[0] + fields[1]), rtol=1e-4, atol=1e-4)
        self.assertGreater(np.nanmax(np.abs(fields[1] - fields[0])), 0.0)
        self.succeed("evaluate", "run/best", "sample.h5")
        self.succeed("info", "run/best")
        self.refuse(USAGE, "train", recipe, says=["run", "already", "--resume"])
        before = (self.folder / "run/best/model.json").read_bytes()
        self.succeed("train", recipe, "--resume")
        self.assertEqual((self.folder / "run/best/model.json").read_bytes(), before)
        self.refuse(USAGE, "config", "--from", "run/best", says=["mean of 2 networks", "members/0/best"])
        self.refuse(USAGE, "train", self.recipe("other.json", members=0, output="other"), says=["members", "try 4"])

    def test_a_run_of_members_goes_on_where_it_was_stopped(self):
        self.sample()
        whole = self.recipe("whole.json", members=2, epochs=2, output="whole")
        self.succeed("train", whole)
        recipe = self.recipe("parts.json", members=2, epochs=2, output="parts")
        code, errors = self.train_and_send(signal.SIGINT, recipe, 1)
        self.assertEqual(code, INTERRUPTED, errors)
        self.assertFalse((self.folder / "parts/best").exists())
        self.succeed("train", recipe, "--resume")
        for member in (0, 1):
            self.assertEqual(self.weights(f"whole/members/{member}"), self.weights(f"parts/members/{member}"))

    def test_continues_in_another_precision(self):
        self.sample()
        path = self.recipe()
        self.succeed("train", path, "--device", "cpu", "--set", "epochs=1")
        output = self.succeed("train", path, "--device", "cpu", "--precision", "bf16", "--resume")
        recipe = json.loads((self.folder / "run" / "recipe.json").read_text())
        self.assertEqual(recipe["precision"], "bf16" if "bf16 fields" in output else "fp32")

    def test_names_the_nearest_key_for_a_misspelt_one(self):
        self.sample()
        self.refuse(USAGE, "train", self.recipe(epocs=3), says=["epocs", "did you mean 'epochs'?", "recipe.json"])
        self.refuse(USAGE, "train", self.recipe(), "--set", "schedule.learning_rat=1", says=["learning_rate"])

    def test_names_a_data_file_that_is_missing_or_has_no_outputs(self):
        self.refuse(SYSTEM, "train", self.recipe(), says=["sample.h5"])
        self.sample("inputs")
        self.refuse(DATA, "train", self.recipe(), says=["sample.h5", "/outputs"])

    def test_refuses_to_resume_with_another_network(self):
        self.train()
        self.refuse(MODEL, "train", self.recipe(seed=18), "--resume")


class Resume(CliTestCase):
    def setUp(self):
        super().setUp()
        self.sample()
        self.straight = self.recipe("straight.json", epochs=EPOCHS, output="straight")
        self.stopped = self.recipe("stopped.json", epochs=EPOCHS, output="stopped")

    def expect_same_weights(self):
        self.succeed("train", self.stopped, "--resume")
        self.succeed("train", self.straight)
        self.assertEqual(self.weights("stopped"), self.weights("straight"))

    def test_continues_bit_for_bit_after_ctrl_c(self):
        code, errors = self.train_and_send(signal.SIGINT, self.stopped, 3)
        self.assertEqual(code, INTERRUPTED, errors)
        self.assertIn("--resume", errors)
        code, errors = self.train_and_send(signal.SIGINT, self.stopped, 6, "--resume")
        self.assertEqual(code, INTERRUPTED, errors)
        self.expect_same_weights()

    def test_continues_bit_for_bit_after_sigterm(self):
        code, errors = self.train_and_send(signal.SIGTERM, self.stopped, 2)
        self.assertEqual(code, RESUME_ME, errors)
        self.expect_same_weights()

    def test_continues_bit_for_bit_after_kill(self):
        code, _ = self.train_and_send(signal.SIGKILL, self.stopped, 4)
        self.assertEqual(code, -signal.SIGKILL)
        self.expect_same_weights()

    def test_continues_bit_for_bit_after_a_full_disk(self):
        self.succeed("train", self.stopped, "--set", "epochs=2")
        before = self.weights("stopped")
        self.refuse(SYSTEM, "train", self.stopped, "--resume", preexec_fn=no_room_for_files, says=["stopped"])
        self.assertEqual(self.weights("stopped"), before)
        self.expect_same_weights()

    def test_starts_from_the_beginning_when_there_is_no_checkpoint_yet(self):
        result = self.run_cli("train", self.stopped, "--resume", "--set", "epochs=1")
        self.assertEqual(result.returncode, 0)
        self.assertIn("starts from the beginning", result.stderr)


if __name__ == "__main__":
    unittest.main()
