import csv
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from cli_test_case import DATA, OK, PLUMECAST, SYSTEM, USAGE, CliTestCase

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "data"
SHIPPED = str(ROOT / "models" / "radial-co2")


class OtherGrid(CliTestCase):
    """A guided model of a tiny grid on the radial sample of 32 x 64 cells at 24 times."""

    def setUp(self):
        super().setUp()
        self.sample("guided", "tiny.h5")
        shutil.copy(SAMPLES / "radial_sample.h5", self.folder / "cases.h5")
        self.succeed("train", self.recipe(
            data={"train": "tiny.h5"}, physics={"kind": "two_phase", "substeps": 1}, channels="guided",
            network={"architecture": "fno", "width": 4, "hidden": 6, "modes": [2, 2, 2],
                                      "fourier_blocks": 1, "extended_blocks": 0}))

    def test_predicts_and_evaluates_any_grid_and_says_how(self):
        said = "the grid and times 32 x 64 x 24 are not those of the model (4 x 5 x 3): physics on yours"
        predicted = self.run_cli("predict", "run/best", "cases.h5", "-o", "out.h5")
        self.assertEqual(predicted.returncode, OK, predicted.stderr)
        self.assertEqual(predicted.stderr.count(said), 1, predicted.stderr)
        self.assertIn("times up to", predicted.stderr)
        self.succeed("validate", "out.h5")
        evaluated = self.run_cli("evaluate", "run/best", "cases.h5")
        self.assertEqual(evaluated.returncode, OK, evaluated.stderr)
        self.assertIn(said, evaluated.stderr)
        self.assertIn("physics alone", evaluated.stdout)

    def test_names_a_folder_for_temporary_files_that_is_not_there(self):
        done = subprocess.run([PLUMECAST, "predict", "run/best", "cases.h5", "-o", "out.h5"], cwd=self.folder, capture_output=True,
                              text=True, check=False, env=os.environ | {"TMPDIR": str(self.folder / "nowhere")})
        self.assertEqual(done.returncode, SYSTEM, done.stderr)
        self.assertIn("no folder for temporary files (", done.stderr)
        self.assertIn("set TMPDIR to a folder that can be written", done.stderr)
        self.assertFalse((self.folder / "out.h5").exists())

    def test_the_shipped_model_conserves_co2(self):
        self.succeed("predict", SHIPPED, "cases.h5", "-o", "own.h5")
        self.succeed("report", "own.h5", "-o", "report")
        with open(self.folder / "report" / "series.csv", encoding="utf-8") as table:
            found = [float(row["mass_balance"]) for row in csv.DictReader(table)]
        self.assertEqual(len(found), 8 * 24)
        for share in found:
            self.assertAlmostEqual(share, 1.0, delta=1e-6)

    def test_says_nothing_on_the_grid_of_the_training(self):
        predicted = self.run_cli("predict", "run/best", "tiny.h5", "-o", "out.h5")
        self.assertEqual(predicted.returncode, OK, predicted.stderr)
        self.assertNotIn("those of the model", predicted.stderr)

    def test_info_tells_the_grid_of_the_training(self):
        self.assertIn("grid      4 x 5 x 3 cells and times, radius 100000 m, depth 40 m, 10 to 1000 days",
                      self.succeed("info", "run/best"))


