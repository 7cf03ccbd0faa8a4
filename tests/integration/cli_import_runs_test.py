"""plumecast import: what a run did over all its report steps, with made-up files and with the simulator."""

import json
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from cli_test_case import DATA, CliTestCase

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reservoir" / "eclipse"))
from well_runs import write_grid, write_states, write_summary  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

# Two injectors, one of them from day 100 on and then twice as strong, and a well that produces brine.
DECK = """RUNSPEC
DIMENS
 8 6 3 /
OIL
GAS
DISGAS
CO2STORE
METRIC
START
 1 JUN 2030 /
WELLDIMS
 4 3 2 4 /
TABDIMS
/
EQLDIMS
/
UNIFOUT
GRID
INIT
DX
 144*500 /
DY
 144*500 /
DZ
 144*20 /
TOPS
 48*1000 /
PORO
 144*0.2 /
PERMX
 48*200 48*400 48*100 /
PERMY
 48*200 48*400 48*100 /
PERMZ
 144*20 /
PROPS
ROCK
 100 4.5E-5 /
SGOF
 0 0 1 0
 0.8 0.8 0 0 /
RTEMP
 50 /
SOLUTION
EQUIL
 1000 100 1200 0 900 0 1 1 0 /
RSVD
 900 0
 1200 0 /
RPTRST
 BASIC=2 BO /
SUMMARY
FGIT
FGIP
FGPT
WGIT
/
WGIR
/
WBHP
/
SCHEDULE
RPTRST
 BASIC=2 BO /
WELSPECS
 P1 G 8 6 1* OIL /
 I1 G 2 2 1* GAS /
 I2 G 6 4 1* GAS /
/
COMPDAT
 P1 8 6 1 3 OPEN 2* 0.2 /
 I1 2 2 1 3 OPEN 2* 0.2 /
 I2 6 4 2 3 OPEN 2* 0.2 /
/
WCONPROD
 P1 OPEN BHP 5* 100 /
/
WCONINJE
 I1 GAS OPEN RATE 500000 1* 400 /
 I2 GAS SHUT RATE 500000 1* 400 /
/
TSTEP
 100 /
WCONINJE
 I2 GAS OPEN RATE 1000000 1* 400 /
/
TSTEP
 200 100 /
END
"""


