import struct
import unittest
from pathlib import Path

from cli_test_case import DATA, USAGE, CliTestCase

DATA_FOLDER = Path(__file__).resolve().parents[2] / "data"
RADIAL, BOX = DATA_FOLDER / "radial_sample.h5", DATA_FOLDER / "box_sample.h5"


class PlotTestCase(CliTestCase):
    def plot(self, *arguments):
        """The bytes of a picture, with how many columns and rows of panels it has."""
        text = self.succeed("plot", *arguments, "-o", "p.png")
        self.assertIn("p.png: case", text)
        picture = (self.folder / "p.png").read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG"))
        width, height = struct.unpack(">II", picture[16:24])
        columns, rows = (width / 2 - 92 - 104 + 18) / 318, (height / 2 - 64 - 48 + 18) / 148
        return picture, columns, rows


class Inputs(PlotTestCase):
    def test_are_drawn_one_below_the_other(self):
        picture, columns, rows = self.plot(RADIAL, "--inputs", "--case", "2")
        self.assertEqual((columns, rows), (1, 4))
        self.assertNotEqual(self.plot(RADIAL, "--inputs", "--case", "2", "--linear-radius")[0], picture)
        self.assertNotEqual(self.plot(RADIAL, "--inputs", "--case", "1")[0], picture)
        self.assertEqual(self.plot(RADIAL, "--inputs", "--case", "2", "--log-radius")[0], picture)

    def test_are_drawn_by_name_alone_and_above_fields(self):
        self.assertEqual(self.plot(RADIAL, "--field", "porosity", "--field", "active")[1:], (1, 2))
        both = self.plot(RADIAL, "--field", "permeability_r", "--field", "gas_saturation", "--time", "365", "--time", "last")
        self.assertEqual(both[1:], (2, 2))

    def test_of_a_box_are_drawn_in_a_section(self):
        self.assertEqual(self.plot(BOX, "--inputs")[1:], (1, 6))
        self.assertNotEqual(self.plot(BOX, "--field", "permeability_x")[0],
                            self.plot(BOX, "--field", "permeability_x", "--section", "y")[0])

    def test_are_offered_for_a_file_without_fields(self):
        self.sample("inputs", "inputs.h5")
        self.refuse(DATA, "plot", "inputs.h5", "-o", "p.png", says=["inputs.h5", "no field to draw", "--inputs"])
        self.assertEqual(self.plot("inputs.h5", "--inputs")[1:], (1, 4))

    def test_are_named_where_a_name_is_unknown(self):
        self.refuse(USAGE, "plot", RADIAL, "--field", "permeability", "-o", "p.png",
                  says=["no field 'permeability'", "gas_saturation", "permeability_r", "perforation"])
        self.refuse(USAGE, "plot", RADIAL, "--inputs", "--time", "30", "-o", "p.png", says=["--time 30", "same at all"])


class Scenarios(PlotTestCase):
    def test_of_one_file_share_a_scale_and_have_a_difference(self):
        arguments = (RADIAL, "--field", "gas_saturation", "--time", "last")
        one_way, columns, rows = self.plot(*arguments, "--case", "1", "--beside-case", "2")
        self.assertEqual((columns, rows), (1, 3))
        self.assertNotEqual(self.plot(*arguments, "--case", "2", "--beside-case", "1")[0], one_way)
        self.assertEqual(self.plot(RADIAL, "--inputs", "--case", "1", "--beside-case", "2")[1:], (1, 12))

    def test_of_two_files_are_the_same_case_unless_named(self):
        self.succeed("subset", RADIAL, "-o", "first.h5", "--cases", "0-2")
        self.succeed("subset", RADIAL, "-o", "second.h5", "--cases", "3-5")
        plain = self.plot("first.h5", "--beside", "second.h5", "--case", "1")[0]
        self.assertEqual(self.plot("first.h5", "--beside", "second.h5", "--case", "1", "--beside-case", "1")[0], plain)
        self.assertNotEqual(self.plot("first.h5", "--beside", "second.h5", "--case", "1", "--beside-case", "2")[0], plain)
        text = self.succeed("plot", "first.h5", "--beside", "second.h5", "-o", "p.svg")
        self.assertIn("case 0 of first.h5 beside case 0 of second.h5, gas_saturation and pressure_buildup", text)

    def test_without_fields_are_compared_by_their_inputs(self):
        self.succeed("subset", RADIAL, "-o", "inputs.h5", "--cases", "0-2", "--without-outputs")
        self.refuse(DATA, "plot", RADIAL, "--beside", "inputs.h5", "-o", "p.png", says=["no field to draw", "--inputs"])
        self.assertEqual(self.plot(RADIAL, "--beside", "inputs.h5", "--field", "porosity")[1:], (1, 3))

    def test_of_other_grids_and_cases_that_do_not_exist_are_refused(self):
        self.sample()
        self.refuse(USAGE, "plot", RADIAL, "--beside", "sample.h5", "-o", "p.png", says=["side by side", "grids differ"])
        self.refuse(USAGE, "plot", RADIAL, "--beside", BOX, "-o", "p.png", says=["side by side"])
        self.refuse(USAGE, "plot", RADIAL, "--beside-case", "99", "-o", "p.png", says=["--beside-case 99", "no such case"])
        self.refuse(USAGE, "plot", RADIAL, "--beside-case", "1", "--compare", RADIAL, "-o", "p.png", says=["--compare"])


class Radius(PlotTestCase):
    def test_cuts_the_picture_where_asked_for(self):
        pictures = {self.plot(RADIAL, "--radius", metres)[0] for metres in ("500", "5000", "2e5", "1e6")}
        self.assertEqual(len(pictures), 3, "beyond the grid there is nothing")

    def test_is_refused_where_it_shows_nothing(self):
        self.refuse(USAGE, "plot", RADIAL, "--radius", "0.01", "-o", "p.png", says=["--radius 0.01"])
        self.refuse(USAGE, "plot", RADIAL, "--radius", "-5", "-o", "p.png", says=["--radius"])
        self.refuse(USAGE, "plot", BOX, "--radius", "500", "-o", "p.png", says=["--radius", "Cartesian"])
        self.refuse(USAGE, "plot", BOX, "--linear-radius", "-o", "p.png", says=["--linear-radius", "Cartesian"])


if __name__ == "__main__":
    unittest.main()
