"""Exports fields and opens every file with a reader that is not ours: opm, VTK and h5py, where they are installed."""

import csv
import json
import math
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from cli_test_case import DATA, INTERRUPTED, SYSTEM, TIME_LIMIT, USAGE, CliTestCase, no_room_for_files

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = np = None
try:
    from opm.io.ecl import EclFile, EGrid, ERst, ESmry
except ImportError:
    EGrid = None
try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    vtk = None

RENDER = Path(__file__).resolve().parents[2] / "docs" / "workflow" / "render.py"

without_h5py = unittest.skipIf(h5py is None, "h5py and numpy are not installed (python3-h5py)")
without_opm = unittest.skipIf(EGrid is None, "the Python reader of OPM is not installed (python3-opm-common)")
without_vtk = unittest.skipIf(vtk is None, "VTK is not installed (python3-vtk9)")


def ring_volumes(file):
    """Volumes [Z, R] of the rings of a data set."""
    r, z = file["grid/r_edges"][:], file["grid/z_edges"][:]
    return math.pi * (r[1:] ** 2 - r[:-1] ** 2)[None, :] * (z[1:] - z[:-1])[:, None]


@without_h5py
class Exported(CliTestCase):
    """The sample: three cases of 4 x 5 cells at 3 times, the last row inactive."""

    def export(self, *options, kind=""):
        self.sample(kind)
        self.succeed("export", "sample.h5", "-o", "out", *options)
        return self.folder / "out"

    def expect_close(self, actual, expected, relative=1e-6):
        np.testing.assert_allclose(np.asarray(actual, float), np.asarray(expected, float), rtol=relative, atol=1e-6)