class ImportRunsTestCase(CliTestCase):
    values = {"surface_density": 1.87, "temperature": 60}

    def import_run(self, name, *options, **values):
        (self.folder / "values.json").write_text(json.dumps({**self.values, **values}))
        result = self.run_cli("import", name, "-o", "data.h5", "--values", "values.json", "--force", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr

    def rates(self):
        """Cells (i, j, k), counted from 1, that take gas, and how much [Mt/year]."""
        with h5py.File(self.folder / "data.h5") as file:
            rates = file["inputs/cell_injection_rate"][0]
            numpy.testing.assert_array_equal(file["inputs/perforation"][0] > 0, rates > 0)
            return {(int(i) + 1, int(j) + 1, int(k) + 1): float(rates[k, j, i]) for k, j, i in numpy.argwhere(rates > 0)}


@unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
class ImportRuns(ImportRunsTestCase):
    def run_of(self, name, states, totals, **summary):
        root = self.folder / name
        write_grid(root)
        write_states(root, states)
        write_summary(root, totals, **summary)
        return root

    def test_a_producer_that_is_open_first_gets_no_co2(self):
        producer = (4, 3, 0.0)
        wells = [producer, (1, 1, 1e6)]
        self.run_of("RUN", [(0, []), (365, [producer]), (730, wells), (1095, wells)],
                    [(365, 0), (730, 3.65e8), (1095, 7.3e8)])
        self.assertEqual(self.import_run("RUN"), "")
        with h5py.File(self.folder / "data.h5") as file:
            numpy.testing.assert_array_equal(file["schedule/end"], [365, 1095])
            numpy.testing.assert_allclose(file["schedule/rate"][0, 0], [0, 0.6830175], rtol=1e-5)
        warnings = self.import_run("RUN", "--constant-rates")
        self.assertIn("injection begins on day 365", warnings)
        self.assertEqual(set(self.rates()), {(1, 1, 1), (1, 1, 2)})
        for rate in self.rates().values():
            self.assertAlmostEqual(rate, 0.5 * 0.6830175, places=5)
        with h5py.File(self.folder / "data.h5") as file:
            self.assertEqual(file["case/start_date"][0], b"2025-01-01")

    def test_a_restarted_run_never_counts_what_was_injected_before_it(self):
        states = [(3650, []), (3680, [(1, 1, 1e6)]), (4015, [(1, 1, 1e6)])]
        self.run_of("HIST_R1", states, [(3680, 3.68e9), (4015, 4.015e9)], restarts="HIST")
        error = self.refuse(DATA, "import", "HIST_R1", "-o", "data.h5", "--set", "surface_density=1.87", "--set",
                          "temperature=60", "--set", "injection_start=3650",
                          says=["HIST_R1: 3.65e+09 sm3 of gas were injected before day 3650", "'HIST'", "SMSPEC RESTART"])
        self.assertNotIn("varies", error)
        self.run_of("HIST_R1", states, [(3680, 3e7), (4015, 3.65e8)], restarts="HIST")
        self.assertEqual(self.import_run("HIST_R1", injection_start=3650), "")
        with h5py.File(self.folder / "data.h5") as file:
            self.assertAlmostEqual(float(file["inputs/injection_rate"][0]), 0.6830175, places=5)
            numpy.testing.assert_allclose(file["case/injected_mass"][0], [0.0561, 0.68255], rtol=1e-5)
            self.assertEqual(file["case/start_date"][0], b"2034-12-30")

    def test_wells_that_take_turns_get_schedules_or_means(self):
        first, second = (1, 1, 1e6), (4, 3, 1e6)
        self.run_of("RUN", [(0, []), (100, [first]), (200, [first, second])], [(100, 1e8), (200, 3e8)])
        self.assertEqual(self.import_run("RUN"), "")
        with h5py.File(self.folder / "data.h5") as file:
            numpy.testing.assert_allclose(file["schedule/end"][:], [100, 200])
            numpy.testing.assert_allclose(file["schedule/rate"][0], [[0.6830175, 0.6830175], [0, 0.6830175]], rtol=1e-5)
        warnings = self.import_run("RUN", "--constant-rates")
        self.assertEqual(warnings.count("of the CO2 is in the wrong well at a time"), 1)
        self.assertRegex(self.succeed("validate", "data.h5"), r"note    the shares of .*wrong well at a time.*\n")
        reported = self.run_cli("report", "data.h5", "-o", "report")
        self.assertEqual(reported.returncode, 0, reported.stderr)
        self.assertIn("of the CO2 is in the wrong well at a time", reported.stderr)
        rates = self.rates()
        self.assertAlmostEqual(rates[1, 1, 1] / rates[4, 3, 1], 2.0, places=5)

    def test_the_start_lies_before_any_injection(self):
        well = (1, 1, 1e6)
        self.run_of("RUN", [(0, []), (50, []), (100, [well]), (200, [well])], [(50, 0), (100, 5e7), (200, 1.5e8)])
        self.refuse(DATA, "import", "RUN", "-o", "data.h5", "--set", "surface_density=1.87", "--set", "temperature=60",
                  "--set", "injection_start=100",
                  says=["5e+07 sm3 of gas were injected before day 100, which injection_start names",
                        "set injection_start to 50"])

    def test_says_which_restarted_run_has_no_total_to_begin_with(self):
        self.run_of("RUN", [(3650, []), (3680, []), (4015, [])], [(3680, 3e7), (4015, 3.65e8)], restarts="HIST")
        self.refuse(DATA, "import", "RUN", "-o", "data.h5", "--set", "surface_density=1.87", "--set", "temperature=60",
                  "--set", "injection_start=3650",
                  says=["no total of the injected gas on day 3650 (SMSPEC RESTART names 'HIST'"])


@unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
@unittest.skipUnless(shutil.which("flow"), "OPM Flow is not installed (package libopm-simulators-bin)")
class ImportSimulatedWells(ImportRunsTestCase):
    def test_reads_wells_totals_pressures_and_dissolved_co2_of_flow(self):
        (self.folder / "CASE.DATA").write_text(DECK)
        subprocess.run(["flow", "CASE.DATA", "--output-dir=out", "--threads-per-process=1", "--enable-opm-rst-file=true",
                        "--tolerance-mb=1e-10", "--relaxed-max-pv-fraction=0"], cwd=self.folder, check=True, timeout=300,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        values = {"surface_density": 1.8684, "temperature": 50}
        self.import_run("out", **values)
        with h5py.File(self.folder / "data.h5") as file:
            numpy.testing.assert_allclose(file["schedule/end"][:], [100, 400], rtol=1e-6)
            rates = numpy.array([[500000, 500000], [0, 1000000]]) * 365.25 * 1.8684e-9
            numpy.testing.assert_allclose(file["schedule/rate"][0], rates, rtol=1e-3)
        warnings = self.import_run("out", "--constant-rates", **values)
        self.assertIn("P1 produces", warnings)
        self.assertNotIn("the run made", warnings)
        self.assertNotIn("the run lost", warnings)
        self.assertNotIn("volume factor", warnings)
        year = 365.25 * 1.8684e-9 / 400
        of_column = {}
        for (i, j, _), rate in self.rates().items():
            of_column[i, j] = of_column.get((i, j), 0.0) + rate
        self.assertEqual(set(of_column), {(2, 2), (6, 4)})
        self.assertAlmostEqual(of_column[2, 2], 500000 * 400 * year, delta=1e-4)
        self.assertAlmostEqual(of_column[6, 4], 1000000 * 300 * year, delta=1e-4)
        with h5py.File(self.folder / "data.h5") as file:
            gas, dissolved = (file["outputs"][name][0].astype(float) for name in ("gas_saturation", "dissolved_co2"))
            self.assertEqual(file["case/start_date"][0], b"2030-06-01")
            self.assertTrue((file["case/bottom_hole_pressure"][0] > 100).all())
            injected = float(file["case/injected_mass"][0, -1])
        self.assertAlmostEqual(injected, (500000 * 400 + 1000000 * 300) * 1.8684e-9, delta=1e-4)
        in_brine = dissolved[-1].sum() * 500 * 500 * 20 * 0.2 * 1e-9
        self.assertGreater(gas[-1].max(), 0.0)
        self.assertGreater(in_brine, 0.2 * injected)
        self.assertLess(in_brine, injected)


if __name__ == "__main__":
    unittest.main()
