"""The steps of gpu_check.sh: what they time and repeat, and what their programs find in the environment."""
import sys
import tarfile
import unittest

from source_tree import ROOT, FolderTest

sys.path.insert(0, str(ROOT / "scripts/gpu"))
import check_run  # noqa: E402
import check_steps  # noqa: E402


def forced(step):
    """The one way that a step lets convolutions take, or ''."""
    return step.environment.get("PLUMECAST_CUDA_CONV", "")


class CheckSteps(FolderTest):
    def test_time_a_network_by_the_fastest_convolutions_and_by_cudnn_alone(self):
        steps = {step.name: step for step in check_steps.speed()}
        for task in ("speed_forward_1_bf16", "speed_forward_1_tf32", "speed_forward_1_fp32"):
            plain, library = steps[task], steps[f"{task}_library"]
            self.assertEqual((forced(plain), forced(library)), ("", "cudnn"))
            self.assertEqual(library.command, plain.command)

    def test_time_each_convolution_in_every_way_that_the_backend_knows(self):
        ways = {}
        for step in check_steps.convolutions():
            ways.setdefault(step.name.split("_")[1], set()).add(forced(step))
        self.assertEqual(ways, dict.fromkeys(("bf16", "tf32", "fp32"), {"", "cudnn", "direct"}))

    def test_compare_the_published_size_with_the_cpu_before_anything_is_timed(self):
        calls = list(check_steps.CALLS)
        self.assertLess(calls.index("right"), calls.index("speed"))
        published = [step.command for step in check_steps.right() if step.name.startswith("published_")]
        self.assertEqual({command[2:] for command in published}, {("--bf16",), ("--tf32",), ()})

    def test_take_25_minutes_together_and_each_less_than_a_command_may(self):
        self.assertEqual(list(check_steps.SECONDS), list(check_steps.CALLS))
        self.assertLessEqual(sum(check_steps.SECONDS.values()), 25 * 60)
        self.assertLess(max(check_steps.SECONDS.values()), 9 * 60)

    def test_repeat_what_fails_but_not_what_hangs(self):
        call = check_run.Call("alive", self.folder, "", self.folder / "results", 60)
        self.addCleanup(call.close)
        call.do(check_steps.Step("hangs", 0.2, ("sleep", "9"), "direct"))
        call.do(check_steps.Step("fails", 9, ("false",), "direct"))
        call.do(check_steps.Step("fails_once", 9, ("false",)))
        steps = [line.split("\t")[0] for line in (call.folder / "steps.tsv").read_text().splitlines()]
        self.assertEqual(steps, ["hangs", "fails", "fails@direct", "fails_once"])

    def test_keep_what_is_measured_beside_the_results_wherever_there_is_a_choice(self):
        choosing = ("bench_network_speed", "bench_conv_matrix", "bench_published_pass", "evaluate", "predict")
        free = [step for call in check_steps.CALLS.values() for step in call()
                if any(part.rpartition("/")[2] in choosing for part in step.command) and not forced(step)]
        self.assertGreater(len(free), 10)
        for step in free:
            self.assertEqual(step.environment.get("PLUMECAST_CUDA_TUNING"), "{out}/cuda_tuning.json", step.name)

    def test_pack_the_choices_that_a_program_kept(self):
        call = check_run.Call("speed", self.folder, "", self.folder / "results", 60)
        self.addCleanup(call.close)
        script = """echo '{{"machines": {{"here": {{"forward": "cudnn"}}}}}}' > "$PLUMECAST_CUDA_TUNING" """
        call.do(check_steps.Step("speed_x", 20, ("bash", "-c", script), environment=check_steps.TUNED))
        with tarfile.open(self.folder / "results/speed.tar.gz") as packed:
            self.assertIn("speed/cuda_tuning.json", packed.getnames())
        self.assertIn("| forward | cudnn |", (self.folder / "results/speed.txt").read_text())
        again = """grep -q forward "$PLUMECAST_CUDA_TUNING" """
        self.assertEqual(call.attempt(check_steps.Step("speed_y", 20, ("bash", "-c", again),
                                                       environment=check_steps.TUNED)), 0, "later steps read them")


if __name__ == "__main__":
    unittest.main()
