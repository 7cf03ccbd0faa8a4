"""What decks and runs say beside their arrays: import applies, refuses or names it, and the data set goes on saying it."""

import json
import shutil
import unittest

from cli_import_test import ROOT, ImportTestCase, h5py
from cli_test_case import DATA, OK, CliTestCase

VALUES = {"injection_rate": 0.5, "temperature": 60, "initial_pressure": 100, "times": [365],
          "wells": [{"i": 1, "j": 1, "layers": [1, 2], "rate": 0.5}]}
LEFT_OUT = "FAULTS, MULTFLT are left out: a data set holds no faults; its inputs tell flow by permeability and geometry alone"


def box_text(depths=(1000, 1010, 1010, 1020), porosity="24*0.2"):
    """A box of 4 x 3 x 2 cells of 100 m x 100 m x 10 m with its rock, as text of a deck."""
    pillars = "".join(f" {x} {y} 1000 {x} {y} 1020\n" for y in range(0, 301, 100) for x in range(0, 401, 100))
    corners = "".join(f" 48*{depth}\n" for depth in depths)
    return (f"SPECGRID\n 4 3 2 1 F /\nCOORD\n{pillars}/\nZCORN\n{corners}/\nPORO\n {porosity} /\n"
            "PERMX\n 24*100 /\nPERMY\n 24*100 /\nPERMZ\n 24*10 /\n")


class Decks(CliTestCase):
    def setUp(self):
        super().setUp()
        (self.folder / "values.json").write_text(json.dumps(VALUES))

    def bring(self, text, output="data.h5", name="model.grdecl"):
        """Imports a text; returns what it was warned of."""
        (self.folder / name).write_text(text)
        result = self.run_cli("import", name, "-o", output, "--values", "values.json")
        self.assertEqual(result.returncode, OK, result.stderr)
        return result.stderr

    def test_names_what_the_data_set_cannot_carry_and_every_command_repeats_it(self):
        faults = "FAULTS\n 'F1' 2 2 1 3 1 2 X /\n 'F2' 1 4 2 2 1 2 Y /\n/\nMULTFLT\n 'F1' 0.1 /\n 'F2' 0.0 /\n/\n"
        self.assertIn(f"plumecast: warning: {LEFT_OUT}\n", self.bring(faults + box_text()))
        self.assertEqual(self.succeed("validate", "data.h5"), f"note    {LEFT_OUT}\ndata.h5: valid\n")
        self.assertEqual(json.loads(self.succeed("validate", "data.h5", "--json"))["notes"], [{"text": LEFT_OUT, "cases": [0]}])
        self.assertIn(f"  note      {LEFT_OUT}\n", self.succeed("info", "data.h5"))
        self.assertEqual(json.loads(self.succeed("info", "data.h5", "--json"))["notes"], [{"text": LEFT_OUT, "cases": [0]}])
        self.assertNotIn("warning", self.bring(box_text(porosity="24*0.3"), "plain.h5"))
        self.assertEqual(self.succeed("validate", "plain.h5"), "plain.h5: valid\n")
        self.succeed("merge", "plain.h5", "data.h5", "-o", "both.h5")
        self.assertIn(f"note    {LEFT_OUT} (case 1)\n", self.succeed("validate", "both.h5"))
        self.succeed("subset", "both.h5", "-o", "one.h5", "--cases", "1")
        self.assertIn(f"note    {LEFT_OUT}\n", self.succeed("validate", "one.h5"))

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_many_notes_are_counted_in_info_and_listed_by_validate(self):
        shutil.copy(ROOT / "data" / "radial_sample.h5", self.folder / "data.h5")
        with h5py.File(self.folder / "data.h5", "a") as file:
            file["case/notes"] = [f"first of {case}\nsecond of {case}".encode() for case in range(8)]
        lines = [line for line in self.succeed("info", "data.h5").splitlines() if line.startswith("  note ")]
        self.assertEqual(len(lines), 11)
        self.assertEqual(lines[-1], "  note      6 further notes, which 'plumecast validate' lists")
        self.assertEqual(self.succeed("validate", "data.h5").count("note    "), 16)
        self.assertEqual(len(json.loads(self.succeed("info", "data.h5", "--json"))["notes"]), 16)

    def test_places_the_model_on_the_map(self):
        axes = "MAPUNITS\n METRES /\nMAPAXES\n 431000 6521100 431000 6521000 431100 6521000 /\nGRIDUNIT\n METRES /\n"
        self.bring(axes + box_text())
        self.assertIn("origin at x 431000 m, y 6521000 m\n", self.succeed("info", "data.h5"))

    def test_refuses_what_turns_the_model_over(self):
        for text, says in ((box_text(depths=(1020, 1010, 1010, 1000)), "layers are numbered upwards"),
                           (box_text() + "OPERATER\n 'PORO' 2 'MULTX' 'PORO' 0.5 /\n/\n", "OPERATER changes arrays")):
            (self.folder / "model.grdecl").write_text(text)
            self.refuse(DATA, "import", "model.grdecl", "-o", "data.h5", "--values", "values.json", says=[says])


class DecksOfRuns(ImportTestCase):
    def test_reads_the_deck_beside_a_run_and_reports_it(self):
        self.write_run()
        (self.folder / "faults.inc").write_text("MULTFLT\n 'F1' 0.1 /\n/\n")
        (self.folder / "CASE.DATA").write_text("RUNSPEC\nSATOPTS\n HYSTER /\nGRID\nINCLUDE\n 'faults.inc' /\nEND\n")
        result = self.run_cli("import", "CASE", "-o", "data.h5", "--values", "values.json",
                              "--set", "perforation=[0, 10]")
        self.assertEqual(result.returncode, OK, result.stderr)
        for name in ("MULTFLT", "SATOPTS HYSTER"):
            self.assertIn(f"plumecast: warning: {name} is left out: ", result.stderr)
        reported = self.run_cli("report", "data.h5", "-o", "report")
        self.assertEqual(reported.returncode, OK, reported.stderr)
        self.assertIn("plumecast: warning: SATOPTS HYSTER is left out: ", reported.stderr)
        self.assertIn("Note: SATOPTS HYSTER is left out: ", (self.folder / "report" / "report.html").read_text())
        notes = json.loads((self.folder / "report" / "report.json").read_text())["notes"]
        self.assertEqual([note.split(" is left out")[0] for note in notes], ["MULTFLT", "SATOPTS HYSTER"])


if __name__ == "__main__":
    unittest.main()
