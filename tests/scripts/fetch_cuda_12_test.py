"""fetch_cuda_12.py makes a toolkit of what pip and Debian's packages have."""
import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from source_tree import load

fetch = load("scripts/ci/fetch_cuda_12.py")
LISTS = """'http://mirror.invalid/debian-security/dists/stable-security/InRelease' one 0
'http://mirror.invalid/debian/dists/stable/InRelease' two 0
"""


class FetchCuda12(unittest.TestCase):
    def test_keeps_of_a_wheel_what_looks_like_a_toolkit(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = Path(folder, "one.whl")
            with zipfile.ZipFile(wheel, "w") as packed:
                for name in ("nvidia/cublas/include/cublas_api.h", "nvidia/cublas/lib/libcublas.so.12"):
                    packed.writestr(name, "x")
            fetch.keep(wheel, Path(folder, "toolkit"))
            found = [str(path.relative_to(folder)) for path in Path(folder, "toolkit").rglob("*") if path.is_file()]
            self.assertEqual(found, ["toolkit/include/cublas_api.h"])

    def test_knows_where_a_toolkit_has_its_programs(self):
        self.assertEqual(fetch.place_of_program("usr/lib/nvidia-cuda-toolkit/bin/nvcc"), "bin/nvcc")
        self.assertEqual(fetch.place_of_program("usr/lib/nvidia-cuda-toolkit/bin/cicc"), "nvvm/bin/cicc")
        self.assertEqual(fetch.place_of_program("usr/lib/nvidia-cuda-toolkit/bin/crt/link.stub"), "bin/crt/link.stub")
        self.assertEqual(fetch.place_of_program("usr/bin/cudafe++"), "bin/cudafe++")
        for other in ("usr/bin/nvcc", "usr/lib/nvidia-cuda-toolkit/bin/g++", "usr/include/nvvm.h"):
            self.assertIsNone(fetch.place_of_program(other), other)

    def test_waits_for_no_mirror_without_end(self):
        with mock.patch.object(fetch, "MOST_SECONDS", 0.1), self.assertRaisesRegex(fetch.Unavailable, "not done after 0.1 s"):
            fetch.run("sleep", "60")

    def test_takes_the_archive_of_debian_that_the_system_installs_from(self):
        with mock.patch.object(fetch, "run", lambda *command: LISTS):
            self.assertEqual(fetch.debian_archive(), "http://mirror.invalid/debian")
        with mock.patch.object(fetch, "run", lambda *command: LISTS.splitlines()[0]), self.assertRaises(fetch.Unavailable):
            fetch.debian_archive()

    def test_unpacks_the_wanted_files_of_a_package(self):
        with tempfile.TemporaryDirectory() as folder:
            content = Path(folder, "package")
            for name, text in (("DEBIAN/control", "Package: one\nVersion: 1\nArchitecture: all\nMaintainer: x\nDescription: x\n"),
                               ("usr/bin/ptxas", "ours"), ("usr/bin/nvcc", "starts another")):
                content.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
                content.joinpath(name).write_text(text)
            try:
                subprocess.run(["dpkg-deb", "--build", content, f"{folder}/one.deb"], check=True, capture_output=True)
            except FileNotFoundError:
                self.skipTest("no dpkg-deb here")
            target = Path(folder, "toolkit")
            target.mkdir()
            with mock.patch.object(fetch, "package", lambda named, place: Path(folder, "one.deb")):
                fetch.unpack("one", target, fetch.place_of_program)
            self.assertEqual([str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()], ["bin/ptxas"])
            self.assertEqual((target / "bin/ptxas").read_text(), "ours")
            with mock.patch.object(fetch, "package", lambda named, place: Path(folder, "one.deb")), self.assertRaises(fetch.Unavailable):
                fetch.unpack("one", target, lambda name: None)

    def test_fetches_each_part_once(self):
        done = []
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(fetch, "fetch_headers", lambda target: done.append("headers")), \
                mock.patch.object(fetch, "fetch_compiler", lambda target: done.append("compiler")):
            fetch.fetched(Path(folder, "toolkit"), "headers")
            fetch.fetched(Path(folder, "toolkit"), "headers", "compiler")
        self.assertEqual(done, ["headers", "compiler"])

    def test_takes_a_program_that_cannot_be_started_for_one_that_is_not_there(self):
        with self.assertRaises(fetch.Unavailable) as caught:
            fetch.run("/nowhere/nvcc", "--version")
        self.assertIn("cannot be started", str(caught.exception))

    def test_is_skipped_where_nothing_can_be_had(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(sys, "argv", ["fetch_cuda_12.py", f"{folder}/toolkit"]), \
                mock.patch.object(fetch, "run", side_effect=fetch.Unavailable("no pip")), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(fetch.main(), 77)
            self.assertFalse(Path(folder, "toolkit/headers.complete").exists())
        self.assertIn("no pip", said.getvalue())


if __name__ == "__main__":
    unittest.main()
