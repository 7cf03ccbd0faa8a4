"""check_toolkits.py compiles every source of the CUDA backend with CUDA 12, by what there is."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from source_tree import load

check = load("scripts/ci/check_toolkits.py")


class CheckToolkits(unittest.TestCase):
    def run_with(self, clang, parts=("headers",), program="/bin/true"):
        """What main() gives where those parts can be fetched; a fetched compiler is `program`."""
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(check, "installed_compiler", lambda: f"{folder}/bin/nvcc" if "compiler" in parts else None), \
                mock.patch.object(check, "fetched", lambda *asked: set(asked) <= set(parts)), \
                mock.patch.object(check.fetch_cuda_12, "FOLDER", Path(folder)), \
                mock.patch.object(check, "dnn_headers", lambda: "/nowhere"), \
                mock.patch.object(check, "commands", lambda headers, compiler, dnn: [[clang or "/bin/true", "a.cu"], ["/bin/true", "b.cpp"]]), \
                mock.patch.object(check.shutil, "which", lambda name: clang if "clang" in name else None), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            Path(folder, "bin").mkdir()
            Path(folder, "bin/nvcc").symlink_to(program)
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
        self.assertIn("1 of 2 sources fail", said)

    def test_prefers_the_compiler_of_12_to_clang(self):
        sources = len(list(Path("src/backend/cuda").rglob("*.cu")))
        both = ("headers", "compiler")
        status, said = self.run_with("/bin/false", both)
        self.assertEqual(status, 0)
        self.assertRegex(said, rf"all {sources + 1} sources pass nvcc of .*/bin/nvcc")
        status, said = self.run_with("/bin/true", both, "/bin/false")
        self.assertEqual(status, 1)
        self.assertIn(f"{sources} of {sources + 1} sources fail", said)

    def test_fails_where_a_compiler_does_not_end(self):
        with mock.patch.object(check, "MOST_SECONDS", 0.1):
            status, said = check.compiled(["sh", "-c", "sleep 60; true"])
        self.assertEqual(status, 1)
        self.assertIn("not done after 0.1 s", said)

    def test_is_skipped_without_compiler_or_headers(self):
        self.assertEqual(self.run_with(None)[0], 77)
        self.assertEqual(self.run_with("/bin/true", parts=())[0], 77)

    def test_says_why_nothing_could_be_fetched(self):
        def refused(*_):
            raise check.fetch_cuda_12.Unavailable("no network")
        with mock.patch.object(check.fetch_cuda_12, "fetched", refused), contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertFalse(check.fetched("headers"))
        self.assertIn("no network", said.getvalue())


if __name__ == "__main__":
    unittest.main()
