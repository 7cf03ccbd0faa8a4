"""plumecast import, with the simulator and with readers that others wrote."""

import csv
import json
import math
import shutil
import struct
import subprocess
import sys
import unittest
from pathlib import Path

from cli_test_case import DATA, SYSTEM, USAGE, CliTestCase

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reservoir" / "eclipse"))
from records import array, doubles, integers, reals  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

try:
    from opm.io.ecl import EclFile
    from opm.io.ecl import EGrid
except ImportError:
    EclFile = EGrid = None

VALUES = {"injection_rate": 0.4, "temperature": 60, "irreducible_water_saturation": 0.2, "van_genuchten_lambda": 0.5}
RADII = (0.5, 8.0, 30.0, 100.0, 1000.0)
LAYERS = 4
ROOT = Path(__file__).resolve().parents[2]


class ImportTestCase(CliTestCase):
    def setUp(self):
        super().setUp()
        self.values()

    def values(self, **entries):
        (self.folder / "values.json").write_text(json.dumps({**VALUES, **entries}))

    def write_run(self, name="CASE", days=(0.0, 1.0, 10.0), top=1000.0):
        """A run of four rings and four layers, made up."""
        cells = (len(RADII) - 1) * LAYERS
        pillars = []
        for side in (-math.pi, math.pi):
            for r in RADII:
                pillars += [r, side * r, top, r, side * r, top + 5.0 * LAYERS]
        depths = []
        for k in range(LAYERS):
            for edge in (top + 5.0 * k, top + 5.0 * (k + 1)):
                depths += [edge] * (4 * (len(RADII) - 1))
        grid_head = [1, len(RADII) - 1, 1, LAYERS] + 96 * [0]
        head = 100 * [0]
        head[2], head[14] = 1, 5
        root = self.folder / name
        root.with_suffix(".EGRID").write_bytes(
            integers("GRIDHEAD", grid_head) + reals("COORD", pillars) + reals("ZCORN", depths) + integers("ENDGRID", []))
        root.with_suffix(".INIT").write_bytes(
            integers("INTEHEAD", head) + reals("PORO", cells * [0.2]) + reals("PERMX", [100.0 + n for n in range(cells)])
            + reals("PERMZ", cells * [10.0]))
        root.with_suffix(".UNRST").write_bytes(b"".join(
            integers("SEQNUM", [step]) + integers("INTEHEAD", head) + doubles("DOUBHEAD", [day])
            + doubles("PRESSURE", [100.0 + day + 0.01 * n for n in range(cells)])
            + doubles("SGAS", [0.001 * n * step for n in range(cells)])
            for step, day in enumerate(days)))
        return root

    def write_summary(self, root, *injected):
        """Days and the gas injected until then [sm3], beside a run."""
        root.with_suffix(".SMSPEC").write_bytes(array("KEYWORDS", "CHAR", ["TIME", "FGIT"]) + array("UNITS", "CHAR", ["DAYS", "SM3"]))
        root.with_suffix(".UNSMRY").write_bytes(b"".join(
            integers("MINISTEP", [step]) + reals("PARAMS", pair) for step, pair in enumerate(injected)))

    def import_run(self, *sources, output="data.h5"):
        return self.succeed("import", *sources, "-o", output, "--values", "values.json", "--set", "perforation=[0, 10]")


