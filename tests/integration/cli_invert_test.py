"""Inversion of observations: a small twin whose truth is known, what the folder holds, and the messages for bad inputs."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from cli_test_case import DATA, SYSTEM, USAGE, CliTestCase, no_room_for_files

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

ROOT = Path(__file__).resolve().parents[2]
MEMBERS = 60
FILES = [".plumecast.json", "convergence.csv", "inversion.json", "observations.csv", "observations.svg", "posterior.h5", "unknowns.svg"]
BITS = ["posterior.h5", "observations.csv", "convergence.csv"]
HEADER = "field,r,z,time,value,unit,standard_deviation"


@unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
class Invert(CliTestCase):
    def setUp(self):
        super().setUp()
        config = {
            "cases": MEMBERS, "seed": 5, "grid": {"rows": 8, "columns": 20}, "times": {"count": 6, "growth": 3.6},
            "lattice": {"rows": 8, "columns": 20, "height": 40.0, "width_growth": 1.5},
            "inputs": {"injection_rate": [0.5, 0.5], "initial_pressure": [150, 150], "temperature": [60, 60],
                       "irreducible_water_saturation": [0.2, 0.2], "van_genuchten_lambda": [0.5, 0.5],
                       "thickness": [40, 40], "least_perforation": 40.0},
            "media": {"gaussian": 1.0, "von_karman": 0, "discontinuous": 0, "layered": 0, "homogeneous": 0},
            "permeability": {"geometric_mean": [30, 300], "log_deviation": [0.5, 0.5], "correlation_z": [10, 12.5]},
            "anisotropy": {"materials": [1, 1], "ratio": [10, 10]},
        }
        (self.folder / "cases.json").write_text(json.dumps(config))
        self.succeed("generate", "cases.json", "-o", "prior.h5", "--inputs-only")
        self.succeed("generate", "cases.json", "-o", "case.h5", "--inputs-only", "--cases", "1", "--seed", "99")
        self.config()

    def config(self, **entries):
        config = {"model": "estimate", "case": "case.h5", "prior": "prior.h5", "observations": "obs.csv",
                  "unknown": ["permeability_r", "permeability_z", "porosity"], "output": "posterior", "seed": 3}
        config.update(entries)
        (self.folder / "inversion.json").write_text(json.dumps(config))

    def observe(self, *rows):
        (self.folder / "obs.csv").write_text("\n".join([HEADER, *rows]) + "\n")

    def observe_truth(self):
        """What the case itself shows at two places until the last but one time, without noise."""
        self.succeed("estimate", "case.h5", "-o", "truth.h5")
        rows = []
        with h5py.File(self.folder / "truth.h5") as file:
            r, z, times = (file["grid/" + name][:] for name in ("r_edges", "z_edges", "times"))
            for t in range(1, 5):
                for column in (0, 12):
                    for row in (1, 4):
                        place = f"{(r[column] + r[column + 1]) / 2},{(z[row] + z[row + 1]) / 2},{times[t]}"
                        value = file["outputs/pressure_buildup"][0, t, row, column]
                        rows.append(f"pressure_buildup,{place},{value},bar,{max(0.2, 0.02 * value)}")
        self.observe(*rows)
        return len(rows)

    def expect_no_result(self):
        self.assertFalse((self.folder / "posterior").exists())

    def test_brings_the_ensemble_nearer_to_a_known_truth(self):
        count = self.observe_truth()
        output = self.succeed("invert", "inversion.json")
        self.assertRegex(output, r"posterior/posterior.h5: 60 members, misfit per observation [0-9.]+ before and")
        self.assertEqual(sorted(path.name for path in (self.folder / "posterior").iterdir()), FILES)
        record = json.loads((self.folder / "posterior" / "inversion.json").read_text())
        steps = record["steps"]
        self.assertEqual([step["step"] for step in steps], list(range(9)))
        self.assertLess(steps[-1]["members_misfit"], 0.1 * steps[0]["members_misfit"])
        self.assertLess(steps[-1]["mean_misfit"], 1.5)
        self.assertIn("model counts as exact", record["warnings"][0])
        with open(self.folder / "posterior" / "observations.csv") as file:
            misfits = list(csv.DictReader(file))
        self.assertEqual(len(misfits), count)
        self.assertLess(sum(float(row["posterior_misfit"]) for row in misfits),
                        sum(float(row["prior_misfit"]) for row in misfits))
        self.expect_better_forecast()

    def expect_better_forecast(self):
        """At the last time, which was not observed, and in the permeability."""
        errors = {}
        for name, cases in (("prior", "prior.h5"), ("posterior", "posterior/posterior.h5")):
            self.succeed("validate", cases)
            self.succeed("estimate", cases, "-o", name + "_fields.h5")
            with h5py.File(self.folder / (name + "_fields.h5")) as file, h5py.File(self.folder / "truth.h5") as truth:
                self.assertEqual(file["inputs/permeability_r"].shape[0], MEMBERS)
                mean = numpy.nanmean(file["outputs/pressure_buildup"][:, -1], axis=0)
                forecast = numpy.abs(mean - truth["outputs/pressure_buildup"][0, -1]).mean()
                rock = numpy.log(file["inputs/permeability_r"][:]).mean(axis=0)
                errors[name] = forecast, numpy.abs(rock - numpy.log(truth["inputs/permeability_r"][0])).mean()
        self.assertLess(errors["posterior"][0], 0.5 * errors["prior"][0])
        self.assertLess(errors["posterior"][1], errors["prior"][1])
        self.succeed("report", "posterior_fields.h5", "-o", "report")

    def test_takes_realizations_that_are_thicker_than_the_case(self):
        config = json.loads((self.folder / "cases.json").read_text())
        config["inputs"] |= {"thickness": [25, 25], "least_perforation": 20.0}
        (self.folder / "thin.json").write_text(json.dumps(config))
        self.succeed("generate", "thin.json", "-o", "case.h5", "--inputs-only", "--cases", "1", "--seed", "99", "--force")
        self.observe_truth()
        self.config(members=12, steps=1)
        self.succeed("invert", "inversion.json")
        self.succeed("validate", "posterior/posterior.h5")
        with h5py.File(self.folder / "posterior" / "posterior.h5") as file:
            inactive = file["inputs/active"][:] == 0
            self.assertTrue(inactive.any())
            self.assertEqual(numpy.abs(file["inputs/permeability_r"][:][inactive]).max(), 0)

    def test_gives_the_same_bits_for_any_number_of_threads(self):
        self.observe_truth()
        for entries in (["method=esmda", "members=20", "steps=2"], ["method=smc", "members=12", "moves=1"],
                        ["method=rml", "members=10", "iterations=2"]):
            changes = [word for entry in entries for word in ("--set", entry)]
            for threads in ("1", "3"):
                self.succeed("invert", "inversion.json", *changes, "--threads", threads, "--output", "by" + threads)
            self.expect_equal("by1", "by3")

    def expect_equal(self, one, other):
        for name in BITS:
            self.assertEqual((self.folder / one / name).read_bytes(), (self.folder / other / name).read_bytes(), name)

    def steps(self, folder="posterior"):
        return json.loads((self.folder / folder / "inversion.json").read_text())["steps"]

    def test_runs_as_a_step_of_ert(self):
        self.observe_truth()
        job = (ROOT / "docs" / "workflow" / "ert" / "jobs" / "PLUMECAST_INVERT").read_text()
        entries = [shlex.split(line) for line in job.splitlines() if line and not line.startswith("--")]
        values = {words[1]: words[2] for words in entries if words[0] == "DEFAULT"} | {"<CONFIG>": "inversion.json"}
        self.config(steps=1, members=12)
        arguments, = ([values.get(word, word) for word in words[1:]] for words in entries if words[0] == "ARGLIST")
        self.succeed(*arguments)
        self.succeed("validate", "posterior/posterior.h5")

    def test_a_step_of_ert_has_what_invert_compares(self):
        """At places and times between those of the grid, in the mean over the members."""
        self.observe("pressure_buildup,431,17.3,33.5,5,bar,2", "gas_saturation,2,4.4,200,0.5,1,0.1", "pressure_buildup,0.2,39,1.4,2,bar,2")
        self.config(steps=1, members=10)
        self.succeed("invert", "inversion.json")
        self.succeed("estimate", "posterior/posterior.h5", "-o", "explained.h5")
        values = []
        for member in range(10):
            self.succeed("subset", "explained.h5", "-o", "fields.h5", "--cases", member, "--force")
            done = self.observe_case("fields.h5", "obs.csv", "observed_0")
            self.assertEqual(done.returncode, 0, done.stderr)
            values.append([float(line) for line in (self.folder / "observed_0").read_text().splitlines()])
        with open(self.folder / "posterior" / "observations.csv") as table:
            means = [float(row["posterior_mean"]) for row in csv.DictReader(table)]
        self.assertEqual(len(means), 3)
        for of_step, of_invert in zip(numpy.mean(values, axis=0), means):
            self.assertAlmostEqual(of_step / of_invert, 1.0, delta=1e-4)

    def observe_case(self, *arguments):
        script = ROOT / "docs" / "workflow" / "ert" / "observe_case.py"
        return subprocess.run([sys.executable, script, *arguments], cwd=self.folder, text=True, capture_output=True)

    def test_a_step_of_ert_refuses_what_it_cannot_observe(self):
        self.succeed("estimate", "case.h5", "-o", "fields.h5")
        for row, says in (("bottom_hole_pressure,,,30,160,bar,2", "row 2: bottom_hole_pressure is no field"),
                          ("pressure_buildup,1e9,10,30,1,bar,2", "row 2: r is 1e+09"),
                          ("pressure_buildup,500,10,1e9,1,bar,2", "row 2: time is 1e+09 day"),
                          ("pressure_buildup,500,10,0.4,1,bar,2", "add the time 0.4 to the case"),
                          ("pressure_buildup,500", "cannot be compared")):
            self.observe(row)
            done = self.observe_case("fields.h5", "obs.csv", "observed_0")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(list(self.folder.glob("observed_0*")), [])
        with h5py.File(self.folder / "fields.h5", "a") as file:
            file["inputs/active"][0, -3:, :] = 0
        self.observe("pressure_buildup,500,35,30,1,bar,0.2")
        self.assertIn("row 2: lies in an inactive cell", self.observe_case("fields.h5", "obs.csv", "observed_0").stderr)

    def test_samples_the_posterior_in_few_components(self):
        self.observe_truth()
        output = self.succeed("invert", "inversion.json", "--set", "method=smc", "--set", "members=40", "--set", "components=4",
                              "--set", "moves=6")
        self.assertIn("40 members", output)
        steps = self.steps()
        temperatures = [step["temperature"] for step in steps]
        self.assertEqual((temperatures[0], temperatures[-1]), (0, 1))
        self.assertEqual(temperatures, sorted(temperatures))
        self.assertGreater(len(steps), 3)
        self.assertTrue(all(step["accepted"] > 0.02 for step in steps), steps)
        self.assertTrue(all(0 < step["moves"] <= 6 and 0 < step["ancestors"] <= 40 for step in steps[1:]), steps)
        self.assertTrue(all(step["correlation"] < 0.1 for step in steps[1:] if step["is_mixed"]), steps)
        self.assertLess(steps[-1]["members_misfit"], 0.05 * steps[0]["members_misfit"])
        with h5py.File(self.folder / "posterior" / "posterior.h5") as file:
            self.assertGreater(len(numpy.unique(file["inputs/permeability_r"][:], axis=0)), 30)  # few members repeat each other
        self.succeed("validate", "posterior/posterior.h5")
        self.succeed("estimate", "posterior/posterior.h5", "-o", "explained.h5")
        with h5py.File(self.folder / "explained.h5") as file, open(self.folder / "posterior" / "observations.csv") as table:
            r, z, times = (file["grid/" + name][:] for name in ("r_edges", "z_edges", "times"))
            for row in csv.DictReader(table):
                column, line = numpy.searchsorted(r, float(row["r"])) - 1, numpy.searchsorted(z, float(row["z"])) - 1
                time = numpy.argmin(abs(times - float(row["time"])))
                members = file["outputs/pressure_buildup"][:, time, line, column].astype(float)
                self.assertAlmostEqual(float(row["posterior_mean"]) / members.mean(), 1.0, delta=1e-4)
                self.assertAlmostEqual(float(row["posterior_deviation"]) / members.std(ddof=1), 1.0, delta=1e-3)

    def test_warns_of_a_sampler_with_few_members(self):
        self.observe_truth()
        found = self.run_cli("invert", "inversion.json", "--set", "method=smc", "--set", "members=20", "--set", "components=8",
                             "--set", "moves=2")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIn("20 members for 8 components are few", found.stderr)
        self.assertIn("members still correlate with where they began", found.stderr)
        self.assertIn("take 80 members, or 2 components or fewer", found.stderr)

    def test_seeks_members_by_derivatives(self):
        self.observe_truth()
        found = self.run_cli("invert", "inversion.json", "--set", "method=rml", "--set", "members=10", "--set", "iterations=40")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertRegex(found.stderr, r"the searches took [0-9]+ to [0-9]+ evaluations of model and derivatives, [0-9]+ in the median")
        steps = self.steps()
        self.assertEqual(len(steps), 2)
        self.assertLess(steps[-1]["members_misfit"], 0.02 * steps[0]["members_misfit"])
        self.assertLess(steps[-1]["spread"], 1.0)
        self.succeed("validate", "posterior/posterior.h5")
        output = self.succeed("invert", "inversion.json", "--set", "method=map", "--set", "members=12", "--output", "most_likely")
        self.assertIn("1 member,", output)
        self.assertLess(self.steps("most_likely")[-1]["mean_misfit"], 3.0)

    def test_refuses_derivatives_of_a_model_that_has_none(self):
        self.observe("pressure_buildup,500,20,30,5,bar,2")
        self.refuse(USAGE, "invert", "inversion.json", "--set", "method=rml", "--set", f"model={ROOT / 'models/radial-co2-fast'}",
                  says=["rml needs derivatives", "models/radial-co2-fast", "esmda or smc"])  # on a grid that is not its own
        self.expect_no_result()

    def test_refuses_derivatives_of_pressures_of_wells_in_boxes(self):
        with h5py.File(self.sample("cartesian", "box.h5"), "r+") as file:
            del file["outputs"]
            for name, value in (("irreducible_water_saturation", 0.2), ("van_genuchten_lambda", 0.5)):
                file["inputs"].create_dataset(name, data=numpy.full(2, value, numpy.float32)).attrs["units"] = "1"
            for name, values in list(file["inputs"].items()):  # a prior has ten members at least
                several, attributes = numpy.concatenate(5 * [values[:]]), dict(values.attrs)
                del file["inputs"][name]
                file["inputs"].create_dataset(name, data=several).attrs.update(attributes)
        self.config(case="box.h5", prior="box.h5", unknown=["porosity"])
        header = HEADER.replace("r,z,", "x,y,z,well,")
        (self.folder / "obs.csv").write_text(header + "\nbottom_hole_pressure,,,,0,30,160,bar,2\n")
        self.refuse(USAGE, "invert", "inversion.json", "--set", "method=rml",
                  says=["rml needs derivatives", "bottom-hole pressures in boxes have no derivatives",
                        "pressure_buildup in the cell of the well; or use esmda or smc"])
        self.expect_no_result()

    def test_explains_bottom_hole_pressures(self):
        self.succeed("estimate", "case.h5", "-o", "truth.h5")
        self.succeed("report", "truth.h5", "-o", "report")
        with open(self.folder / "report" / "series.csv") as file:
            rows = list(csv.DictReader(file))
        days = {float(row["time [day]"]): float(row["bottom_hole_pressure [bar]"]) for row in rows}
        self.observe(*[f"bottom_hole_pressure,,,{day},{value},bar,0.5" for day, value in list(days.items())[1:5]])
        self.succeed("invert", "inversion.json")
        self.assertLess(self.steps()[-1]["mean_misfit"], 0.1 * self.steps()[0]["mean_misfit"])
        with open(self.folder / "posterior" / "observations.csv") as file:
            for row in csv.DictReader(file):
                self.assertEqual((row["r"], row["z"], row["well"]), ("", "", "0"))
                self.assertLess(float(row["posterior_deviation"]), float(row["prior_deviation"]))
        self.succeed("invert", "inversion.json", "--set", "method=map", "--set", "members=12", "--output", "most_likely")
        steps = self.steps("most_likely")
        self.assertLess(steps[-1]["mean_misfit"], 0.01 * steps[0]["mean_misfit"])
        self.assertLess(steps[-1]["mean_misfit"], 0.5)
        (self.folder / "obs.csv").write_text(HEADER.replace("z,", "z,well,") + "\nbottom_hole_pressure,,,1,30,160,bar,2\n")
        self.refuse(DATA, "invert", "inversion.json", says=["obs.csv: row 2", "no well 1", "has 1 well"])

    def interrupted(self, *arguments, after):
        """Ends a run with SIGINT once it has told of a step."""
        environment = dict(os.environ, PLUMECAST_PROGRESS_SECONDS="0")
        with subprocess.Popen([os.environ["PLUMECAST"], "invert", "inversion.json", *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=environment) as process:
            lines = []
            for line in process.stderr:
                lines.append(line)
                if after in line:
                    process.send_signal(signal.SIGINT)
                    after = "never"
            process.wait()
        return process.returncode, "".join(lines)

    def test_goes_on_after_the_last_step_with_the_same_bits(self):
        self.observe_truth()
        for name, after, entries in (("esmda", "step 2/8", ["members=30"]), ("smc", "step 2 ", ["members=20", "moves=2"]),
                                     ("rml", "step 0", ["members=20", "iterations=4"])):
            with self.subTest(name):
                changes = [word for entry in [f"method={name}", *entries] for word in ("--set", entry)]
                self.succeed("invert", "inversion.json", *changes, "--output", name)
                code, errors = self.interrupted(*changes, "--output", name + "_again", after=after)
                state = self.folder / (name + "_again.state.safetensors")
                self.assertEqual(code, 130, errors)
                self.assertIn("--resume", errors)
                self.assertTrue(state.exists())
                self.assertFalse((self.folder / (name + "_again")).exists())
                kept = state.read_bytes()
                self.refuse(USAGE, "invert", "inversion.json", *changes, "--set", "seed=4", "--output", name + "_again", "--resume",
                          says=[state.name, "another inversion (seed"])
                self.refuse(USAGE, "invert", "inversion.json", *changes, "--output", name + "_again",
                          says=[state.name, "is there already", "--resume", "--force"])
                self.assertEqual(state.read_bytes(), kept)
                self.succeed("invert", "inversion.json", *changes, "--output", name + "_again", "--resume")
                self.expect_equal(name, name + "_again")
                self.assertFalse(state.exists())

    def test_claims_no_steps_of_another_inversion(self):
        self.observe_truth()
        (self.folder / "posterior.state.safetensors").write_bytes(b"of another")
        code, errors = self.interrupted("--force", after="counts as exact")
        self.assertEqual(code, 130, errors)
        self.assertIn("before the first step", errors)
        self.assertNotIn("steps so far", errors)

    def test_adds_the_error_of_the_model_to_that_of_the_data(self):
        self.observe_truth()
        self.succeed("estimate", "prior.h5", "-o", "coarse.h5")
        with h5py.File(self.folder / "coarse.h5", "a") as file:  # stands for a simulator that gives a twentieth more
            file["outputs/pressure_buildup"][:] *= 1.05
        ran = self.run_cli("invert", "inversion.json", "--set", "model_error=" + str(self.folder / "coarse.h5"))
        self.assertIn("with the model's error in 60 cases", ran.stdout)
        self.assertRegex(ran.stderr, r"coarse.h5: its fields are predicted \(by .*\) and not simulated")
        with open(self.folder / "posterior" / "observations.csv") as file:
            for row in csv.DictReader(file):
                self.assertGreater(float(row["error_with_model"]), float(row["standard_deviation"]))
                self.assertGreater(float(row["model_bias"]), 0.0)

    def test_goes_on_without_a_member_that_is_not_admissible(self):
        self.observe("pressure_buildup,500,10,30,10,bar,1")
        with h5py.File(self.folder / "prior.h5", "a") as file:
            file.attrs["format_version"] = 2
            values = numpy.full(MEMBERS, 0.1, numpy.float32)
            values[:] += 0.001 * numpy.arange(MEMBERS)
            values[35] = 0.45  # for which the case leaves no room
            file["inputs/residual_gas_saturation"] = values
            file["inputs/residual_gas_saturation"].attrs["units"] = "1"
        with h5py.File(self.folder / "case.h5", "a") as file:
            file.attrs["format_version"] = 2
            file["inputs/irreducible_water_saturation"][:] = 0.7
            file["inputs/residual_gas_saturation"] = numpy.array([0.2], numpy.float32)
            file["inputs/residual_gas_saturation"].attrs["units"] = "1"
        ran = self.run_cli("invert", "inversion.json", "--set", "steps=1", "--set", 'unknown=["residual_gas_saturation"]')
        self.assertRegex(ran.stderr, r"1 of 60 members cannot be computed and leave the ensemble; the first one: member 35: ")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_names_members_that_leave_by_their_numbers_in_the_prior(self):
        """Of members alike but for the temperature, one leaves with the prior and others at steps after it, for what is observed is near the
        limit of the physics, 170 degC."""
        warm = numpy.linspace(150, 169, MEMBERS)
        warm[0] = 175
        with h5py.File(self.folder / "prior.h5", "a") as file:
            for name in ("permeability_r", "permeability_z", "porosity"):
                file["inputs/" + name][:] = file["inputs/" + name][0]
            file["inputs/temperature"][:] = warm
        self.succeed("subset", "prior.h5", "-o", "case.h5", "--cases", MEMBERS - 1, "--force")
        self.succeed("estimate", "prior.h5", "-o", "fields.h5")
        with h5py.File(self.folder / "fields.h5") as file:
            time, r, z = (file["grid/" + name][:] for name in ("times", "r_edges", "z_edges"))
            values = file["outputs/pressure_buildup"][:, 3, 1, 5].astype(float)
        slope = abs(values[-1] - values[1]) / (warm[-1] - warm[1])  # per degC
        self.observe(f"pressure_buildup,{0.5 * (r[5] + r[6])},{0.5 * (z[1] + z[2])},{time[3]},{values[-1]},bar,{slope}")
        ran = self.run_cli("invert", "inversion.json", "--set", "steps=3", "--set", "localization=0", "--set", 'unknown=["temperature"]')
        self.assertEqual(ran.returncode, 0, ran.stderr)
        named = [int(number) for number in re.findall(r"the first one: member (\d+): ", ran.stderr)]
        self.assertEqual(named[:1], [0])
        self.assertGreater(len(named), 1, ran.stderr)
        kept = json.loads((self.folder / "posterior" / "inversion.json").read_text())["members"]
        self.assertFalse(set(kept) & set(named), ran.stderr)
        self.assertEqual(len(named), len(set(named)), ran.stderr)  # none leaves twice

    def test_warns_of_a_localization_by_which_nothing_is_updated(self):
        self.observe("pressure_buildup,500,10,30,10,bar,1")
        told = self.run_cli("invert", "inversion.json", "--set", "steps=1", "--set", "localization=8").stderr
        self.assertIn("localization is 8, by which no correlation of 60 members counts", told)

    def test_says_why_members_have_verdicts_that_are_not_good(self):
        self.observe("pressure_buildup,500,10,30,150,bar,10")
        with h5py.File(self.folder / "prior.h5", "a") as file:
            file["inputs/permeability_r"][:] *= 0.1
        entries = (f"model={ROOT / 'models/radial-co2-fast'}", "model_error=off", "steps=1", "members=20")
        told = self.run_cli("invert", "inversion.json", *(word for entry in entries for word in ("--set", entry))).stderr
        self.assertRegex(told, r"step 0: 20 of 20 members are doubtful or bad, \d+ of them since "
                               r"(with a build-up of [0-9.]+ bar the pressure is|the inputs together are) [0-9.]+ times .*; narrow the prior, or use another model")

    def test_refuses_observations_by_their_row(self):
        good = "pressure_buildup,500,10,30,1,bar,0.2"
        for row, says in (("pressure_buildup,1e9,10,30,1,bar,0.2", "r is 1e+09 m"),
                          ("pressure_buildup,500,10,1e9,1,bar,0.2", "time is 1e+09 day"),
                          ("pressure_buildup,500,10,0.4,1,bar,0.2", "add the time 0.4 to the case"),
                          ("pressure_buildup,500,10,30,1,,0.2", "no unit"),
                          ("pressure_buildup,500,10,30,1,bar,0", "standard_deviation is 0")):
            self.observe(good, row)
            self.refuse(DATA, "invert", "inversion.json", says=["obs.csv: row 3", says])
            self.expect_no_result()
        self.observe(good)
        with h5py.File(self.folder / "case.h5", "a") as file:
            for name in ("active", "perforation", "permeability_r", "permeability_z", "porosity"):
                file["inputs/" + name][0, -3:, :] = 0
            file["inputs/thickness"][0] = 25
        self.observe("pressure_buildup,500,35,30,1,bar,0.2")
        self.refuse(DATA, "invert", "inversion.json", says=["obs.csv: row 2", "inactive cell"])
        self.expect_no_result()

    def test_refuses_pressures_between_times_across_a_change_of_rate(self):
        for name, cases in (("case.h5", 1), ("prior.h5", MEMBERS)):
            with h5py.File(self.folder / name, "a") as file:
                times = file["grid/times"][:]
                file.attrs["format_version"] = 2
                del file["inputs/injection_rate"]
                for key, unit, values in (("end", "day", [0.5 * (times[2] + times[3])]), ("rate", "Mt/year", numpy.full((cases, 1, 1), 0.5))):
                    file["schedule/" + key] = values
                    file["schedule/" + key].attrs["units"] = unit
        day, stop = 0.25 * times[2] + 0.75 * times[3], 0.5 * (times[2] + times[3])
        for row in (f"pressure_buildup,500,10,{day},1,bar,0.2", f"bottom_hole_pressure,,,{day},200,bar,0.5"):
            self.observe(row)
            self.refuse(DATA, "invert", "inversion.json", says=["obs.csv: row 2", f"from day {stop:.5g}", "add the times"])
        self.expect_no_result()
        self.observe(f"gas_saturation,2,10,{day},0.5,1,0.2", f"pressure_buildup,500,10,{times[3]},1,bar,5")
        self.succeed("invert", "inversion.json", "--set", "steps=1", "--set", "members=10")
        self.succeed("estimate", "case.h5", "-o", "fields.h5")
        self.observe(f"pressure_buildup,500,10,{day},1,bar,0.2")
        self.assertIn("a well has another rate", self.observe_case("fields.h5", "obs.csv", "observed_0").stderr)

    def test_refuses_a_prior_that_contradicts_or_does_not_vary(self):
        self.observe("pressure_buildup,500,10,30,1,bar,0.2")
        self.config(unknown=["temperature"])
        self.refuse(DATA, "invert", "inversion.json", says=["temperature is the same in all 60 members"])
        self.config(unknown=["permeability"])
        self.refuse(USAGE, "invert", "inversion.json", says=["'permeability'", "permeability_r"])
        self.config()
        config = json.loads((self.folder / "cases.json").read_text())
        config["grid"]["columns"] = 10
        (self.folder / "other.json").write_text(json.dumps(config))
        self.succeed("generate", "other.json", "-o", "other.h5", "--inputs-only", "--cases", "12")
        self.config(prior="other.h5")
        self.refuse(DATA, "invert", "inversion.json", says=["other.h5", "r_edges", "11 edges and 21"])
        self.config(members=61)
        self.refuse(USAGE, "invert", "inversion.json", says=["holds 60 realizations"])
        self.expect_no_result()

    def test_says_before_the_first_step_that_no_member_comes_near(self):
        self.observe("pressure_buildup,500,10,30,40,bar,5", "pressure_buildup,500,10,40,1,bar,50")
        result = self.run_cli("invert", "inversion.json", "--set", "steps=1")
        self.assertIn("no member of the prior comes near 1 of 2 observations", result.stderr)
        self.assertIn("obs.csv: row 2", result.stderr)
        self.assertLess(result.stderr.index("comes near"), result.stderr.index("step 1/1"))

    def test_leaves_nothing_half_done_on_a_full_disk(self):
        self.observe("pressure_buildup,500,10,30,1,bar,50")
        before = sorted(path.name for path in self.folder.iterdir())
        result = self.run_cli("invert", "inversion.json", "--set", "steps=1", "--set", "members=10", preexec_fn=no_room_for_files)
        self.assertEqual(result.returncode, SYSTEM, result.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.name != "posterior"), before)
        left = [path.name for path in (self.folder / "posterior").glob("*") if path.name != ".plumecast.json"]  # the mark of a folder of results
        self.assertEqual(left, [])

    def test_refuses_to_lose_files(self):
        self.observe("pressure_buildup,500,10,30,1,bar,50")
        (self.folder / "posterior").mkdir()
        (self.folder / "posterior" / "posterior.h5").write_text("mine")
        self.assertEqual(self.run_cli("invert", "inversion.json").returncode, USAGE)
        self.assertEqual((self.folder / "posterior" / "posterior.h5").read_text(), "mine")
        self.succeed("invert", "inversion.json", "--force")
        self.succeed("invert", "inversion.json")  # its own files it replaces

    def test_names_a_place_that_cannot_be_written_before_the_first_step(self):
        self.observe("pressure_buildup,500,10,30,1,bar,50")
        (self.folder / "a_file").write_text("mine")
        self.refuse(SYSTEM, "invert", "inversion.json", "--output", "a_file/posterior", says=["a_file"])  # one line: no step was made
        self.assertEqual((self.folder / "a_file").read_text(), "mine")

    def test_prints_its_configuration(self):
        config = json.loads(self.succeed("invert", "--default", "--set", "steps=6"))
        self.assertEqual((config["method"], config["steps"], config["localization"]), ("esmda", 6, 2))
        self.refuse(USAGE, "invert", says=["--default"])
        self.config(method="smcc")
        self.refuse(USAGE, "invert", "inversion.json", says=["inversion.json", "smc"])
        self.config(stepps=3)
        self.refuse(USAGE, "invert", "inversion.json", says=["steps"])

    def test_has_a_schema_of_exactly_its_entries(self):
        properties = json.loads((ROOT / "docs" / "invert.schema.json").read_text())["properties"]
        config = json.loads(self.succeed("invert", "--default"))
        self.assertEqual(list(properties), ["$schema", *config])
        kinds = {"string": str, "integer": int, "number": (int, float), "array": list}
        for name, value in config.items():
            self.assertIsInstance(value, kinds[properties[name].get("type", "string")], name)
        for method in properties["method"]["enum"]:
            self.succeed("invert", "--default", "--set", "method=" + method)
        for name in ("steps", "localization", "components", "moves", "iterations", "case_index"):
            self.observe("pressure_buildup,500,10,30,1,bar,50")
            for beyond in (properties[name]["minimum"] - 1, properties[name]["maximum"] + 1):
                self.refuse(USAGE, "invert", "inversion.json", "--set", f"{name}={beyond}", says=[f"'{name}'"])


if __name__ == "__main__":
    unittest.main()
