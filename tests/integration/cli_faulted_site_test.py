"""A corner-point grid with a fault, beside the simulator (docs/three_dimensions.md, "A faulted site")."""

import csv
import json
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import h5py
import numpy as np

from cli_test_case import DATA, PLUMECAST, CliTestCase
from eclipse_records import records

try:
    from opm.io.ecl import EclFile, EGrid
except ImportError:
    EclFile = None

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data" / "faulted_site.h5"
MAKE = ROOT / "docs" / "workflow" / "faulted_site" / "make_sample.sh"
CELLS = (5, 10, 12)

without_opm = unittest.skipIf(EclFile is None, "the Python reader of OPM is not installed (python3-opm-common)")
without_flow = unittest.skipUnless(shutil.which("flow"), "OPM Flow is not installed (program 'flow' is not on PATH)")


class FaultedSite(CliTestCase):
    """By the sample, which make_sample.sh made of a run of OPM Flow 2022.10."""

    def test_sample_is_valid_and_tells_what_it_holds(self):
        self.succeed("validate", SAMPLE)
        told = self.succeed("info", SAMPLE)
        page = (ROOT / "docs" / "three_dimensions.md").read_text()
        self.assertIn(re.search(r"\(`(FAULTS, [A-Z, ]+:) \.\.\.`\)", page).group(1), told)
        self.assertIn("corner-point grid", told)
        with h5py.File(SAMPLE) as file:
            self.assertEqual(file.attrs["format_version"], 4)
            first, second = (file[f"connections/{name}"][:].astype(int) for name in ("first", "second"))
            for cells in (first, second):
                self.assertTrue(np.all(file["inputs/active"][0].ravel()[cells] == 1))
            columns = np.sort(np.stack([first % 12, second % 12]), axis=0)
            np.testing.assert_array_equal(columns[0], 5)  # all of them across the fault
            np.testing.assert_array_equal(columns[1], 6)

    def test_estimate_is_near_the_simulator(self):
        self.succeed("estimate", SAMPLE, "-o", "fields.h5", "--substeps", "4")
        scores = json.loads(self.succeed("evaluate", "fields.h5", SAMPLE, "--json"))["fields"]
        means = {entry["field"]: entry["mean"] for entry in scores}
        self.assertLess(means["gas_saturation"]["mpe"], 0.02)
        self.assertLess(means["pressure_buildup"]["mre"], 0.01)
        self.check_report()

    def check_report(self):
        self.succeed("report", "fields.h5", "-o", "report")
        with open(self.folder / "report" / "ledger.csv") as table:
            rows = list(csv.DictReader(table))
        for row in rows:
            found = sum(float(row[f"mass_{kind} [Mt]"]) for kind in ("mobile", "trapped", "dissolved"))
            self.assertAlmostEqual(found / float(row["mass_injected [Mt]"]), 1.0, delta=0.01)
        self.assertAlmostEqual(float(rows[-1]["mass_injected [Mt]"]), 1.2 + 0.4, delta=2e-3)

    @without_flow
    def test_simulation_has_the_flow_that_the_site_states(self):
        self.succeed("simulate", SAMPLE, "-o", "truth.h5", "--keep-decks", "decks")
        self.succeed("import", "decks/case_00000000/CASE", "-o", "back.h5")
        with h5py.File(SAMPLE) as given, h5py.File(self.folder / "back.h5") as back, h5py.File(self.folder / "truth.h5") as truth:
            active = given["inputs/active"][0] > 0
            for name in ("transmissibility_x", "transmissibility_y", "transmissibility_z", "pore_volume", "well_connection_factor"):
                np.testing.assert_allclose(back["inputs"][name][0][active], given["inputs"][name][0][active], rtol=1e-5, err_msg=name)
            pairs = [{frozenset((int(first), int(second))): flow for first, second, flow in
                      zip(*(file["connections"][name][()] for name in ("first", "second")), file["connections/transmissibility"][0])}
                     for file in (given, back)]
            self.assertEqual(pairs[0].keys(), pairs[1].keys())
            for pair, flow in pairs[0].items():
                self.assertAlmostEqual(pairs[1][pair] / flow, 1.0, delta=1e-5)
            # The run of the sample let brine come to rest for a century before; this one starts with other pressures.
            for name, error in (("gas_saturation", 0.04), ("pressure_buildup", 0.01)):
                simulated, stated = truth["outputs"][name][0], given["outputs"][name][0]
                self.assertLess(np.linalg.norm(simulated - stated), error * np.linalg.norm(stated))

    @without_flow
    def test_simulation_flows_across_a_cell_that_pinches_out(self):
        self.succeed("subset", SAMPLE, "-o", "site.h5", "--without-outputs")
        row, line, column = 2, 4, 5
        with h5py.File(self.folder / "site.h5", "a") as file:
            depths = file["grid/corner_depths"]
            corners = (slice(2 * line, 2 * line + 2), slice(2 * column, 2 * column + 2))
            for level in (2 * row + 1, 2 * row + 2):  # the cell below grows up to the one above
                depths[(level, *corners)] = depths[(2 * row, *corners)]
            file["grid/cell_volume"][row, line, column] = 0.0
            for name, values in file["inputs"].items():
                if values.ndim == 4 and not name.startswith("transmissibility"):
                    values[0, row, line, column] = 0
            for name in ("transmissibility_x", "transmissibility_y", "transmissibility_z"):
                del file["inputs"][name]
            del file["connections"]
        self.succeed("simulate", "site.h5", "-o", "truth.h5")
        self.succeed("estimate", "site.h5", "-o", "fields.h5", "--substeps", "8")
        with h5py.File(self.folder / "fields.h5") as fields, h5py.File(self.folder / "truth.h5") as truth:
            active = truth["inputs/active"][0] > 0
            estimated, simulated = (file["outputs/gas_saturation"][0, -1][active] for file in (fields, truth))
            # 0.12 where nothing crosses the pinched out cell
            self.assertLess(np.linalg.norm(estimated - simulated), 0.05 * np.linalg.norm(simulated))

    def test_report_tells_what_is_inside_an_area(self):
        self.succeed("report", SAMPLE, "-o", "report", "--polygon",
                     ROOT / "docs" / "workflow" / "faulted_site" / "licence.csv")
        with open(self.folder / "report" / "series.csv") as table:
            rows = [{name.split(" ")[0]: value for name, value in row.items()} for row in csv.DictReader(table)]
        for row in rows:
            inside, outside = float(row["mass_inside"]), float(row["mass_outside"])
            self.assertAlmostEqual(inside + outside, float(row["mass_free"]) + float(row["mass_dissolved"]), delta=1e-6)
        early = next(row for row in rows if float(row["time"]) > 700)  # the well before the fault alone has injected
        self.assertLess(float(early["mass_outside"]), 0.02 * float(early["mass_inside"]))
        self.assertGreater(float(rows[-1]["mass_outside"]), 0.3)

    def export(self):
        self.succeed("estimate", SAMPLE, "-o", "fields.h5", "--substeps", "1")
        self.succeed("export", "fields.h5", "-o", "exported", "--format", "eclipse", "--format", "csv", "--name", "CASE")
        return self.folder / "exported"

    def origin(self):
        with h5py.File(SAMPLE) as file:
            place = dict(re.findall(r"(x|y|depth) ([-0-9.]+) m", file.attrs["origin"].decode()))
        return [float(place[name]) for name in ("x", "y", "depth")]

    def test_export_has_the_centres_of_the_run(self):
        with open(self.export() / "CASE_cells.csv") as table:
            cells = list(csv.DictReader(table))
        with h5py.File(SAMPLE) as file:
            active = file["inputs/active"][0].ravel() == 1
            for name in "xyz":
                np.testing.assert_allclose([float(cell[f"{name}_centre [m]"]) for cell in cells],
                                           file[f"grid/cell_centre_{name}"][:].ravel()[active], rtol=1e-6)

    def test_export_has_the_corners_of_the_run_on_the_map(self):
        grid = records(self.export() / "CASE.EGRID")
        x, y, depth = self.origin()
        np.testing.assert_allclose(grid["MAPAXES"], [x, y + 1e5, x, y, x + 1e5, y], atol=0.5)  # 32 bits hold 0.25 m
        with h5py.File(SAMPLE) as file:
            pillars, corners = file["grid/pillars"][:].astype(float), file["grid/corner_depths"][:].astype(float)
            active = file["inputs/active"][0].ravel()
        pillars[:, :, [2, 5]] += depth
        np.testing.assert_allclose(grid["COORD"].reshape(pillars.shape), pillars, atol=2e-3)
        np.testing.assert_allclose(grid["ZCORN"].reshape(corners.shape), corners + depth, atol=2e-3)
        np.testing.assert_array_equal(grid["ACTNUM"], active)

    @without_opm
    def test_the_reader_of_opm_finds_the_corners_and_volumes_of_the_run(self):
        grid = EGrid(str(self.export() / "CASE.EGRID"))
        depth = self.origin()[2]
        with h5py.File(SAMPLE) as file:
            volumes, depths = (file[f"grid/{name}"][:] for name in ("cell_volume", "cell_centre_z"))
        for k, j, i in ((0, 4, 5), (0, 4, 6), (3, 9, 11)):
            corners = np.array(grid.xyz_from_ijk(i, j, k))
            self.assertAlmostEqual(corners[2].mean(), depth + depths[k, j, i], delta=0.01)
        sizes = np.array(grid.cellvolumes()).reshape(CELLS)
        np.testing.assert_allclose(sizes[volumes > 0], volumes[volumes > 0], rtol=1e-3)

    def test_refuses_a_grid_without_what_connects_its_cells(self):
        shutil.copy(SAMPLE, self.folder / "bare.h5")
        with h5py.File(self.folder / "bare.h5", "r+") as file:
            for axis in "xyz":
                del file[f"inputs/transmissibility_{axis}"]
            for name in ("pillars", "corner_depths"):
                del file[f"grid/{name}"]
        self.refuse(DATA, "estimate", "bare.h5", "-o", "fields.h5",
                  says=["corner-point grid", "without /inputs/transmissibility_x", "or /grid/pillars", "EGRID"])
        with h5py.File(self.folder / "bare.h5", "r+") as file:
            file["inputs/transmissibility_x"] = np.ones((1, *CELLS), "f4")
            file["inputs/transmissibility_x"].attrs["units"] = "cP.m3/day/bar"
        self.refuse(DATA, "estimate", "bare.h5", "-o", "fields.h5",
                  says=["/inputs/transmissibility_y: the array is missing"])

    def test_estimates_a_site_of_text(self):
        """COORD, ZCORN and rock without a simulator: corners tell what flows, and a warning says what they do not."""
        with h5py.File(SAMPLE) as file:
            arrays = {"COORD": file["grid/pillars"], "ZCORN": file["grid/corner_depths"], "ACTNUM": file["inputs/active"],
                      "PORO": file["inputs/porosity"], "PERMX": file["inputs/permeability_x"], "PERMZ": file["inputs/permeability_z"]}
            text = "SPECGRID\n 12 10 5 1 F /\n" + "".join(
                f"{name}\n {' '.join('%.9g' % value for value in values[:].ravel())} /\n" for name, values in arrays.items())
        (self.folder / "site.grdecl").write_text(text + "FAULTS\n F1 6 6 1 10 1 5 X /\n/\nMULTFLT\n F1 0.5 /\n/\n")
        (self.folder / "values.json").write_text(json.dumps({
            "times": [365.25, 3652.5], "temperature": 45, "initial_pressure": 120, "irreducible_water_saturation": 0.2,
            "van_genuchten_lambda": 0.5, "wells": [{"i": 5, "j": 4, "layers": [3, 5], "rate": 0.1}]}))
        imported = self.run_cli("import", "site.grdecl", "-o", "site.h5", "--values", "values.json")
        self.assertIn("FAULTS, MULTFLT", imported.stderr)
        estimated = self.run_cli("estimate", "site.h5", "-o", "fields.h5")
        self.assertEqual(estimated.returncode, 0, estimated.stderr)
        self.assertIn("follows from corners and permeabilities, with all faults open", estimated.stderr)
        with h5py.File(self.folder / "fields.h5") as file:
            gas = file["outputs/gas_saturation"][0, -1]
            self.assertGreater(gas[..., 6:].sum(), 0.01)  # beyond the fault
            self.assertLess(np.nanmax(gas), 0.81)

    def test_gas_crosses_the_fault(self):
        """Gas of the well before the fault reaches the block beyond it, which it does not where the fault is tight."""
        shutil.copy(SAMPLE, self.folder / "tight.h5")
        with h5py.File(self.folder / "tight.h5", "r+") as file:
            file["inputs/transmissibility_x"][0, :, :, 5] = 0.0
            file["connections/transmissibility"][:] = 0.0
            file["schedule/rate"][0, 1] = 0.0  # the well beyond
            file["inputs/injection_rate"][0] = 0.12
            file["inputs/cell_injection_rate"][0, :, :, 6:] = 0.0
            file["inputs/cell_injection_rate"][0] *= 0.12 / file["inputs/cell_injection_rate"][0].sum()
        with h5py.File(self.folder / "tight.h5") as tight, h5py.File(self.folder / "open.h5", "w") as other:
            for name in tight:
                tight.copy(name, other)
            other.attrs.update(tight.attrs)
            with h5py.File(SAMPLE) as file:
                for name in ("inputs/transmissibility_x", "connections/transmissibility"):
                    other[name][:] = file[name][:]
        beyond = {}
        for name in ("tight", "open"):
            self.succeed("estimate", f"{name}.h5", "-o", f"{name}_fields.h5", "--substeps", "1")
            with h5py.File(self.folder / f"{name}_fields.h5") as file:
                beyond[name] = np.nanmax(file["outputs/gas_saturation"][0, -1][:, :, 6:])
        self.assertEqual(beyond["tight"], 0.0)
        self.assertGreater(beyond["open"], 0.01)

    def test_documented_calls_are_right(self):
        page = (ROOT / "docs" / "three_dimensions.md").read_text().split("## A faulted site")[1].split("\n## ")[0]
        shutil.copytree(ROOT / "docs" / "workflow" / "faulted_site", self.folder / "docs" / "workflow" / "faulted_site")
        calls = [line.split("#")[0].split()[1:] for line in page.splitlines() if line.startswith("    plumecast ")]
        self.assertEqual([call[0] for call in calls], ["estimate", "evaluate", "report", "export"])
        for call in calls:
            self.succeed(*[str(SAMPLE) if word == "data/faulted_site.h5" else word for word in call])


