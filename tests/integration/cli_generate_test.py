import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
import unittest
from collections import Counter
from pathlib import Path

from cli_test_case import DATA, INTERRUPTED, PLUMECAST, RESUME_ME, SYSTEM, TIME_LIMIT, USAGE, CliTestCase

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

STAND_IN = Path(__file__).resolve().parent / "stand_in_flow.py"
SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "generate.schema.json"

TOPOGRAPHY = {"dip": 3.0, "dip_direction": 30.0,
              "anticlines": [{"height": 40.0, "x": 4000.0, "y": 5000.0, "length": 3000.0, "width": 1500.0, "direction": 60.0}],
              "faults": [{"along": "y", "at": 5000.0, "throw": 27.0, "ends": [-2000.0, 9000.0], "multiplier": [0.01, 1.0]}]}


class GenerateTestCase(CliTestCase):
    def setUp(self):
        super().setUp()
        self.record = self.folder / "begun.txt"
        self.config()

    def config(self, name="cases.json", **entries):
        """A configuration of few and small cases, simulated by the stand-in."""
        config = {"cases": 6, "seed": 3, "grid": {"rows": 4, "columns": 8}, "times": {"count": 3, "growth": 10},
                  "lattice": {"rows": 16, "columns": 32, "width_growth": 1.2},
                  "checks": {"estimated_buildup": 1e9}, "simulator": {"program": str(STAND_IN)}}
        config.update(entries)
        path = self.folder / name
        path.write_text(json.dumps(config))
        return path

    def environment(self, **variables):
        # The stand-in runs with the interpreter of the tests: another that PATH finds first may take ten times as long to start.
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "STAND_IN_RECORD": str(self.record), **variables}

    def generate(self, *arguments, **variables):
        result = self.run_cli("generate", "cases.json", *arguments, env=self.environment(**variables))
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def begun(self):
        return Counter(map(int, self.record.read_text().split())) if self.record.exists() else Counter()

    def finished_parts(self, output="data.h5"):
        return {int(path.stem[5:]) for path in (self.folder / f"{output}.parts").glob("case_*.h5")}

    def start_and_send(self, sent, *arguments):
        """Starts generating, sends a signal when two more cases are finished; returns exit code, stderr, all of them."""
        before = len(self.finished_parts())
        process = subprocess.Popen([PLUMECAST, "generate", "cases.json", *arguments], cwd=self.folder, text=True,
                                   env=self.environment(STAND_IN_DELAY="0.3"), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            deadline = time.monotonic() + TIME_LIMIT
            while len(self.finished_parts()) < before + 2 and time.monotonic() < deadline and process.poll() is None:
                time.sleep(0.02)
            process.send_signal(sent)
            _, errors = process.communicate(timeout=TIME_LIMIT)
        finally:
            process.kill()
        return process.returncode, errors, self.finished_parts()


class Generate(GenerateTestCase):
    def expect_well_pressures_while_injecting(self):
        with h5py.File(self.folder / "data.h5") as data:
            well, initial = data["case/bottom_hole_pressure"][()], data["inputs/initial_pressure"][()]
            ends, rates, times = data["schedule/end"][()], data["schedule/rate"][:, 0], data["grid/times"][()]
        rates = np.append(rates, np.zeros((8, 1)), axis=1)  # after the last period
        injects = rates[:, np.searchsorted(ends, times)] > 0  # in the period that ends at the time or after it
        np.testing.assert_allclose(well, np.where(injects, initial[:, None] + 7.5, np.nan), rtol=1e-5)

    def test_makes_a_valid_data_set_and_removes_the_parts(self):
        self.assertIn("data.h5: 6 cases, 0 rejected", self.generate("-o", "data.h5"))
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        self.assertFalse((self.folder / "data.h5.parts").exists())
        self.assertEqual(json.loads(self.succeed("info", "data.h5", "--json"))["cases"], 6)

    def test_draws_schedules_with_a_stop(self):
        laws = {"constant": 1, "ramp": 1, "steps": 1, "intermittent": 1}
        self.config(times={"count": 12, "growth": 2.3}, cases=8,
                    inputs={"schedule": {"laws": laws, "stop": [5, 15], "changes": [5, 20], "ramp": [1, 4]}})
        self.assertIn("data.h5: 8 cases, 0 rejected", self.generate("-o", "data.h5", "--keep-decks", "runs"))
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        if h5py:
            self.expect_well_pressures_while_injecting()
        self.succeed("report", "data.h5", "-o", "report", "--case", "0")
        imported = [f"runs/case_{number:08d}" for number in range(8)]
        self.assertTrue((self.folder / imported[0] / "CASE.DATA").exists())
        text = (self.folder / imported[0] / "CASE.DATA").read_text()
        self.assertIn("INJ GAS SHUT RATE 0", text)

    def test_says_which_release_does_not_start_at_rest_where_there_are_schedules(self):
        says = "stand-in 1 does not start in hydrostatic balance"

        def run(**more):
            return self.run_cli("generate", "cases.json", "-o", "data.h5", "--cases", "1", "--force", env=self.environment(**more))

        constant = run()
        self.assertEqual((constant.returncode, constant.stderr.count(says)), (0, 0), constant.stderr)
        self.config(inputs={"schedule": {"laws": {"steps": 1}, "stop": [5, 15]}}, times={"count": 12, "growth": 2.3})
        older = run()
        self.assertEqual((older.returncode, older.stderr.count(says)), (0, 1), older.stderr)
        self.assertIn("take OPM Flow 2024.10 or newer for schedules", older.stderr)
        newer = run(STAND_IN_OPTION="--parsing-strictness=STRING")
        self.assertEqual((newer.returncode, newer.stderr.count(says)), (0, 0), newer.stderr)
        self.assertTrue(json.loads(self.succeed("info", "data.h5", "--json"))["source"].startswith("OPM Flow (stand-in 1), CO2STORE, "))

    def test_draws_schedules_for_the_wells_of_boxes(self):
        self.config(box={"rows": 2, "lines": 4, "columns": 4}, grid=None, lattice=None)
        config = json.loads((self.folder / "cases.json").read_text())
        config = {key: value for key, value in config.items() if value is not None}
        config["inputs"] = {"schedule": {"stop": [5, 15]}}
        (self.folder / "cases.json").write_text(json.dumps(config))
        config["times"] = {"count": 12, "growth": 2.3}
        (self.folder / "cases.json").write_text(json.dumps(config))
        self.generate("-o", "data.h5", "--inputs-only", "--cases", "3")
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        self.assertEqual(json.loads(self.succeed("info", "data.h5", "--json"))["schedule_periods"], 60)  # of a quarter of a year

    def test_draws_sites_with_dips_rises_and_faults(self):
        self.config(box={"rows": 3, "lines": 6, "columns": 8, "height": 60.0, "topography": TOPOGRAPHY}, grid=None, lattice=None)
        config = {key: value for key, value in json.loads((self.folder / "cases.json").read_text()).items() if value is not None}
        config.update(times={"count": 6, "growth": 2.3}, inputs={"thickness": [40, 60]})
        (self.folder / "cases.json").write_text(json.dumps(config))
        self.generate("-o", "data.h5", "--inputs-only", "--cases", "3")
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        self.assertRegex(self.succeed("info", "data.h5"), r"\d\d connections between cells that are no neighbours")
        self.assertIn("3 cases", self.succeed("estimate", "data.h5", "-o", "fields.h5"))
        self.succeed("report", "fields.h5", "-o", "report", "--case", "0", "--top-depth", "1000")
        self.succeed("export", "fields.h5", "-o", "exported", "--format", "eclipse", "--case", "0")
        if h5py:
            with h5py.File(self.folder / "data.h5") as data:
                of_cases = data["connections/transmissibility"][:]
                self.assertGreater((of_cases > 0).sum(axis=1).min(), 3)
                self.assertFalse(np.array_equal(of_cases[0], of_cases[1]))  # rock and multiplier of each
                self.assertEqual(data["grid/corner_depths"][:].min(), 0.0)
                pores = data["inputs/pore_volume"][0] / np.maximum(data["inputs/porosity"][0] * data["grid/cell_volume"][:], 1.0)
                np.testing.assert_allclose(pores[0, 0], 1000.0, rtol=1e-5)
                np.testing.assert_allclose(pores[0, 1:-1, 1:-1], 1.0, rtol=1e-5)

    def test_makes_the_same_bytes_for_any_number_of_jobs(self):
        one = self.generate("-o", "one.h5", STAND_IN_FAILS="2,5")
        time.sleep(1.1)  # a date in the file would show
        four = self.generate("-o", "four.h5", "--jobs", "4", STAND_IN_FAILS="2,5", STAND_IN_DELAY="0.1")
        self.assertEqual((self.folder / "one.h5").read_bytes(), (self.folder / "four.h5").read_bytes())
        self.assertEqual(one.replace("one.h5", ""), four.replace("four.h5", ""))

    def test_draws_other_cases_with_another_seed_than_that_of_the_configuration(self):
        seeds = {}
        for name, arguments in {"configured": (), "one": ("--seed", "41"), "again": ("--seed", "41")}.items():
            self.generate("-o", f"{name}.h5", *arguments)
            seeds[name] = (self.folder / f"{name}.h5").read_bytes()
        self.assertEqual(seeds["one"], seeds["again"])
        self.assertNotEqual(seeds["one"], seeds["configured"])
        self.succeed("merge", "configured.h5", "one.h5", "-o", "both.h5")
        self.assertIn("12", self.succeed("info", "both.h5"))

    def test_shows_progress_on_a_terminal(self):
        reader, writer = pty.openpty()
        process = subprocess.Popen([PLUMECAST, "generate", "cases.json", "-o", "data.h5"], cwd=self.folder, stderr=writer,
                                   env=self.environment(STAND_IN_DELAY="0.2", TERM="xterm"), stdout=subprocess.DEVNULL)
        os.close(writer)
        shown = b""
        try:
            while part := os.read(reader, 4096):
                shown += part
        except OSError:  # the other end is closed
            pass
        os.close(reader)
        self.assertEqual(process.wait(), 0)
        self.assertRegex(shown.decode(), r"[1-5]/6 cases  0 rejected  \d running  [1-9]\d* cases/h  \d+ s left")

    def test_shows_progress_in_a_log_now_and_then(self):
        call = ("generate", "cases.json", "-o", "data.h5", "--force")
        often = self.run_cli(*call, env=self.environment(STAND_IN_DELAY="0.2", PLUMECAST_PROGRESS_SECONDS="0.1"))
        self.assertRegex(often.stderr, r"plumecast: info: [1-5]/6 cases  0 rejected  \d running  [1-9]\d* cases/h")
        self.assertNotIn("\x1b", often.stderr)
        for seconds in ("30", "0"):
            seldom = self.run_cli(*call, env=self.environment(PLUMECAST_PROGRESS_SECONDS=seconds))
            self.assertNotIn("cases/h", seldom.stderr)
        wrong = self.run_cli(*call, env=self.environment(PLUMECAST_PROGRESS_SECONDS="0,5"))
        self.assertEqual(wrong.returncode, 0)
        self.assertIn("PLUMECAST_PROGRESS_SECONDS is '0,5' (a number of seconds is expected", wrong.stderr)

    def test_sums_up_rejected_cases_by_reason(self):
        result = self.run_cli("generate", "cases.json", "-o", "data.h5", "--verbose",
                              env=self.environment(STAND_IN_FAILS="0,3", STAND_IN_LEAKS="4"))
        self.assertIn("6 cases, 3 rejected", result.stdout)
        self.assertRegex(result.stdout, r"simulator failed +2\n")
        self.assertRegex(result.stdout, r"mass balance +1\n")
        self.assertIn("case 4 rejected: mass balance (-0.5 of what was injected", result.stderr)
        self.assertEqual(sorted(self.begun()), list(range(9)))

    def test_rejects_before_running_by_the_estimated_buildup(self):
        self.config(checks={"estimated_buildup": 20})
        output = self.generate("-o", "data.h5")
        self.assertRegex(output, r"estimated build-up above the limit +[0-9]+\n")
        self.assertEqual(sum(self.begun().values()), 6)

    def test_keeps_decks_when_asked(self):
        self.generate("-o", "data.h5", "--keep-decks", "decks")
        self.assertEqual(len(list((self.folder / "decks").glob("case_*/CASE.DATA"))), 6)
        self.assertTrue((self.folder / "decks" / "case_00000000" / "CASE.UNRST").exists())

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_keeps_beside_each_deck_what_import_needs_to_know(self):
        self.generate("-o", "data.h5", "--keep-decks", "decks")
        with h5py.File(self.folder / "data.h5") as data:
            for row, number in enumerate(data["case/number"]):
                values = json.loads((self.folder / "decks" / f"case_{number:08}" / "CASE.plumecast.json").read_text())
                for name in ("initial_pressure", "temperature", "irreducible_water_saturation", "van_genuchten_lambda"):
                    self.assertAlmostEqual(values[name], float(data["inputs"][name][row]), delta=1e-5 * values[name], msg=name)

    def test_begins_anew_with_short_steps_after_a_change_of_the_rate_or_leaves_steps_to_the_simulator(self):
        def called_with(name, **simulator):
            self.config(cases=1, simulator={"program": str(STAND_IN), **simulator})
            self.generate("-o", f"{name}.h5", STAND_IN_CALLED=str(self.folder / name))
            return (self.folder / name).read_text().split()

        self.assertIn("--time-step-after-event-in-days=0.05", called_with("shipped"))
        self.assertIn("--time-step-after-event-in-days=0.25", called_with("stated", step_after_change=0.25))
        self.assertNotIn("after-event", " ".join(called_with("left", step_after_change=0)))
        self.refuse(USAGE, "generate", self.config("e.json", simulator={"step_after_change": -1}), "-o", "e.h5",
                  says=["simulator.step_after_change", "time step"])

    def test_rejects_a_case_that_takes_too_long(self):
        self.config(cases=1, simulator={"program": str(STAND_IN), "time_limit": 0.02})
        result = self.run_cli("generate", "cases.json", "-o", "data.h5", "--jobs", "8",
                              env=self.environment(STAND_IN_DELAY="30"))
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("cases are rejected (simulator out of time: ", result.stderr)

    def test_says_what_is_wrong_with_the_call(self):
        self.refuse(USAGE, "generate", says=["CONFIG.json", "-o", "--default"])
        self.refuse(USAGE, "generate", self.config("a.json", gird={}), "-o", "d.h5", says=["gird", "'grid'", "a.json"])
        self.refuse(USAGE, "generate", self.config("b.json", simulator={"program": "no-such-flow"}), "-o", "d.h5",
                  says=["no-such-flow", "libopm-simulators-bin", "simulator.program"])
        self.assertFalse((self.folder / "d.h5.parts").exists())

    def test_prints_a_configuration_that_it_reads(self):
        defaults = json.loads(self.succeed("generate", "--default"))
        defaults["simulator"]["program"] = str(STAND_IN)
        self.config(**{**defaults, "cases": 1, "grid": {"rows": 4, "columns": 8}})
        self.generate("-o", "data.h5")

    def test_has_a_schema_of_exactly_its_entries(self):
        def entries(value, schema):
            self.assertEqual(set(value), set(schema["properties"]) - {"$schema"})
            self.assertIs(schema["additionalProperties"], False)
            for key in value:
                self.assertIn("description", schema["properties"][key], key)
                if isinstance(value[key], dict):
                    entries(value[key], schema["properties"][key])

        radial = json.loads(self.succeed("generate", "--default"))
        cartesian = json.loads(self.succeed("generate", "--default", "--cartesian"))
        cartesian["box"]["topography"] = TOPOGRAPHY
        schema = json.loads(SCHEMA.read_text())
        entries({**radial, **cartesian}, schema)
        of_topography = schema["properties"]["box"]["properties"]["topography"]["properties"]
        for name in ("anticlines", "faults"):
            entries(TOPOGRAPHY[name][0], of_topography[name]["items"])


class ResumeGenerate(GenerateTestCase):
    def expect_same_as_a_straight_run(self, finished):
        before = self.begun()
        self.generate("-o", "data.h5", "--resume")
        for number in finished:
            self.assertEqual(self.begun()[number], before[number], "a finished case was run again")
        self.generate("-o", "straight.h5")
        self.assertEqual((self.folder / "data.h5").read_bytes(), (self.folder / "straight.h5").read_bytes())

    def test_neither_loses_nor_repeats_a_finished_case_after_kill(self):
        code, _, finished = self.start_and_send(signal.SIGKILL, "-o", "data.h5", "--jobs", "2")
        self.assertEqual(code, -signal.SIGKILL)
        self.assertGreaterEqual(len(finished), 2)
        self.expect_same_as_a_straight_run(finished)

    def test_loses_nothing_when_killed_again_and_again(self):
        finished, before = set(), Counter()
        for delay in (0.03, 0.1, 0.2, 0.25, 0.35, 0.5):
            process = subprocess.Popen([PLUMECAST, "generate", "cases.json", "-o", "data.h5", "--jobs", "2", "--resume"],
                                       cwd=self.folder, env=self.environment(STAND_IN_DELAY="0.1"),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait()
            if (self.folder / "data.h5").exists():
                break
            self.assertLessEqual(finished, self.finished_parts())
            self.assertTrue(all(self.begun()[number] == before[number] for number in finished))
            finished, before = self.finished_parts(), self.begun()
        self.expect_same_as_a_straight_run(finished)

    def test_continues_after_ctrl_c_and_sigterm(self):
        code, errors, _ = self.start_and_send(signal.SIGINT, "-o", "data.h5", "--jobs", "2")
        self.assertEqual(code, INTERRUPTED, errors)
        self.assertIn("--resume", errors)
        code, errors, finished = self.start_and_send(signal.SIGTERM, "-o", "data.h5", "--resume")
        self.assertEqual(code, RESUME_ME, errors)
        self.expect_same_as_a_straight_run(finished)

    def processes_in_folder(self):
        """Processes that work in the folder of this test."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if Path(os.readlink(process / "cwd")).is_relative_to(self.folder.resolve()):
                    found.append((process / "cmdline").read_bytes())
            except OSError:  # it ended meanwhile, or is not ours
                pass
        return found

    def test_takes_the_simulators_along(self):
        for sent in (signal.SIGKILL, signal.SIGINT):
            shutil.rmtree(self.folder / "data.h5.parts", ignore_errors=True)
            self.start_and_send(sent, "-o", "data.h5", "--jobs", "2")
            time.sleep(0.2)
            self.assertEqual(self.processes_in_folder(), [])

    def test_does_not_reject_a_case_whose_simulator_somebody_killed(self):
        result = self.run_cli("generate", "cases.json", "-o", "data.h5", env=self.environment(STAND_IN_KILLED="2"))
        self.assertEqual(result.returncode, SYSTEM)
        self.assertIn("the simulator was killed", result.stderr)
        self.assertIn("6 cases, 0 rejected", self.generate("-o", "data.h5", "--resume"))
        self.assertEqual(self.begun()[2], 2)

    def test_refuses_to_overwrite_or_to_mix(self):
        self.generate("-o", "data.h5")
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", says=["data.h5", "already", "--resume"])
        self.config(seed=4)
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", "--resume", says=["another configuration"])
        self.config(cases=2)
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", "--resume", says=["6 cases are finished", "cases"])

    def test_begins_anew_when_forced_and_keeps_the_former_data_set_until_then(self):
        self.generate("-o", "data.h5")
        before = (self.folder / "data.h5").read_bytes()
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", "--force", "--resume", says=["--force"])
        self.config(seed=4)
        code, errors, finished = self.start_and_send(signal.SIGTERM, "-o", "data.h5", "--force")
        self.assertEqual(code, RESUME_ME, errors)
        self.assertEqual((self.folder / "data.h5").read_bytes(), before)
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", says=["data.h5", "--resume", "--force"])
        self.expect_same_as_a_straight_run(finished)
        self.assertNotEqual((self.folder / "data.h5").read_bytes(), before)

    def test_begins_anew_without_the_finished_cases_of_another_run_when_forced_only(self):
        _, _, finished = self.start_and_send(signal.SIGKILL, "-o", "data.h5", "--jobs", "2")
        self.assertTrue(finished)
        self.config(seed=4)
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", says=["data.h5.parts", "already", "--resume", "--force"])
        self.assertEqual(self.finished_parts(), finished)
        self.generate("-o", "data.h5", "--force")
        self.generate("-o", "straight.h5")
        self.assertEqual((self.folder / "data.h5").read_bytes(), (self.folder / "straight.h5").read_bytes())

    def test_replaces_a_result_file_but_never_its_configuration(self):
        self.sample("guided", "sample.h5")
        self.succeed("estimate", "sample.h5", "-o", "data.h5", "--substeps", "1")
        self.generate("-o", "data.h5")
        before = (self.folder / "cases.json").read_bytes()
        for more in ([], ["--force"], ["--resume"]):
            self.refuse(USAGE, "generate", "cases.json", "-o", "cases.json", *more, says=["is the input itself"])
        self.assertEqual((self.folder / "cases.json").read_bytes(), before)

    def test_never_removes_a_strange_file_with_its_parts(self):
        photo = self.folder / "data.h5.parts" / "photo.png"
        photo.parent.mkdir()
        photo.write_text("a photo")
        for more in ([], ["--force"], ["--resume"]):
            self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", *more, says=["photo.png", "move it elsewhere"])
        self.assertEqual(photo.read_text(), "a photo")

    def test_replaces_a_kept_run_of_another_deck_when_forced_only(self):
        self.generate("-o", "data.h5", "--keep-decks", "decks")
        self.generate("-o", "again.h5", "--keep-decks", "decks")
        deck = self.folder / "decks" / "case_00000000" / "CASE.DATA"
        before = deck.read_bytes()
        self.config(seed=4)
        result = self.run_cli("generate", "cases.json", "-o", "other.h5", "--keep-decks", "decks", env=self.environment())
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("holds another run", result.stderr)
        self.assertEqual(deck.read_bytes(), before)
        shutil.rmtree(self.folder / "other.h5.parts", ignore_errors=True)
        self.generate("-o", "other.h5", "--keep-decks", "decks", "--force")
        self.assertNotEqual(deck.read_bytes(), before)

    def test_refuses_fewer_cases_than_a_stopped_run_was_to_make(self):
        _, _, finished = self.start_and_send(signal.SIGTERM, "-o", "data.h5", "--jobs", "2")
        self.config(cases=len(finished))
        self.assertNotEqual(finished, set(range(len(finished))), "the longest cases begin first")
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", "--resume",
                  says=[f"{len(finished)} cases are finished", "before them are not"])

    def test_adds_cases_to_a_finished_data_set(self):
        self.generate("-o", "data.h5", "--cases", "3", STAND_IN_FAILS="1")
        self.generate("-o", "data.h5", "--resume", STAND_IN_FAILS="1")
        self.assertEqual(set(self.begun().values()), {1})
        self.generate("-o", "straight.h5", STAND_IN_FAILS="1")
        self.assertEqual((self.folder / "data.h5").read_bytes(), (self.folder / "straight.h5").read_bytes())

    def test_adds_no_cases_of_other_steps_after_changes_of_the_rate(self):
        schedule = {"schedule": {"laws": {"steps": 1}, "stop": [5, 15]}}
        self.config(cases=1, inputs=schedule)
        self.generate("-o", "data.h5")
        self.config(cases=2, inputs=schedule, simulator={"program": str(STAND_IN), "step_after_change": 0})
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", "--resume", says=["another configuration", "time limit may change"])
        self.config(cases=2, inputs=schedule, simulator={"program": str(STAND_IN), "time_limit": 60})
        self.generate("-o", "data.h5", "--resume")

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_states_what_the_deck_assumes_of_rock_and_fluids(self):
        self.generate("-o", "data.h5", "--cases", "1")
        with h5py.File(self.folder / "data.h5") as file:
            stated = {name: float(file.attrs[name]) for name in
                      ("residual_gas_saturation", "entry_pressure", "rock_compressibility", "initial_brine_temperature")}
        self.assertEqual(stated, {"residual_gas_saturation": 0.05, "entry_pressure": 0.1961,
                                  "rock_compressibility": 4.5e-5, "initial_brine_temperature": 15.56})
        self.generate("-o", "newer.h5", "--cases", "1", STAND_IN_OPTION="--parsing-strictness=STRING")
        with h5py.File(self.folder / "newer.h5") as file:
            self.assertIn("entry_pressure", file.attrs)
            self.assertNotIn("initial_brine_temperature", file.attrs)

    def test_refuses_temperatures_beyond_the_tables_of_the_simulator_at_hand(self):
        config = json.loads((self.folder / "cases.json").read_text())
        config["inputs"] = {**config.get("inputs", {}), "temperature": [130, 165]}
        (self.folder / "cases.json").write_text(json.dumps(config))
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", "--cases", "1", says=["inputs.temperature", "15 to 126.8", "2024.10"])
        self.generate("-o", "newer.h5", "--cases", "1", STAND_IN_OPTION="--parsing-strictness=STRING")

    def test_refuses_a_foreign_file(self):
        self.sample(name="data.h5")
        self.refuse(USAGE, "generate", "cases.json", "-o", "data.h5", "--resume", says=["another configuration"])
        (self.folder / "text.h5").write_text("no HDF5")
        self.refuse(DATA, "generate", "cases.json", "-o", "text.h5", "--resume", says=["text.h5"])


@unittest.skipUnless(shutil.which("flow"), "OPM Flow is not installed (program 'flow' is not on PATH)")
class GenerateWithTheSimulator(GenerateTestCase):
    def test_simulates_two_small_cases(self):
        config = {"cases": 2, "seed": 5, "grid": {"rows": 8, "columns": 16}, "times": {"count": 12, "growth": 2}}
        (self.folder / "cases.json").write_text(json.dumps(config))
        self.assertIn("data.h5: 2 cases", self.generate("-o", "data.h5"))
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        info = json.loads(self.succeed("info", "data.h5", "--json"))
        self.assertEqual((info["cases"], sorted(info["outputs"])), (2, ["dissolved_co2", "gas_saturation", "pressure_buildup"]))
        release = subprocess.run(["flow", "--version"], check=True, capture_output=True, text=True).stdout.split("\n")
        release = next(line for line in release if line.startswith("flow "))
        self.assertRegex(release, r"^flow [0-9]+\.[0-9]+")
        phase = "water" if float(release.split()[1][:7]) >= 2024.10 else "oil"
        self.assertEqual(info["source"], f"OPM Flow ({release}), CO2STORE, isothermal, pure water as the {phase} phase")


if __name__ == "__main__":
    unittest.main()
