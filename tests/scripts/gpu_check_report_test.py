"""gpu_check_report.py counts tests, tables speed and compares the devices."""
import contextlib
import io
import json
import unittest

from source_tree import FolderTest, load

report = load("scripts/gpu/gpu_check_report.py")


def evaluation(mpe):
    return {"fields": [{"mean": {"mpe": mpe, "r2": None}}]}


class GpuCheckReport(FolderTest):
    def write(self, name, value):
        (self.folder / name).write_text(value if isinstance(value, str) else json.dumps(value))

    def test_counts_passed_failed_and_skipped_tests(self):
        cases = [{"result": "COMPLETED"}, {"result": "SKIPPED"}, {"result": "COMPLETED", "failures": [{}]}]
        self.write("ops.json", {"testsuites": [{"testsuite": cases}]})
        self.write("steps.tsv", "ops\t1\t3.5\n")
        step = report.summary(self.folder)["steps"][0]
        self.assertEqual((step["passed"], step["failed"], step["skipped"], step["status"]), (1, 1, 1, 1))

    def test_tables_the_time_of_a_network(self):
        self.write("speed_forward_1.out", {"median_s": 0.0125, "min_s": 0.012, "peak_tensors_mb": 640})
        self.write("steps.tsv", "speed_forward_1\t0\t9.0\n")
        self.assertEqual(report.remark(report.summary(self.folder)["steps"][0]), "12.50 ms (best 12.00), 640 MiB")

    def test_tables_how_far_a_published_pass_is_from_the_cpu(self):
        self.write("published_bf16.out", {"field_difference": 0.004, "loss_difference": 1e-3, "largest_gradient_difference": 0.05})
        self.write("steps.tsv", "published_bf16\t0\t9.0\n")
        self.assertEqual(report.remark(report.summary(self.folder)["steps"][0]),
                         "from float32 on the CPU: field 4.0e-03, loss 1.0e-03, gradients 5.0e-02 at most")

    def test_adds_up_the_kernels_of_a_profile_whatever_their_names(self):
        self.write("kernels_of_a_pass.out", '{"median_s": 1}\n"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
                   '"0","void cutlass<a|b>","gpu__time_duration.sum","usecond","9.0"\n"1","add","gpu__time_duration.sum","nsecond",'
                   '"1,500"\n"2","void cutlass<a|b>","gpu__time_duration.sum","us","1.0"\n"3","rare","gpu__time_duration.sum","ns","1"\n')
        self.write("steps.tsv", "kernels_of_a_pass\t0\t9.0\n")
        self.assertEqual(report.kernel_rows(report.summary(self.folder)["steps"]),
                         ["| `void cutlass<a/b>` | 2 | 10.0 | 86.9 % |", "| `add` | 1 | 1.5 | 13.0 % |"])

    def test_tables_both_ways_of_spectral_transforms(self):
        rows = [{"precision": "fp32", "length": 208, "modes": 24, "products_ms": 0.5, "cufft_ms": 0.25},
                {"precision": "fp32", "length": 208, "modes": 32, "products_ms": 0.75}]
        self.write("spectral_ways.out", "\n".join(map(json.dumps, rows)))
        self.assertEqual(report.spectral_rows(self.folder / "spectral_ways.out"),
                         ["| fp32 | 208 | 24 | 0.5000 | 0.2500 |", "| fp32 | 208 | 32 | 0.7500 |  |"])
        self.assertEqual(report.spectral_rows(self.folder / "none.out"), [])

    def test_tables_the_ops_of_a_pass(self):
        ops = [{"op": "conv", "shape": "[1, 8]", "calls": 3, "seconds": 2.5e-4}]
        self.write("speed_forward_1_bf16_ops.out", {"median_s": 1e-3, "min_s": 1e-3, "peak_tensors_mb": 1, "ops": ops})
        self.write("steps.tsv", "speed_forward_1_bf16_ops\t0\t9.0\n")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            report.table(self.folder)
        self.assertIn("| op | shape | calls | us, each by itself |\n|---|---|---|---|\n| conv | [1, 8] | 3 | 250.0 |\n", said.getvalue())

    def test_says_whether_the_fallback_of_a_failed_step_did_it(self):
        self.write("ops.log", "a | b\nout of luck\n\n")
        self.write("steps.tsv", "ops\t1\t3.5\nops@direct\t0\t3.0\nfile_bf16\t124\t9.0\nfile_bf16@direct\t-11\t9.0\n")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertTrue(report.table(self.folder))
        self.assertIn("| ops | FAILED (1), ok with direct | 3.5 | out of luck |", said.getvalue())
        self.assertIn("| file_bf16 | FAILED (limit passed), failed too with direct |", said.getvalue())

    def test_tables_the_matrix_of_convolutions_with_what_was_refused(self):
        done = {"kind": "stride_1", "product": "forward", "error": 2e-3, "accepted": True, "ms": 0.25, "tflops": 387.6}
        refused = {"kind": "transposed", "product": "weight_gradient", "accepted": False, "why": "cuDNN has no | algorithm"}
        self.write("conv_bf16_library.out", {"convolutions": [done, refused]})
        self.write("steps.tsv", "conv_bf16_library\t1\t3.5\n")
        rows = report.convolution_rows(report.summary(self.folder)["steps"])
        self.assertEqual(rows, ["| bf16_library | stride_1 | forward | 2.0e-03 | 0.250 | 387.6 |",
                                "| bf16_library | transposed | weight_gradient |  | refused: cuDNN has no / algorithm | |"])

    def test_tables_which_convolutions_were_measured_to_be_the_fastest(self):
        choices = {"gradient of weights": "cudnn", "forward": "library"}
        self.write("cuda_tuning.json", {"format": "any", "machines": {"a device": choices}})
        self.write("steps.tsv", "speed_forward_1_bf16\t1\t9.0\n")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            report.table(self.folder)
        self.assertIn("| choice | fastest |\n|---|---|\n| forward | library |\n| gradient of weights | cudnn |\n",
                      said.getvalue())
        self.assertEqual(json.loads((self.folder / "gpu_check.json").read_text())["choices"], choices)

    def test_says_nothing_of_choices_where_none_were_kept(self):
        self.write("cuda_tuning.json", "cut off {")
        self.write("steps.tsv", "speed_forward_1_bf16\t0\t9.0\n")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            report.table(self.folder)
        self.assertNotIn("fastest", said.getvalue())
        self.assertNotIn("choices", report.summary(self.folder))

    def test_measures_how_far_the_devices_disagree(self):
        self.assertEqual(report.disagreement(evaluation(0.25), evaluation(0.25)), 0.0)
        self.assertAlmostEqual(report.disagreement(evaluation(0.5), evaluation(0.4)), 0.2)


if __name__ == "__main__":
    unittest.main()
