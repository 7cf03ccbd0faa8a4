import json
import os
import shutil
import unittest
from pathlib import Path

from cli_test_case import MODEL, OK, SYSTEM, USAGE, CliTestCase


class FineTuning(CliTestCase):
    def tuned(self, *assignments, output="tuned"):
        """A recipe that starts from the model of the run `run`, with further assignments."""
        sets = [part for one in ("data.train=sample.h5", "data.validation=sample.h5", f"output={output}", "epochs=2",
                                 "threads=1", *assignments) for part in ("--set", one)]
        path = self.folder / f"{output}.json"
        path.write_text(self.succeed("config", "--from", "run/best", *sets))
        return path.name

    def arrays(self, bundle):
        """Name and bytes of each array of a bundle's weights."""
        content = next((self.folder / bundle).glob("*.safetensors")).read_bytes()
        start = 8 + int.from_bytes(content[:8], "little")
        header = json.loads(content[8:start])
        return {name: content[start + entry["data_offsets"][0]:start + entry["data_offsets"][1]]
                for name, entry in header.items() if name != "__metadata__"}

    def test_starts_from_a_model_and_says_how_good_it_is(self):
        self.train()
        result = self.run_cli("train", self.tuned())
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertIn("starting from the weights of run/best", result.stderr)
        self.assertRegex(result.stderr, r"before the first step: validation [0-9.]+  gas_saturation MPE [0-9.]+ R2")
        recipe = json.loads((self.folder / "tuned" / "recipe.json").read_text())
        self.assertEqual(recipe["weights"], "../run/best")
        self.assertIn("Start: the weights of best", (self.folder / "tuned" / "best" / "README.md").read_text())

    def test_starts_from_a_model_found_by_its_name(self):
        self.train()
        (self.folder / "shelf").mkdir()
        shutil.move(self.folder / "run" / "best", self.folder / "shelf" / "small")
        shelf = {**os.environ, "PLUMECAST_MODELS": str(self.folder / "shelf")}
        result = self.run_cli("config", "--from", "small", env=shelf)
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertEqual(json.loads(result.stdout)["weights"], str(self.folder / "shelf" / "small"))
        self.refuse(MODEL, "config", "--from", "smal", says=["smal", "PLUMECAST_MODELS"], env=shelf)

    def test_keeps_the_version_of_the_physics_that_the_model_corrects(self):
        model = Path(__file__).resolve().parents[2] / "models" / "radial-co2"
        recipe = json.loads(self.succeed("config", "--from", model, "--field", "gas_saturation"))
        known = json.loads((model / "model.json").read_text())["networks"][0]["physics"]
        self.assertEqual(recipe["physics"], known)

    def test_takes_the_weights_of_a_model_into_a_recipe_of_its_own(self):
        self.train()
        self.succeed("train", self.recipe(), "--set", "weights=run/best", "--set", "freeze=lift", "--output", "own")
        before, after = self.arrays("run/best"), self.arrays("own/best")
        for name, values in before.items():
            self.assertEqual(after[name] == values, name.startswith("lift."), name)

    def test_continues_bit_for_bit_without_the_model(self):
        self.train()
        options = ("freeze=[\"blocks.1\"]", "average_weights=0.9", "accumulate=2", "optimizer.kind=adamw", "epochs=3")
        self.succeed("train", self.tuned(*options, output="straight"))
        parts = self.tuned(*options, output="parts")
        self.succeed("train", parts, "--set", "epochs=1")
        shutil.rmtree(self.folder / "run" / "best")
        self.succeed("train", parts, "--resume")
        self.assertEqual(self.weights("straight"), self.weights("parts"))
        self.assertEqual(self.arrays("straight/best"), self.arrays("parts/best"))
        self.assertTrue((self.folder / "parts" / "checkpoint" / "average.safetensors").exists())

    def test_continues_bit_for_bit_with_less_memory(self):
        self.sample()
        self.succeed("train", self.recipe(epochs=3, output="straight"))
        parts = self.recipe(epochs=1, output="parts")
        self.succeed("train", parts)
        self.succeed("train", parts, "--resume", "--set", "epochs=3", "--set", "recompute_blocks=2")
        self.assertEqual(self.weights("straight"), self.weights("parts"))
        self.assertEqual(json.loads((self.folder / "parts" / "recipe.json").read_text())["recompute_blocks"], 2)

    def test_refuses_another_network_and_parts_that_are_not_there(self):
        self.train()
        recipe = self.tuned()
        self.refuse(USAGE, "train", recipe, "--set", "network.width=6", says=["'network.width' is 6", "run/best has 4"])
        self.refuse(USAGE, "train", recipe, "--set", "channels=published", says=["'channels[0]'", "run/best"])
        self.refuse(USAGE, "train", recipe, "--set", "fields=pressure_buildup", says=["has gas_saturation"])
        self.refuse(USAGE, "train", recipe, "--set", "freeze=[\"lift\", \"block.0\"]", says=["'block.0'", "lift, blocks, projection"])
        self.refuse(USAGE, "train", recipe, "--set", "weights=", "--set", "freeze=lift", says=["'freeze'", "weights"])
        self.refuse(MODEL, "train", recipe, "--set", "weights=nothing", says=["nothing", "model.json"])
        self.assertFalse((self.folder / "tuned").exists() and any((self.folder / "tuned").iterdir()))

    def test_prints_a_recipe_for_one_network_of_a_model(self):
        self.train(output="saturation")
        self.train("pressure_buildup", output="pressure")
        self.succeed("combine", "saturation/best", "pressure/best", "-o", "both")
        self.refuse(USAGE, "config", "--from", "both", says=["several networks", "--field"])
        self.refuse(USAGE, "config", "--from", "both", "--field", "porosity", says=["porosity", "pressure_buildup"])
        self.refuse(USAGE, "config", "--default", "fno", "--field", "pressure_buildup", says=["--from"])
        recipe = json.loads(self.succeed("config", "--from", "both", "--field", "pressure_buildup"))
        self.assertEqual((recipe["weights"], recipe["fields"][0]["name"], recipe["network"]["width"]),
                         ("both", "pressure_buildup", 4))

    def test_refuses_options_out_of_range(self):
        self.sample()
        for wrong, names in (("optimizer.kind=sgd", "adamw"), ("average_weights=1", "average_weights"),
                             ("accumulate=0", "accumulate"), ("average_weights=-0.1", "[0, 1)"),
                             ("recompute_blocks=-1", "recompute_blocks")):
            self.refuse(USAGE, "train", self.recipe(), "--set", wrong, says=[names])


