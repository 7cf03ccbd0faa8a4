"""plumecast split, merge, subset and stats as their users meet them."""

import json
import os
import subprocess
import unittest
from pathlib import Path

try:
    import h5py
except ImportError:
    h5py = None

from cli_test_case import DATA, OK, PLUMECAST, SYSTEM, USAGE, CliTestCase, no_room_for_files

ROOT = Path(__file__).resolve().parents[2]


class Cases(CliTestCase):
    def setUp(self):
        super().setUp()
        self.sample()

    def rates(self, path):
        """Rates of the cases of a file, which tell the sample's cases apart."""
        stats = json.loads(self.succeed("stats", path, "--json"))
        rate = next(array for array in stats["arrays"] if array["name"] == "injection_rate")
        return stats["cases"], rate["min"], rate["max"]

    def test_splits_and_merges_back(self):
        out = self.succeed("split", "sample.h5", "-o", "parts", "--parts", "train=0.67,test=0.33", "--exact")
        self.assertEqual(out, "parts/train.h5: 2 cases\nparts/test.h5: 1 case\n")
        self.assertEqual(self.succeed("merge", "parts/train.h5", "parts/test.h5", "-o", "all.h5"), "all.h5: 3 cases\n")
        self.assertEqual(self.rates("all.h5"), (3, 0.5, 1.5))
        for path in ("parts/train.h5", "parts/test.h5", "all.h5"):
            self.assertIn("valid", self.succeed("validate", path))

    def test_makes_the_same_bytes_again(self):
        for folder in ("one", "two"):
            self.succeed("split", "sample.h5", "-o", folder, "--parts", "a=0.5,b=0.5", "--exact", "--seed", "4")
        for name in ("a.h5", "b.h5"):
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "two" / name).read_bytes())

    def test_cuts_by_number_and_by_value(self):
        self.succeed("subset", "sample.h5", "-o", "few.h5", "--cases", "0,2")
        self.assertEqual(self.rates("few.h5"), (2, 0.5, 1.5))
        self.succeed("subset", "sample.h5", "-o", "few.h5", "--where", "injection_rate=0.9:2", "--where", "temperature=0:70",
                     "--force")
        self.assertEqual(self.rates("few.h5"), (1, 1.0, 1.0))
        self.succeed("subset", "sample.h5", "-o", "few.h5", "--without-outputs", "--random", "2", "--force")
        self.assertEqual(json.loads(self.succeed("info", "few.h5", "--json"))["outputs"], [])

    def test_tells_statistics_of_active_cells(self):
        text = self.succeed("stats", "sample.h5")
        self.assertRegex(text, r"sample.h5: 3 cases\n")
        self.assertRegex(text, r"injection_rate +0.5 +1.5 +1 +0.40825 ")
        self.succeed("merge", "sample.h5", "sample.h5", "-o", "twice.h5", "--duplicates", "keep")
        self.assertIn("6 cases, 3 of them different", self.succeed("stats", "twice.h5"))

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_warns_of_labels_left_out_but_not_of_the_generators_own(self):
        for name, warned in (("rejected_number", False), ("notes", True)):
            with h5py.File(self.folder / "sample.h5", "a") as file:
                file[f"case/{name}"] = [1, 2, 3, 4, 5]  # of three cases
            errors = self.run_cli("subset", "sample.h5", "-o", f"{name}.h5", "--cases", "0").stderr
            self.assertEqual("/case/notes" in errors, warned, errors)
            self.assertNotIn("rejected", errors)

    def peak_memory(self, *arguments):
        """Largest resident memory of a command [KiB]."""
        process = subprocess.Popen([PLUMECAST, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, OK)
        return usage.ru_maxrss

    def test_hold_a_few_cases_in_memory_whatever_the_size_of_the_file(self):
        if "(Release)" not in self.succeed("version"):
            self.skipTest("a sanitizer keeps memory that was given back")
        few = ROOT / "data" / "radial_sample.h5"
        self.succeed("merge", *6 * [few], "-o", "more.h5", "--duplicates", "keep")
        self.succeed("merge", *6 * ["more.h5"], "-o", "many.h5", "--duplicates", "keep")
        for name, subcommand in (("stats", ["stats"]), ("split", ["split", "--parts", "a=0.5,b=0.5", "-o"]),
                           ("subset", ["subset", "--where", "injection_rate=0:1e3", "-o"]),
                           ("merge", ["merge", "more.h5", "--duplicates", "keep", "-o"])):
            peaks = [self.peak_memory(*subcommand, *([f"{name} of {file.stem}"] if len(subcommand) > 1 else []), file)
                     for file in (few, self.folder / "many.h5")]
            self.assertLess(peaks[1] - peaks[0], 12 * 1024, f"{name}: the cases added take 120 MiB")

    def test_says_what_is_wrong(self):
        self.refuse(USAGE, "split", "sample.h5", "-o", "p", "--parts", "a=0.5", says=["add up to 0.5", "make it 1"])
        self.refuse(USAGE, "split", "sample.h5", "-o", "p", "--parts", "a=half", says=["no NAME=SHARE"])
        self.refuse(USAGE, "split", "sample.h5", "-o", "p", "--parts", "a=0.999,b=0.001", says=["no case of", "part b"])
        self.refuse(DATA, "merge", "sample.h5", "sample.h5", "-o", "m.h5", says=["the same inputs", "--duplicates"])
        self.refuse(USAGE, "merge", "sample.h5", "-o", "m.h5", says=["two data sets or more"])
        self.refuse(USAGE, "subset", "sample.h5", "-o", "s.h5", "--cases", "7", says=["no cases 7 to 7", "0 to 2"])
        self.refuse(USAGE, "subset", "sample.h5", "-o", "s.h5", "--cases", "a", says=["--cases a"])
        self.refuse(USAGE, "subset", "sample.h5", "-o", "s.h5", "--where", "x=1", says=["NAME=LOW:HIGH"])
        self.refuse(SYSTEM, "stats", "missing.h5", says=["missing.h5"])
        self.refuse(SYSTEM, "subset", "sample.h5", "-o", "s.h5", says=["s.h5"], preexec_fn=no_room_for_files)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["sample.h5"])


if __name__ == "__main__":
    unittest.main()