class Import(ImportTestCase):
    def test_turns_runs_into_a_valid_data_set(self):
        out = self.import_run(self.write_run("A"), self.write_run("B").with_suffix(".UNRST"))
        self.assertEqual(out, "data.h5: 2 cases of 4 x 4 cells, 2 times\n")
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        out = self.succeed("import", "A", "-o", "box.h5", "--grid", "box", "--values", "values.json", "--set",
                           'wells=[{"i": 1, "layers": [2, 3], "rate": 0.4}]')
        self.assertEqual(out, "box.h5: 1 case of 4 x 1 x 4 cells, 2 times\n")
        self.assertIn("valid", self.succeed("validate", "box.h5"))

    def test_keeps_the_depth_of_the_formation_for_report_and_export(self):
        self.import_run(self.write_run("A", top=1325.0), self.write_run("B", top=1325.0))
        says = "depth of the top of the formation: 1325 m, as the file states it"
        self.assertIn(says, self.succeed("report", "data.h5", "-o", "report"))
        self.assertIn(says, self.succeed("export", "data.h5", "-o", "out", "--format", "csv"))
        with open(self.folder / "report" / "cases.csv", newline="") as file:
            self.assertEqual([row["top_depth [m]"] for row in csv.DictReader(file)], ["1325", "1325"])
        self.succeed("subset", "data.h5", "-o", "one.h5", "--cases", "1")
        self.assertIn(says, self.succeed("report", "one.h5", "-o", "report"))

    def test_states_no_depth_where_runs_have_different_ones(self):
        self.write_run("A", top=1325.0)
        self.write_run("B", top=1400.0)
        result = self.run_cli("import", "A", "B", "-o", "data.h5", "--values", "values.json", "--set", "perforation=[0, 10]")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"the top of the formation lies at 1325 m \(\S*A\) to 1400 m \(\S*B\); a data set has one")
        self.write_run("C", top=1310.0)
        result = self.run_cli("import", "A", "B", "C", "-o", "data.h5", "--values", "values.json", "--set", "perforation=[0, 10]",
                              "--force")
        self.assertRegex(result.stderr, r"the top of the formation lies at 1310 m \(\S*C\) to 1400 m \(\S*B\)")
        self.assertIn("computed: where fresh water at rest", self.succeed("report", "data.h5", "-o", "report"))

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_leaves_no_depth_in_the_place_of_boxes_with_different_ones(self):
        wells = 'wells=[{"i": 1, "layers": [2, 3], "rate": 0.4}]'
        for tops, depth in (((1325.0, 1325.0), ", depth 1325 m"), ((1325.0, 1400.0), "")):
            for name, top in zip("AB", tops):
                self.write_run(name, top=top)
            result = self.run_cli("import", "A", "B", "-o", "data.h5", "--grid", "box", "--values", "values.json",
                                  "--set", wells, "--force")
            self.assertEqual(result.returncode, 0, result.stderr)
            with h5py.File(self.folder / "data.h5") as file:
                self.assertRegex(file.attrs["origin"].decode(), rf"^x \S+ m, y \S+ m{depth}$")
                self.assertEqual("top_depth" in file.attrs, depth != "")

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_keeps_the_depth_and_the_well_radius_of_like_where_the_model_tells_none(self):
        self.import_run(self.write_run("A", top=1325.0))
        shutil.move(self.folder / "data.h5", self.folder / "like.h5")
        with h5py.File(self.folder / "like.h5", "a") as file:
            file.attrs["well_radius"] = "0.15"
        cells = (len(RADII) - 1) * LAYERS
        (self.folder / "model.grdecl").write_text(f"PORO\n {cells}*0.2 /\nPERMX\n {cells}*100 /\nPERMZ\n {cells}*10 /\n")
        self.succeed("import", "model.grdecl", "-o", "one.h5", "--like", "like.h5", "--values", "values.json",
                     "--set", "initial_pressure=150", "--set", "perforation=[0, 10]")
        with h5py.File(self.folder / "one.h5") as file:
            self.assertEqual(float(file.attrs["top_depth"]), 1325.0)
            self.assertEqual(float(file.attrs["well_radius"]), 0.15)
        self.succeed("import", self.write_run("B", top=1400.0), "-o", "two.h5", "--like", "like.h5", "--values", "values.json",
                     "--set", "perforation=[0, 10]")
        with h5py.File(self.folder / "two.h5") as file:
            self.assertEqual(float(file.attrs["top_depth"]), 1400.0)

    def test_takes_all_files_of_a_run_for_one_case(self):
        for name in ("CASE_1", "CASE_2"):
            self.write_run(name).with_suffix(".plumecast.json").write_text("{}")
        files = sorted(self.folder.glob("CASE_*"))  # what a shell makes of it
        self.assertEqual(len(files), 8)
        self.assertEqual(self.import_run(*files), "data.h5: 2 cases of 4 x 4 cells, 2 times\n")

    def test_trains_on_what_it_imported(self):
        self.import_run(self.write_run("A"), self.write_run("B"))
        recipe = self.recipe(data={"train": "data.h5", "validation": "data.h5"}, fields="gas_saturation", epochs=1)
        self.succeed("train", recipe)
        self.succeed("predict", "run/best", "data.h5", "-o", "fields.h5")

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_reads_back_what_export_writes(self):
        sample = ROOT / "data" / "radial_sample.h5"
        with h5py.File(sample) as file:
            scalars = {name: float(file["inputs"][name][0]) for name in VALUES}
            open_rows = numpy.flatnonzero(file["inputs/perforation"][0, :, 0])
            edges = file["grid/z_edges"][:]
        self.values(**scalars, perforation=[float(edges[open_rows[0]]), float(edges[open_rows[-1] + 1])])
        for formatted in ([], ["--formatted"]):
            self.succeed("export", sample, "-o", "out", "--case", "0", "--sectors", "1", *formatted)
            self.succeed("import", "out", "-o", "back.h5", "--values", "values.json", "--force")
            self.assertIn("valid", self.succeed("validate", "back.h5"))
            with h5py.File(sample) as file, h5py.File(self.folder / "back.h5") as back:
                rows = len(back["grid/z_edges"]) - 1
                numpy.testing.assert_allclose(back["grid/r_edges"], file["grid/r_edges"], rtol=1e-6)
                numpy.testing.assert_allclose(back["grid/times"], file["grid/times"], rtol=1e-6)
                for name in ("permeability_r", "permeability_z", "porosity", "active"):
                    numpy.testing.assert_allclose(back["inputs"][name][0], file["inputs"][name][0, :rows], rtol=1e-5)
                for name, error in (("gas_saturation", 1e-5), ("pressure_buildup", 1e-3)):
                    numpy.testing.assert_allclose(back["outputs"][name][0], file["outputs"][name][0, :, :rows], atol=error)
            shutil.rmtree(self.folder / "out")

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_writes_what_another_reader_finds(self):
        self.import_run(self.write_run())
        with h5py.File(self.folder / "data.h5") as file:
            numpy.testing.assert_allclose(file["grid/r_edges"], RADII, rtol=1e-6)
            numpy.testing.assert_allclose(file["grid/z_edges"], [0, 5, 10, 15, 20], rtol=1e-6)
            numpy.testing.assert_allclose(file["grid/times"], [1, 10])
            numpy.testing.assert_allclose(file["inputs/permeability_r"][0].ravel(), 100.0 + numpy.arange(16), rtol=1e-6)
            numpy.testing.assert_allclose(file["inputs/perforation"][0, :, 0], [1, 1, 0, 0])
            numpy.testing.assert_allclose(file["outputs/pressure_buildup"][0, 1], 10.0, rtol=1e-6)
            numpy.testing.assert_allclose(file["outputs/gas_saturation"][0, 1].ravel(), 0.002 * numpy.arange(16), rtol=1e-6)
            self.assertEqual(file["outputs/pressure_buildup"].attrs["units"], b"bar")
            self.assertEqual(file["case/model"][0], b"CASE")

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_takes_the_rate_of_a_run_that_stops_injecting_from_its_injecting_period(self):
        root = self.write_run(days=(0.0, 1.0, 10.0, 100.0))
        self.write_summary(root, (1.0, 2e7), (10.0, 2e8), (100.0, 2e8))
        values = {name: value for name, value in VALUES.items() if name != "injection_rate"}
        (self.folder / "values.json").write_text(json.dumps({**values, "surface_density": 1.8684, "perforation": [0, 10]}))
        call = ("import", root, "-o", "data.h5", "--values", "values.json")
        self.succeed(*call)
        with h5py.File(self.folder / "data.h5") as file:
            numpy.testing.assert_array_equal(file["schedule/end"], [10, 100])
            numpy.testing.assert_allclose(file["schedule/rate"][0, 0], [2e8 * 1.8684 / 1e9 / 10 * 365.25, 0], rtol=1e-5)
        result = self.run_cli(*call, "--force", "--constant-rates")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("CASE: injection ends on day 10 of 100 (a data set holds one rate for all times: 13.65 Mt/year", result.stderr)
        self.assertNotIn("more free CO2", result.stderr)
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        mass = 2e8 * 1.8684 / 1e9
        with h5py.File(self.folder / "data.h5") as file:
            self.assertAlmostEqual(float(file["inputs/injection_rate"][0]), mass / 10 * 365.25, delta=1e-4)
            numpy.testing.assert_allclose(file["case/injected_mass"][0], [0.1 * mass, mass, mass], rtol=1e-5)
        self.succeed("report", "data.h5", "-o", "report")
        self.assertNotIn("impossible", (self.folder / "report" / "report.html").read_text())
        with open(self.folder / "report" / "series.csv") as file:
            rows = list(csv.DictReader(file))
        injected = [float(row["mass_injected [Mt]"]) for row in rows]
        numpy.testing.assert_allclose(injected, [0.1 * mass, mass, mass], rtol=1e-3)
        result = self.run_cli(*call, "--force", "--set", "injection_rate=0.01")
        self.assertIn("data.h5: in 1 case more free CO2 is in place than was injected until then", result.stderr)
        self.assertIn("check injection_rate or surface_density", result.stderr)

    def test_says_what_validate_says_of_the_data_set(self):
        self.values(temperature=340.0, perforation=[0, 10])
        result = self.run_cli("import", self.write_run(), "-o", "data.h5", "--values", "values.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"warning: data.h5: /inputs/temperature: .*kelvin")

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_keeps_the_grid_of_another_data_set(self):
        self.import_run(self.write_run("A"), output="like.h5")
        with h5py.File(self.folder / "like.h5", "r+") as file:
            for name in list(file["inputs"]) + list(file["outputs"]):
                folder = file["inputs" if name in file["inputs"] else "outputs"]
                if folder[name].ndim > 1:
                    values, attributes = folder[name][:], dict(folder[name].attrs)
                    rows = [(0, 2) if axis == folder[name].ndim - 2 else (0, 0) for axis in range(folder[name].ndim)]
                    del folder[name]
                    folder[name] = numpy.pad(values, rows)
                    folder[name].attrs.update({key: attributes[key] for key in ("units", "long_name")})
            attributes = dict(file["grid/z_edges"].attrs)
            edges = numpy.append(file["grid/z_edges"][:], [25.0, 30.0])
            del file["grid/z_edges"]
            file["grid/z_edges"] = edges
            file["grid/z_edges"].attrs.update({key: attributes[key] for key in ("units", "long_name")})
        out = self.succeed("import", self.write_run("B", days=(0.0, 1.0, 5.0, 10.0)), "-o", "data.h5", "--values", "values.json",
                           "--set", "perforation=[0, 10]", "--like", "like.h5")
        self.assertEqual(out, "data.h5: 1 case of 6 x 4 cells, 2 times\n")
        self.succeed("merge", "like.h5", "data.h5", "-o", "both.h5", "--duplicates", "keep")

    def test_leaves_no_file_when_the_disk_is_full(self):
        from cli_test_case import no_room_for_files
        root = self.write_run()
        self.refuse(SYSTEM, "import", root, "-o", "data.h5", "--values", "values.json", "--set", "perforation=[0, 10]",
                  preexec_fn=no_room_for_files)
        self.assertEqual([path.name for path in self.folder.glob("*data.h5*")], [])


class BadInputs(ImportTestCase):
    """Every message of the table in docs/import.md."""

    def reject(self, code, *arguments, says):
        self.refuse(code, "import", *arguments, "-o", "data.h5", "--values", "values.json", "--set", "perforation=[0, 10]",
                  says=says)
        self.assertFalse((self.folder / "data.h5").exists())

    def test_names_runs_that_are_not_there_or_incomplete(self):
        self.reject(SYSTEM, "NOTHING", says=["cannot read 'NOTHING'"])
        (self.folder / "empty").mkdir()
        self.reject(DATA, "empty", says=["empty: no run", "EGRID"])
        self.write_run("A")
        self.write_run("B")
        self.reject(DATA, ".", says=["several runs", "name one of them"])
        for extension, says in ((".EGRID", "no EGRID or GRID file"), (".INIT", "no INIT file"), (".UNRST", "no UNRST file")):
            self.write_run("C")
            (self.folder / "C").with_suffix(extension).unlink()
            self.reject(DATA, "C", says=[says])

    def test_names_the_byte_of_damage(self):
        for extension in (".EGRID", ".INIT", ".UNRST"):
            root = self.write_run()
            path = root.with_suffix(extension)
            content = path.read_bytes()
            path.write_bytes(content[:-3])
            self.reject(DATA, root, says=[f"{path.name}: byte "])
            path.write_bytes(content + b"half")
            self.reject(DATA, root, says=[f"{path.name}: byte {len(content)}: the file ends within a record"])
            path.write_bytes(b"\x00\x00\x00\x11" + content[4:])
            self.reject(DATA, root, says=[path.name, "byte 0: no array header"])
            path.write_bytes(content[:12] + b"\x7f\xff\xff\xff" + content[16:])
            self.reject(DATA, root, says=[path.name, "byte 0: ", "does not fit"])

    def test_names_what_the_files_lack(self):
        root = self.write_run(days=(0.5, 1.0))
        self.reject(DATA, root, says=["no state on day 0", "injection_start"])
        root = self.write_run()
        path = root.with_suffix(".INIT")
        path.write_bytes(path.read_bytes().replace(b"PERMZ   ", b"OTHER   "))
        self.reject(DATA, root, says=["CASE: no PERMZ", "INIT"])
        root = self.write_run()
        path = root.with_suffix(".UNRST")
        path.write_bytes(path.read_bytes().replace(b"SGAS    ", b"OTHER   "))
        self.reject(DATA, root, says=["CASE.UNRST: no SGAS"])
        root = self.write_run()
        (self.folder / "values.json").write_text(json.dumps({"injection_rate": 1}))
        self.reject(DATA, root, says=["no temperature", "set it in degC"])
        self.values(temprature=60)
        self.reject(USAGE, root, says=["unknown key 'temprature'", "did you mean 'temperature'?"])
        self.refuse(USAGE, "import", root, "-o", "data.h5", "--set", "temperature", says=["no KEY=VALUE"])

    def test_names_runs_that_do_not_fit_together(self):
        self.reject(DATA, self.write_run("A"), self.write_run("B", days=(0, 2, 10)), says=["B: 2 snapshots", "share their times"])

    def test_names_the_byte_in_grdecl_files(self):
        for text, says in (("PORO\n 0.1 high /\n", "byte 10: 'high' (no number)"),
                           ("PORO\n 5* /\n", "asks for a default"),
                           ("PORO\n 0.1 0.2\n", "byte 0: PORO has no end"),
                           ("EQUALS\n PORO 0.2 /\n/\n", "byte 0: EQUALS changes arrays"),
                           ("PORO\n 4*0.2 /\n", "no times"),
                           ("COORD\n 24*0 /\n", "COORD without SPECGRID")):
            (self.folder / "m.grdecl").write_text(text)
            self.reject(DATA, "m.grdecl", says=["m.grdecl", says])
        self.values(times=[1, 10])
        (self.folder / "m.grdecl").write_text("PORO\n 4*0.2 /\n")
        self.reject(DATA, "m.grdecl", says=["no COORD, ZCORN and SPECGRID", "--like"])

    def test_properties_alone_take_grid_and_place_of_a_box(self):
        self.sample("cartesian", "like.h5")
        with h5py.File(self.folder / "like.h5", "r+") as file:
            file.attrs["rotation"] = 30.0
        (self.folder / "m.grdecl").write_text("PORO\n24*0.2 /\nPERMX\n24*100 /\nPERMY\n24*100 /\nPERMZ\n24*10 /\n")
        wells = [{"i": 1, "j": 1, "layers": [1, 2], "rate": 0.5}]
        self.succeed("import", "m.grdecl", "-o", "data.h5", "--like", "like.h5", "--set", f"wells={json.dumps(wells)}",
                     "--set", "temperature=50", "--set", "initial_pressure=120")
        self.assertIn("place     rotated by 30 degrees\n", self.succeed("info", "data.h5"))
        self.succeed("validate", "data.h5")

    def test_refuses_grids_that_are_not_radial_when_one_was_asked_for(self):
        root = self.write_run()
        path = root.with_suffix(".EGRID")
        content = path.read_bytes()
        at = content.index(b"COORD   ") + 24
        path.write_bytes(content[:at] + struct.pack(">f", 3.0) + content[at + 4 :])
        self.reject(DATA, root, says=["the grid is not radial", "--grid box"])


@unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
class ImportArrays(ImportTestCase):
    """HDF5 files in the layouts of The Well (fields by rank, flags for what varies) and of PDEBench (one tensor)."""

    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(5)
        self.rock = self.random.uniform(1e-14, 1e-12, (3, 4, 2))  # n, r, z in m2
        self.gas = self.random.uniform(0, 1, (3, 2, 4, 2))  # n, t, r, z
        self.pressure = self.random.uniform(1e7, 2e7, (3, 2, 4, 2))
        with h5py.File(self.folder / "well.hdf5", "w") as file:
            file.attrs.update({"dataset_name": "co2", "n_spatial_dims": 2, "n_trajectories": 3})
            file["dimensions/time"] = [86400.0, 864000.0]
            file["dimensions/r"] = [0.5, 1.5, 2.5, 3.5]
            file["t0_fields/permeability"] = self.rock
            file["t0_fields/permeability"].attrs["units"] = "m2"
            file["t0_fields/porosity"] = numpy.full((4, 2), 0.2)
            file["t0_fields/gas_saturation"] = self.gas
            file["t0_fields/pressure"] = self.pressure
            file["scalars/rate"] = [10.0, 20.0, 30.0]
        self.map = {
            "grid": {"r_edges": {"array": "/dimensions/r", "kind": "centres", "unit": "m"}, "z_edges": [0, 5, 10],
                     "times": {"array": "/dimensions/time", "unit": "s"}},
            "inputs": {"permeability_r": {"array": "/t0_fields/permeability", "axes": "n r z"},
                       "permeability_z": {"array": "/t0_fields/permeability", "axes": "n r z"},
                       "porosity": {"array": "/t0_fields/porosity", "axes": "r z", "unit": "1"}, "perforation": 1,
                       "injection_rate": {"array": "/scalars/rate", "axes": "n", "unit": "kg/s"}, "initial_pressure": 100,
                       "temperature": 50, "irreducible_water_saturation": 0.2, "van_genuchten_lambda": 0.5},
            "outputs": {"gas_saturation": {"array": "/t0_fields/gas_saturation", "axes": "n t r z", "unit": "1"},
                        "pressure_buildup": {"array": "/t0_fields/pressure", "axes": "n t r z", "unit": "Pa",
                                             "minus_first": True}}}

    def write_map(self):
        (self.folder / "map.json").write_text(json.dumps(self.map))

    def reject(self, code, says):
        self.write_map()
        self.refuse(code, "import", "well.hdf5", "--map", "map.json", "-o", "data.h5", says=says)
        self.assertFalse((self.folder / "data.h5").exists())

    def expect_a_point_for_a_well(self):
        """The data set is valid but for the radius of its well, which these arrays do not have."""
        found = self.succeed("validate", "data.h5")
        self.assertIn("/grid/r_edges: the well's radius, the first edge, is 0 m", found)
        self.assertIn("0 errors", found)

    def test_brings_arrays_into_place_and_unit(self):
        self.write_map()
        out = self.succeed("import", "well.hdf5", "--map", "map.json", "-o", "data.h5")
        self.assertEqual(out, "data.h5: 3 cases of 2 x 4 cells, 2 times\n")
        self.expect_a_point_for_a_well()
        with h5py.File(self.folder / "data.h5") as file:
            numpy.testing.assert_allclose(file["grid/r_edges"], [0, 1, 2, 3, 4], atol=1e-12)
            numpy.testing.assert_allclose(file["grid/times"], [1, 10])
            numpy.testing.assert_allclose(file["inputs/permeability_r"], self.rock.transpose(0, 2, 1) / 9.86923e-16, rtol=1e-5)
            numpy.testing.assert_allclose(file["inputs/porosity"], 0.2, rtol=1e-6)
            numpy.testing.assert_allclose(file["inputs/injection_rate"], numpy.array([10, 20, 30]) * 0.0315576, rtol=1e-6)
            numpy.testing.assert_allclose(file["inputs/thickness"], 10)
            numpy.testing.assert_allclose(file["outputs/gas_saturation"], self.gas.transpose(0, 1, 3, 2), rtol=1e-5)
            rise = (self.pressure - self.pressure[:, :1]).transpose(0, 1, 3, 2) / 1e5
            numpy.testing.assert_allclose(file["outputs/pressure_buildup"], rise, atol=1e-4)

    def test_takes_the_arrays_of_pdebench(self):
        """One array per quantity beside the coordinates of cell centres, no units, one time more than snapshots."""
        with h5py.File(self.folder / "darcy.hdf5", "w") as file:
            file["tensor"] = self.pressure.astype("f4")
            file["nu"] = (self.rock / 9.86923e-16).astype("f4")
            file["x-coordinate"] = numpy.array([0.5, 1.5, 2.5, 3.5], "f4")
            file["y-coordinate"] = numpy.array([2.5, 7.5], "f4")
            file["t-coordinate"] = numpy.array([0.0, 1.0, 2.0], "f4")
        nu = {"array": "/nu", "axes": "n r z", "unit": "mD"}
        self.map["grid"] = {"r_edges": {"array": "/x-coordinate", "kind": "centres", "unit": "m"},
                            "z_edges": {"array": "/y-coordinate", "kind": "centres", "unit": "m"},
                            "times": {"array": "/t-coordinate", "unit": "day"}}
        self.map["inputs"].update({"permeability_r": nu, "permeability_z": nu, "porosity": 0.2, "injection_rate": 1})
        self.map["outputs"] = {"pressure_buildup": {"array": "/tensor", "axes": "n t r z", "unit": "Pa"}}
        self.write_map()
        call = ("import", "darcy.hdf5", "--map", "map.json", "-o", "data.h5")
        self.refuse(DATA, *call, says=["/tensor has 2 entries along t (the grid has 3)"])
        self.map["grid"]["times"] = [1, 2]
        self.write_map()
        self.assertEqual(self.succeed(*call), "data.h5: 3 cases of 2 x 4 cells, 2 times\n")
        self.expect_a_point_for_a_well()
        with h5py.File(self.folder / "data.h5") as file:
            numpy.testing.assert_allclose(file["grid/z_edges"], [0, 5, 10], atol=1e-6)
            numpy.testing.assert_allclose(file["inputs/permeability_z"], self.rock.transpose(0, 2, 1) / 9.86923e-16, rtol=1e-5)
            numpy.testing.assert_allclose(file["outputs/pressure_buildup"], self.pressure.transpose(0, 1, 3, 2) / 1e5, rtol=1e-5)

    def test_takes_three_dimensions(self):
        with h5py.File(self.folder / "well.hdf5", "a") as file:
            file["box"] = self.random.uniform(0.1, 0.3, (2, 3, 4, 5))  # n, x, y, z
        box = {"array": "/box", "axes": "n x y z", "unit": "1"}
        rate = numpy.zeros((5, 4, 3))
        rate[0, 0, 0] = 1.0
        with h5py.File(self.folder / "well.hdf5", "a") as file:
            file["rate"] = rate
        self.map = {"grid": {"x_edges": [0, 1, 2, 3], "y_edges": [0, 1, 2, 3, 4], "z_edges": [0, 1, 2, 3, 4, 5], "times": [1],
                             "rotation": -30.5, "origin": [450000, 6700000]},
                    "inputs": {"permeability_x": 100, "permeability_y": 100, "permeability_z": 10, "porosity": box,
                               "perforation": 1, "cell_injection_rate": {"array": "/rate", "axes": "z y x", "unit": "Mt/year"},
                               "injection_rate": 1, "initial_pressure": 100, "temperature": 50}}
        self.write_map()
        out = self.succeed("import", "well.hdf5", "--map", "map.json", "-o", "data.h5")
        self.assertEqual(out, "data.h5: 2 cases of 5 x 4 x 3 cells, 1 time, to be predicted\n")
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        with h5py.File(self.folder / "data.h5") as file, h5py.File(self.folder / "well.hdf5") as well:
            numpy.testing.assert_allclose(file["inputs/porosity"], well["box"][:].transpose(0, 3, 2, 1), rtol=1e-6)
        self.assertIn("rotated by -30.5 degrees, origin at x 450000 m, y 6700000 m", self.succeed("info", "data.h5"))
        (self.folder / "data.h5").unlink()
        self.map["grid"]["rotation"] = 500
        self.reject(USAGE, ["grid.rotation is no angle"])

    def test_takes_depths_below_the_surface_for_what_they_are(self):
        self.map["grid"]["z_edges"] = [1000 + depth for depth in self.map["grid"]["z_edges"]]
        self.write_map()
        result = self.run_cli("import", "well.hdf5", "--map", "map.json", "-o", "data.h5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("z_edges begin at 1000 m and are taken for depths below the surface", result.stderr)
        with h5py.File(self.folder / "data.h5", "a") as file:
            self.assertEqual(file["grid/z_edges"][0], 0.0)
            self.assertEqual(file.attrs["top_depth"], b"1000")
            self.assertLessEqual(file["inputs/thickness"][:].max(), file["grid/z_edges"][-1])
            file["grid/z_edges"][:] += 1000
        result = self.run_cli("validate", "data.h5")
        self.assertEqual(result.returncode, DATA, result.stderr)
        self.assertIn("error   /grid/z_edges: the first edge lies at 1000 m", result.stdout)

    def test_refuses_what_is_not_clear(self):
        self.refuse(USAGE, "import", "well.hdf5", "-o", "data.h5", says=["--map", "since the file does not"])
        self.map["inputs"]["injection_rate"]["unit"] = "mph"
        self.reject(USAGE, ['unit "mph" does not become Mt/year', "kg/s"])
        del self.map["inputs"]["injection_rate"]["unit"]
        self.reject(USAGE, ["injection_rate: no unit"])
        self.map["inputs"]["injection_rate"] = 1
        self.map["inputs"]["porosity"]["axes"] = "z r n"
        self.reject(USAGE, ['axes "zrn" for /t0_fields/porosity of extents'])
        self.map["inputs"]["porosity"]["axes"] = "z r"
        self.reject(DATA, ["/t0_fields/porosity has 2 entries along r (the grid has 4)"])
        self.map["inputs"]["porosity"] = {"array": "/missing", "axes": "z r", "unit": "1"}
        self.reject(DATA, ["/missing"])
        self.map["inputs"]["porosity"] = 0.2
        del self.map["inputs"]["temperature"]
        self.reject(USAGE, ["nothing for /inputs/temperature"])
        self.map["inputs"]["temprature"] = 50
        self.reject(USAGE, ["temprature"])
        (self.folder / "well.hdf5").write_text("no HDF5")
        self.reject(DATA, ["well.hdf5: not an HDF5 file"])


@unittest.skipUnless(shutil.which("convertECL"), "convertECL is not installed (package libopm-common-bin)")
class ImportAsOthersRead(ImportTestCase):
    def test_reads_formatted_files_as_unformatted_ones(self):
        root = self.write_run()
        self.import_run(root, output="unformatted.h5")
        (self.folder / "formatted").mkdir()
        for extension in ("EGRID", "INIT", "UNRST"):
            subprocess.run(["convertECL", f"{root}.{extension}"], check=True, stdout=subprocess.DEVNULL)
            (self.folder / f"CASE.F{extension}").rename(self.folder / "formatted" / f"CASE.F{extension}")
        self.import_run("formatted", output="formatted.h5")
        for name in ("r_edges", "permeability_r", "gas_saturation", "pressure_buildup", "porosity"):
            stats = [json.loads(self.succeed("stats", file, "--json")) for file in ("formatted.h5", "unformatted.h5")]
            one, other = ([a for a in s["arrays"] if a["name"] == name] for s in stats)
            for a, b in zip(one, other):
                for key in ("min", "max", "mean", "std"):
                    self.assertAlmostEqual(a[key], b[key], delta=1e-6 * max(1.0, abs(b[key])))


@unittest.skipUnless(shutil.which("flow"), "OPM Flow is not installed (program 'flow' is not on PATH)")
class ImportFromTheSimulator(ImportTestCase):
    def simulate(self):
        """Two small cases with their decks, the simulator's files and the values that these do not say."""
        config = {"cases": 2, "seed": 5, "grid": {"rows": 8, "columns": 16}, "times": {"count": 8, "growth": 3}, "output_bits": 23}
        (self.folder / "cases.json").write_text(json.dumps(config))
        self.succeed("generate", "cases.json", "-o", "made.h5", "--keep-decks", "decks")
        with h5py.File(self.folder / "made.h5") as made:
            numbers = list(made["case/number"])
        return [self.folder / "decks" / f"case_{number:08}" for number in numbers]

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_brings_back_what_generate_made(self):
        runs = self.simulate()
        self.succeed("import", *runs, "-o", "back.h5")
        self.assertIn("valid", self.succeed("validate", "back.h5"))
        with h5py.File(self.folder / "made.h5") as made, h5py.File(self.folder / "back.h5") as back:
            rows = len(back["grid/z_edges"]) - 1
            for name in ("permeability_r", "permeability_z", "porosity", "active"):
                numpy.testing.assert_allclose(back["inputs"][name], made["inputs"][name][:, :rows], rtol=1e-5, err_msg=name)
            for name in ("initial_pressure", "thickness", "injection_rate", "temperature", "irreducible_water_saturation",
                         "van_genuchten_lambda"):
                numpy.testing.assert_allclose(back["inputs"][name], made["inputs"][name], rtol=2e-3, err_msg=name)
            numpy.testing.assert_array_equal(back["inputs/perforation"][:] > 0, made["inputs/perforation"][:, :rows] > 0)
            for name, error in (("gas_saturation", 1e-6), ("pressure_buildup", 1e-5)):
                numpy.testing.assert_allclose(back["outputs"][name], made["outputs"][name][:, :, :rows], atol=error, err_msg=name)

    def compare_with_what_was_made(self, config):
        """What decks of drawn cases ask for and what their runs bring back, in files whose outputs are not rounded: rates and the days of their
        changes to a few units in the last place of the totals that the summary holds in single precision, fields to that of the restart file."""
        (self.folder / "cases.json").write_text(json.dumps({**config, "output_bits": 23}))
        self.succeed("generate", "cases.json", "-o", "made.h5", "--keep-decks", "decks", "--force")
        with h5py.File(self.folder / "made.h5") as made:
            runs = [self.folder / "decks" / f"case_{number:08}" for number in made["case/number"]]
        self.succeed("import", *runs, "-o", "back.h5", "--force")
        self.assertIn("valid", self.succeed("validate", "back.h5"))

        def changes(file, case, well):
            """Days at which the rate of a well changes, and the rates before them."""
            ends, rates = file["schedule/end"][:], file["schedule/rate"][case, well]
            last = numpy.nonzero(rates)[0][-1]
            kept = [k for k in range(last + 1) if k == last or abs(rates[k + 1] - rates[k]) > 2e-6 * max(rates[k], rates[k + 1])]
            return ends[kept], rates[kept]

        with h5py.File(self.folder / "made.h5") as made, h5py.File(self.folder / "back.h5") as back:
            numpy.testing.assert_allclose(back["grid/times"], made["grid/times"], rtol=1e-7)
            self.assertEqual(back["schedule/rate"].shape[:2], made["schedule/rate"].shape[:2])
            rows = len(back["grid/z_edges"]) - 1
            stops = 0
            for case in range(len(runs)):
                for well in range(made["schedule/rate"].shape[1]):
                    (days, rates), (found_days, found_rates) = (changes(file, case, well) for file in (made, back))
                    numpy.testing.assert_allclose(found_days, days, rtol=1e-6)
                    numpy.testing.assert_allclose(found_rates, rates, rtol=1e-6)
                    stops += days[-1] < made["grid/times"][-1]
                for name in ("gas_saturation", "pressure_buildup"):
                    expected = made["outputs"][name][case, :, :rows]
                    largest = 1.0 if name == "gas_saturation" else numpy.nanmax(numpy.abs(expected))
                    self.assertGreater(numpy.nanmax(expected), 0.0)
                    numpy.testing.assert_allclose(back["outputs"][name][case], expected, rtol=0.0, atol=1e-6 * largest, err_msg=name)
            self.assertGreater(stops, 0)

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_brings_back_schedules(self):
        laws = {"constant": 0, "ramp": 1, "steps": 1, "intermittent": 1}
        self.compare_with_what_was_made({
            "cases": 3, "seed": 7, "grid": {"rows": 8, "columns": 16}, "times": {"count": 9, "growth": 2.5}, "checks": {"mass_error": 0.1},
            "inputs": {"schedule": {"laws": laws, "stop": [2, 3], "changes": [10, 20], "ramp": [1, 2]}}})
        with h5py.File(self.folder / "back.h5") as back:
            days, ends = back["grid/times"][:], back["schedule/end"][:]
            for case, rates in enumerate(back["schedule/rate"][:, 0].astype(float)):
                starts = numpy.concatenate([[0.0], ends[:-1]])
                injected = numpy.clip(days[:, None] - starts, 0.0, ends - starts) @ rates / 365.25
                numpy.testing.assert_allclose(injected, back["case/injected_mass"][case], rtol=1e-6)

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_brings_back_a_schedule_of_each_well_of_a_box(self):
        from cli_three_dimensions_test import CASES
        schedule = {"laws": {"constant": 0, "steps": 1, "intermittent": 1}, "stop": [1, 2], "changes": [10, 20]}
        self.compare_with_what_was_made({**CASES, "cases": 2, "wells": {**CASES["wells"], "count": [2, 2]}, "times": {"count": 7, "first": 30, "growth": 2},
                                         "checks": {"mass_error": 0.1}, "inputs": {**CASES["inputs"], "schedule": schedule}})

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_brings_back_a_box_with_several_wells(self):
        from cli_three_dimensions_test import CASES
        (self.folder / "cases.json").write_text(json.dumps({**CASES, "cases": 1, "output_bits": 23}))
        self.succeed("generate", "cases.json", "-o", "made.h5", "--keep-decks", "decks")
        with h5py.File(self.folder / "made.h5") as made:
            number = int(made["case/number"][0])
            rate, temperature = (float(made["inputs"][name][0]) for name in ("injection_rate", "temperature"))
        self.succeed("import", self.folder / "decks" / f"case_{number:08}", "-o", "back.h5")
        self.assertIn("valid", self.succeed("validate", "back.h5"))
        with h5py.File(self.folder / "made.h5") as made, h5py.File(self.folder / "back.h5") as back:
            rows = len(back["grid/z_edges"]) - 1
            for name in ("x_edges", "y_edges"):
                numpy.testing.assert_allclose(back["grid"][name], made["grid"][name], atol=0.1, err_msg=name)
            for name in ("permeability_x", "permeability_y", "permeability_z", "porosity", "active"):
                numpy.testing.assert_allclose(back["inputs"][name], made["inputs"][name][:, :rows], rtol=1e-5, err_msg=name)
            numpy.testing.assert_array_equal(back["inputs/perforation"][:] > 0, made["inputs/perforation"][:, :rows] > 0)
            self.assertAlmostEqual(float(back["inputs/cell_injection_rate"][:].sum()), rate, delta=0.01 * rate)
            self.assertAlmostEqual(float(back["inputs/temperature"][0]), temperature, delta=1e-3)
            for name, error in (("gas_saturation", 1e-6), ("pressure_buildup", 1e-5)):
                numpy.testing.assert_allclose(back["outputs"][name], made["outputs"][name][:, :, :rows], atol=error, err_msg=name)
            box = made["grid"]
            volume = numpy.prod(numpy.meshgrid(*(numpy.diff(box[name]) for name in ("z_edges", "y_edges", "x_edges")),
                                               indexing="ij"), axis=0)[:rows]
            numpy.testing.assert_allclose(back["grid/cell_volume"], volume, rtol=1e-3)

    @unittest.skipUnless(h5py and EGrid, "python3-opm-common or python3-h5py is not installed")
    def test_finds_the_volumes_that_the_packages_own_reader_finds(self):
        run = self.simulate()[0]
        self.succeed("import", run, "-o", "box.h5", "--grid", "box")
        volumes = EGrid(str(run / "CASE.EGRID")).cellvolumes()
        with h5py.File(self.folder / "box.h5") as box:
            numpy.testing.assert_allclose(box["grid/cell_volume"][:].ravel(), volumes, rtol=1e-5)

    @unittest.skipUnless(h5py and EclFile, "python3-opm-common or python3-h5py is not installed")
    def test_finds_the_states_that_the_packages_own_reader_finds(self):
        run = self.simulate()[0]
        self.succeed("import", run, "-o", "back.h5")
        restart = EclFile(str(run / "CASE.UNRST"))
        pressure = [numpy.array(restart[i]) for i, (name, _, _) in enumerate(restart.arrays) if name == "PRESSURE"]
        with h5py.File(self.folder / "back.h5") as back:
            for time, values in enumerate(pressure[1:]):
                numpy.testing.assert_allclose(back["outputs/pressure_buildup"][0, time].ravel(), values - pressure[0],
                                              atol=1e-4)


if __name__ == "__main__":
    unittest.main()