@without_flow
@without_opm
class FaultedRun(CliTestCase):
    """By a run of the simulator."""

    def test_connections_are_those_of_the_run(self):
        subprocess.run([str(MAKE), str(self.folder / "run"), PLUMECAST, str(self.folder / "site.h5")], check=True,
                       timeout=600, stdout=subprocess.DEVNULL)
        initial, grid = EclFile(str(self.folder / "run" / "SITE.INIT")), EclFile(str(self.folder / "run" / "SITE.EGRID"))
        active = np.array(grid["ACTNUM"]) == 1
        with h5py.File(self.folder / "site.h5") as file, h5py.File(SAMPLE) as sample:
            for axis in "XYZ":
                stated = file[f"inputs/transmissibility_{axis.lower()}"][0].ravel()
                np.testing.assert_allclose(stated[active], np.array(initial[f"TRAN{axis}"]), rtol=1e-5)
            pairs = dict(zip(zip(np.array(grid["NNC1"]) - 1, np.array(grid["NNC2"]) - 1), np.array(initial["TRANNNC"])))
            found = dict(zip(zip(file["connections/first"][:].astype(int), file["connections/second"][:].astype(int)),
                             file["connections/transmissibility"][0]))
            self.assertEqual(pairs.keys(), found.keys())
            np.testing.assert_allclose([found[pair] for pair in pairs], list(pairs.values()), rtol=1e-5)
            volumes = file["inputs/pore_volume"][0].ravel()
            np.testing.assert_allclose(volumes[active], np.array(initial["PORV"])[active], rtol=1e-5)
            depths = file["grid/cell_centre_z"][:].ravel() + float(file.attrs["top_depth"])
            np.testing.assert_allclose(depths[active], np.array(initial["DEPTH"]), rtol=1e-5)
            for name in ("inputs/transmissibility_x", "connections/transmissibility", "outputs/gas_saturation"):
                np.testing.assert_allclose(sample[name][:], file[name][:], atol=2e-3)


if __name__ == "__main__":
    unittest.main()
