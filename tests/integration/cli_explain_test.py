"""plumecast explain: what a prediction or a step of training computes, op by op."""

import json
import re
import unittest
from pathlib import Path

from cli_test_case import USAGE, CliTestCase

MODELS = Path(__file__).resolve().parents[2] / "models"


class ExplainTest(CliTestCase):
    def explain(self, *arguments):
        return "explain", MODELS / "radial-co2", "--threads", "1", "--rounds", "1", *arguments

    def test_names_each_op_with_its_weight_and_sums_them_up(self):
        lines = self.succeed(*self.explain()).splitlines()
        self.assertIn("grid [32, 64, 32]", lines[0])
        self.assertTrue(lines[3].startswith("op "), lines[3])
        ops = [line for line in lines if "spectral_multiply blocks." in line]
        self.assertEqual(len(ops), 2)
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

    def test_explains_the_network_of_a_recipe(self):
        for architecture, op in (("f_fno", "turn"), ("uno", "resampling"), ("fno", "lift.weight")):
            recipe = self.recipe(network={"architecture": architecture, "width": 4, "hidden": 6, "modes": [2, 2, 2], "fourier_blocks": 1})
            for training in ((), ("--training",)):
                report = self.succeed("explain", recipe, "--threads", "1", "--rounds", "1", "--grid", "8,12,6", *training)
                self.assertIn("grid [8, 12, 6]", report)
                self.assertIn(op, report)
        self.refuse(USAGE, "explain", recipe, says=("does not say which grid", "--grid"))

    def test_trains_predicts_with_and_exports_networks_that_need_whole_axes(self):
        self.sample()
        for architecture in ("f_fno", "uno"):
            recipe = self.recipe(output=f"run-{architecture}", network={
                "architecture": architecture, "width": 4, "hidden": 6, "modes": [2, 2, 2], "fourier_blocks": 1})
            self.succeed("train", recipe)
            model = f"run-{architecture}/best"
            self.succeed("predict", model, "sample.h5", "-o", f"{architecture}.h5")
            self.succeed("export-onnx", model, "-o", f"{architecture}.onnx")

    def test_does_twice_the_work_for_twice_the_cases(self):
        one, two = (
            sum(op["operations"] for op in json.loads(self.succeed(*self.explain("--json", "--batch", n)))["ops"])
            for n in ("1", "2")
        )
        self.assertAlmostEqual(two / one, 2.0, delta=0.01)

    def rank(self, *arguments):
        return json.loads(self.succeed("explain", MODELS / "radial-co2", "--threads", "1", "--json", *arguments))

    def test_plans_a_rank_of_several_with_its_messages(self):
        report = self.rank("--ranks", "1x3", "--rank", "1")
        self.assertEqual((report["ranks"], report["rank"]), ("1x3", 1))
        for op in report["ops"]:
            self.assertNotIn("seconds", op)
            self.assertEqual(op["messages"] > 0, op["op"].startswith("start_exchange "), op)
        self.assertGreater(report["messages"], 10)
        for total in ("messages", "bytes_sent"):
            self.assertEqual(sum(op[total] for op in report["ops"]), report[total])
        ends = [self.rank("--ranks", "1x3", "--rank", rank)["bytes_sent"] for rank in ("0", "2")]
        self.assertGreater(report["bytes_sent"], max(ends), "halos go to both neighbours")

    def test_sums_up_the_messages_of_a_rank_in_its_table(self):
        options = "--threads", "1", "--ranks", "1x2", "--grid", "16,32,8"
        lines = self.succeed("explain", MODELS / "radial-co2", *options).splitlines()
        self.assertIn("planned for rank 0 of 2 as 1x2", lines[0])
        self.assertIn("messages take time besides", lines[1])
        titles = "MB", "GFLOP", "least ms", "messages", "kB sent", "MB in use"
        positions = [lines[3].index(title) + len(title) for title in titles]
        columns = slice(positions[2], positions[3]), slice(positions[3], positions[4])
        report = self.rank("--ranks", "1x2", "--grid", "16,32,8")
        total = next(line for line in lines if line.startswith("all "))
        self.assertEqual(int(total[columns[0]]), report["messages"])
        self.assertAlmostEqual(float(total[columns[1]]), report["bytes_sent"] / 1e3, delta=0.051)
        self.assertGreater(report["messages"], 0)

    def test_says_what_the_plan_of_predict_says(self):
        self.train(epochs=1)
        options = "--plan", "--plan-ranks", "2", "--batch", "2", "--route", "reduce", "--plan-rates", "10,100"
        plan = self.succeed("predict", "run/best", "sample.h5", "-o", "out.h5", *options).splitlines()
        grids = [line.split() for line in plan if re.match(r"\d+x\d", line)]
        self.assertEqual(sorted(fields[0] for fields in grids), ["1x2", "2x1"])
        options = "--json", "--batch", "2", "--route", "reduce"
        best = json.loads(self.succeed("explain", "run/best", "--ranks", "2", *options))
        self.assertEqual(best["ranks"], grids[0][0])
        for fields in grids:
            report = json.loads(self.succeed("explain", "run/best", "--ranks", fields[0], *options))
            self.assertEqual(report["messages"], int(fields[-3]))
            seconds = sum(max(op["bytes"] / 10e9, op["operations"] / 100e9) for op in report["ops"])
            self.assertEqual(fields[-1], "ms")
            self.assertAlmostEqual(float(fields[-2]), 1e3 * seconds, delta=1e-3 * 1e3 * seconds)

    def test_explains_a_step_of_training_with_its_backward_pass(self):
        options = "--json", "--grid", "16,32,8", "--batch", "2"
        step, passed = (json.loads(self.succeed(*self.explain(*options, *more))) for more in (("--training",), ()))
        ratio = sum(op["operations"] for op in step["ops"]) / sum(op["operations"] for op in passed["ops"])
        self.assertGreater(ratio, 2.5)
        self.assertLess(ratio, 4.0)
        self.assertTrue(any(op["op"].startswith("spectral_weight_gradient") for op in step["ops"]))
        self.assertGreater(step["workspace_bytes"], passed["workspace_bytes"])
        self.assertIn("training of ", self.succeed(*self.explain("--training", "--grid", "16,32,8")).splitlines()[0])

    def test_plans_a_step_of_training_of_a_rank_with_its_sums_of_gradients(self):
        options = "--ranks", "2x1", "--batch", "2", "--grid", "16,32,8"
        self.assertEqual(self.rank(*options)["messages"], 0)
        step = self.rank(*options, "--training")
        sending = [op for op in step["ops"] if op["messages"] > 0]
        self.assertGreater(step["bytes_sent"], step["weight_bytes"] / 2)
        self.assertTrue(any(op["op"].endswith("reduce_scatter of sums") for op in sending))

    def test_plans_ranks_on_a_device_that_is_not_here_by_its_data_sheet(self):
        options = "--ranks", "1x4", "--rank", "1", "--device", "cuda:99"  # a number that no machine has
        done = self.run_cli("explain", MODELS / "radial-co2", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("least ms is by the data sheet of an H200, not measured: ", done.stderr)
        first, second = done.stdout.splitlines()[:2]
        self.assertIn("on a CUDA device that is not here; planned for rank 1 of 4 as 1x4", first)
        self.assertIn("copies 4800.0 GB/s, matrix products 67000 GFLOP/s by the data sheet of an H200", second)
        device, cpu = self.rank(*options), self.rank(*options[:4])
        self.assertEqual((device["ceilings"], cpu["ceilings"]), ("data sheet of an H200", "measured"))
        for number in ("messages", "bytes_sent", "weight_bytes"):
            self.assertEqual(device[number], cpu[number])
        for op in device["ops"]:
            least = max(op["bytes"] / 4.8e12, op["operations"] / 67e12)
            self.assertAlmostEqual(op["least_seconds"], least, delta=1e-3 * least)

    def test_refuses_to_time_on_a_device_that_is_not_here(self):
        done = self.run_cli("explain", MODELS / "radial-co2", "--device", "cuda:99")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("use --device cpu", done.stderr)

    def test_refuses_ranks_that_do_not_fit(self):
        for ranks, says in (
            (("0",), "process grid '0'"),
            (("1x2x2",), "2 space axes"),
            (("1x999",), "72 padded cells into 999"),
            (("4x1",), "without a case in a batch of 1"),
            (("999",), "no process grid for 999 ranks"),
            (("2", "--rank", "2"), "has the ranks 0 to 1"),
            (("2", "--device", "tpu"), "--device tpu"),
            (("2", "--device", "cuda:x"), "--device cuda:x"),
        ):
            with self.subTest(ranks):
                self.refuse(USAGE, "explain", MODELS / "radial-co2", "--ranks", *ranks, says=[says])

    def test_refuses_a_grid_of_other_axes(self):
        self.refuse(USAGE, *self.explain("--grid", "8,8"), says=["wants Z,R,T"])


if __name__ == "__main__":
    unittest.main()