@without_opm
class Eclipse(Exported):
    def check_radial(self, sectors):
        out = self.export("--case", "1", "--sectors", str(sectors), "--start", "2031-03-01")
        grid = EGrid(str(out / "CASE.EGRID"))
        with h5py.File(self.folder / "sample.h5") as file:
            volumes, porosity = ring_volumes(file), file["inputs/porosity"][1]
            fields = {"SGAS": file["outputs/gas_saturation"][1], "DELTAP": file["outputs/pressure_buildup"][1]}
        self.assertEqual(grid.dimension, [5, sectors, 4])
        self.assertEqual(grid.active_cells, 3 * sectors * 5)
        cells = np.asarray(grid.cellvolumes()).reshape(4, sectors, 5)
        self.expect_close(cells.sum(axis=1), volumes, 1e-4)
        init = EclFile(str(out / "CASE.INIT"))
        self.expect_close(np.asarray(init["PORV"]).reshape(4, sectors, 5).sum(axis=1)[:3], (volumes * porosity)[:3])
        restart = ERst(str(out / "CASE.UNRST"))
        self.assertEqual(list(restart.report_steps), [0, 1, 2, 3])
        for keyword, values in fields.items():
            for step in (1, 2, 3):
                stored = np.asarray(restart[keyword, step]).reshape(3, sectors, 5)
                for sector in range(sectors):
                    self.expect_close(stored[:, sector], values[step - 1][:3])
        self.assertEqual([restart["DOUBHEAD", step][0] for step in (1, 2, 3)], [1.0, 10.0, 100.0])

    def test_opens_a_cylinder_of_sectors(self):
        self.check_radial(12)

    def test_opens_the_unrolled_cylinder(self):
        self.check_radial(1)

    def test_opens_the_summary(self):
        out = self.export("--case", "2", "--start", "2031-03-01")
        summary = ESmry(str(out / "CASE.SMSPEC"))
        self.assertEqual((summary.start_date.year, summary.start_date.month), (2031, 3))
        self.expect_close(summary["TIME"], [1.0, 10.0, 100.0])
        with open(self.totals(), newline="") as table:
            rows = list(csv.DictReader(table))
        self.expect_close(summary["FUPLRAD"], [float(row["plume_radius_0.01 [m]"]) for row in rows])
        self.expect_close(summary["FGMGP"], [1e9 * float(row["mass_free [Mt]"]) for row in rows])
        # 1.5 Mt/year at the density of CO2 at standard conditions, 1.868 kg/sm3
        self.expect_close(summary["FGIT"], [1.5e9 * day / 365.25 / 1.868 for day in (1, 10, 100)], 1e-3)

    def schedule(self, ends, rates):
        """Gives the three cases of the sample a schedule in the place of their rates."""
        with h5py.File(self.folder / "sample.h5", "r+") as file:
            file.attrs["format_version"] = 2
            del file["inputs/injection_rate"]
            for name, unit, values in (("end", "day", ends), ("rate", "Mt/year", np.array([[rates]] * 3))):
                array = file.create_dataset(f"schedule/{name}", data=values)
                array.attrs["units"], array.attrs["long_name"] = unit, name

    def test_has_the_rates_of_a_schedule(self):
        self.sample()
        self.schedule([10.0, 50.0], [1.0, 0.5])
        self.succeed("export", "sample.h5", "-o", "out", "--case", "1")
        summary = ESmry(str(self.folder / "out" / "CASE.SMSPEC"))
        cubic_metres = 1e9 / 365.25 / 1.868  # of 1 Mt/year in a day
        self.expect_close(summary["FGIR"], [cubic_metres, cubic_metres, 0.0], 1e-3)
        self.expect_close(summary["FGIT"], [cubic_metres, 10.0 * cubic_metres, 30.0 * cubic_metres], 1e-3)
        np.testing.assert_array_equal(summary["WGIR:INJ"], summary["FGIR"])
        np.testing.assert_array_equal(summary["WGIT:INJ"], summary["FGIT"])

    def test_has_the_pressure_in_the_well_of_a_schedule(self):
        self.sample("guided")
        self.schedule([10.0, 500.0], [0.1, 0.05])
        with h5py.File(self.folder / "sample.h5") as file:
            days, initial = file["grid/times"][:], float(file["inputs/initial_pressure"][1])
        self.assertEqual(days.tolist(), [10.0, 100.0, 1000.0])
        self.succeed("export", "sample.h5", "-o", "out", "--case", "1")
        summary = ESmry(str(self.folder / "out" / "CASE.SMSPEC"))
        self.assertEqual([key for key in summary.keys() if key.startswith("W")], ["WBHP:INJ", "WGIR:INJ", "WGIT:INJ"])
        cubic_metres = 1e9 / 365.25 / 1.868  # of 1 Mt/year in a day
        self.expect_close(summary["WGIR:INJ"], [0.1 * cubic_metres, 0.05 * cubic_metres, 0.0], 1e-3)
        self.expect_close(summary["WGIT:INJ"], [cubic_metres, 5.5 * cubic_metres, 25.5 * cubic_metres], 1e-3)
        pressure = summary["WBHP:INJ"]
        np.testing.assert_array_equal(pressure, summary["FUBHPMAX"])
        self.assertTrue((pressure[:2] > initial + 0.5).all(), pressure)  # while it injects
        self.succeed("report", "sample.h5", "-o", "report", "--case", "1")
        with open(self.folder / "report" / "series.csv") as file:
            told = [float(row["bottom_hole_pressure [bar]"]) for row in csv.DictReader(file)]
        self.expect_close(pressure, told, 1e-5)

    def test_has_rates_totals_and_pressures_of_each_well(self):
        shutil.copy(Path(__file__).resolve().parents[2] / "data" / "box_sample.h5", self.folder / "box.h5")
        self.succeed("export", "box.h5", "-o", "out", "--case", "0")
        summary = ESmry(str(self.folder / "out" / "CASE.SMSPEC"))
        with h5py.File(self.folder / "box.h5") as file:
            rates = file["inputs/cell_injection_rate"][0].sum(0)
            times = file["grid/times"][:]
        wells = [f"INJ{number + 1}" for number in range(np.count_nonzero(rates))]
        self.assertGreater(len(wells), 1)
        for well, rate in zip(wells, rates[rates > 0.0]):  # in the order of their columns, line by line
            cubic_metres = rate * 1e9 / 365.25 / 1.868
            self.expect_close(summary[f"WGIR:{well}"], [cubic_metres] * len(times), 1e-3)
            self.expect_close(summary[f"WGIT:{well}"], cubic_metres * times, 1e-3)
        for field, well in (("FGIR", "WGIR"), ("FGIT", "WGIT")):
            self.expect_close(np.sum([summary[f"{well}:{name}"] for name in wells], axis=0), summary[field], 1e-6)
        pressures = np.array([summary[f"WBHP:{well}"] for well in wells])
        np.testing.assert_array_equal(pressures.max(axis=0), summary["FUBHPMAX"])

    def totals(self):
        self.succeed("export", "sample.h5", "-o", "out", "--case", "2", "--format", "csv")
        return self.folder / "out" / "CASE_totals.csv"

    def test_opens_formatted_files(self):
        out = self.export("--case", "0", "--formatted")
        restart = EclFile(str(out / "CASE.FUNRST"))
        with h5py.File(self.folder / "sample.h5") as file:
            gas = file["outputs/gas_saturation"][0, 0, :3]
        stored = np.asarray(restart["SGAS", 1]).reshape(3, 12, 5)
        self.expect_close(stored[:, 7], gas)
        self.assertEqual(EGrid(str(out / "CASE.FEGRID")).active_cells, 180)

    def test_opens_a_box(self):
        out = self.export("--case", "1", kind="cartesian")
        grid = EGrid(str(out / "CASE.EGRID"))
        self.assertEqual((grid.dimension, grid.active_cells), ([4, 3, 2], 16))
        with h5py.File(self.folder / "sample.h5") as file:
            gas = file["outputs/gas_saturation"][1, -1][:, :2]
            edges = [np.diff(file[f"grid/{axis}_edges"][:]) for axis in "zyx"]
        self.expect_close(ERst(str(out / "CASE.UNRST"))["SGAS", 2], gas.ravel())
        volumes = edges[0][:, None, None] * edges[1][None, :, None] * edges[2][None, None, :]
        self.expect_close(grid.cellvolumes(), volumes.ravel(), 1e-4)


    def test_puts_a_rotated_box_on_the_map(self):
        self.sample("cartesian")
        with h5py.File(self.folder / "sample.h5", "r+") as file:
            file.attrs.update({"rotation": 90.0, "origin": [450000.0, 6700000.0]})
            x, y = file["grid/x_edges"][:], file["grid/y_edges"][:]
        self.succeed("export", "sample.h5", "-o", "out", "--case", "1", "--format", "eclipse", "--format", "xdmf")
        path = str(self.folder / "out" / "CASE.EGRID")
        on_y, zero, on_x = np.asarray(EclFile(path)["MAPAXES"], float).reshape(3, 2)
        corners = np.array(EGrid(path).xyz_from_ijk(3, 0, 0)[:2])
        places = zero[:, None] + np.stack([on_x - zero, on_y - zero], axis=1) / 1e5 @ corners
        self.assertLess(np.abs(places[0] - (450000 - y[[0, 0, 1, 1] * 2])).max(), 0.5)
        self.assertLess(np.abs(places[1] - (6700000 + x[[3, 4] * 4])).max(), 0.5)
        with h5py.File(self.folder / "out" / "CASE_mesh.h5") as mesh:
            np.testing.assert_allclose(np.unique(mesh["points"][:, 0]), np.sort(450000 - y), rtol=0, atol=1e-3)
            np.testing.assert_allclose(np.unique(np.round(mesh["points"][:, 1], 3)), 6700000 + x, rtol=0, atol=1e-3)


