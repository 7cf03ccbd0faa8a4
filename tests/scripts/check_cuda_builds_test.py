"""check_cuda_builds.py builds both presets with every toolkit and says what was built for what."""
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from source_tree import load

check = load("scripts/ci/check_cuda_builds.py")


def commands_for(*architectures):
    codes = " ".join(f"--generate-code=arch=compute_{number},code=[sm_{number}]" for number in architectures)
    return {"file": "a.cu", "command": f"nvcc {codes} -c a.cu"}


class CheckCudaBuilds(unittest.TestCase):
    def run_with(self, toolkits, build):
        with mock.patch.object(check, "toolkits", lambda named: toolkits), mock.patch.object(check, "build", build), \
                mock.patch.object(check.sys, "argv", ["check_cuda_builds.py"]), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            return check.main(), said.getvalue().splitlines()[-1]

    def test_names_the_architectures_that_every_source_is_compiled_for(self):
        with tempfile.TemporaryDirectory() as folder:
            entries = [commands_for(80, 90, 120), commands_for(80, 90), {"file": "b.cpp", "command": "g++ -c b.cpp"}]
            Path(folder, "compile_commands.json").write_text(json.dumps(entries))
            self.assertEqual(check.built_for(Path(folder)), (80, 90))

    def test_says_what_was_built_and_which_toolkit_is_not_here(self):
        tried = []
        status, line = self.run_with([("13.0", "nvcc")], lambda preset, nvcc, version: tried.append(preset) or "")
        self.assertEqual((status, tried), (0, ["cuda", "cuda-mpi"]))
        self.assertEqual(line, "CUDA builds: cuda and cuda-mpi with CUDA 13.0 for 80, 90, 100, 120; no toolkit 12.x is here")

    def test_fails_where_one_build_of_several_does(self):
        both = [("12.4", "old/nvcc"), ("13.0", "new/nvcc")]
        status, line = self.run_with(both, lambda preset, nvcc, version: "bad" if version == "12.4" and preset == "cuda" else "")
        self.assertEqual((status, line), (1, "CUDA builds: 1 fail"))

    def test_is_skipped_without_a_toolkit(self):
        self.assertEqual(self.run_with([], lambda *_: "")[0], 77)

    def test_takes_a_toolkit_that_is_found_twice_once(self):
        with mock.patch.object(check, "compiler", lambda: "main/nvcc"), \
                mock.patch.object(check.shutil, "which", lambda name, path: f"{path}/nvcc"), \
                mock.patch.object(check.glob, "glob", lambda pattern: ["/opt/12.4", "/opt/13.0"]), \
                mock.patch.object(check, "version_of", lambda nvcc: "12.4" if "12.4" in nvcc else "13.0"), \
                mock.patch.object(check, "compiler_of_12", lambda part: None), \
                mock.patch.dict(check.os.environ, {"CUDA12_HOME": ""}):
            self.assertEqual(sorted(check.toolkits([])), [("12.4", "/opt/12.4/bin/nvcc"), ("13.0", "main/nvcc")])

    def test_takes_a_toolkit_12_that_was_fetched_to_link_where_none_is_installed(self):
        asked = []
        with mock.patch.object(check, "compiler", lambda: "main/nvcc"), mock.patch.object(check.glob, "glob", lambda pattern: []), \
                mock.patch.object(check, "version_of", lambda nvcc: "12.4" if "12.4" in nvcc else "13.0"), \
                mock.patch.object(check, "compiler_of_12", lambda part: asked.append(part) or "cuda-12.4/bin/nvcc"), \
                mock.patch.dict(check.os.environ, {"CUDA12_HOME": ""}):
            self.assertEqual(sorted(check.toolkits([])), [("12.4", "cuda-12.4/bin/nvcc"), ("13.0", "main/nvcc")])
        self.assertEqual(asked, ["libraries"])

    def test_gives_cmake_the_whole_path_of_a_compiler(self):
        commands = []

        def refused(command, **_):
            commands.append(command)
            return check.subprocess.CompletedProcess(command, 1)
        with mock.patch.object(check.subprocess, "run", refused):
            self.assertEqual(check.build("cuda", "build/toolkit/bin/nvcc", "12.4"), "cuda with CUDA 12.4: cmake --preset fails")
        paths = [word.partition("=")[2] for word in commands[0] if word.startswith("-DCMAKE_CUDA_COMPILER=")]
        self.assertEqual([Path(path).is_absolute() for path in paths], [True])

    def test_builds_nccl_in_where_ranks_can_use_it(self):
        with mock.patch.object(check.Path, "exists", lambda path: str(path) == "/usr/local/include/nccl.h"):
            self.assertEqual(check.nccl_options("cuda-mpi"), ["-DPLUMECAST_NCCL=ON", "-DPLUMECAST_NCCL_INCLUDE_DIR=/usr/local/include"])
            self.assertEqual(check.nccl_options("cuda"), [])
        with mock.patch.object(check.Path, "exists", lambda path: False):
            self.assertEqual(check.nccl_options("cuda-mpi"), [])

    def test_refuses_a_build_that_lacks_an_architecture(self):
        with mock.patch.object(check.subprocess, "run", lambda *_, **__: mock.Mock(returncode=0)), \
                mock.patch.object(check, "built_for", lambda folder: (80, 90)):
            self.assertEqual(check.build("cuda", "nvcc", "12.4"), "")
            self.assertIn("machine code for (80, 90), not for (80, 90, 100, 120)", check.build("cuda", "nvcc", "13.0"))


if __name__ == "__main__":
    unittest.main()