class PlainOtherGrid(CliTestCase):
    """A plain model of 4 x 5 cells out to 100 km, 40 m deep and 1000 days long, on the radial sample."""

    def test_brings_inputs_over_refuses_what_lies_beyond_or_leaves_nan(self):
        self.sample("guided")
        model = self.train()
        shutil.copy(SAMPLES / "radial_sample.h5", self.folder / "cases.h5")
        self.refuse(DATA, "predict", model, "cases.h5", "-o", "out.h5",
                  says=["cases.h5", "those of the model", "--extrapolate nan"])
        self.assertFalse((self.folder / "out.h5").exists())
        self.refuse(DATA, "evaluate", model, "cases.h5", says=["those of the model"])
        self.refuse(USAGE, "predict", model, "cases.h5", "-o", "out.h5", "--extrapolate", "linear", says=["--extrapolate"])
        predicted = self.run_cli("predict", model, "cases.h5", "-o", "out.h5", "--extrapolate", "nan")
        self.assertEqual(predicted.returncode, OK, predicted.stderr)
        self.assertIn("(fields hold NaN beyond)", predicted.stderr)
        self.assertEqual(predicted.stderr.count("inputs brought onto the model's, fields brought back"), 1)
        self.assertIn("not finite", self.run_cli("validate", "out.h5").stdout)
        self.assertIn("grid      4 x 5 x 3 cells and times, radius 100000 m", self.succeed("info", model))

    def test_warns_where_a_model_does_not_say_what_it_knows(self):
        model = self.train()
        description = json.loads((model / "model.json").read_text())
        del description["training"]["grid"]
        (model / "model.json").write_text(json.dumps(description))
        predicted = self.run_cli("predict", model, "sample.h5", "-o", "out.h5")
        self.assertEqual(predicted.returncode, OK, predicted.stderr)
        self.assertIn("the model does not say on which grid and for which times it was trained", predicted.stderr)
        self.assertIn("grid      unknown", self.succeed("info", model))


