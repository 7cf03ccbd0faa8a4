"""Commands within the memory of a control group, a container's or a job's. The limit stands in a file of ours that is bound over the group's own,
in a mount namespace that ends with the command: no group of the machine is made or changed."""

import os
import subprocess
import unittest
from pathlib import Path

from cli_test_case import OK, PLUMECAST, SYSTEM, TIME_LIMIT, CliTestCase

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

MODEL = Path(__file__).resolve().parents[2] / "models" / "radial-co2"
RADIAL = Path(__file__).resolve().parents[2] / "data" / "radial_sample.h5"


def fields_of_mount(line):
    """Mount point, type and options of a line of /proc/self/mountinfo."""
    front, back = line.split(" - ", 1)
    kind, _, options = back.split(" ", 2)
    return front.split()[4], kind, options.strip().split(",")


def limit_file():
    """The file that limits the memory of this process's group; None where there is none."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        point, kind, options = fields_of_mount(line)
        is_unified = kind == "cgroup2"
        if not is_unified and not (kind == "cgroup" and "memory" in options):
            continue
        for group in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, name = group.split(":", 2)
            if (controllers == "") if is_unified else ("memory" in controllers.split(",")):
                file = Path(point) / name.lstrip("/") / ("memory.max" if is_unified else "memory.limit_in_bytes")
                if file.exists():
                    return file
    return None


def can_mount():
    """Whether a mount namespace of our own can be had."""
    try:
        return subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@unittest.skipUnless(can_mount(), "no mount namespace can be made (needs root and unshare)")
@unittest.skipUnless(limit_file(), "this process is in no control group that can limit memory")
class ControlGroup(CliTestCase):
    def within(self, mebibytes, *arguments):
        """Runs the executable where its group may use so much memory."""
        (self.folder / "limit").write_text(f"{mebibytes << 20}\n")
        bind = 'mount --bind "$0" "$1" && shift && exec "$@"'
        command = ["unshare", "--mount", "sh", "-c", bind, self.folder / "limit", limit_file(), PLUMECAST, *arguments]
        return subprocess.run(list(map(str, command)), cwd=self.folder, capture_output=True, text=True, timeout=TIME_LIMIT,
                              stdin=subprocess.DEVNULL, env={**os.environ, "OMP_WAIT_POLICY": "passive"})

    def predict(self, mebibytes, output, *arguments):
        return self.within(mebibytes, "predict", MODEL, RADIAL, "-o", output, "--threads", "1", *arguments)

    def test_refusal_names_the_group(self):
        result = self.predict(4, "out.h5")
        self.assertEqual(result.returncode, SYSTEM, result.stderr)
        self.assertRegex(result.stderr, rf"the limit is {limit_file().name} of the control group /")
        self.assertFalse((self.folder / "out.h5").exists())

    def outputs(self, name):
        with h5py.File(self.folder / name) as file:
            return {field: values[()] for field, values in file["outputs"].items()}

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_automatic_batches_fit(self):
        refused = self.predict(48, "out.h5", "--batch", "8")
        self.assertEqual(refused.returncode, SYSTEM, refused.stderr)
        self.assertRegex(refused.stderr, r"batches of 8 cases do not fit .*; use --batch \d or --batch auto")
        for mebibytes, output in ((48, "tight.h5"), (2048, "wide.h5")):
            result = self.predict(mebibytes, output, "--batch", "auto")
            self.assertEqual(result.returncode, OK, result.stderr)
        wide = self.outputs("wide.h5")
        for field, values in self.outputs("tight.h5").items():  # convolutions round by the size of a batch
            numpy.testing.assert_allclose(values, wide[field], rtol=0, atol=1e-6 * numpy.nanmax(wide[field]), err_msg=field)


if __name__ == "__main__":
    unittest.main()
