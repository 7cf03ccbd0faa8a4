"""The unit in which systemd runs the service is sound and takes most rights away."""

import re
import shutil
import subprocess
import unittest

from cli_test_case import PLUMECAST, CliTestCase
from serve_test import ROOT

ANALYZE = shutil.which("systemd-analyze")


@unittest.skipUnless(ANALYZE, "systemd-analyze is not installed")
class ServeUnitTest(CliTestCase):
    def setUp(self):
        super().setUp()
        unit = (ROOT / "packaging" / "systemd" / "plumecast.service").read_text()
        self.unit = self.folder / "plumecast.service"
        self.unit.write_text(unit.replace("/usr/bin/plumecast", PLUMECAST))

    def analyze(self, *arguments):
        return subprocess.run([ANALYZE, *arguments, self.unit], cwd=self.folder, capture_output=True, text=True, timeout=60)

    def test_is_a_unit_that_can_be_started(self):
        found = self.analyze("verify", "--man=no")
        self.assertEqual((found.returncode, found.stderr), (0, ""), found.stdout)

    def test_takes_rights_away(self):
        found = self.analyze("security", "--offline=true", "--no-pager")
        if "unrecognized option" in found.stderr:
            self.skipTest("this systemd-analyze does not judge files")
        exposure = re.search(r"Overall exposure level for plumecast.service: ([0-9.]+)", found.stdout)
        self.assertIsNotNone(exposure, found.stdout + found.stderr)
        self.assertLess(float(exposure[1]), 2.0, found.stdout)

    def test_starts_what_the_command_line_takes(self):
        commands = re.findall(r"ExecStart=\S+ (serve .*?)$", self.unit.read_text().replace("\\\n#", ""), re.MULTILINE)
        self.assertEqual(len(commands), 2)
        known = self.succeed("serve", "--help")
        for command in commands:
            for option in re.findall(r"--[a-z-]+", command):
                self.assertIn(option, known)
