"""The command that the package brings."""

import io
import os
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

import plumecast
import sample
from plumecast import command


class Command(unittest.TestCase):
    def run_command(self, *arguments, **environment):
        return subprocess.run(
            [sys.executable, "-m", "plumecast", *arguments],
            capture_output=True,
            text=True,
            timeout=300,
            env={**os.environ, **environment},
        )

    @unittest.skipIf(command.executable() is None, "the package was made without the executable")
    def test_is_the_executable_of_the_same_version(self):
        done = self.run_command("--version")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(plumecast.__version__, done.stdout)
        self.assertNotEqual(self.run_command("no-such-subcommand").returncode, 0)

    @unittest.skipIf(command.executable() is None, "the package was made without the executable")
    def test_knows_the_models_of_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            result = Path(folder) / "fields.h5"
            done = self.run_command("predict", "radial-co2-fast", str(sample.RADIAL), "--output", str(result))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(result.exists())

    def test_takes_the_place_of_the_process_with_its_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "bin" / "plumecast"
            program.parent.mkdir()
            program.touch()
            with (
                mock.patch.object(command, "_PACKAGE", Path(folder)),
                mock.patch.object(sys, "argv", ["plumecast", "info", "a model"]),
                mock.patch.dict(os.environ, {"PLUMECAST_MODELS": "/mine"}),
                mock.patch.object(os, "execv") as became,
            ):
                command.main()
                self.assertEqual(os.environ["PLUMECAST_MODELS"], f"/mine:{folder}/models")
        became.assert_called_once_with(program, [str(program), "info", "a model"])

    def test_takes_an_executable_of_the_path_where_the_package_has_none(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "plumecast"
            program.write_bytes(b"\x7fELF")
            program.chmod(0o755)
            with (
                mock.patch.object(command, "_PACKAGE", Path(folder) / "nothing"),
                mock.patch.object(sys, "argv", ["plumecast", "version"]),
                mock.patch.dict(os.environ, {"PATH": folder}),
                mock.patch.object(os, "execv") as became,
            ):
                command.main()
        became.assert_called_once_with(program, [str(program), "version"])

    def test_says_where_the_executable_is_missing(self):
        said = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(command, "_PACKAGE", Path(folder)), redirect_stderr(said):
            script = Path(folder) / "plumecast"  # of Python: would come here again
            script.write_text("#!/usr/bin/env python3\n")
            script.chmod(0o755)
            with mock.patch.dict(os.environ, {"PATH": folder}):
                self.assertEqual(command.main(), 1)
        self.assertIn("made without the executable", said.getvalue())


if __name__ == "__main__":
    unittest.main()
