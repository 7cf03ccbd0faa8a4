"""check_toolkits.py compiles every source of the CUDA backend with CUDA 12, by what there is."""
import contextlib
import io
import os
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from source_tree import load

check = load("scripts/ci/check_toolkits.py")


class CheckToolkits(unittest.TestCase):
    def run_with(self, clang, headers=True, nvcc=None):
        with mock.patch.object(check, "installed_compiler", lambda: nvcc), \
                mock.patch.object(check, "fetched_headers", lambda target: headers), \
                mock.patch.object(check, "dnn_headers", lambda: "/nowhere"), \
                mock.patch.object(check.shutil, "which", lambda name: clang), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            return check.main(), said.getvalue()

    def test_asks_for_the_architectures_that_a_toolkit_knows(self):
        self.assertEqual(check.architectures("12.4"), (80, 90))
        self.assertEqual(check.architectures("12.10"), (80, 90, 100, 120))
        self.assertEqual(check.architectures("13.0"), (80, 90, 100, 120))

    def test_takes_every_source_once(self):
        sources = [command[-1] for command in check.commands(Path("toolkit"), "clang", "/nowhere")]
        self.assertIn("src/backend/cuda/box.cu", sources)
        self.assertIn("src/backend/cuda/vendor/blas.cpp", sources)
        self.assertEqual(len(sources), len(set(sources)))

    def test_passes_where_all_compile_and_fails_where_one_does_not(self):
        status, said = self.run_with("/bin/true")
        self.assertEqual(status, 0)
        self.assertIn("pass clang with the headers of CUDA 12.4", said)
        status, said = self.run_with("/bin/false")
        self.assertEqual(status, 1)
        self.assertIn("sources fail", said)

    def test_is_skipped_without_compiler_or_headers(self):
        self.assertEqual(self.run_with(None)[0], 77)
        self.assertEqual(self.run_with("/bin/true", headers=False)[0], 77)

    def test_keeps_of_a_wheel_what_looks_like_a_toolkit(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = Path(folder, "one.whl")
            with zipfile.ZipFile(wheel, "w") as packed:
                for name in ("nvidia/cublas/include/cublas_api.h", "nvidia/cublas/lib/libcublas.so.12"):
                    packed.writestr(name, "x")
            check.keep(wheel, Path(folder, "toolkit"))
            found = [str(path.relative_to(folder)) for path in Path(folder, "toolkit").rglob("*") if path.is_file()]
            self.assertEqual(found, [os.path.join("toolkit", "include", "cublas_api.h")])


if __name__ == "__main__":
    unittest.main()
