"""An executable without pictures has the subcommands that draw, says that it cannot, and does the rest."""
import os
import unittest
from pathlib import Path
from unittest import mock

import cli_test_case
from cli_test_case import USAGE, CliTestCase

WITHOUT = str(Path(os.environ["PLUMECAST_BUILD"]) / "apps/plumecast_without_pictures")


class WithoutPicturesTest(CliTestCase):
    def setUp(self):
        super().setUp()
        executable = mock.patch.object(cli_test_case, "PLUMECAST", WITHOUT)
        executable.start()
        self.addCleanup(executable.stop)

    def test_refuses_to_draw_with_the_remedy(self):
        self.sample()
        for arguments in (("plot", "sample.h5", "-o", "plot.png"), ("curve", "run", "-o", "curve.png"),
                          ("report", "sample.h5", "-o", "report", "--threshold", "0.05"), ("plot",)):
            self.refuse(USAGE, *arguments, says=[arguments[0], "this build leaves pictures out", "-DPLUMECAST_PICTURES=ON"])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["sample.h5"])

    def test_helps_with_what_is_not_there(self):
        for words in ["--help"], ["report", "--help"]:
            self.assertIn("not in this build", " ".join(self.succeed(*words).split()))  # CLI11 2.6 breaks lines

    def test_exports(self):
        self.sample()
        self.succeed("export", "sample.h5", "-o", "exported", "--format", "csv")
        self.assertGreater(len(list((self.folder / "exported").iterdir())), 0)


if __name__ == "__main__":
    unittest.main()
