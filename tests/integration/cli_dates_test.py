"""Dates that a data set states of its cases come back from `report` and `export`, beside days."""

import csv
import json
import struct
import unittest

from cli_test_case import DATA, CliTestCase

try:
    import h5py
except ImportError:
    h5py = None


@unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
class Dates(CliTestCase):
    """Three cases with snapshots after 1, 10 and 100 days."""

    def write_dates(self, *dates, kind=""):
        self.sample(kind)
        with h5py.File(self.folder / "sample.h5", "a") as file:
            file["case/start_date"] = [date.encode() for date in dates]

    def rows(self, path):
        with open(self.folder / path, newline="") as file:
            return list(csv.DictReader(file))

    def json(self):
        return json.loads((self.folder / "out" / "report.json").read_text())

    def start_in_summary(self, folder, name):
        """Day, month, year, hour and minute of STARTDAT."""
        data = (self.folder / folder / f"{name}.SMSPEC").read_bytes()
        at = data.index(b"STARTDAT") + 8 + 4 + 4 + 4 + 4  # count, type, end of the head, begin of the record
        return struct.unpack(">5i", data[at:at + 20])

    def test_of_a_report_are_those_of_each_case(self):
        self.write_dates("2031-03-01", "2040-12-31T18:00:00", "")
        self.succeed("report", "sample.h5", "-o", "out")
        dates = {(row["case"], row["time [day]"]): row["DATE"] for row in self.rows("out/series.csv")}
        self.assertEqual(dates["0", "1"], "2031-03-02")
        self.assertEqual(dates["0", "100"], "2031-06-09")
        self.assertEqual(dates["1", "1"], "2041-01-01")
        self.assertEqual(dates["2", "1"], "2020-01-02")
        self.assertEqual([one["start_date"] for one in self.json()["cases"]], ["2031-03-01", "2040-12-31", "2020-01-01"])
        self.assertEqual(self.json()["start"], "2020-01-01 to 2040-12-31, 2020-01-01 is assumed where the file states no date")
        self.assertEqual({row["DATE"] for row in self.rows("out/percentiles.csv")}, {""}, "they begin on different days")

    def test_of_a_report_are_stated_once_where_all_cases_begin_together(self):
        self.write_dates(*["2031-03-01"] * 3)
        self.succeed("report", "sample.h5", "-o", "out")
        self.assertEqual(self.json()["dates"], ["2031-03-02", "2031-03-11", "2031-06-09"])
        self.assertEqual(self.json()["start"], "2031-03-01, as the file states it")
        self.assertIn("day 0 on 2031-03-01, as the file states it", (self.folder / "out" / "report.html").read_text())

    def test_give_way_to_a_date_that_is_given(self):
        self.write_dates(*["2031-03-01"] * 3)
        self.succeed("report", "sample.h5", "-o", "out", "--start", "2050-01-01")
        self.assertEqual(self.json()["dates"][0], "2050-01-02")
        self.assertEqual(self.json()["start"], "2050-01-01, as given")
        self.succeed("export", "sample.h5", "-o", "files", "--case", "0", "--start", "2050-01-01")
        self.assertEqual(self.start_in_summary("files", "CASE")[:3], (1, 1, 2050))

    def test_of_exported_files_are_those_of_the_case(self):
        self.write_dates("2031-03-01", "2040-12-31T18:30:00", "")
        self.succeed("export", "sample.h5", "-o", "out", "--format", "eclipse", "--format", "csv")
        self.assertEqual(self.start_in_summary("out", "CASE_0000"), (1, 3, 2031, 0, 0))
        self.assertEqual(self.start_in_summary("out", "CASE_0001"), (31, 12, 2040, 18, 30))
        self.assertEqual(self.start_in_summary("out", "CASE_0002"), (1, 1, 2020, 0, 0))
        self.assertEqual([row["DATE"] for row in self.rows("out/CASE_0000_totals.csv")], ["2031-03-02", "2031-03-11", "2031-06-09"])
        self.assertEqual(self.rows("out/CASE_0001_totals.csv")[0]["DATE"], "2041-01-01")

    def test_stay_with_results(self):
        self.write_dates("2031-03-01", "2040-12-31T18:00:00", "", kind="guided")
        self.succeed("estimate", "sample.h5", "-o", "result.h5", "--substeps", "1")
        with h5py.File(self.folder / "result.h5") as file:
            self.assertEqual(list(file["case/start_date"][:]), [b"2031-03-01", b"2040-12-31T18:00:00", b""])

    def test_that_are_none_are_refused(self):
        for text in ("2031-13-01", "1 MAR 2031", "2031-03-01T25:00:00", "2031-03-01T12", "-2031-03-01", "2031-02-30"):
            self.write_dates("2031-03-01", text, "")
            for command in ("report", "export"):
                self.refuse(DATA, command, "sample.h5", "-o", "out",
                          says=[f"/case/start_date of case 1 is '{text}'", "2030-06-01T12:00:00"])


if __name__ == "__main__":
    unittest.main()
