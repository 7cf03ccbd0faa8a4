import json
import shutil
import unittest
from pathlib import Path

from cli_test_case import USAGE, CliTestCase

PNG = b"\x89PNG\r\n\x1a\n"

# A few small and permeable boxes; the simulator takes less than a second for each.
CASES = {"cases": 3, "seed": 5,
         "box": {"rows": 4, "lines": 8, "columns": 10, "height": 80, "length_y": 2400, "length_x": 3000},
         "wells": {"count": [2, 3], "margin": 500, "least_distance": 500},
         "inputs": {"thickness": [50, 80], "injection_rate": [0.1, 0.3]},
         "permeability": {"geometric_mean": [100, 500], "log_deviation": [0.2, 0.6]},
         "times": {"count": 4, "first": 30, "growth": 2}}

NETWORK = {"width": 4, "hidden": 6, "modes": [1, 2, 2, 2], "padding": [0, 2, 2, 2], "fourier_blocks": 1,
           "extended_blocks": 1}


@unittest.skipUnless(shutil.which("flow"), "OPM Flow is not installed (program 'flow' is not on PATH)")
class ThreeDimensions(CliTestCase):
    def setUp(self):
        super().setUp()
        (self.folder / "cases.json").write_text(json.dumps(CASES))
        self.succeed("generate", "cases.json", "-o", "data.h5", "--jobs", "2")

    def train(self, architecture):
        """Trains a tiny network; saturation, so the loss is at 1 where nothing is predicted."""
        recipe = {"data": {"train": "data.h5", "validation": "data.h5"}, "output": architecture,
                  "network": {"architecture": architecture, **NETWORK}, "schedule": {"learning_rate": 0.01},
                  "epochs": 4, "seed": 3, "threads": 1}
        if architecture == "fno":
            recipe["network"]["extended_blocks"] = 0
        (self.folder / "recipe.json").write_text(json.dumps(recipe))
        return self.succeed("train", "recipe.json")

    def losses(self, architecture):
        lines = (self.folder / architecture / "metrics.csv").read_text().splitlines()
        column = lines[0].split(",").index("train_loss")
        return [float(line.split(",")[column]) for line in lines[1:]]

    def test_generates_cases_with_several_wells(self):
        self.succeed("validate", "data.h5")
        described = json.loads(self.succeed("info", "data.h5", "--json"))
        self.assertEqual([described[key] for key in ("rows", "lines", "columns", "snapshots")], [4, 8, 10, 4])
        self.assertEqual(described["length_x_m"], 3000.0)
        self.assertGreater(described["inputs"]["injection_rate"]["max"], described["inputs"]["cell_injection_rate"]["max"])
        first = (self.folder / "data.h5").read_bytes()
        self.succeed("generate", "cases.json", "-o", "again.h5")
        self.assertEqual((self.folder / "again.h5").read_bytes(), first, "the same cases whatever the jobs")

    def test_learns_and_predicts_with_each_network(self):
        for architecture in ("fno", "conv_fno", "ufno"):
            with self.subTest(architecture):
                self.train(architecture)
                losses = self.losses(architecture)
                self.assertEqual(len(losses), 4)
                self.assertLess(losses[-1], losses[0])
                self.succeed("predict", f"{architecture}/best", "data.h5", "-o", "fields.h5")
                self.succeed("validate", "fields.h5")
                scores = json.loads(self.succeed("evaluate", f"{architecture}/best", "data.h5", "--json"))
                self.assertIn("gas_saturation", json.dumps(scores))

    def test_resumes_to_the_same_weights(self):
        self.train("ufno")
        straight = self.weights("ufno")
        self.succeed("train", "recipe.json", "--set", "epochs=2", "--output", "parts")
        self.succeed("train", "recipe.json", "--output", "parts", "--resume")
        self.assertEqual(self.weights("parts"), straight)

    def test_draws_sections_and_layers(self):
        pictures = set()
        for arguments in ((), ("--section", "y"), ("--section", "layer"), ("--section", "x", "--at", "1"),
                          ("--section", "layer", "--at", "2", "--compare", "data.h5")):
            self.succeed("plot", "data.h5", *arguments, "-o", "plume.png")
            picture = (self.folder / "plume.png").read_bytes()
            self.assertTrue(picture.startswith(PNG))
            pictures.add(picture)
        self.assertEqual(len(pictures), 5, "each section is another picture")
        self.refuse(USAGE, "plot", "data.h5", "--section", "layer", "--at", "9", "-o", "p.png", says=["--at 9", "along z"])
        self.refuse(USAGE, "plot", "data.h5", "--log-radius", "-o", "p.png", says=["--log-radius"])
        self.sample()
        self.refuse(USAGE, "plot", "sample.h5", "--section", "x", "-o", "p.png", says=["radial"])

    def test_refuses_a_network_of_the_other_kind_of_grid(self):
        self.train("fno")
        self.sample()
        message = self.refuse(3, "predict", "fno/best", "sample.h5", "-o", "out.h5", says=["sample.h5"])
        self.assertIn("kind of grid", message)