@without_vtk
class Vtk(Exported):
    def read(self, reader, path):
        reader.SetFileName(str(path))
        reader.Update()
        self.assertEqual(reader.GetErrorCode(), 0)
        return reader.GetOutput()

    def array(self, grid, name):
        return vtk_to_numpy(grid.GetCellData().GetArray(name))

    def volumes(self, grid):
        size = vtk.vtkCellSizeFilter()
        size.SetInputData(grid)
        size.Update()
        return vtk_to_numpy(size.GetOutput().GetCellData().GetArray("Volume"))

    def test_opens_the_cylinder_with_its_volumes(self):
        out = self.export("--case", "1", "--format", "vtk")
        grid = self.read(vtk.vtkXMLUnstructuredGridReader(), out / "CASE_vtk" / "CASE_0002.vtu")
        self.assertEqual(grid.GetNumberOfCells(), 3 * 12 * 5)
        self.assertEqual(grid.GetNumberOfPoints(), 4 * 12 * 6)
        self.expect_close(self.volumes(grid), self.array(grid, "cell_volume"), 1e-4)
        with h5py.File(self.folder / "sample.h5") as file:
            self.expect_close(self.volumes(grid).sum(), ring_volumes(file)[:3].sum(), 1e-5)
            gas = file["outputs/gas_saturation"][1, 2, :3]
        self.expect_close(self.array(grid, "gas_saturation").reshape(3, 12, 5)[:, 4], gas)
        centres = vtk.vtkCellCenters()
        centres.SetInputData(grid)
        centres.Update()
        points = vtk_to_numpy(centres.GetOutput().GetPoints().GetData())
        self.assertLess(points[-1, 2], points[0, 2])

    def test_opens_the_section_with_its_cells_in_place(self):
        out = self.export("--case", "1", "--format", "vtk", "--sectors", "1")
        grid = self.read(vtk.vtkXMLRectilinearGridReader(), out / "CASE_vtk" / "CASE_0000.vtr")
        with h5py.File(self.folder / "sample.h5") as file:
            gas, r = file["outputs/gas_saturation"][1, 0], file["grid/r_edges"][:]
        self.expect_close(vtk_to_numpy(grid.GetXCoordinates()), r)
        # Rows grow upwards: the last row of the array is the top of the formation.
        self.expect_close(self.array(grid, "gas_saturation").reshape(4, 5)[::-1], gas)
        ghosts = vtk_to_numpy(grid.GetCellGhostArray())
        self.assertEqual(ghosts.reshape(4, 5)[:, 0].tolist(), [32, 0, 0, 0])
        self.assertEqual(vtk_to_numpy(grid.GetFieldData().GetArray("TimeValue")).tolist(), [1.0])

    def test_lists_the_times_of_the_series(self):
        out = self.export("--case", "0", "--format", "vtk")
        steps = xml.parse(out / "CASE.pvd").getroot().findall("Collection/DataSet")
        self.assertEqual([float(step.get("timestep")) for step in steps], [1.0, 10.0, 100.0])
        for step in steps:
            self.assertTrue((out / step.get("file")).exists())

    def test_opens_a_box(self):
        out = self.export("--case", "0", "--format", "vtk", kind="cartesian")
        grid = self.read(vtk.vtkXMLUnstructuredGridReader(), out / "CASE_vtk" / "CASE_0001.vtu")
        self.expect_close(self.volumes(grid), self.array(grid, "cell_volume"), 1e-4)
        self.assertEqual(grid.GetNumberOfCells(), 16)

    @unittest.skipUnless(shutil.which("xvfb-run") and shutil.which("xauth"), "no display without a screen (packages xvfb, xauth)")
    def test_draws_a_picture_without_a_screen(self):
        sample = RENDER.parents[2] / "data" / "radial_sample.h5"
        self.succeed("export", sample, "-o", "out", "--format", "vtk", "--case", "0", "--sectors", "24")
        picture = self.folder / "picture.png"
        result = subprocess.run(["xvfb-run", "-a", sys.executable, RENDER, "out/CASE_vtk/CASE_0023.vtu", picture,
                                 "--radius", "4000"], cwd=self.folder, text=True, capture_output=True, timeout=TIME_LIMIT)
        self.assertEqual(result.returncode, 0, result.stderr)
        pixels = self.read_picture(picture)
        dark_blue = (pixels[:, 2].astype(int) - pixels[:, 0] > 40) & (pixels[:, 2] < 160)  # a plume of high saturation
        self.assertGreater(np.count_nonzero(dark_blue), 500)
        self.assertGreater(np.count_nonzero((pixels == 255).all(axis=1)), 0.4 * len(pixels))  # the white around it

    def read_picture(self, path):
        """Red, green and blue of every pixel."""
        reader = vtk.vtkPNGReader()
        reader.SetFileName(str(path))
        reader.Update()
        return vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())[:, :3]

    def test_the_script_that_draws_says_what_it_cannot_draw(self):
        out = self.export("--case", "0", "--format", "vtk")
        cell_file = out / "CASE_vtk" / "CASE_0001.vtu"
        for file, field, says in ((out / "nothing.vtu", "pressure", "nothing.vtu: no such file"),
                                  (out / "CASE.pvd", "pressure", "CASE.pvd: no unstructured grid"),
                                  (cell_file, "presure", "no field presure; choose one of gas_saturation")):
            result = subprocess.run([sys.executable, RENDER, file, out / "picture.png", "--field", field], text=True,
                                    capture_output=True)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn(says, result.stderr)


