"""`optimize` as its users meet it: an ensemble and sites by reduced physics on a coarse grid, what is written, and bad input."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

from cli_test_case import FAILURE, PLUMECAST, SYSTEM, USAGE, CliTestCase, catches_interrupts, no_room_for_files

DATA = Path(__file__).resolve().parents[2] / "data" / "radial_sample.h5"
BOX = DATA.with_name("box_sample.h5")
FAULTED = DATA.with_name("faulted_site.h5")


class Optimize(CliTestCase):
    def config(self, name="optimum.json", **entries):
        config = {"data": "sample.h5", "rates": {"range": [0.0, 4.0]}, "fracture": {"gradient": 0.16},
                  "limits": [{"figure": "fracture_margin", "at_least": 0.0}], "substeps": 1,
                  "probabilities": [0.5, 0.9], "search": {"points": 8, "polished": 1, "evaluations": 40}}
        config.update(entries)
        (self.folder / name).write_text(json.dumps(config))
        return name

    def setUp(self):
        super().setUp()
        self.sample("guided")

    def result(self, folder="optimum"):
        return json.loads((self.folder / folder / "optimum.json").read_text())

    def test_finds_an_optimum_that_other_subcommands_confirm(self):
        text = self.succeed("optimize", self.config())
        self.assertIn("stored: ", text)
        self.assertIn("fracture_margin at least 0", text)
        result = self.result()
        optimum = result["optimum"]
        self.assertTrue(optimum["is_feasible"])
        limit, = optimum["limits"]
        self.assertGreaterEqual(limit["held"]["cases"], 0.9 * limit["held"]["of"])
        masses = [row["stored_mass"] for row in result["stored_mass_by_probability"]]
        self.assertEqual(masses, sorted(masses, reverse=True))
        with open(self.folder / "optimum" / "stored_mass.csv") as table:
            self.assertEqual([float(row["probability"]) for row in csv.DictReader(table)], [0.5, 0.9])
        # The same figures by the subcommands that take the file: no second definition.
        self.succeed("validate", "optimum/optimum.h5")
        self.succeed("estimate", "optimum/optimum.h5", "-o", "fields.h5", "--substeps", "1")
        self.succeed("report", "fields.h5", "-o", "report", "--fracture-gradient", "0.16")
        cases = json.loads((self.folder / "report" / "report.json").read_text())["cases"]
        margins = sorted(one["key_figures"]["fracture_margin"] for one in cases)
        self.assertAlmostEqual(margins[0], limit["figure"], places=3)
        self.assertAlmostEqual(cases[0]["key_figures"]["mass_injected"], optimum["stored_mass"], delta=1e-5 * optimum["stored_mass"])

    def test_puts_sites_in_order(self):
        text = self.succeed("optimize", self.config(), "--each", "--output", "sites")
        self.assertIn("rank", text)
        with open(self.folder / "sites" / "sites.csv") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual([row["rank"] for row in rows], ["1", "2", "3"])
        self.assertEqual(sorted(row["case"] for row in rows), ["0", "1", "2"])
        masses = [float(row["stored_mass [Mt]"]) for row in rows]
        self.assertEqual(masses, sorted(masses, reverse=True))

    def test_chooses_rates_of_periods_and_the_perforated_interval(self):
        self.succeed("optimize", self.config(rates={"range": [0.0, 4.0], "ends": [10.0, 30.0]}, probabilities=[],
                                             perforation={"top": [0.0, 5.0], "length": [5.0, 30.0]}))
        names = [one["name"] for one in self.result()["optimum"]["variables"]]
        self.assertEqual(names, ["rate until day 10", "rate until day 30", "top of the perforation", "length of the perforation"])

    def test_chooses_the_rates_of_the_wells_of_a_box(self):
        limits = [{"figure": "max_buildup", "at_most": 30}]
        search = {"points": 6, "polished": 1, "evaluations": 12}
        for ends, figure in (([], "bottom_hole_pressure"), ([1000.0, 8000.0], "max_buildup")):
            limits[0]["figure"] = figure
            limits[0]["at_most"] = 60 if ends else 260
            self.succeed("optimize", self.config(data=str(BOX), cases=[0], fracture={}, limits=limits, search=search,
                                                 rates={"range": [0.01, 1.0], "ends": ends}), "--force")
            optimum = self.result()["optimum"]
            self.assertTrue(optimum["is_feasible"])
            names = [one["name"] for one in optimum["variables"]]
            self.assertEqual(names[0], "rate of well 0" + (" until day 1000" if ends else ""))
            self.succeed("validate", "optimum/optimum.h5")
            self.succeed("estimate", "optimum/optimum.h5", "-o", "fields.h5", "--substeps", "1", "--force")
            self.succeed("report", "fields.h5", "-o", "report", "--force")
            figures = json.loads((self.folder / "report" / "report.json").read_text())["cases"][0]["key_figures"]
            self.assertAlmostEqual(figures["mass_injected"], optimum["stored_mass"], delta=1e-5 * optimum["stored_mass"])
            self.assertAlmostEqual(figures[figure], optimum["limits"][0]["figure"], places=2)

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_keeps_limits_of_an_area_and_at_a_place_and_chooses_places_of_wells(self):
        (self.folder / "licence.csv").write_text("x,y\n800,2400\n3600,2400\n3600,5600\n800,5600\n")
        limits = [{"figure": "mass_outside", "polygon": "licence.csv", "at_most": 0.02},
                  {"figure": "pressure_buildup", "x": 5000, "y": 3000, "at_most": 3}]
        places = [{"x": 1800, "y": 3000}, {"x": 3000, "y": 3000}, {"x": 3000, "y": 5000}, {"x": 3400, "y": 3000}]
        config = self.config(data=str(BOX), cases=[0], fracture={}, limits=limits, well_places=places, probabilities=[],
                             rates={"range": [0.01, 0.5]}, search={"points": 4, "polished": 1, "evaluations": 12})
        text = self.succeed("optimize", config)
        self.assertIn("well 2: at x ", text)
        optimum = self.result()["optimum"]
        self.assertTrue(optimum["is_feasible"])
        self.assertEqual(len(optimum["wells"]), 3)
        self.succeed("validate", "optimum/optimum.h5")
        self.succeed("estimate", "optimum/optimum.h5", "-o", "fields.h5", "--substeps", "1")
        self.succeed("report", "fields.h5", "-o", "report", "--polygon", "licence.csv")
        figures = json.loads((self.folder / "report" / "report.json").read_text())["cases"][0]["key_figures"]
        outside, buildup = (one["figure"] for one in optimum["limits"])
        self.assertAlmostEqual(figures["mass_outside"], outside, delta=1e-3 * outside + 1e-6)
        with h5py.File(self.folder / "fields.h5") as file:
            column = file["outputs/pressure_buildup"][0, :, :, 3000 // 400, 5000 // 400]
            wells = (file["inputs/cell_injection_rate"][0] > 0).any(axis=0).nonzero()
        self.assertAlmostEqual(max(column[column == column]), buildup, delta=1e-3)
        chosen = {(int(one["y"] // 400), int(one["x"] // 400)) for one in optimum["wells"]}
        self.assertEqual(chosen, set(zip(*(axis.tolist() for axis in wells))))

    def with_stand_in(self, **variables):
        """An environment whose simulator is a stand-in: build-up of 0.1 bar a time, gas in the first cell alone."""
        programs = self.folder / "programs"
        programs.mkdir(exist_ok=True)
        (programs / "flow").unlink(missing_ok=True)
        (programs / "flow").symlink_to(Path(__file__).resolve().parent / "stand_in_flow.py")
        path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
        return {**os.environ, "PATH": path, **variables}

    def verifying(self, *arguments, **variables):
        """A run that has begun."""
        return subprocess.Popen([PLUMECAST, "optimize", *arguments, "--verify"], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=self.with_stand_in(**variables))

    def verified(self, *arguments, code=0, **variables):
        """A run that has ended."""
        result = self.run_cli("optimize", *arguments, "--verify", env=self.with_stand_in(**variables))
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_simulates_what_it_found(self):
        limits = [{"figure": "max_buildup", "at_most": 40, "margin": 1}, {"figure": "plume_radius_0.01", "at_most": 1e5}]
        config = self.config(fracture={}, limits=limits, probabilities=[])
        result = self.verified(config)
        self.assertRegex(result.stdout, r"simulated by \S.*: max_buildup at most 40: 0\.[0-9]+ in 3 of 3 cases, holds")
        simulated = self.result()["optimum"]["simulated"]
        self.assertTrue(simulated["holds"])
        self.assertEqual(simulated["failed"], 0)
        with h5py.File(self.folder / "sample.h5") as file:
            times = len(file["grid/times"])
        self.assertAlmostEqual(simulated["limits"][0]["figure"], 0.1 * times, places=4)
        # A case that the simulator cannot compute counts as one that breaks its limits.
        result = self.verified(config, "--force", STAND_IN_FAILS="1")
        self.assertIn("max_buildup at most 40 holds in 2 of 3 cases alone", result.stderr)
        self.assertIn("1 case could not be simulated", result.stderr)
        self.assertFalse(self.result()["optimum"]["simulated"]["holds"])
        self.verified(config, "--each", "--output", "sites")
        with open(self.folder / "sites" / "sites.csv") as table:
            self.assertEqual([row["simulated_holds"] for row in csv.DictReader(table)], ["1", "1", "1"])
        self.assertEqual([path.name for path in self.folder.iterdir() if ".runs" in path.name], [])

    def test_says_what_to_do_where_the_simulator_is_killed(self):
        config = self.config(fracture={}, limits=[{"figure": "max_buildup", "at_most": 40, "margin": 1}], probabilities=[])
        message = self.verified(config, code=SYSTEM, STAND_IN_KILLED="1").stderr
        self.assertIn("the simulator was killed (by somebody, or because memory ran out); start again, with fewer threads", message)
        self.assertNotIn("resume", message)
        self.assertIn("optimum: holds what the search found, which was not simulated", message)
        self.assertNotIn("simulated", self.result()["optimum"])
        self.assertEqual([path.name for path in self.folder.iterdir() if ".runs" in path.name], [])

    def test_keeps_what_the_search_found_where_simulations_are_interrupted(self):
        config = self.config(fracture={}, limits=[{"figure": "max_buildup", "at_most": 40, "margin": 1}], probabilities=[])
        for stop in (signal.SIGINT, signal.SIGTERM):  # neither can be resumed
            begun = self.folder / f"begun_{stop}"
            process = self.verifying(config, "--force", STAND_IN_DELAY="30", STAND_IN_RECORD=str(begun))
            while not begun.exists() and process.poll() is None:
                time.sleep(0.05)
            process.send_signal(stop)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, errors)
            self.assertIn("interrupted; optimum: holds what the search found, which was not simulated", errors)
        self.assertGreater(self.result()["optimum"]["stored_mass"], 0.0)
        self.assertNotIn("simulated", self.result()["optimum"])
        self.succeed("validate", "optimum/optimum.h5")
        self.assertEqual([path.name for path in self.folder.iterdir() if ".runs" in path.name], [])

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_simulates_boxes_too(self):
        config = self.config(data=str(BOX), cases=[0], fracture={}, limits=[{"figure": "max_buildup", "at_most": 40, "margin": 1}],
                             rates={"range": [0.1, 0.3]}, probabilities=[], search={"points": 2, "polished": 1, "evaluations": 4})
        result = self.verified(config)
        self.assertRegex(result.stdout, r"simulated by \S.*: max_buildup at most 40: 0\.[0-9]+ in 1 of 1 cases, holds")
        places = [{"x": 1800, "y": 3000}, {"x": 3000, "y": 3000}, {"x": 3000, "y": 5000}, {"x": 3400, "y": 3000}]
        config = self.config(data=str(BOX), cases=[0], fracture={}, limits=[{"figure": "max_buildup", "at_most": 40, "margin": 1}],
                             well_places=places, rates={"range": [0.1, 0.3]}, probabilities=[],
                             search={"points": 2, "polished": 1, "evaluations": 4})
        self.assertIn("in 1 of 1 cases, holds", self.verified(config, "--force").stdout)
        self.assertEqual(len(self.result()["optimum"]["wells"]), 3)
        self.assertTrue(self.result()["optimum"]["simulated"]["holds"])

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_keeps_what_is_said_of_cases_in_words(self):
        data = self.folder / "sample.h5"
        with h5py.File(data, "a") as file:
            count = len(file["inputs/injection_rate"])
            file["case/start_date"] = np.array([f"203{i}-01-01" for i in range(count)], dtype="S10")
        self.succeed("optimize", self.config(data=str(data), cases=[2, 0], fracture={}, probabilities=[],
                                             limits=[{"figure": "max_buildup", "at_most": 40, "margin": 1}]))
        with h5py.File(self.folder / "optimum" / "optimum.h5") as file:
            dates = sorted(text.decode() for text in file["case/start_date"][()])
        self.assertEqual(dates, ["2030-01-01", "2032-01-01"])

    def test_says_which_limit_cannot_be_met_and_by_how_much(self):
        limits = [{"figure": "max_buildup", "at_most": 1e-6}]
        result = self.run_cli("optimize", self.config(rates={"range": [0.5, 4.0]}, fracture={}, limits=limits, probabilities=[]))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"max_buildup at most 1e-06 cannot be met: the best choice misses it by [0-9.]+")
        self.assertFalse(self.result()["optimum"]["is_feasible"])

    def test_names_what_is_wrong_with_a_configuration(self):
        self.refuse(USAGE, "optimize", says=["CONFIG.json or --default"])
        self.refuse(SYSTEM, "optimize", "nothing.json", says=["nothing.json"])
        self.refuse(USAGE, "optimize", self.config(limit=[]), says=["'limit'", "limits"])
        self.refuse(USAGE, "optimize", self.config(), "--set", "search.point=3", says=["did you mean 'points'?"])
        self.refuse(USAGE, "optimize", self.config(limits=[{"figure": "max_buildups", "at_most": 9}], fracture={}),
                  says=["did you mean 'max_buildup'?"])
        self.refuse(USAGE, "optimize", self.config(limits=[{"figure": "max_buildups", "at_most": 9}], fracture={}), "--output", "sites/",
                  says=["did you mean 'max_buildup'?"])
        self.assertFalse((self.folder / "sites").exists())
        contradictory = [{"figure": "max_buildup", "at_most": 40}, {"figure": "max_buildup", "at_least": 60}]
        self.refuse(USAGE, "optimize", self.config(fracture={}, limits=contradictory), says=["contradicts limits[0]"])
        self.refuse(USAGE, "optimize", self.config(cases=[7]), says=["no case 7", "cases 0 to 2"])
        self.refuse(USAGE, "optimize", self.config(rates={"range": [0, 1], "ends": [1e6]}), says=["rates.ends"])
        self.refuse(USAGE, "optimize", self.config(data=str(BOX)), says=["box_sample.h5", "begin above it"])
        self.refuse(USAGE, "optimize", self.config(data=str(BOX), rates={"range": [0.1, 1]}, perforation={"top": [0, 5], "length": [5, 30]}),
                  says=["perforation", "radial grid alone"])
        self.refuse(3, "optimize", self.config(data=str(BOX), rates={"range": [0.1, 1]}), says=["wells", "name such cases"])
        box = {"data": str(BOX), "cases": [0], "rates": {"range": [0.1, 1]}, "fracture": {}}
        self.refuse(USAGE, "optimize", self.config(**box, limits=[{"figure": "mass_outside", "at_most": 1}]), says=["name the file of a polygon"])
        self.refuse(SYSTEM, "optimize", self.config(**box, limits=[{"figure": "mass_outside", "at_most": 1, "polygon": "none.csv"}]), says=["none.csv"])
        self.refuse(USAGE, "optimize", self.config(**box, limits=[{"figure": "pressure_buildup", "at_most": 1, "r": 5}]),
                  says=["pressure_buildup at r 5 m at most 1", "x and y, are a place"])
        self.refuse(USAGE, "optimize", self.config(**box, limits=[{"figure": "max_buildup", "at_most": 9}], well_places=[{"x": 5, "y": 5}]),
                  says=["well_places names 1 place", "3 wells"])
        self.assertEqual(list(self.folder.glob("optimum/*")), [])

    def test_takes_a_faulted_site(self):
        self.refuse(3, "optimize", self.config(data=str(DATA.with_name("spe11b_84x30.h5")), rates={"range": [0.1, 1]}),
                  says=["has saturation tables", "van_genuchten_lambda"])
        limits = [{"figure": "max_buildup", "at_most": 40}]
        self.succeed("optimize", self.config(data=str(FAULTED), rates={"range": [0.01, 1]}, limits=limits, fracture={}, probabilities=[],
                                             search={"points": 4, "polished": 1, "evaluations": 12}))
        optimum = self.result()["optimum"]
        self.assertTrue(optimum["is_feasible"])
        self.assertEqual(len(optimum["variables"]), 2)
        self.succeed("validate", "optimum/optimum.h5")
        self.succeed("estimate", "optimum/optimum.h5", "-o", "fields.h5", "--substeps", "1")
        self.succeed("report", "fields.h5", "-o", "report")
        case, = json.loads((self.folder / "report" / "report.json").read_text())["cases"]
        figure = optimum["limits"][0]["figure"]
        self.assertAlmostEqual(case["key_figures"]["max_buildup"], figure, delta=1e-4 * figure)
        self.assertLessEqual(figure, 40.0)
        info = self.succeed("info", "optimum/optimum.h5")
        self.assertIn("60 connections between cells", info)

    def test_loses_no_folder(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine" / "notes.txt").write_text("notes")
        self.refuse(USAGE, "optimize", self.config(), "--output", "mine", "--force", says=["mine", "more than an optimum"])
        self.refuse(USAGE, "optimize", self.config(), "--output", ".", "--force", says=["holds the input"])
        self.succeed("optimize", self.config(probabilities=[]))
        self.refuse(USAGE, "optimize", self.config(), says=["holds an optimum already", "--force"])
        self.succeed("optimize", self.config(probabilities=[]), "--force")

    def test_names_a_place_that_cannot_be_written_before_the_search(self):
        (self.folder / "a_file").write_text("mine")
        config = self.config(data=str(DATA), search={"points": 100000})  # hours
        self.refuse(SYSTEM, "optimize", config, "--output", "a_file/optimum", says=["a_file"])
        self.assertEqual((self.folder / "a_file").read_text(), "mine")

    def test_leaves_nothing_half_done(self):
        result = self.run_cli("optimize", self.config(), preexec_fn=no_room_for_files)
        self.assertEqual(result.returncode, SYSTEM, result.stderr)
        self.assertFalse((self.folder / "optimum").exists())
        config = self.config(data=str(DATA), search={"points": 4000})
        process = subprocess.Popen([PLUMECAST, "optimize", config], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        while not catches_interrupts(process.pid):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("nothing was written", errors)
        self.assertFalse((self.folder / "optimum").exists())

    def test_has_a_schema_of_exactly_its_entries(self):
        schema = json.loads((DATA.parents[1] / "docs" / "optimize.schema.json").read_text())
        config = json.loads(self.succeed("optimize", "--default"))
        optional = {"$schema", "perforation", "top_depth", "well_places", "well_radius"}
        self.assertEqual(set(schema["properties"]) - optional, set(config))
        for key in ("rates", "search"):
            self.assertEqual(set(schema["properties"][key]["properties"]), set(config[key]))
        limit = schema["properties"]["limits"]["items"]
        every = {"figure": "front_radius", "at_most": 9.0, "at_least": 0.0, "front": 2.0, "margin": 1.0, "probability": 0.5}
        self.assertEqual(set(limit["properties"]), {*every, "polygon", "x", "y", "r"})
        near = {"figure": "pressure_buildup", "r": 50.0, "at_most": 900.0}
        self.succeed("optimize", self.config(**{"$schema": "x", "limits": [every, near], "fracture": {}, "top_depth": 1000.0, "well_radius": 0.1,
                                                "rates": {"range": [0.0, 1e-3]}, "probabilities": [], "search": {"points": 2, "evaluations": 5},
                                                "perforation": {"top": [0.0, 5.0], "length": [5.0, 30.0]}}))

    def test_prints_a_configuration_that_it_takes(self):
        (self.folder / "default.json").write_text(self.succeed("optimize", "--default"))
        self.succeed("optimize", "default.json", "--set", "data=sample.h5", "--set", "search.points=4", "--set", "probabilities=[]",
                     "--set", "substeps=1")


if __name__ == "__main__":
    unittest.main()
