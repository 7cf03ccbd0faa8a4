"""Subcommands that write, on a disk that fills up at every place of their work: one line names a file and what to do, and every
file that is there is complete, byte for byte the one that an undisturbed run writes."""

import resource
import shutil
import subprocess
import tempfile
import unittest

from cli_test_case import PLUMECAST, SYSTEM, TIME_LIMIT, CliTestCase

LIMITS = (0, 100, 1000, 3000, 8000, 20000)  # bytes that a file may have
SIZES = ("16k", "32k", "64k")  # of a disk
CALLS = {
    "export": ["export", "sample.h5", "-o", "{out}/files", "--format", "eclipse", "--format", "vtk", "--format", "xdmf",
               "--format", "csv", "--jobs", "1"],
    "report": ["report", "sample.h5", "-o", "{out}/files"],
    "split": ["split", "sample.h5", "-o", "{out}/files", "--parts", "a=0.5,b=0.5", "--exact"],
    "subset": ["subset", "sample.h5", "-o", "{out}/few.h5", "--cases", "0,2"],
    "merge": ["merge", "one.h5", "rest.h5", "-o", "{out}/all.h5"],
    "import of runs": ["import", "runs/CASE_0000", "runs/CASE_0001", "-o", "{out}/data.h5", "--values", "values.json"],
}


def disk_of(size, folder, call):
    """Shell command that makes the call with a small disk in place of `folder`, and copies what is there then."""
    words = " ".join(f"'{word}'" for word in call)
    return (f"mount -t tmpfs -o size={size} tmpfs {folder} && {{ {words}; code=$?; "
            f"cp -r {folder}/. kept/; exit $code; }}")


def may_mount():
    with tempfile.TemporaryDirectory() as folder:
        command = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", folder]
        return shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0


class FullDisk(CliTestCase):
    def setUp(self):
        super().setUp()
        self.sample()
        self.succeed("export", "sample.h5", "-o", "runs", "--sectors", "1")
        (self.folder / "values.json").write_text(
            '{"surface_density": 1.868, "temperature": 60, "irreducible_water_saturation": 0.2, '
            '"van_genuchten_lambda": 0.5, "initial_pressure": 100, "perforation": [0, 10]}')
        self.succeed("subset", "sample.h5", "-o", "one.h5", "--cases", "0")
        self.succeed("subset", "sample.h5", "-o", "rest.h5", "--cases", "1-2")

    def content(self, folder):
        """Bytes of every file below a folder; reports name their own folder nowhere, so they compare too."""
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def expect_message(self, errors, folder):
        lines = [line for line in errors.splitlines() if line.startswith("plumecast: error: ")]
        self.assertEqual(len(lines), 1, errors)
        self.assertIn(folder, lines[0])
        self.assertNotIn("partial", lines[0])
        self.assertIn("free space", lines[0])

    def expect_whole_files(self, found, whole, subcommand):
        for path, content in found.items():
            self.assertIn(path, whole, f"{subcommand} left {path}")
            if path.suffix not in (".html", ".json", ".pdf"):  # these tell when they were made
                self.assertEqual(content, whole[path], f"{subcommand} left {path} incomplete")

    def check(self, subcommand, attempts):
        """Each attempt (code, errors, folder) fails as it should or, where there was room, is complete."""
        call = CALLS[subcommand]
        undisturbed = self.folder / "undisturbed"
        undisturbed.mkdir()
        self.succeed(*(word.format(out="undisturbed") for word in call))
        whole = self.content(undisturbed)
        failures = 0
        for code, errors, folder in attempts([word.format(out="out") for word in call]):
            found = self.content(folder)
            self.expect_whole_files(found, whole, subcommand)
            if code == 0:
                self.assertEqual(found.keys(), whole.keys())
            else:
                self.assertEqual(code, SYSTEM, errors)
                self.expect_message(errors, "out")
                failures += 1
        self.assertGreater(failures, 0, f"{subcommand} never ran out of room")

    def limited(self, call):
        for limit in LIMITS:
            out = self.folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            result = self.run_cli(*call, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            yield result.returncode, result.stderr, out

    def on_small_disks(self, call):
        for size in SIZES:
            for name in ("out", "kept"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
                (self.folder / name).mkdir()
            result = subprocess.run(["unshare", "-rm", "sh", "-c", disk_of(size, "out", [PLUMECAST, *call])],
                                    cwd=self.folder, text=True, capture_output=True, timeout=TIME_LIMIT)
            yield result.returncode, result.stderr, self.folder / "kept"

    def test_files_that_may_not_grow(self):
        for subcommand in CALLS:
            with self.subTest(subcommand):
                self.check(subcommand, self.limited)
                shutil.rmtree(self.folder / "undisturbed")

    @unittest.skipUnless(may_mount(), "a small disk cannot be mounted here (unshare -rm)")
    def test_disks_that_fill_up(self):
        for subcommand in CALLS:
            with self.subTest(subcommand):
                self.check(subcommand, self.on_small_disks)
                shutil.rmtree(self.folder / "undisturbed")


if __name__ == "__main__":
    unittest.main()