class SeveralDataSets(CliTestCase):
    def test_learns_from_two_grids_and_continues_bit_for_bit(self):
        self.sample()
        self.sample("guided", "other.h5")
        both = {"train": ["sample.h5", "other.h5"], "validation": ["sample.h5", "other.h5"]}
        output = self.succeed("train", self.recipe(data=both, epochs=3).name)
        self.assertRegex(output, r"(?m)^epoch 3/3 ")
        self.succeed("train", self.recipe(data=both, epochs=1, output="parts"))
        self.succeed("train", self.recipe(data=both, epochs=3, output="parts"), "--resume")
        self.assertEqual(self.weights("run"), self.weights("parts"))
        self.succeed("predict", "run/best", "other.h5", "-o", "fields.h5")
        recipe = json.loads((self.folder / "run" / "recipe.json").read_text())
        self.assertEqual(recipe["data"]["train"], ["../sample.h5", "../other.h5"])

    def test_takes_a_list_from_the_command_line(self):
        self.sample()
        self.sample("guided", "other.h5")
        self.succeed("train", self.recipe(), "--set", "data.train=[\"sample.h5\", \"other.h5\"]", "--set", "epochs=1")
        self.assertIn("3 cases of other.h5", (self.folder / "run" / "best" / "README.md").read_text())

    def test_refuses_data_sets_that_do_not_fit_together(self):
        self.sample()
        self.sample("cartesian", "box.h5")
        for other, code, says in (("box.h5", USAGE, "is Cartesian"), ("missing.h5", SYSTEM, "missing.h5"),
                                  ("sample.h5", USAGE, "appears twice")):
            self.refuse(code, "train", self.recipe(data={"train": ["sample.h5", other]}), says=[says])


if __name__ == "__main__":
    unittest.main()
