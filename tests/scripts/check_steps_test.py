"""The steps of gpu_check.sh: which convolutions they time, and what their programs find in the environment."""
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
    def test_time_a_network_by_the_fastest_convolutions_by_tiles_alone_and_by_cudnn_alone(self):
        steps = {step.name: step for step in check_steps.speed()}
        for task in ("speed_forward_1_bf16", "speed_forward_1_tf32", "speed_forward_1_fp32", "speed_training_4_bf16"):
            plain, tiles, library = steps[task], steps[f"{task}_tiles"], steps[f"{task}_library"]
            self.assertEqual((forced(plain), forced(tiles), forced(library)), ("", "tiles", "cudnn"))
            self.assertEqual(tiles.command, plain.command)
            self.assertEqual(library.command, plain.command)

    def test_time_each_convolution_in_every_way_that_the_backend_knows(self):
        ways = {}
        for step in check_steps.convolutions():
            ways.setdefault(step.name.split("_")[1], set()).add(forced(step))
        self.assertEqual(ways, dict.fromkeys(("bf16", "tf32", "fp32"), {"", "tiles", "cudnn", "direct"}))

    def test_keep_what_is_measured_beside_the_results_wherever_there_is_a_choice(self):
        choosing = ("bench_network_speed", "bench_conv_matrix", "evaluate", "predict")
        free = [step for call in check_steps.CALLS.values() for step in call()
                if any(part.rpartition("/")[2] in choosing for part in step.command) and not forced(step)]
        self.assertGreater(len(free), 10)
        for step in free:
            self.assertEqual(step.environment.get("PLUMECAST_CUDA_TUNING"), "{out}/cuda_tuning.json", step.name)

    def test_pack_the_choices_that_a_program_kept(self):
        call = check_run.Call("speed", self.folder, "", self.folder / "results")
        self.addCleanup(call.close)
        script = """echo '{{"machines": {{"here": {{"forward": "tiles"}}}}}}' > "$PLUMECAST_CUDA_TUNING" """
        call.do(check_steps.Step("speed_x", 20, ("bash", "-c", script), environment=check_steps.TUNED))
        with tarfile.open(self.folder / "results/speed.tar.gz") as packed:
            self.assertIn("speed/cuda_tuning.json", packed.getnames())
        self.assertIn("| forward | tiles |", (self.folder / "results/speed.txt").read_text())
        again = """grep -q forward "$PLUMECAST_CUDA_TUNING" """
        self.assertEqual(call.attempt(check_steps.Step("speed_y", 20, ("bash", "-c", again),
                                                       environment=check_steps.TUNED)), 0, "later steps read them")


if __name__ == "__main__":
    unittest.main()