@unittest.skipIf(h5py is None, "h5py and numpy are not installed (python3-h5py)")
class RotatedBox(CliTestCase):
    """A plain model of 2 x 3 x 4 cells, 800 m along the map by 200 m, and boxes that are rotated against it."""

    OUTPUTS = ("gas_saturation", "pressure_buildup")

    def setUp(self):
        super().setUp()
        self.sample("cartesian")
        self.state("sample.h5", rotation=0.0, origin=[0.0, 0.0])
        self.succeed("train", self.recipe(
            fields=list(self.OUTPUTS), epochs=40, schedule={"learning_rate": 0.02},
            network={"architecture": "fno", "width": 4, "hidden": 6, "modes": [1, 1, 2, 1], "fourier_blocks": 1,
                     "extended_blocks": 0}))

    def state(self, name, **place):
        with h5py.File(self.folder / name, "r+") as file:
            file.attrs.update(place)

    def restate(self, name, edges, changed, **place):
        """The inputs of the sample with other edges by name and maps [n, z, y, x] changed, given their name."""
        with h5py.File(self.folder / "sample.h5") as old, h5py.File(self.folder / name, "w") as new:
            new.attrs.update({key: old.attrs[key] for key in ("format", "format_version")} | place)
            for path in [f"{group}/{key}" for group in ("grid", "inputs") for key in old[group]]:
                key = path.split("/")[1]
                values = changed(key, old[path][:]) if old[path].ndim == 4 else edges.get(key, old[path][:])
                array = new.create_dataset(path, data=values)
                array.attrs.update({label: old[path].attrs[label] for label in ("units", "long_name")})
        self.succeed("validate", name)

    def turned(self, name):
        """The reservoir of the sample on axes that are turned by 90 degrees: x leads north, y west."""
        with h5py.File(self.folder / "sample.h5") as file:
            edges = {"x_edges": file["grid/y_edges"][:], "y_edges": -file["grid/x_edges"][:][::-1]}
            along = {"permeability_x": file["inputs/permeability_y"][:], "permeability_y": file["inputs/permeability_x"][:]}
        self.restate(name, edges, lambda key, values: self.turned_map(along.get(key, values)), rotation=90.0, origin=[0.0, 0.0])

    def turned_map(self, values):
        return np.flip(np.swapaxes(values, -1, -2), -2)

    def predict(self, name, *options):
        predicted = self.run_cli("predict", "run/best", name, "-o", "out_" + name, *options)
        self.assertEqual(predicted.returncode, OK, predicted.stderr)
        with h5py.File(self.folder / ("out_" + name)) as file:
            return predicted.stderr, [file[f"outputs/{output}"][:] for output in self.OUTPUTS]

    def test_a_quarter_turn_changes_nothing(self):
        self.turned("turned.h5")
        _, own = self.predict("sample.h5")
        said, found = self.predict("turned.h5")
        self.assertIn("rotated by 90 degrees against the model's, is not that of the model", said)
        for expected, values in zip(own, found):
            np.testing.assert_allclose(values, self.turned_map(expected), rtol=1e-5, atol=1e-5 * np.nanmax(np.abs(expected)))
        self.assertIn("place     rotated by 90 degrees, origin at x 0 m, y 0 m", self.succeed("info", "out_turned.h5"))
        self.assertIn("rotated by 0 degrees, origin at x 0 m, y 0 m", self.succeed("info", "run/best"))

    def test_any_angle_gives_like_fields_at_the_places_of_the_map(self):
        """Uniform rock on 40 x 40 cells of 60 m, with a well at x 250 m, y 100 m of the map."""
        edges, middle = {f"{axis}_edges": np.linspace(0.0, 2400.0, 41) for axis in "xy"}, 1230.0

        def uniform(key, values):
            result = np.full(values.shape[:2] + (40, 40), {"active": 1, "porosity": 0.2}.get(key, 50), values.dtype)
            if key in ("perforation", "cell_injection_rate"):
                result[:] = 0
                result[..., 20, 20] = 1 if key == "perforation" else np.array([0.375, 0.75])[:, None]
            return result

        fields, places = {}, {}
        for name, degrees in (("straight.h5", 0.0), ("askew.h5", 30.0)):
            x, y = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
            origin = np.array([250.0, 100.0]) - middle * np.array([x - y, y + x])
            self.restate(name, edges, uniform, rotation=degrees, origin=origin)
            self.refuse(DATA, "predict", "run/best", name, "-o", "out.h5", says=["along x, that of the model", "--extrapolate nan"])
            fields[name] = self.predict(name, "--extrapolate", "nan")[1]
            along, across = np.meshgrid(np.arange(40) * 60.0 + 30.0, np.arange(40) * 60.0 + 30.0)
            places[name] = origin[:, None, None] + np.array([x * along - y * across, y * along + x * across])
        nearest = np.rint((places["askew.h5"] - places["straight.h5"][:, 0, 0][:, None, None]) / 60.0).astype(int)
        inside = ((nearest >= 0) & (nearest < 40)).all(axis=0)
        for straight, askew in zip(fields["straight.h5"], fields["askew.h5"]):
            there, here = straight[..., nearest[1][inside], nearest[0][inside]], askew[..., inside]
            known = np.isfinite(there) & np.isfinite(here)
            self.assertGreater(known.sum(), 100)
            self.assertGreater(np.ptp(there[known]), 0.0)
            self.assertLess(np.abs(there - here)[known].mean(), 0.05 * np.ptp(there[known]))

    def test_refuses_places_that_are_none_and_corners_beyond(self):
        self.turned("wrong.h5")
        self.state("wrong.h5", rotation=400.0)
        self.refuse(DATA, "predict", "run/best", "wrong.h5", "-o", "out.h5",
                  says=["wrong.h5: attribute rotation is", "-360 to 360"])
        self.assertRegex(self.run_cli("validate", "wrong.h5").stdout,
                         r"attribute rotation is .* \(a number from -360 to 360 degree is needed\)")
        self.state("wrong.h5", rotation=30.0)
        self.refuse(DATA, "predict", "run/best", "wrong.h5", "-o", "out.h5", says=["that of the model", "--extrapolate nan"])
        shutil.copy(self.folder / "sample.h5", self.folder / "elsewhere.h5")
        self.state("elsewhere.h5", rotation=1.0)
        self.refuse(DATA, "merge", "sample.h5", "elsewhere.h5", "-o", "all.h5", says=["the place of the grid is rotated by 1 degrees"])


