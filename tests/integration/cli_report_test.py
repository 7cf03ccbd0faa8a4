"""Reports on fields, and the messages for bad inputs."""

import csv
import json
import unittest
from html.parser import HTMLParser

from cli_test_case import DATA, INTERRUPTED, SYSTEM, USAGE, CliTestCase, no_room_for_files

VOID = {"meta", "img", "br", "link", "input"}


class Balance(HTMLParser):
    """Checks that elements close in order, and collects what the page refers to."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], set(), []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes another element")


class Report(CliTestCase):
    def table(self, name):
        with open(self.folder / "out" / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_writes_tables_json_and_pictures_that_agree(self):
        self.sample()
        self.assertIn("report.html", self.succeed("report", "sample.h5", "-o", "out", "--fracture-gradient", "0.16"))
        report = json.loads((self.folder / "out" / "report.json").read_text())
        self.assertEqual([one["case"] for one in report["cases"]], [0, 1, 2])
        series = {one["name"]: one for one in report["series"]}
        rows = [row for row in self.table("series.csv") if row["time [day]"] == "100"]
        middle = sorted(float(row["max_buildup [bar]"]) for row in rows)[1]
        self.assertAlmostEqual(series["max_buildup"]["p50_middle"][-1], middle, places=4)
        self.assertLessEqual(series["max_buildup"]["p90_low"][-1], series["max_buildup"]["p10_high"][-1])
        self.assertIn("fracture_margin", series)
        self.assertEqual(rows[0]["DATE"], "2020-04-10")
        for name in ("plume_radius", "bottom_hole_pressure", "probability_plume", "gas_saturation"):
            self.assertEqual((self.folder / f"out/pictures/{name}.png").read_bytes()[:4], b"\x89PNG")
            self.assertEqual((self.folder / f"out/pictures/{name}.pdf").read_bytes()[:4], b"%PDF")

    def test_says_what_is_exceeded_which_depth_it_took_and_what_it_did_not_compute(self):
        self.sample()
        said = self.succeed("report", "sample.h5", "-o", "out", "--fracture-pressure", "300")
        self.assertIn("of 3 cases (", said)
        self.assertIn("Clopper-Pearson) exceed 90 % of the fracture pressure", said)
        self.assertIn("depth of the top of the formation: ", said)
        self.assertIn("computed: where fresh water at rest has the initial pressure", said)
        self.assertIn("area of review: not computed: give the critical build-up of your site with --front", said)
        self.assertFalse((self.folder / "out/pictures/review_radius.png").exists())
        rows = self.table("exceedance.csv")
        self.assertEqual([row["limit"] for row in rows][0], "fracture_pressure")
        self.assertLessEqual(float(rows[0]["interval_low"]), float(rows[0]["share"]))

    def test_computes_the_area_of_review_from_what_the_critical_build_up_needs(self):
        self.sample()
        said = self.succeed("report", "sample.h5", "-o", "out", "--water-depth", "200", "--brine-density", "1100",
                            "--top-depth", "2500")
        self.assertNotIn("not computed", said)
        self.assertIn("as given", said)
        row = self.table("cases.csv")[0]
        self.assertGreater(float(row["critical_buildup [bar]"]), 0)
        self.assertIn("review_area [m2]", row)
        self.refuse(USAGE, "report", "sample.h5", "-o", "out", "--water-depth", "200", says=["--brine-density"])
        self.refuse(USAGE, "report", "sample.h5", "-o", "out", "--water-depth", "200", "--brine-density", "1100",
                  "--water-density", "1000", "--water-pressure", "20", says=["--water-density", "--water-pressure"])
        self.refuse(USAGE, "report", "sample.h5", "-o", "out", "--water-depth", "200", "--brine-density", "1100",
                  says=["no critical build-up can be computed", "depth of the formation is not known"])
        self.refuse(USAGE, "report", "sample.h5", "-o", "out", "--water-depth", "200", "--brine-density", "1100",
                  "--front", "3", says=["--front"])

    def test_makes_a_sound_page_without_outside_resources(self):
        self.sample()
        self.succeed("report", "sample.h5", "-o", "out")
        page = Balance()
        page.feed((self.folder / "out" / "report.html").read_text())
        self.assertEqual(page.open, [])
        for link in page.links:
            self.assertTrue(link.startswith("data:") or link[1:] in page.ids, link)

    def test_writes_gen_data_of_one_case(self):
        self.sample()
        self.succeed("report", "sample.h5", "-o", "out", "--case", "1", "--gen-data")
        numbers = (self.folder / "out/gen_data/max_buildup_0").read_text().split()
        self.assertEqual([float(n) for n in numbers],
                         [float(row["max_buildup [bar]"]) for row in self.table("series.csv")])

    def test_takes_a_fracture_pressure_per_case(self):
        self.sample()
        (self.folder / "limits.txt").write_text("\ufeff200\n300\n400\n")  # as spreadsheets write it
        self.succeed("report", "sample.h5", "-o", "out", "--fracture-pressure", "limits.txt")
        each = [float(row["cell_fracture_margin [bar]"]) for row in self.table("cases.csv")]
        self.succeed("report", "sample.h5", "-o", "out", "--fracture-pressure", "300")
        same = [float(row["cell_fracture_margin [bar]"]) for row in self.table("cases.csv")]
        for one, other, by in zip(each, same, (-90, 0, 90)):
            self.assertAlmostEqual(one - other, by, places=4)

    def test_refuses_bad_inputs_with_a_message(self):
        self.sample()
        self.sample("inputs", "inputs.h5")
        out = ("-o", "out")
        self.refuse(SYSTEM, "report", "nothing.h5", *out, says=["nothing.h5"])
        self.refuse(DATA, "report", "inputs.h5", *out, says=["no /outputs", "plumecast predict"])
        self.refuse(USAGE, "report", "sample.h5", *out, "--case", "3", says=["no case 3"])
        self.refuse(USAGE, "report", "sample.h5", *out, "--threshold", "1.2", says=["threshold 1.2", "below 1"])
        self.refuse(USAGE, "report", "sample.h5", *out, "--front", "-1", says=["--front"])
        self.refuse(USAGE, "report", "sample.h5", *out, "--fracture-pressure", "-3", says=["above zero"])
        self.refuse(SYSTEM, "report", "sample.h5", *out, "--fracture-pressure", "none.txt", says=["none.txt"])
        (self.folder / "limits.txt").write_text("200\nmany\n")
        self.refuse(DATA, "report", "sample.h5", *out, "--fracture-pressure", "limits.txt", says=["line 2", "many"])
        (self.folder / "limits.txt").write_text("200\n")
        self.refuse(USAGE, "report", "sample.h5", *out, "--fracture-pressure", "limits.txt",
                  says=["no fracture pressure of case 1"])
        (self.folder / "limits.txt").write_text("200\n300\n400\n500\n")
        self.refuse(USAGE, "report", "sample.h5", *out, "--fracture-pressure", "limits.txt",
                  says=["4 fracture pressures are given", "3 cases"])
        self.refuse(USAGE, "report", "sample.h5", *out, "--gen-data", says=["GEN_DATA of 3 cases", "--case"])
        self.assertFalse((self.folder / "out" / "report.html").exists())

    def test_writes_nothing_when_interrupted(self):
        self.sample("many")
        code, errors = self.interrupt(lambda: True, "report", "sample.h5", "-o", "out")
        self.assertEqual(code, INTERRUPTED, errors)
        self.assertFalse((self.folder / "out").exists())

    def test_names_an_output_that_cannot_be_written(self):
        self.sample()
        (self.folder / "file").write_text("")
        self.refuse(SYSTEM, "report", "sample.h5", "-o", "file/out", says=["file"])
        self.refuse(SYSTEM, "report", "sample.h5", "-o", "out", preexec_fn=no_room_for_files, says=["out"])
        self.assertFalse((self.folder / "out" / "report.html").exists())


if __name__ == "__main__":
    unittest.main()
