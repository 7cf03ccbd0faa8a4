"""scripts/train_full.sh, cut off again and again, ends at the weights of a run that nobody disturbed."""
import json
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path
from unittest import mock

from cli_test_case import PLUMECAST, RESUME_ME, TIME_LIMIT, CliTestCase

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/train_full.sh"
EPOCHS = 6
FIELDS = ("gas_saturation", "pressure_buildup")
SMALL = ("network.width=4", "network.hidden=6", "network.modes=[2,2,2]", "network.fourier_blocks=1", "network.extended_blocks=1")
OPTIONS = ("--device", "cpu", "--threads", "1", *(word for entry in SMALL for word in ("--set", entry)))


class TrainFull(CliTestCase):
    def setUp(self):
        super().setUp()
        self.sample()

    def start(self, folder, options=OPTIONS):
        """The script in a group of its own, as a batch system starts it."""
        environment = {**os.environ, "PLUMECAST": PLUMECAST, "PLUMECAST_EPOCHS": str(EPOCHS), "PLUMECAST_PRECISION": "fp32"}
        return subprocess.Popen([str(SCRIPT), "sample.h5", "sample.h5", folder, "--", *options], cwd=self.folder, env=environment,
                                text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                start_new_session=True)

    def finish(self, process):
        said, _ = process.communicate(timeout=TIME_LIMIT)
        self.assertEqual(process.returncode, 0, said)

    def cut_off(self, folder, send):
        """Starts the script and calls send(process) when an epoch is done; its exit status."""
        process = self.start(folder)
        said = ""
        for line in process.stdout:
            said += line
            if line.startswith("epoch "):
                send(process)
                break
        else:
            self.fail(f"no epoch was done: {said}")
        process.communicate(timeout=TIME_LIMIT)
        return process.wait()

    def epochs(self, folder, field):
        history = self.folder / folder / field / "metrics.jsonl"
        return [json.loads(line)["epoch"] for line in history.read_text().splitlines()] if history.exists() else []

    def weights(self, folder):
        model = self.folder / folder / "model"
        return {path.relative_to(model): path.read_bytes() for path in model.rglob("*.safetensors")}

    def test_ends_at_the_same_weights_however_often_it_is_cut_off(self):
        self.finish(self.start("straight"))
        ways = {
            "the script is told to end": lambda process: process.send_signal(signal.SIGTERM),
            "its whole group is": lambda process: os.killpg(process.pid, signal.SIGTERM),
            "the script is killed": lambda process: process.kill(),
            "its whole group is killed": lambda process: os.killpg(process.pid, signal.SIGKILL),
        }
        done = {field: [] for field in FIELDS}
        cuts = 0
        for way, send in [*ways.items()] * 2:
            if done[FIELDS[1]] and done[FIELDS[1]][-1] >= EPOCHS - 1:
                break
            status = self.cut_off("cut", send)
            cuts += 1
            self.assertEqual(status, -signal.SIGKILL if "killed" in way else RESUME_ME, way)
            time.sleep(0.2 if "killed" in way else 0)  # until the system has ended the killed training
            for field in FIELDS:
                now = self.epochs("cut", field)
                self.assertEqual(now[:len(done[field])], done[field], f"{way}: epochs that were done are gone")
                done[field] = now
        self.assertGreaterEqual(cuts, len(ways))
        self.finish(self.start("cut"))
        for field in FIELDS:
            self.assertEqual(self.epochs("cut", field), list(range(1, EPOCHS + 1)))
        self.assertEqual(self.weights("cut"), self.weights("straight"))
        self.assertTrue(self.weights("cut"))

    def test_changes_nothing_where_all_is_done(self):
        self.finish(self.start("run"))
        before = self.weights("run")
        self.finish(self.start("run"))
        self.assertEqual(self.weights("run"), before)
        self.assertEqual(self.epochs("run", FIELDS[0]), list(range(1, EPOCHS + 1)))

    def test_can_go_on_after_a_signal_that_the_training_did_not_listen_to_yet(self):
        deaf = self.folder / "deaf"
        deaf.write_text("#!/bin/sh\necho epoch 0\nexec sleep 60\n")
        deaf.chmod(0o755)
        with mock.patch.dict(os.environ, {"PLUMECAST_LAUNCHER": str(deaf)}):
            self.assertEqual(self.cut_off("run", lambda process: process.send_signal(signal.SIGTERM)), RESUME_ME)

    def test_goes_on_from_a_checkpoint_whose_renaming_was_cut_short(self):
        self.cut_off("run", lambda process: process.send_signal(signal.SIGTERM))
        checkpoint = self.folder / "run" / FIELDS[0] / "checkpoint"
        checkpoint.rename(checkpoint.with_name(".checkpoint.old"))
        process = self.start("run")
        first = next(line for line in process.stdout if line.startswith("epoch "))
        self.finish(process)
        self.assertNotIn(f"epoch 1/{EPOCHS}", first)


if __name__ == "__main__":
    unittest.main()
