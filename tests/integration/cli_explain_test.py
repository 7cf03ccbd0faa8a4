"""plumecast explain: what a prediction computes, op by op."""

import json
import unittest
from pathlib import Path

from cli_test_case import USAGE, CliTestCase

MODELS = Path(__file__).resolve().parents[2] / "models"


class ExplainTest(CliTestCase):
    def explain(self, *arguments):
        return "explain", MODELS / "radial-co2", "--threads", "1", "--rounds", "1", *arguments

    def test_names_each_op_with_its_weight_and_sums_them_up(self):
        lines = self.succeed(*self.explain()).splitlines()
        self.assertIn("grid [32, 64, 24]", lines[0])
        self.assertTrue(lines[3].startswith("op "), lines[3])
        ops = [line for line in lines if "spectral_multiply blocks." in line]
        self.assertEqual(len(ops), 4)
        self.assertTrue(any(line.startswith("all ") and " ops " in line for line in lines))
        self.assertIn("memory of a run", lines[-1])

    def test_prints_json_whose_ops_fit_into_the_workspace(self):
        report = json.loads(self.succeed(*self.explain("--json", "--batch", "2", "--grid", "16,32,8")))
        self.assertGreater(len(report["ops"]), 40)
        self.assertLessEqual(max(op["bytes_in_use"] for op in report["ops"]), report["workspace_bytes"])
        self.assertEqual(report["ops"][-1]["result"], [2, 16, 32, 8, 2])
        for op in report["ops"]:
            self.assertGreater(op["bytes"], 0)
            self.assertGreater(op["least_seconds"], 0)

    def test_does_twice_the_work_for_twice_the_cases(self):
        one, two = (
            sum(op["operations"] for op in json.loads(self.succeed(*self.explain("--json", "--batch", n)))["ops"])
            for n in ("1", "2")
        )
        self.assertAlmostEqual(two / one, 2.0, delta=0.01)

    def test_refuses_a_grid_of_other_axes(self):
        self.fail(USAGE, *self.explain("--grid", "8,8"), says=["wants Z,R,T"])


if __name__ == "__main__":
    unittest.main()
