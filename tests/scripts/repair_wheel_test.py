"""repair_wheel.py names libraries and adds licences to a wheel that still lists all its files."""
import csv
import io
import tempfile
import unittest
import zipfile
from pathlib import Path

from source_tree import load

repair_wheel = load("scripts/repair_wheel.py")


class RepairWheel(unittest.TestCase):
    def test_finds_the_name_of_a_library_behind_its_hash(self):
        for carried, name in (
            ("plumecast.libs/libdnnl-a4f9d805.so.2.6", "libdnnl.so.2.6"),
            ("plumecast.libs/liblber-2-64f183c1.5.so.0.1.8", "liblber-2.5.so.0.1.8"),
        ):
            self.assertEqual(repair_wheel.original_name(carried), name)

    def test_refuses_a_library_of_no_package(self):
        with self.assertRaisesRegex(RuntimeError, "no package has it"):
            repair_wheel.package_of("libof_nobody.so.7")

    def test_lists_what_it_adds(self):
        with tempfile.TemporaryDirectory() as folder:
            before, after = Path(folder) / "a.whl", Path(folder) / "b.whl"
            with zipfile.ZipFile(before, "w") as wheel:
                wheel.writestr("a/__init__.py", "x = 1\n")
                wheel.writestr("a-1.dist-info/RECORD", "a/__init__.py,sha256=abc,6\na-1.dist-info/RECORD,,\n")
            repair_wheel.with_files(before, {"libx.copyright": b"free\n"}, after)
            with zipfile.ZipFile(after) as wheel:
                self.assertEqual(wheel.read("a-1.dist-info/licenses/libx.copyright"), b"free\n")
                rows = list(csv.reader(io.StringIO(wheel.read("a-1.dist-info/RECORD").decode())))
                self.assertEqual({row[0] for row in rows}, set(wheel.namelist()))
            self.assertEqual(rows[1][1:], ["sha256=DPk0DYvC8feDbgzm4heNX9OCvef8UNyEXb8ije43E7Q", "5"])
            self.assertEqual(rows[-1], ["a-1.dist-info/RECORD", "", ""])


if __name__ == "__main__":
    unittest.main()
