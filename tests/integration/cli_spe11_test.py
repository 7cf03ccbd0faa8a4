"""The benchmark SPE11B on 84 x 30 cells: physics beside the simulator, and the sparse data (docs/spe11.md)."""

import csv
import math
import subprocess
import unittest
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np

from cli_test_case import DATA, USAGE, CliTestCase

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data" / "spe11b_84x30.h5"
YEAR = 365.0  # of the benchmark


class Spe11b(CliTestCase):
    def ledger(self, fields, *options):
        """Rows of the ledger by year, masses in Mt."""
        report = self.folder / f"report_{Path(fields).stem}"
        self.run_cli("report", str(fields), "-o", str(report), *options)
        with open(report / "ledger.csv") as table:
            rows = list(csv.DictReader(table))
        return {round(float(row["time [day]"]) / YEAR): {
            name: float(row[f"mass_{name} [Mt]"]) for name in ("injected", "mobile", "trapped", "dissolved")}
            for row in rows}

    def sparse(self, name):
        lines = (self.folder / f"report_{name}" / "spe11b_time_series.csv").read_text().splitlines()
        columns = lines[0].lstrip("# ").split(", ")
        return columns, [dict(zip(columns, line.split(", "))) for line in lines[1:]]

    def test_estimate_follows_the_simulator(self):
        self.succeed("estimate", SAMPLE, "-o", "fields.h5", "--substeps", "16")
        simulated, found = self.ledger(SAMPLE), self.ledger("fields.h5", "--format", "spe11")
        with h5py.File(SAMPLE) as file:
            stated = dict(zip(np.rint(file["grid/times"][:] / YEAR), file["case/injected_mass"][0]))
            self.assertEqual(file["schedule/rate"].shape, (1, 2, 3))
            self.assertEqual(file["schedule/rate"][0, 1, 0], 0.0)
            np.testing.assert_allclose(file["schedule/end"][:], [25 * YEAR, 50 * YEAR, 1000 * YEAR])
        for year, masses in found.items():
            self.assertAlmostEqual(masses["injected"] / float(stated[year]), 1.0, delta=1e-4)
            there = simulated[year]
            within = 0.06 if year < 10 else 0.03  # the simulator's first steps are long: it dissolves more in them
            self.assertAlmostEqual(masses["dissolved"] / there["dissolved"], 1.0, delta=within, msg=f"year {year}")
            free, simulated_free = masses["mobile"] + masses["trapped"], there["mobile"] + there["trapped"]
            self.assertAlmostEqual(free / simulated_free, 1.0, delta=0.04, msg=f"year {year}")
            self.assertAlmostEqual((free + masses["dissolved"]) / masses["injected"], 1.0, delta=2e-3)
        self.assertIn(1000, found)
        self.check_sparse_data(found)

    def test_bottom_hole_pressures_are_those_of_the_simulator(self):
        self.succeed("report", SAMPLE, "-o", "report", "--well-radius", "0.15")
        with open(self.folder / "report" / "series.csv") as table:
            rows = list(csv.DictReader(table))
        with h5py.File(SAMPLE) as file:
            simulated = file["case/bottom_hole_pressure"][0]
        self.assertEqual(sum(np.isfinite(simulated)), 9)
        for row, pressure in zip(rows, simulated):
            if math.isfinite(pressure):  # while a well injects
                self.assertAlmostEqual(float(row["bottom_hole_pressure [bar]"]), float(pressure), delta=0.1)

    def check_sparse_data(self, ledger):
        columns, rows = self.sparse("fields")
        self.assertEqual(columns, [
            "t [s]", "p1 [Pa]", "p2 [Pa]", "mobA [kg]", "immA [kg]", "dissA [kg]", "sealA [kg]", "mobB [kg]",
            "immB [kg]", "dissB [kg]", "sealB [kg]", "mC [m]", "sealTot [kg]", "boundTot [kg]"])
        numbers = [{name: float(value) for name, value in row.items()} for row in rows]
        self.assertEqual([row["t [s]"] for row in numbers[:2]], [0.0, 3.1536e7])
        self.assertAlmostEqual(numbers[-1]["t [s]"] / 3.1536e10, 1.0, delta=1e-4)
        start, stop = numbers[0], next(row for row in numbers if round(row["t [s]"] / 86400 / YEAR) == 50)
        self.assertTrue(all(start[name] == 0.0 for name in columns[3:]))
        self.assertAlmostEqual(start["p1 [Pa]"] - start["p2 [Pa]"], 600 * 9.81 * 1000, delta=2e5)
        self.assertGreater(stop["p1 [Pa]"], start["p1 [Pa]"] + 1e5)
        injected = 1e9 * ledger[50]["injected"]
        boxes = sum(stop[f"{kind}{box} [kg]"] for kind in ("mob", "imm", "diss") for box in "AB")
        self.assertTrue(0.2 * injected < boxes < injected, f"{boxes} of {injected}")  # the first well stands beside both
        self.assertGreater(stop["mobA [kg]"], 10 * stop["immA [kg]"])
        self.assertAlmostEqual(numbers[-1]["sealTot [kg]"], 1.2e5, delta=2e4)
        for row in numbers[1:]:
            self.assertGreaterEqual(row["sealTot [kg]"] * 1.001, row["sealA [kg]"] + row["sealB [kg]"])
            self.assertTrue(all(math.isfinite(value) for value in row.values()))
        self.assertGreater(numbers[-1]["mC [m]"], stop["mC [m]"], "convection of what dissolves later")

    @contextmanager
    def changed_sample(self, name):
        """A copy of the sample, open for changes."""
        with h5py.File(SAMPLE) as source, h5py.File(self.folder / name, "w") as copy:
            for member in source:
                source.copy(member, copy)
            copy.attrs.update(source.attrs)
            yield copy

    def test_columns_that_are_not_known_are_named(self):
        with self.changed_sample("part.h5") as part:
            del part["outputs/dissolved_co2"]
        printed = self.run_cli("report", "part.h5", "-o", "report_part", "--format", "spe11")
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertIn("dissA, sealA, dissB, sealB, mC, sealTot, boundTot not known", printed.stdout)
        row = self.sparse("part")[1][-1]
        self.assertEqual([row["dissA [kg]"], row["mC [m]"]], ["n/a", "n/a"])
        self.assertGreater(float(row["mobA [kg]"]), 0.0)

    def test_refuses_regions_without_a_table_and_other_thicknesses(self):
        for number in (0.0, 0.5, 1.7, 7.0):
            with self.changed_sample("regions.h5") as part:
                part["inputs/saturation_region"][0, 3, 0, 5] = number
            self.refuse(DATA, "report", "regions.h5", "-o", "out", "--format", "spe11",
                      says=[f"saturation_region of case 0 is {number:g} in cell [3, 0, 5]", "6 saturation tables"])
            self.refuse(DATA, "estimate", "regions.h5", "-o", "out.h5", says=["saturation_region", "[3, 0, 5]"])
        with self.changed_sample("thick.h5") as part:
            part["grid/y_edges"][:] = [0.0, 10.0]
        self.refuse(USAGE, "report", "thick.h5", "-o", "out", "--format", "spe11",
                  says=["10 m thick along y", "section of that thickness"])

    def test_slopes_are_between_centres_of_cells(self):
        widths = {"even": [100.0] * 84, "uneven": [150.0, 150.0, 50.0, 50.0] * 21}
        found = {}
        for name, of_columns in widths.items():
            with self.changed_sample(f"{name}.h5") as part:
                part["grid/x_edges"][:] = np.concatenate([[0.0], np.cumsum(of_columns)])
                part["outputs/gas_saturation"][:] = 0.0
                dissolved = part["outputs/dissolved_co2"]
                step = np.where(np.arange(84) < 53, 1.0, 20.0)  # between two columns of 150 m
                dissolved[:] = np.where(part["inputs/active"][:][:, np.newaxis] != 0, step, 0.0)
            self.succeed("report", f"{name}.h5", "-o", f"report_{name}", "--format", "spe11", "--top-depth", "0")
            found[name] = float(self.sparse(name)[1][-1]["mC [m]"])
        self.assertAlmostEqual(found["uneven"] / found["even"], 300.0 / 250.0, delta=0.03)

    def test_refuses_other_sections(self):
        self.refuse(USAGE, "report", ROOT / "data" / "box_sample.h5", "-o", "out", "--case", "0", "--format", "spe11",
                  says=["8400 x 1200 m", "the grid is another one"])
        self.refuse(USAGE, "report", ROOT / "data" / "box_sample.h5", "-o", "out", "--format", "spe11",
                  says=["sparse data of 4 cases", "--case"])


class Spe11bDeck(CliTestCase):
    def test_states_the_wells_and_facies_of_the_benchmark(self):
        script = ROOT / "docs" / "workflow" / "spe11b" / "make_deck.py"
        subprocess.run([script, "84", "30", "--years", "100", "-o", "SPE11B.DATA"], cwd=self.folder, check=True)
        words = (self.folder / "SPE11B.DATA").read_text().split()
        facies = [int(word) for word in words[words.index("SATNUM") + 1:][:84 * 30]]
        self.assertEqual(set(facies), set(range(1, 7)))
        self.assertEqual(facies[:84], [1] * 84, "the seal on top")
        for column, row in ((28, 23), (52, 13)):
            self.assertEqual(facies[(row - 1) * 84 + column - 1], 5, "wells stand in facies 5")
        with h5py.File(SAMPLE) as file:
            active = file["inputs/active"][0].reshape(-1) != 0
            np.testing.assert_array_equal(file["inputs/saturation_region"][0].reshape(-1)[active],
                                          np.array(facies)[active])


if __name__ == "__main__":
    unittest.main()
