"""The table of quantities: what the pages say of each, which names the faces of the library take from it, and that the figures of a
report are what it says."""

import json
import re
import runpy
import unittest
from pathlib import Path

from cli_test_case import CliTestCase

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
FACES = ["src/reporting", "src/service", "src/inverse/optimization", "src/reservoir/metrics", "apps/subcommands/cases"]
FIGURE_LIKE = re.compile(r"""["']((?:mass|plume|front|review|bottom_hole|max_buildup|mean_pressure|free_share|closing_error|critical_buildup"""
                         r"""|injection_rate|years_since|well_fracture|cell_fracture|fracture_margin)[a-z0-9_.]*)["']""")
# What looks like a figure and is a picture, a file, a section of the page, an array of each case or an entry of a configuration.
NO_FIGURES = {"mass", "mass_ledger", "plume", "plume_extent.csv", "plume_area.csv", "plume_reach", "front", "review",
              "bottom_hole_pressure_wells", "bottom_hole_pressure_limit", "critical_buildup_method", "mass_check.hpp", "front_", "review_", "bottom_hole_", "plume_"}


def cells_of(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def rows_of(document, *heads):
    """{name in back quotes: the row by the heads of its table} of the tables of a page that have these heads."""
    rows, table = {}, None
    for line in (ROOT / "docs" / document).read_text().splitlines():
        if not line.startswith("|"):
            table = None
        elif table is None:
            table = cells_of(line)
        elif set(heads) <= set(table):
            row = dict(zip(table, cells_of(line)))
            names = re.findall(r"`([^`]+)`", row[table[0]])
            for name in names:
                if name.startswith("_"):  # `/inputs/transmissibility_x`, `_y`
                    name = names[0][: -len(name)] + name
                rows.setdefault(name if "/" in name or "/" not in names[0] else names[0].rpartition("/")[0] + "/" + name, row)
    return rows


def limits_in(text):
    numbers = [float(number) for number in NUMBER.findall(text)]
    return (numbers + [None, None])[:1] + [numbers[-1] if len(numbers) > 1 else None]


class Quantities(CliTestCase):
    table = None

    def rows(self, kind):
        type(self).table = self.table or json.loads(self.succeed("quantities", "--json"))
        rows = [row for row in self.table if row["kind"] == kind]
        self.assertTrue(rows, kind)
        return rows

    def figure(self, name):
        """The figure that goes by a name: its own, or one that has a threshold of gas saturation behind it."""
        stem = re.sub(r"_\d[\d.]*$", "", name)
        return next((row for row in self.rows("figure") if row["name"] == (stem if row["is_family"] else name)), None)

    def is_as_documented(self, quantity, row, of_limits):
        with self.subTest(quantity["name"]):
            self.assertEqual(row["unit"].split(",")[0].replace("degrees", "degree"), quantity["unit"])
            self.assertTrue(limits_in(row[of_limits]) == [quantity["low"], quantity["high"]], (row, quantity))

    def test_arrays_are_those_of_the_page(self):
        pages = rows_of("data_format.md", "array", "unit", "admissible")
        for array in self.rows("array"):
            if not re.search("_(low|high)$", array["name"]):  # in the unit of their field
                self.is_as_documented(array, pages[array["path"]], "admissible")

    def test_attributes_are_those_of_the_page(self):
        pages = rows_of("data_format.md", "attribute", "unit")
        for attribute in self.rows("attribute"):
            row = pages[attribute["name"]]
            self.is_as_documented(attribute, row, "admissible" if "admissible" in row else "value")

    def test_numbers_of_cases_are_those_of_the_page(self):
        pages = rows_of("data_format.md", "array", "unit", "values")
        for number in self.rows("of_case"):
            name = number["name"] + ("_FIELD" if number["is_family"] else "")
            self.is_as_documented(number, pages["/case/" + name], "values")

    def test_inputs_worked_out_from_others_are_those_of_the_page(self):
        pages = rows_of("conventions.md", "source", "unit", "values")
        for derived in self.rows("derived"):
            self.is_as_documented(derived, pages[derived["name"]], "values")

    def test_figures_are_those_of_the_page(self):
        pages = rows_of("report.md", "figure", "unit", "values", "key")
        names = [row["name"] + ("_S" if row["is_family"] else "") for row in self.rows("figure")]
        self.assertTrue(list(pages) == names, list(pages))
        for name, figure in zip(names, self.rows("figure")):
            row = pages[name]
            self.is_as_documented(figure, row, "values")
            self.assertEqual(row["key"], figure["key_value"], figure["name"])
            self.assertTrue(row["meaning"].startswith(figure["meaning"]), row)
            self.assertTrue(not figure["formula"] or f"`{figure['formula']}`" in row["meaning"], row)

    def test_every_name_is_there_once_and_has_a_meaning(self):
        for kind in ("array", "attribute", "derived", "of_case", "figure"):
            names = [row["name"] for row in self.rows(kind)]
            self.assertEqual(len(names), len(set(names)))
        for row in self.table:
            self.assertTrue(row["unit"] and row["meaning"] and "\n" not in row["meaning"], row)
            self.assertTrue(None in (row["low"], row["high"]) or row["low"] < row["high"], row)
        titles = [row["title"] for row in self.rows("figure")]
        self.assertEqual(len(titles), len(set(titles)))

    def test_figures_that_faces_name_are_in_the_table(self):
        named, faces = {}, set()
        for face in FACES:
            for path in sorted((ROOT / face).rglob("*")):
                if path.suffix in (".cpp", ".hpp", ".js"):
                    for name in FIGURE_LIKE.findall(path.read_text()):
                        named.setdefault(name, path.name)
                        faces.add(face)
            self.assertIn(face, faces)
        self.assertIn("bottom_hole_pressure", named)
        unknown = {name: file for name, file in named.items() if name not in NO_FIGURES and not self.figure(name)}
        self.assertFalse(unknown, unknown)
        for name in NO_FIGURES:
            self.assertTrue(name in named, name + " is nowhere; leave it out of this list")

    def test_the_page_of_the_service_shows_them_in_their_units(self):
        found = 0
        for path in sorted((ROOT / "src/service/page").rglob("*.js")):
            text = path.read_text()
            pairs = re.findall(r"""\["([a-z_0-9.]+)", "(\w+)"\]""", text) if "const fans" in text else []
            pairs += re.findall(r'"?([a-z_0-9.]+)"?: "(\w+)"', text.partition("const limited = {")[2].partition("}")[0])
            for name, unit in pairs:
                self.assertEqual(self.figure(name)["unit"], unit, name)
            found += len(pairs)
        self.assertGreaterEqual(found, 6)

    def test_the_package_knows_the_units_of_the_format(self):
        known = runpy.run_path(str(ROOT / "python" / "plumecast" / "format.py"))
        units = known["RADIAL"] | known["CARTESIAN"]
        for row in self.rows("array") + self.rows("attribute"):
            self.assertEqual(units[row["name"]][0], row["unit"], row["name"])
        self.assertFalse(units.keys() - {row["name"] for row in self.rows("array") + self.rows("attribute")})

    def test_series_of_a_report_are_what_the_table_says(self):
        self.succeed("estimate", ROOT / "data" / "radial_sample.h5", "-o", "fields.h5", "--substeps", "1")
        self.succeed("report", "fields.h5", "-o", "out", "--case", "1", "--fracture-gradient", "0.16", "--front", "2")
        series = {one["name"]: one for one in json.loads((self.folder / "out" / "report.json").read_text())["series"]}
        values = {name: one["values"][-1] for name, one in series.items()}
        formulas = 0
        for name, one in series.items():
            figure = self.figure(name)
            self.assertIsNotNone(figure, name)
            self.assertEqual(one["unit"], figure["unit"])
            self.assertTrue(one["description"].startswith(figure["meaning"]), one)
            for value in one["values"]:
                if value is not None:
                    self.assertTrue(figure["low"] is None or value >= figure["low"] - 1e-9, (name, value))
            if figure["formula"] and set(re.findall(r"[a-z_]\w*", figure["formula"], re.I)) <= set(values):
                self.assertAlmostEqual(eval(figure["formula"], {}, values), values[name], 6, name)
                formulas += 1
        self.assertEqual(formulas, 4)  # free_share, mass_mobile, mass_balance, closing_error


if __name__ == "__main__":
    unittest.main()
