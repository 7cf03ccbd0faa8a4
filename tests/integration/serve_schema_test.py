"""Schemathesis asks the service what its own description allows and forbids; left out where it is not installed."""

import json
import os
import shutil
import subprocess
import unittest

from cli_test_case import CliTestCase
from serve_test import ROOT, Served

SCHEMATHESIS = os.environ.get("PLUMECAST_SCHEMATHESIS") or shutil.which("schemathesis")
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance", "response_headers_conformance")


class ServeDescriptionTest(unittest.TestCase):
    def test_is_valid_as_the_standard_says(self):
        try:
            from openapi_spec_validator import validate
        except ImportError:
            self.skipTest("openapi-spec-validator is not installed")
        validate(json.loads((ROOT / "src" / "service" / "openapi.json").read_text()))


@unittest.skipUnless(SCHEMATHESIS, "schemathesis is not installed (PLUMECAST_SCHEMATHESIS names it)")
class ServeSchemaTest(CliTestCase):
    def test_answers_whatever_its_description_leads_to(self):
        with Served(self.folder, "--max-cases", "4", "--max-values", "200000", "--max-realizations", "4") as service:
            found = subprocess.run([SCHEMATHESIS, "run", f"http://127.0.0.1:{service.port}/openapi.json", "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing,stateful",
                                    "--max-examples", os.environ.get("PLUMECAST_EXAMPLES", "20"), "--seed", "1", "--no-color", "--request-timeout", "60"],
                                   cwd=self.folder, capture_output=True, text=True, timeout=1800, env={**os.environ, "no_proxy": "*"})
            self.assertEqual(found.returncode, 0, found.stdout[-6000:] + found.stderr[-2000:])
            self.assertEqual(service.ask("GET", "/v1/health")[0], 200)
