"""What the service is made of: its bill of materials, and libraries that know nothing of it."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from cli_test_case import PLUMECAST, CliTestCase
from serve_test import ROOT, Served

BUILD = Path(os.environ["PLUMECAST_BUILD"])


class ServePartsTest(CliTestCase):
    def test_serves_the_page_that_its_bill_of_materials_names(self):
        bill = json.loads((BUILD / "plumecast.cdx.json").read_text())
        self.assertEqual((bill["bomFormat"], bill["specVersion"], bill["metadata"]["component"]["name"]), ("CycloneDX", "1.5", "plumecast"))
        files = {one["name"]: one["hashes"][0]["content"] for one in bill["components"] if one["type"] == "file"}
        self.assertEqual(set(files), {f"page/{path.relative_to(ROOT / 'src/service/page')}" for path in (ROOT / "src/service/page").rglob("*.*")})
        with Served(self.folder) as service:
            for name, wanted in files.items():
                status, _, content = service.ask("GET", "/" if name == "page/index.html" else name.removeprefix("page"))
                self.assertEqual((status, hashlib.sha256(content).hexdigest()), (200, wanted), name)
        libraries = {one["bom-ref"] for one in bill["components"] if one["type"] == "library"}
        self.assertEqual(set(bill["dependencies"][0]["dependsOn"]), libraries)
        self.assertIn("cpp-httplib", libraries)

    @unittest.skipUnless(shutil.which("readelf"), "needs readelf")
    def test_links_http_into_the_executable_alone(self):
        def needed(path):
            return re.findall(r"NEEDED.*\[(\S+?)\.so", subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True).stdout)

        self.assertIn("libcpp-httplib", needed(PLUMECAST))
        libraries = [path for path in BUILD.rglob("libplumecast*.so") if path.is_file()]
        for path in libraries:
            self.assertEqual([name for name in needed(path) if name in ("libcpp-httplib", "libssl")], [], path)
        archives = [path for path in BUILD.rglob("libplumecast*.a") if path.name != "libplumecast_service.a"]
        self.assertIn("libplumecast_nn.a", [path.name for path in archives])
        for path in archives:
            self.assertNotIn(b"httplib", path.read_bytes(), path)


if __name__ == "__main__":
    unittest.main()
