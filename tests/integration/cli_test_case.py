"""Runs the executable `plumecast` on the sample data set, in a folder of its own for each test."""

import json
import os
import resource
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PLUMECAST = os.environ["PLUMECAST"]
WRITE_SAMPLE = os.environ["PLUMECAST_WRITE_SAMPLE"]
TIME_LIMIT = 300

OK, FAILURE, USAGE, DATA, MODEL, SYSTEM, RESUME_ME, INTERRUPTED = 0, 1, 2, 3, 4, 5, 75, 130


def no_room_for_files():
    """Run in the child before the executable: writing more than 4 KiB to a file fails, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def inject_too_much(file, cases):
    """Lets the physics of these cases of an open data set fail in its first step; in permeable rock it fails after thousands."""
    for case in cases:
        file["inputs/injection_rate"][case] = 1e3
        file["inputs/permeability_r"][case] = 0.1 * file["inputs/permeability_r"][case]


def catches_interrupts(pid):
    """Whether a process has a handler of its own for SIGINT."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), "0")
    return bool(int(caught, 16) >> (signal.SIGINT - 1) & 1)


class CliTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def sample(self, kind="", name="sample.h5"):
        path = self.folder / name
        subprocess.run([WRITE_SAMPLE, path] + ([kind] if kind else []), check=True)
        return path

    def recipe(self, name="recipe.json", **entries):
        """A network small enough to train in a test, with the given entries instead."""
        recipe = {
            "data": {"train": "sample.h5", "validation": "sample.h5"},
            "output": "run",
            "network": {"architecture": "ufno", "width": 4, "hidden": 6, "modes": [2, 2, 2],
                        "fourier_blocks": 1, "extended_blocks": 1},
            "epochs": 2, "batch_size": 2, "seed": 17, "threads": 1,
        }
        recipe.update(entries)
        path = self.folder / name
        path.write_text(json.dumps(recipe))
        return path

    def run_cli(self, *arguments, **options):
        return subprocess.run([PLUMECAST, *map(str, arguments)], cwd=self.folder, text=True, timeout=TIME_LIMIT,
                              stdin=subprocess.DEVNULL, stdout=options.pop("stdout", subprocess.PIPE),
                              stderr=subprocess.PIPE, **options)

    def succeed(self, *arguments):
        result = self.run_cli(*arguments)
        self.assertEqual(result.returncode, OK, result.stderr)
        return result.stdout

    def refuse(self, code, *arguments, says=(), **options):
        """The call ends with that code and one line on stderr that says all of these."""
        result = self.run_cli(*arguments, **options)
        self.assertEqual(result.returncode, code, result.stderr)
        errors = [line for line in result.stderr.splitlines() if line.startswith("plumecast: error: ")]
        self.assertEqual(len(errors), 1, result.stderr)
        for text in says:
            self.assertIn(str(text), errors[0])
        return errors[0]

    def train(self, field="gas_saturation", output="run", **entries):
        """A trained bundle of one field."""
        if not (self.folder / "sample.h5").exists():
            self.sample()
        self.succeed("train", self.recipe(fields=field, output=output, **entries))
        return self.folder / output / "best"

    def train_and_send(self, sent, recipe, at_epoch, *arguments):
        """Starts training, sends a signal when an epoch is done, and returns exit code and stderr."""
        process = subprocess.Popen([PLUMECAST, "train", str(recipe), *arguments], cwd=self.folder, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            for line in process.stdout:
                if line.startswith(f"epoch {at_epoch}/"):
                    process.send_signal(sent)
                    break
            _, errors = process.communicate(timeout=TIME_LIMIT)
        finally:
            process.kill()
        return process.returncode, errors

    def interrupt(self, ready, *arguments):
        """Starts a subcommand, sends Ctrl-C once it handles that and `ready` is true, and returns exit code and stderr."""
        process = subprocess.Popen([PLUMECAST, *arguments], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            while process.poll() is None and not (catches_interrupts(process.pid) and ready()):
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=TIME_LIMIT)
        finally:
            process.kill()
        return process.returncode, errors

    def weights(self, run):
        """Content of all arrays of a run's checkpoint, weights and moments."""
        files = sorted((self.folder / run / "checkpoint").glob("*.safetensors"))
        self.assertGreaterEqual(len(files), 2)
        return [file.read_bytes() for file in files]
