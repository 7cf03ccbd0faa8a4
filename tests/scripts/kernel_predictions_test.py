"""kernel_predictions.py adds the kernels of a pass up, and fills in what a profile measured."""
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from source_tree import load

predictions = load("scripts/gpu/kernel_predictions.py")

OPS = [{"op": "conv", "result": "[1, 8]", "kernels": ["CoarseFromFine<float>, 64 bits", "MoveChannels<float, float>"], "bytes": 8e6,
        "operations": 4e9},
       {"op": "add", "result": "[1, 8]", "kernels": ["Elementwise<4, Add, float, float>"], "bytes": 4.08e6, "operations": 1e6},
       {"op": "add", "result": "[1, 8]", "kernels": ["Elementwise<4, Add, float, float>"], "bytes": 4.08e6, "operations": 1e6}]
PASS = {"kernels": 4, "bytes": 16.16e6, "operations": 4.002e9}
CHECKED = """box            80 Elementwise<4, Add, float, float>        99 registers      0 B shared    0 B local    0 B spilled
box            90 Elementwise<4, Add, float, float>        40 registers      0 B shared    0 B local    0 B spilled
"""
ADD = ("void plumecast::cuda::each_index<unsigned int, plumecast::cuda::kernel::Elementwise<4, plumecast::cuda::kernel::Add, float, "
       "float>>(T1, T2)")
PROFILE = f"""{{"median_s": 1}}
"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","{ADD}","gpu__time_duration.sum","usecond","9,000.0"
"1","cutlass_kernel","gpu__time_duration.sum","usecond","5.0"
"2","{ADD}","gpu__time_duration.sum","nsecond","1500"
"3","{ADD}","gpu__time_duration.sum","usecond","2.0"
"""


class KernelPredictions(unittest.TestCase):
    def run_with(self, whole, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "predicted.json")
            path.write_text(json.dumps({"ops": OPS, "pass": whole}))
            (Path(folder) / "kernels.txt").write_text(CHECKED)
            (Path(folder) / "profile.csv").write_text(PROFILE)
            arguments = ["program", str(path), *[option.format(folder) for option in options]]
            with mock.patch.object(predictions.sys, "argv", arguments), contextlib.redirect_stderr(io.StringIO()), \
                    contextlib.redirect_stdout(io.StringIO()) as said:
                return predictions.main(), said.getvalue()

    def test_the_rows_add_up_to_the_pass(self):
        status, said = self.run_with(PASS)
        self.assertEqual(status, 0)
        self.assertIn("| pass | | 4 | 16.2 | 4.00 |", said)

    def test_refuses_rows_that_do_not_add_up(self):
        for name in PASS:
            self.assertEqual(self.run_with({**PASS, name: 1.01 * PASS[name]})[0], 1, name)

    def test_predicts_from_memory_and_leaves_measured_empty(self):
        said = self.run_with(PASS, "--kernels", "{}/kernels.txt")[1]
        self.assertIn("| add | `Elementwise<4, Add, float, float>` | 2 | 8.2 | 0.00 | 40 | 0 | 75 % | 2.0 |  |", said)

    def test_fills_measured_from_the_last_pass_of_a_profile(self):
        said = self.run_with(PASS, "--measured", "{}/profile.csv")[1]
        row = next(line for line in said.splitlines() if line.startswith("| add"))
        self.assertTrue(row.endswith("| 2.0 | 3.5 |"), row)

    def test_occupancy_is_limited_by_registers_and_shared_memory(self):
        self.assertEqual(predictions.occupancy(32, 0), 1.0)
        self.assertEqual(predictions.occupancy(64, 0), 0.5)
        self.assertEqual(predictions.occupancy(32, 100000), 0.25)


if __name__ == "__main__":
    unittest.main()
