import json
import shutil
import unittest
from pathlib import Path

from cli_test_case import DATA, MODEL, OK, USAGE, CliTestCase

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

FIELDS = ["gas_saturation", "pressure_buildup"]


class Guided(CliTestCase):
    def guided_recipe(self, **entries):
        entries = {"physics": {"kind": "two_phase", "substeps": 2}, "fields": FIELDS} | entries
        return self.recipe(**entries)

    def train_guided(self, **entries):
        self.sample("guided")
        self.succeed("train", self.guided_recipe(**entries))
        return self.folder / "run" / "best"

    def test_trains_evaluates_and_predicts(self):
        model = self.train_guided()
        table = self.succeed("evaluate", model, "sample.h5")
        self.assertRegex(table, r"MRE +[0-9.]+ +<= +[0-9.]+ +[0-9.]+ +mean error")
        self.assertIn("physics alone: two phases, 2 steps while time grows by 1.36", table)
        scores = json.loads(self.succeed("evaluate", model, "sample.h5", "--json"))
        compared = [field for field in scores["fields"] if "physics_mean" in field]
        self.assertTrue(compared)
        for field in compared:
            self.assertEqual(field["physics_settings"], {"kind": "two_phase", "substeps": 2})
        buildup = next(field for field in scores["fields"] if field["field"] == "pressure_buildup")
        self.assertGreater(buildup["physics_mean"]["mre"], 0.0)
        self.assertEqual(len(buildup["cases"]), 3)
        self.assertIn("mre", buildup["cases"][0]["physics"])
        self.succeed("predict", model, "sample.h5", "-o", "fields.h5")
        self.assertIn("valid", self.succeed("validate", "fields.h5"))
        self.assertEqual(json.loads(self.succeed("info", "fields.h5", "--json"))["outputs"], FIELDS + ["dissolved_co2"])

    def test_keeps_the_physics_beside_the_data_for_the_next_run(self):
        self.sample("guided")
        first = self.run_cli("train", self.guided_recipe())
        self.assertEqual(first.returncode, OK, first.stderr)
        self.assertIn("computing the physics of 3 of 3 cases, to be kept in", first.stderr)
        self.assertTrue((self.folder / "sample.h5.physics-two_phase-2_substeps.h5").exists())
        again = self.run_cli("train", self.guided_recipe(output="again"))
        self.assertIn("reading the physics of 3 cases", again.stderr)
        self.assertNotIn("computing", again.stderr)
        self.assertEqual(self.weights("run"), self.weights("again"))

    def test_continues_bit_for_bit(self):
        self.train_guided(epochs=3)
        self.succeed("train", self.guided_recipe(epochs=1, output="parts"))
        self.succeed("train", self.guided_recipe(epochs=3, output="parts"), "--resume")
        self.assertEqual(self.weights("run"), self.weights("parts"))

    def test_corrects_the_physics_of_boxes_and_of_a_faulted_site(self):
        for name in ("box_sample.h5", "faulted_site.h5"):
            shutil.copy(Path(__file__).resolve().parents[2] / "data" / name, self.folder)
            changes = ['physics={"kind": "two_phase", "substeps": 1}', "channels=scheduled", f"fields={json.dumps(FIELDS)}", f"data.train={name}",
                       f"data.validation={name}", f"output={name}-run", "epochs=1", "network.width=4", "network.modes=[1,2,2,2]",
                       "network.padding=[0,2,2,2]", "network.fourier_blocks=1", "network.extended_blocks=1"]
            arguments = [word for change in changes for word in ("--set", change)]
            (self.folder / "recipe.json").write_text(self.succeed("config", "--default", "conv_fno", "--cartesian", *arguments))
            self.succeed("train", "recipe.json")
            self.assertIn("corrects  two_phase physics (version", self.succeed("info", f"{name}-run/best"))
            scores = json.loads(self.succeed("evaluate", f"{name}-run/best", name, "--json"))["fields"]
            for field, error, most in zip(scores, ("mpe", "mre"), (0.06, 0.03)):  # an untrained network starts near the physics
                self.assertTrue(0.0 < field["physics_mean"][error] < most)
                self.assertLess(field["mean"][error], most)
            self.succeed("predict", f"{name}-run/best", name, "-o", "fields.h5", "--force")
            self.assertIn("valid", self.succeed("validate", "fields.h5"))
            self.succeed("report", "fields.h5", "-o", "report", "--force")
            for case in json.loads((self.folder / "report" / "report.json").read_text())["cases"]:
                self.assertGreater(case["key_figures"]["bottom_hole_pressure"], 100.0)

    def test_says_what_a_model_corrects(self):
        model = self.train_guided()
        self.assertIn("corrects  two_phase physics (version", self.succeed("info", model))

    def test_refuses_what_has_no_physics(self):
        self.sample("guided")
        self.refuse(USAGE, "train", self.guided_recipe(physics=None, channels="guided"), says=["channels", "physics"])
        self.refuse(USAGE, "train", self.guided_recipe(physics={"kind": "three_phase"}), says=["physics.kind", "two_phase"])
        model = self.train_guided()
        self.sample("cartesian", "box.h5")
        self.refuse(DATA, "predict", model, "box.h5", "-o", "fields.h5", says=["radial grid"])

    def test_names_a_model_and_a_recipe_of_the_physics_that_is_gone(self):
        model = self.train_guided()
        path = model / "model.json"
        description = json.loads(path.read_text())
        network = description["networks"][0]
        network["physics"]["kind"] = "single_phase"
        network["channels"][-1]["source"] = "physics_front_height"  # which that physics had
        path.write_text(json.dumps(description))
        for command in (("predict", model, "sample.h5", "-o", "fields.h5"), ("evaluate", model, "sample.h5"), ("info", model)):
            self.refuse(MODEL, *command, says=["/model.json: networks[0].physics.kind is \"single_phase\"", "train over two_phase"])
        self.assertFalse((self.folder / "fields.h5").exists())
        old = self.guided_recipe(name="old.json", physics={"kind": "single_phase"})
        self.refuse(USAGE, "train", old, says=["old.json: physics.kind is \"single_phase\"", "train over two_phase"])
        channels = [{"name": "height", "source": "physics_front_height"}]
        self.refuse(USAGE, "train", self.guided_recipe(name="old.json", channels=channels), says=["old.json: channels[0].source: no channel source \"physics_front_height\""])

    def test_takes_models_and_recipes_that_name_no_kind(self):
        model = self.train_guided(physics={"substeps": 2})
        self.succeed("predict", model, "sample.h5", "-o", "named.h5")
        path = model / "model.json"
        description = json.loads(path.read_text())
        self.assertEqual(description["networks"][0]["physics"].pop("kind"), "two_phase")
        path.write_text(json.dumps(description))
        self.succeed("predict", model, "sample.h5", "-o", "plain.h5")
        if h5py:
            with h5py.File(self.folder / "named.h5") as named, h5py.File(self.folder / "plain.h5") as plain:
                for field in FIELDS:
                    numpy.testing.assert_array_equal(named["outputs"][field][:], plain["outputs"][field][:], field)
        for kind in (None, 3):
            self.refuse(USAGE, "train", self.guided_recipe(name="odd.json", physics={"kind": kind}), says=["odd.json", "physics.kind"])

    def test_refuses_physics_of_a_version_that_it_does_not_have(self):
        model = self.train_guided()
        path = model / "model.json"
        description = json.loads(path.read_text())
        description["networks"][0]["physics"]["version"] = 99
        path.write_text(json.dumps(description))
        shutil.copy(path, self.folder / "run" / "checkpoint" / "model.json")
        tuned = self.guided_recipe(name="tuned.json", weights="run/best", output="tuned")
        commands = [("predict", model, "sample.h5", "-o", "fields.h5"), ("evaluate", model, "sample.h5"), ("info", model), ("train", tuned),
                    ("train", self.folder / "recipe.json", "--resume", "--set", "epochs=3"), ("config", "--from", model), ("calibrate", model, "sample.h5")]
        if "not in this build" not in self.succeed("serve", "--help"):
            commands.append(("serve", model, "--port", "0"))
        for arguments in commands:
            with self.subTest(command=arguments[0]):
                self.refuse(MODEL, *arguments, says=["/model.json: networks[0].physics.version is 99", "has version 7",
                                                   "use a later Plumecast"])
        self.assertFalse((self.folder / "fields.h5").exists())


if __name__ == "__main__":
    unittest.main()
