"""Without the permission to read or write: one message that names the file, why, and what to do; nothing is lost. Where the tests run
as root, which may do everything, the executable runs as the user nobody."""

import os
import shlex
import shutil
import subprocess
import unittest

from cli_test_case import OK, PLUMECAST, SYSTEM, TIME_LIMIT, CliTestCase
from cli_wrong_usages_test import GRAMMAR, content, message_of

NOBODY = 65534
AS_NOBODY = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
USAGES = [
    ("validate secret.h5", SYSTEM),
    ("config secret.json", SYSTEM),
    ("train secret.json --output open/run", SYSTEM),
    ("train recipe.json --output closed/run", SYSTEM),
    ("predict model secret.h5 -o open/out.h5", SYSTEM),
    ("predict hidden sample.h5 -o open/out.h5", SYSTEM),
    ("predict model sample.h5 -o closed/out.h5", SYSTEM),
    ("predict model sample.h5 -o closed/fields.h5", SYSTEM),
    ("estimate guided.h5 -o closed/out.h5", SYSTEM),
    ("evaluate fields.h5 secret.h5", SYSTEM),
    ("merge sample.h5 secret.h5 -o open/out.h5", SYSTEM),
    ("subset sample.h5 -o closed/out.h5", SYSTEM),
    ("split sample.h5 -o closed/parts --parts all=1", SYSTEM),
    ("split sample.h5 -o closed --parts all=1", SYSTEM),
    ("plot fields.h5 -o closed/out.png", SYSTEM),
    ("curve secret_run -o open/out.png", SYSTEM),
    ("report fields.h5 -o closed/report", SYSTEM),
    ("report fields.h5 -o closed", SYSTEM),
    ("export fields.h5 -o closed", SYSTEM),
    ("import-weights secret.safetensors -o open/model", SYSTEM),
    ("combine model -o closed/model", SYSTEM),
    ("calibrate model sample.h5", SYSTEM),
]


class Permissions(CliTestCase):
    def setUp(self):
        super().setUp()
        self.sample()
        self.sample("guided", "guided.h5")
        self.train()
        shutil.move(self.folder / "run" / "best", self.folder / "model")
        self.succeed("predict", "model", "sample.h5", "-o", "fields.h5")
        for name in ("closed", "open", "secret_run"):
            (self.folder / name).mkdir()
        shutil.copy(self.folder / "fields.h5", self.folder / "closed" / "fields.h5")
        shutil.copytree(self.folder / "model", self.folder / "hidden")
        for name in ("secret.h5", "secret.json", "secret.safetensors", "secret_run/metrics.jsonl"):
            (self.folder / name).write_text("{}")
            (self.folder / name).chmod(0)
        for name, mode in ((".", 0o755), ("open", 0o777), ("closed", 0o555), ("model", 0o555), ("hidden", 0)):
            (self.folder / name).chmod(mode)
        for name in ("closed", "model", "hidden"):
            self.addCleanup((self.folder / name).chmod, 0o700)
        if self.run_unprivileged("--version").returncode != OK:
            self.skipTest(f"the user nobody cannot run {PLUMECAST}")

    def run_unprivileged(self, line):
        try:
            return subprocess.run([PLUMECAST, *shlex.split(line)], cwd=self.folder, text=True, timeout=TIME_LIMIT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **AS_NOBODY)
        except PermissionError as error:
            self.skipTest(f"the user nobody cannot run {PLUMECAST}: {error}")

    def test_each_wrong_usage_ends_with_its_code_and_one_message_in_three_parts(self):
        before = content(self.folder / "closed")
        for line, code in USAGES:
            with self.subTest(line):
                result = self.run_unprivileged(line)
                self.assertEqual(result.returncode, code, result.stderr)
                message = message_of(result.stderr + result.stdout)
                self.assertIsNotNone(message, result.stderr)
                self.assertRegex(message, GRAMMAR)
                self.assertNotRegex(message, r"basic_|std::|filesystem error|terminate")
        self.assertEqual(content(self.folder / "closed"), before)
        self.assertEqual(content(self.folder / "open"), {})

    def test_a_model_that_cannot_get_a_record_says_what_to_do(self):
        message = message_of(self.run_unprivileged("calibrate model sample.h5").stderr)
        self.assertIn("model: cannot be written", message)
        self.assertIn("copy the folder", message)


if __name__ == "__main__":
    unittest.main()