@unittest.skipIf(h5py is None, "h5py and numpy are not installed (python3-h5py)")
class NewcomersDataSet(CliTestCase):
    """The example of docs/data_format.md, with the shipped model."""

    def examples(self):
        return re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "data_format.md").read_text(), re.DOTALL)

    def plume(self, name, *changes):
        """Times [day], CO2 in the plume [m3] and its root mean square radius [m] of each case, on a grid of its own."""
        code = self.examples()[0]
        for old, new in changes:
            self.assertIn(old, code)
            code = code.replace(old, new)
        subprocess.run([sys.executable, "-c", code], cwd=self.folder, check=True)
        self.succeed("validate", "cases.h5")
        self.succeed("predict", SHIPPED, "cases.h5", "-o", name, "--threads", "1")
        with h5py.File(self.folder / name) as file:
            r, z, times = (file["grid"][axis][:] for axis in ("r_edges", "z_edges", "times"))
            pores = file["inputs/porosity"][:] * file["inputs/active"][:] * np.pi * np.diff(r**2) * np.diff(z)[:, None]
            gas = np.nan_to_num(file["outputs/gas_saturation"][:].astype(float)) * pores[:, None]
        volume = gas.sum((2, 3))
        return times, volume, np.sqrt((gas * (r[1:] ** 2 + r[:-1] ** 2) / 2).sum((2, 3)) / volume)

    def test_has_a_schedule_with_a_stop(self):
        for code in self.examples():
            subprocess.run([sys.executable, "-c", code], cwd=self.folder, check=True)
        self.assertNotIn("warning", self.succeed("validate", "cases.h5"))
        self.succeed("estimate", "cases.h5", "-o", "fields.h5")
        self.succeed("report", "fields.h5", "-o", "report")
        with open(self.folder / "report" / "series.csv") as file:
            rows = list(csv.DictReader(file))
        for case, factor in ((0, 1.0), (1, 2.0)):
            of_case = [row for row in rows if int(row["case"]) == case]
            years, injected, rates = (np.array([float(row[name]) for row in of_case])
                                      for name in ("time [day]", "mass_injected [Mt]", "injection_rate [Mt/year]"))
            years /= 365.25
            expected = 0.25 * np.minimum(years, 1.0) + 0.5 * np.clip(years - 1.0, 0.0, 9.0)
            np.testing.assert_allclose(injected, factor * expected, rtol=1e-4)
            np.testing.assert_allclose(rates, factor * np.where(years <= 1, 0.25, np.where(years <= 10, 0.5, 0)), rtol=1e-5)
        with h5py.File(self.folder / "fields.h5") as file:
            self.assertEqual(file.attrs["format_version"], 2)
            self.assertEqual(file["schedule/rate"].shape, (3, 1, 3))

    def test_gives_the_same_plume_on_three_grids(self):
        own = json.loads((Path(SHIPPED) / "model.json").read_text())["training"]["grid"]
        edges, times = "np.concatenate([[0.1], np.geomspace(4.0, 100e3, R)])", "np.geomspace(1.0, 10950.0, T)"
        known = self.plume("own.h5", (edges, f"np.array({own['r_edges']})"), (times, f"np.array({own['times']})"))
        as_written = self.plume("written.h5")
        finer = self.plume("finer.h5", ("3, 32, 64, 24", "3, 64, 100, 16"), ("[:, :16", "[:, :32"), ("8:16", "16:32"))
        for others_times, *others in (as_written, finer):
            late = others_times > 365.0
            self.assertGreater(late.sum(), 4)
            for other, own_values in zip(others, known[1:]):
                for case in range(3):
                    expected = np.exp(np.interp(np.log(others_times), np.log(known[0]), np.log(own_values[case])))
                    np.testing.assert_allclose(other[case][late], expected[late], rtol=0.05)


if __name__ == "__main__":
    unittest.main()