class Xdmf(Exported):
    def slab(self, item, folder):
        """Values that a HyperSlab of an XDMF file names."""
        selection, source = item.findall("DataItem")
        start, stride, count = np.array(selection.text.split(), int).reshape(3, -1)
        name, path = source.text.split(":")
        with h5py.File(folder / name) as file:
            self.assertEqual(list(file[path].shape), [int(n) for n in source.get("Dimensions").split()])
            return file[path][tuple(slice(b, b + n, s) for b, s, n in zip(start, stride, count))].ravel()

    def test_names_the_values_of_the_case_in_the_file(self):
        out = self.export("--case", "2", "--format", "xdmf")
        steps = xml.parse(out / "CASE.xdmf").getroot().findall("Domain/Grid/Grid")
        self.assertEqual([float(step.find("Time").get("Value")) for step in steps], [1.0, 10.0, 100.0])
        with h5py.File(self.folder / "sample.h5") as file:
            gas, volumes = file["outputs/gas_saturation"][2], ring_volumes(file)
        for number, step in enumerate(steps):
            attribute = step.find("Attribute[@Name='gas_saturation']")
            self.expect_close(self.slab(attribute.find("DataItem"), out), gas[number].ravel())
        with h5py.File(out / "CASE_mesh.h5") as mesh:
            points, corners = mesh["points"][:], mesh["corners"][:]
            self.expect_close(mesh["cell_volume"][:], volumes.ravel())
        self.assertEqual(corners.shape, (20, 8))
        # One sector of twelve: each cell has a twelfth of its ring, by the divergence theorem over level faces.
        faces = points[corners[:, :4]]
        x, y = faces[:, :, 0], faces[:, :, 1]
        areas = 0.5 * np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1))
        heights = points[corners[:, 4], 2] - points[corners[:, 0], 2]
        self.expect_close(12 * areas * heights, volumes.ravel(), 1e-4)