class ThreeDimensionalSample(CliTestCase):
    """What the documentation does with the sample in the repository; needs no simulator."""

    def test_is_valid_learnt_from_predicted_and_drawn(self):
        sample = Path(__file__).resolve().parents[2] / "data" / "box_sample.h5"
        self.assertIn("valid", self.succeed("validate", sample))
        recipe = {"data": {"train": str(sample)}, "output": "run", "fields": ["gas_saturation", "pressure_buildup"],
                  "network": {"architecture": "ufno", **NETWORK}, "epochs": 2, "threads": 1}
        (self.folder / "recipe.json").write_text(json.dumps(recipe))
        self.succeed("train", "recipe.json")
        self.succeed("predict", "run/best", sample, "-o", "fields.h5")
        self.succeed("validate", "fields.h5")
        self.succeed("plot", "fields.h5", "--compare", sample, "--section", "layer", "-o", "plume.png")
        self.assertTrue((self.folder / "plume.png").read_bytes().startswith(PNG))


class RunWithTwoWells(CliTestCase):
    """The section "From a run with two wells" of docs/three_dimensions.md, from its second command on."""

    def test_leads_to_an_estimate_and_a_report(self):
        root = Path(__file__).resolve().parents[2]
        page = (root / "docs" / "three_dimensions.md").read_text().split("## From a run with two wells")[1].split("##")[0]
        calls = [line.split("#")[0].split()[1:] for line in page.splitlines() if line.startswith("    plumecast ")]
        self.assertEqual([call[0] for call in calls], ["import", "info", "estimate", "evaluate", "report", "plot"])
        shutil.copy(root / "data" / "spe11b_84x30.h5", self.folder / "site.h5")
        printed = {}
        for call in calls[1:]:
            result = self.run_cli(*call)
            self.assertEqual(result.returncode, 0, f"{call}: {result.stderr}")
            printed[call[0]] = result.stdout
        self.assertIn("rates in 3 periods", printed["info"])
        self.assertIn("gas_saturation", printed["evaluate"])
        ledger = (self.folder / "report" / "ledger.csv").read_text().splitlines()
        self.assertEqual(len(ledger), 16)
        injected = [float(line.split(",")[3]) for line in ledger[1:]]
        self.assertAlmostEqual(injected[-1], 0.035 * 75 * 365 * 86400 * 1e-9, delta=1e-5)
        self.assertTrue((self.folder / "section.png").read_bytes().startswith(PNG))


class ThreeDimensionalConfiguration(CliTestCase):
    def test_prints_configurations_that_it_reads(self):
        for architecture in ("fno", "conv_fno", "ufno", "cnn"):
            text = self.succeed("config", "--default", architecture, "--cartesian", "--set", "data.train=a.h5", "--set",
                                "output=run")
            (self.folder / "recipe.json").write_text(text)
            self.assertEqual(len(json.loads(text)["network"]["modes"]), 4)
            self.assertEqual(json.loads(self.succeed("config", "recipe.json")), json.loads(text))

    def test_takes_cartesian_defaults_with_four_modes(self):
        (self.folder / "recipe.json").write_text(
            json.dumps({"data": {"train": "a.h5"}, "output": "run", "network": {"modes": [2, 4, 4, 3]}}))
        recipe = json.loads(self.succeed("config", "recipe.json"))
        self.assertEqual(recipe["network"]["time_kernel"], 1)
        self.assertEqual(len(recipe["network"]["padding"]), 4)
        self.assertIn("cell_injection_rate", [channel["source"] for channel in recipe["channels"]])
        self.assertEqual(recipe["loss"]["derivative_weight"], 0)
        self.refuse(USAGE, "config", "recipe.json", "--cartesian", says=["--cartesian"])
