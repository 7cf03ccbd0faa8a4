import json
import os
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path

from cli_test_case import DATA, SYSTEM, USAGE, CliTestCase

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

STAND_IN = Path(__file__).resolve().parent / "stand_in_flow.py"
SAMPLES = Path(__file__).resolve().parents[2] / "data"


@unittest.skipIf(h5py is None, "h5py is not installed")
class Simulate(CliTestCase):
    """Cases of a data set, simulated by the stand-in: build-up of 0.1 bar a time, gas in the first cell alone."""

    def setUp(self):
        super().setUp()
        self.record = self.folder / "begun.txt"
        self.succeed("subset", str(SAMPLES / "radial_sample.h5"), "-o", "cases.h5", "--cases", "0-3")

    def simulate(self, *arguments, code=0, cases="cases.h5", **variables):
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "STAND_IN_RECORD": str(self.record), **variables}
        result = self.run_cli("simulate", cases, "-o", "truth.h5", "--simulator", str(STAND_IN), *arguments, env=environment)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def begun(self):
        return Counter(map(int, self.record.read_text().split())) if self.record.exists() else Counter()

    def test_keeps_the_inputs_and_takes_the_simulator_s_word(self):
        self.assertIn("truth.h5: 4 cases, 0 rejected", self.simulate("--jobs", "2").stdout)
        self.assertIn("valid", self.succeed("validate", "truth.h5"))
        with h5py.File(self.folder / "cases.h5") as given, h5py.File(self.folder / "truth.h5") as truth:
            for name in ("grid/r_edges", "grid/z_edges", "grid/times", "inputs/permeability_r", "inputs/porosity", "inputs/injection_rate"):
                np.testing.assert_array_equal(given[name][()], truth[name][()], name)
            active = given["inputs/active"][()] > 0
            for step, buildup in enumerate(np.moveaxis(truth["outputs/pressure_buildup"][()], 1, 0)):
                np.testing.assert_allclose(buildup[active], 0.1 * (step + 1), rtol=1e-3)
            self.assertEqual(truth["case/number"][()].tolist(), [0, 1, 2, 3])
            self.assertEqual(given["case/medium"][()].tolist(), truth["case/medium"][()].tolist())
        self.assertFalse((self.folder / "truth.h5.parts").exists())

    def test_leaves_out_what_cannot_be_simulated_and_says_which(self):
        result = self.simulate("--verbose", STAND_IN_FAILS="1", STAND_IN_LEAKS="2")
        self.assertIn("truth.h5: 2 cases, 2 rejected", result.stdout)
        self.assertIn("case 1 rejected: simulator failed", result.stderr)
        with h5py.File(self.folder / "truth.h5") as truth:
            self.assertEqual(truth["case/number"][()].tolist(), [0, 3])
            self.assertEqual(truth["case/rejected_number"][()].tolist(), [1, 2])

    def test_fails_where_no_case_can_be_simulated(self):
        result = self.simulate(code=DATA, STAND_IN_FAILS="0,1,2,3")
        self.assertIn("none of the cases could be simulated", result.stderr)
        self.assertIn("--keep-decks", result.stderr)
        self.assertFalse((self.folder / "truth.h5").exists())

    def test_refuses_a_well_that_is_closed_before_anything_is_simulated(self):
        with h5py.File(self.folder / "cases.h5", "a") as file:
            file["inputs/perforation"][3] = 0.0
        self.assertIn("/inputs/perforation: case 3", self.simulate(code=DATA).stderr)
        self.assertEqual(self.begun(), Counter())

    def test_goes_on_where_it_was_stopped_with_the_same_cases_alone(self):
        self.simulate(code=SYSTEM, STAND_IN_KILLED="2")
        self.assertTrue((self.folder / "truth.h5.parts").exists())
        self.simulate("--resume")
        self.assertEqual(self.begun(), {0: 1, 1: 1, 2: 2, 3: 1})
        self.succeed("subset", str(SAMPLES / "radial_sample.h5"), "-o", "others.h5", "--cases", "4-7")
        result = self.simulate("--resume", cases="others.h5", code=USAGE)
        self.assertIn("made from other cases (of other content); use the same file, or choose another file", result.stderr)
        self.assertIn("exists already", self.simulate(code=USAGE).stderr)
        self.simulate("--force")

    def test_computes_a_case_without_injection_without_the_simulator(self):
        with h5py.File(self.folder / "cases.h5", "a") as file:
            file["inputs/injection_rate"][1] = 0.0
        self.simulate()
        self.assertEqual(sorted(self.begun()), [0, 2, 3])
        with h5py.File(self.folder / "truth.h5") as truth:
            active = truth["inputs/active"][1] > 0
            self.assertEqual(np.abs(truth["outputs/gas_saturation"][1][:, active]).max(), 0.0)
            self.assertEqual(np.abs(truth["outputs/pressure_buildup"][1][:, active]).max(), 0.0)

    def test_takes_cases_that_start_late_where_brine_is_at_rest_until_then(self):
        with h5py.File(self.folder / "cases.h5", "a") as file:
            file.attrs["format_version"] = 2
            rates = file["inputs/injection_rate"][:].astype(float)
            file["inputs/injection_rate"][...] = 0.5 * rates  # the mean until the end
            for name, unit, values in (("end", "day", [5000.0, 10000.0]), ("rate", "Mt/year", np.stack([0.0 * rates, rates], axis=1)[:, None])):
                array = file.create_dataset(f"schedule/{name}", data=values)
                array.attrs["units"], array.attrs["long_name"] = unit, name
        self.assertIn("valid", self.succeed("validate", "cases.h5"))
        drifting = self.simulate("--verbose", code=DATA)
        self.assertRegex(drifting.stderr, r"case 0 rejected: brine not at rest before injection \(0\.1 bar on day ")
        self.assertIn("stand-in 1 does not start in hydrostatic balance", drifting.stderr)
        self.assertIn("truth.h5: 4 cases, 0 rejected", self.simulate("--force", "--verbose", STAND_IN_AT_REST="1").stdout)
        with h5py.File(self.folder / "truth.h5") as truth:
            before = truth["grid/times"][:] <= 5000.0
            active = truth["inputs/active"][0] > 0
            buildup = truth["outputs/pressure_buildup"][0][:, active]
            self.assertEqual(np.abs(buildup[before]).max(), 0.0)
            self.assertGreater(buildup[~before].min(), 0.0)

    def test_simulates_boxes_and_keeps_what_is_said_of_their_cases(self):
        self.succeed("subset", str(SAMPLES / "faulted_site.h5"), "-o", "site.h5")
        with h5py.File(self.folder / "site.h5", "a") as file:
            for name in ("active", "permeability_x", "permeability_y", "permeability_z", "porosity", "pore_volume"):
                file["inputs"][name][0, 4, 9, 11] = 0
            del file["outputs"]
        self.simulate(cases="site.h5")
        self.assertIn("valid", self.succeed("validate", "truth.h5"))
        with h5py.File(self.folder / "site.h5") as given, h5py.File(self.folder / "truth.h5") as truth:
            for group in ("grid", "inputs", "connections", "schedule"):
                self.assertEqual(sorted(given[group]), sorted(truth[group]))
                for name in given[group]:
                    np.testing.assert_array_equal(given[group][name][()], truth[group][name][()], name)
            for name in ("start_date", "notes", "wells"):
                self.assertEqual(given["case"][name][()].tolist(), truth["case"][name][()].tolist())
            active = given["inputs/active"][0] > 0
            buildup = truth["outputs/pressure_buildup"][0][:, active]
            np.testing.assert_array_equal(buildup, buildup[:, :1] * np.ones_like(buildup))
            self.assertTrue(np.all(np.diff(buildup[:, 0], axis=0) >= 0.0) and np.all(buildup > 0.09))
            self.assertEqual(truth["outputs/pressure_buildup"][0, 0][4, 9, 11], 0.0)
        self.succeed("estimate", "truth.h5", "-o", "fields.h5", "--substeps", "1")

    def test_decks_of_cylinders_grow_warmer_and_say_so_to_import(self):
        with h5py.File(self.folder / "cases.h5", "a") as file:
            file.attrs["temperature_gradient"] = 0.04
        result = self.simulate(code=DATA)
        self.assertIn("it states a temperature_gradient (stand-in 1 lets gas appear as at its surface temperature then)", result.stderr)
        self.simulate("--keep-decks", "decks", STAND_IN_OPTION="--parsing-strictness=STRING",
                      STAND_IN_VERSION="flow 2024.10")
        deck = (self.folder / "decks/case_00000002/CASE.DATA").read_text()
        (top, cold), (base, hot) = (map(float, line.split()[:2]) for line in deck.split("RTEMPVD\n")[1].splitlines()[:2])
        self.assertAlmostEqual(hot - cold, 0.04 * (base - top), places=5)
        values = json.loads((self.folder / "decks/case_00000002/CASE.plumecast.json").read_text())
        self.assertEqual(values["temperature_gradient"], 0.04)
        with h5py.File(self.folder / "truth.h5") as truth:
            self.assertAlmostEqual(0.5 * (cold + hot), truth["inputs/temperature"][2], places=4)
            self.assertAlmostEqual(values["temperature"], truth["inputs/temperature"][2], places=4)
            self.assertEqual(float(truth.attrs["temperature_gradient"]), 0.04)

    def test_refuses_what_validate_does_before_anything_is_simulated(self):
        with h5py.File(self.folder / "cases.h5", "a") as file:
            file["inputs/porosity"][2] = -1.0
        self.assertIn("/inputs/porosity", self.simulate(code=DATA).stderr)
        self.assertEqual(self.begun(), Counter())

    def test_refuses_what_decks_do_not_describe(self):
        self.succeed("subset", str(SAMPLES / "faulted_site.h5"), "-o", "site.h5")
        with h5py.File(self.folder / "site.h5", "a") as file:
            del file["grid/pillars"], file["grid/corner_depths"]
        result = self.simulate(cases="site.h5", code=DATA)
        self.assertIn("it has a corner-point grid without /grid/pillars and corner_depths (the simulator takes cells by their corners)",
                      result.stderr)
        result = self.simulate(cases=str(SAMPLES / "spe11b_84x30.h5"), code=DATA)
        self.assertIn("it states a temperature_gradient (stand-in 1 lets gas appear as at its surface temperature then)", result.stderr)
        with h5py.File(self.folder / "cases.h5", "a") as file:
            file["inputs/temperature"][2] = 150.0
        self.assertIn("case 2 has 150 degC", self.simulate(code=DATA).stderr)
        self.assertEqual(self.begun(), Counter())


if __name__ == "__main__":
    unittest.main()