class Messages(CliTestCase):
    def test_refuses_bad_inputs_with_a_message(self):
        self.sample()
        self.sample("inputs", "inputs.h5")
        out = ("-o", "out")
        self.refuse(SYSTEM, "export", "nothing.h5", *out, says=["nothing.h5"])
        self.refuse(DATA, "export", "inputs.h5", *out, says=["inputs.h5", "no /outputs", "plumecast predict"])
        self.refuse(USAGE, "export", "sample.h5", *out, "--case", "7", says=["no case 7", "0 to 2"])
        self.refuse(USAGE, "export", "sample.h5", *out, "--format", "vkt", says=["vkt", "did you mean 'vtk'?"])
        self.refuse(USAGE, "export", "sample.h5", *out, "--sectors", "2", says=["2 sectors", "3 and more"])
        self.refuse(USAGE, "export", "sample.h5", *out, "--start", "2030-13-01", says=["2030-13-01", "no date"])
        (self.folder / "text.h5").write_text("no HDF5")
        self.refuse(DATA, "export", "text.h5", *out, says=["text.h5"])
        (self.folder / "file").write_text("")
        self.refuse(SYSTEM, "export", "sample.h5", "-o", "file/out", says=["file"])

    def test_ends_after_the_case_at_hand_when_interrupted(self):
        self.sample("many")
        started = (self.folder / "out" / "CASE_0000_totals.csv").exists
        code, errors = self.interrupt(started, "export", "sample.h5", "-o", "out", "--format", "csv")
        self.assertEqual(code, INTERRUPTED, errors)
        self.assertIn("interrupted", errors)
        names = [path.name for path in (self.folder / "out").iterdir()]
        self.assertEqual([name for name in names if "partial" in name], [])
        names.remove(".plumecast.json")
        self.assertEqual(len(names) % 3, 0)
        self.assertLess(len(names), 9000)

    def test_leaves_no_cut_file_on_a_full_disk(self):
        self.sample()
        self.refuse(SYSTEM, "export", "sample.h5", "-o", "out", "--case", "0", preexec_fn=no_room_for_files)
        left = sorted(path.name for path in (self.folder / "out").iterdir())
        self.assertNotIn("CASE.UNRST", left)
        self.assertEqual([name for name in left if "partial" in name], [])


if __name__ == "__main__":
    unittest.main()
