"""A sample of what bench/serve_load.py asks of the service: many requests, malformed ones, damaged uploads, slow clients."""

import os
import subprocess
import sys
import unittest

from cli_test_case import PLUMECAST, CliTestCase
from serve_test import MODEL, ROOT

MANY = int(os.environ.get("PLUMECAST_SERVE_LOAD", "0"))


class ServeLoadTest(CliTestCase):
    def load(self, requests, malformed, uploads, slow, timeout):
        counts = {"seconds": 0, "compared": 4, "requests": requests, "malformed": malformed, "uploads": uploads, "slow": slow}
        options = [word for name, count in counts.items() for word in (f"--{name}", str(count))]
        found = subprocess.run([sys.executable, ROOT / "bench" / "serve_load.py", PLUMECAST, MODEL, *options], cwd=self.folder, capture_output=True, text=True,
                               timeout=timeout)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        self.assertIn("as it must be", found.stdout)

    def test_bears_a_sample(self):
        self.load(200, 400, 10, 20, 300)

    @unittest.skipUnless(MANY, "takes long (PLUMECAST_SERVE_LOAD says how many requests)")
    def test_bears_many(self):
        self.load(MANY, MANY, MANY // 100, 200, 7000)
