"""An executable without the service has no HTTP in it, says that `serve` is not there, and does the rest as the other one does."""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from unittest import mock

import cli_test_case
from cli_test_case import PLUMECAST, USAGE, CliTestCase

WITHOUT = str(Path(os.environ["PLUMECAST_BUILD"]) / "apps/plumecast_without_service")
OF_HTTP = {"libcpp-httplib", "libssl"}  # libcrypto makes hashes


class WithoutServiceTest(CliTestCase):
    def setUp(self):
        super().setUp()
        executable = mock.patch.object(cli_test_case, "PLUMECAST", WITHOUT)
        executable.start()
        self.addCleanup(executable.stop)

    def test_refuses_to_serve_with_the_remedy(self):
        self.refuse(USAGE, "serve", "radial-co2", "--port", "0",
                  says=["serve", "this build leaves the service out", "-DPLUMECAST_SERVICE=ON", "cpp-httplib"])
        self.assertIn("not in this build", self.succeed("serve", "--help"))
        self.assertEqual(list(self.folder.iterdir()), [])

    @unittest.skipUnless(shutil.which("readelf"), "needs readelf")
    def test_links_nothing_of_http(self):
        def needed(path):
            return set(re.findall(r"NEEDED.*\[(\S+?)\.so", subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True).stdout))

        self.assertEqual(needed(WITHOUT) & OF_HTTP, set())
        self.assertEqual(needed(PLUMECAST) - OF_HTTP, needed(WITHOUT))
        content = Path(WITHOUT).read_bytes()
        for name in (b"7httplib", b"plumecast7service", b"openapi"):  # names of functions, and the page
            self.assertNotIn(name, content, name)

    def test_has_every_other_subcommand_as_it_is(self):
        def helped(executable, *words):
            return subprocess.run([executable, *words, "--help"], check=True, capture_output=True, text=True).stdout

        def but_serve(text):
            return [line for line in text.splitlines() if not line.strip().startswith("serve ")]

        self.assertEqual(but_serve(helped(WITHOUT)), but_serve(helped(PLUMECAST)))
        for name in ("predict", "estimate", "report", "train", "version"):
            self.assertEqual(helped(WITHOUT, name), helped(PLUMECAST, name))
        self.sample("guided")
        self.succeed("estimate", "sample.h5", "-o", "fields.h5")
        self.assertGreater((self.folder / "fields.h5").stat().st_size, 0)


if __name__ == "__main__":
    unittest.main()
