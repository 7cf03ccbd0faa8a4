import csv
import json
import os
import shutil
import unittest
from pathlib import Path

import h5py
import numpy as np

from cli_test_case import DATA, MODEL, OK, USAGE, CliTestCase

RADIAL = Path(__file__).resolve().parents[2] / "data" / "radial_sample.h5"
FIELDS = ["gas_saturation", "pressure_buildup"]


class Trust(CliTestCase):
    def guided_model(self):
        self.sample("guided")
        self.succeed("train", self.recipe(physics={"kind": "two_phase", "substeps": 2}, fields=FIELDS, epochs=1))
        return self.folder / "run" / "best"

    def changed_sample(self, name, array, values):
        """The guided sample with another array, `values` of it as a function of what was there."""
        path = self.sample("guided", name)
        with h5py.File(path, "r+") as file:
            file[array][...] = values(file[array][...])
        return path

    def cases(self, name, count, seed=5):
        """As many cases like those of the sample, of different rates, temperatures and permeabilities."""
        path, random = self.sample("guided", "three.h5"), np.random.default_rng(seed)
        with h5py.File(path, "r") as source, h5py.File(self.folder / name, "w") as target:
            target.attrs.update(source.attrs)
            source.copy("grid", target)
            for array in source["inputs"]:
                values = np.repeat(source["inputs"][array][:1], count, axis=0)
                if array in ("injection_rate", "temperature", "permeability_r", "initial_pressure"):
                    factor = random.uniform(0.7, 1.4, count).astype("f4")
                    values = values * factor.reshape([count] + [1] * (values.ndim - 1))
                made = target.create_dataset(f"inputs/{array}", data=values)
                made.attrs.update({k: v for k, v in source["inputs"][array].attrs.items() if k in ("units", "long_name")})
        return self.folder / name

    def test_writes_a_verdict_with_reasons_for_every_case(self):
        model = self.guided_model()
        output = self.succeed("predict", model, "sample.h5", "-o", "fields.h5")
        self.assertRegex(output, r"trust: \d good, \d doubtful, \d bad")
        with h5py.File(self.folder / "fields.h5") as file:
            self.assertEqual(file["case/trust"].shape, (3,))
            self.assertEqual([m.decode() for m in file["case/trust"].attrs["meanings"]], ["good", "doubtful", "bad"])
            self.assertEqual(file["case/mass_balance"].shape, (3, 3))
            for name in ("outside_ranges", "training_distance", "plume_reach", "max_buildup"):
                self.assertTrue(np.isfinite(file[f"case/{name}"][:]).all(), name)
            self.assertEqual(file["case/outside_ranges"][:].max(), 0.0)
            self.assertLessEqual(file["case/training_distance"][:].max(), 1.0001)
            for trust, reason in zip(file["case/trust"], file["case/trust_reasons"]):
                self.assertEqual(trust > 0, reason != b"")
            self.assertIn(f"trust: {file.attrs['trust'].decode()}", output)
            self.assertEqual(file.attrs["resampled"], b"no")
        self.succeed("validate", "fields.h5")

    def test_makes_bad_cases_an_error_with_strict_after_the_file_is_written(self):
        model = self.guided_model()
        self.changed_sample("hot.h5", "inputs/temperature", lambda t: t + np.float32([0.0, 0.0, 60.0]))
        free = self.run_cli("predict", model, "hot.h5", "-o", "free.h5")
        self.assertEqual(free.returncode, OK, free.stderr)
        self.assertRegex(free.stderr, r"case 2 is bad: .*temperature lies outside the training range")
        error = self.refuse(DATA, "predict", model, "hot.h5", "-o", "strict.h5", "--strict", says=["strict.h5", "bad"])
        self.assertIn("the file is written", error)
        self.assertTrue((self.folder / "strict.h5").exists())
        self.assertEqual((self.folder / "free.h5").stat().st_size, (self.folder / "strict.h5").stat().st_size)

    def test_refuses_inputs_that_validate_refuses(self):
        model = self.guided_model()
        for value in (20.0, -1.0):
            def porosity(values):
                values[1, 0, 2] = value
                return values
            self.changed_sample("bad.h5", "inputs/porosity", porosity)
            self.refuse(DATA, "predict", model, "bad.h5", "-o", "out.h5", says=["/inputs/porosity: case 1, cell [0, 2]"])
        self.changed_sample("bad.h5", "inputs/initial_pressure", lambda p: p * np.float32(1e5))
        self.refuse(DATA, "predict", model, "bad.h5", "-o", "out.h5", says=["initial_pressure", "correct value or unit"])
        self.refuse(DATA, "estimate", "bad.h5", "-o", "out.h5", says=["initial_pressure"])
        self.changed_sample("dry.h5", "inputs/perforation", lambda p: 0.0 * p)
        self.refuse(DATA, "predict", model, "dry.h5", "-o", "out.h5", says=["no active cell is perforated"])
        self.assertFalse((self.folder / "out.h5").exists())

    def test_warns_of_kelvin(self):
        self.sample()
        model = self.train()
        with h5py.File(self.folder / "sample.h5", "r+") as file:
            file["inputs/temperature"][1] = 333.15
        found = self.run_cli("predict", model, "sample.h5", "-o", "fields.h5")
        self.assertIn("case 1: value 333.15 degC looks like kelvin (it would be 60.0 degC); subtract", found.stderr)
        self.assertRegex(found.stderr, "case 1 is bad: .*temperature lies outside the training range")

    def test_shows_ten_cases_and_counts_the_others(self):
        model = self.guided_model()
        self.cases("many.h5", 30)
        with h5py.File(self.folder / "many.h5", "r+") as file:
            file["inputs/temperature"][...] = 140.0
        found = self.run_cli("predict", model, "many.h5", "-o", "fields.h5")
        self.assertEqual(found.returncode, OK, found.stderr)
        self.assertEqual(sum(" is bad: " in line for line in found.stderr.splitlines()), 10)
        self.assertIn("20 further cases doubtful, bad or with less injected than asked for", found.stderr)
        self.assertIn("trust: 0 good, 0 doubtful, 30 bad", found.stdout)

    def test_doubts_a_build_up_above_the_limit_asked_for(self):
        model = self.guided_model()
        found = self.run_cli("predict", model, "sample.h5", "-o", "fields.h5", "--buildup-limit", "0.001")
        self.assertIn("is above the limit of 0.001 bar", found.stderr)
        with h5py.File(self.folder / "fields.h5") as file:
            self.assertEqual(file.attrs["buildup_limit"], b"0.001 bar")

    def test_marks_pictures_of_cases_that_are_not_good(self):
        self.sample("guided")
        pictures = []
        for folder, limit in (("without", []), ("with", ["--buildup-limit", "0.001"])):
            (self.folder / folder).mkdir()
            self.run_cli("predict", self.guided_model() if not pictures else "run/best", "sample.h5",
                         "-o", f"{folder}/fields.h5", *limit)
            with h5py.File(self.folder / folder / "fields.h5", "r+") as file:
                file["case/trust"][0] = 1 if limit else 0
            drawn = self.run_cli("plot", f"{folder}/fields.h5", "-o", f"{folder}/plume.png")
            self.assertEqual(drawn.returncode, OK, drawn.stderr)
            self.assertEqual("fields.h5: case 0 is doubtful (" in drawn.stderr, bool(limit), drawn.stderr)
            pictures.append((self.folder / folder / "plume.png").read_bytes())
        self.assertNotEqual(pictures[0], pictures[1])

    def test_judges_estimates_too(self):
        found = self.run_cli("estimate", RADIAL, "-o", "fields.h5", "--substeps", "1")  # too few
        self.assertIn("trust: 6 good, 2 doubtful, 0 bad", found.stdout)
        self.assertEqual(found.stderr.count(" substeps are needed"), 2, found.stderr)
        self.assertRegex(found.stderr, r"case 0 is doubtful: .*at least 2 substeps are needed")
        with h5py.File(self.folder / "fields.h5") as file:
            self.assertLess(np.abs(file["case/mass_balance"][:] - 1.0).max(), 0.07)
        self.assertIn("trust: 8 good, 0 doubtful, 0 bad", self.succeed("estimate", RADIAL, "-o", "more.h5"))
        with h5py.File(self.folder / "more.h5") as file:
            self.assertLess(np.abs(file["case/mass_balance"][:] - 1.0).max(), 0.02)

    def test_reports_what_the_result_says(self):
        model = self.guided_model()
        self.changed_sample("hot.h5", "inputs/temperature", lambda t: t + np.float32([0.0, 0.0, 60.0]))
        self.run_cli("predict", model, "hot.h5", "-o", "fields.h5")
        found = self.run_cli("report", "fields.h5", "-o", "report")
        self.assertEqual(found.returncode, OK, found.stderr)
        self.assertIn("case 2 is bad: ", found.stderr)
        self.assertRegex(found.stdout, r"trust: \d good, \d doubtful, \d bad")
        with open(self.folder / "report" / "cases.csv") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual(rows[2]["trust"], "bad")
        self.assertIn("temperature lies outside", rows[2]["trust_reasons"])
        page = (self.folder / "report" / "report.html").read_text()
        self.assertIn('class="trust-bad"', page)
        self.assertEqual(json.loads((self.folder / "report" / "report.json").read_text())["cases"][2]["trust"], "bad")

    def test_calibrates_a_model_with_simulated_cases(self):
        model = self.guided_model()
        before = json.loads(self.succeed("info", model, "--json"))
        self.cases("inputs.h5", 40)
        self.run_cli("estimate", "inputs.h5", "-o", "simulated.h5", "--substeps", "4")
        output = self.succeed("calibrate", model, "simulated.h5", "--training", "sample.h5", "--test", "simulated.h5")
        self.assertRegex(output, r"held-out cases: caught \d+ of \d+ cases that are far off, false alarm in \d+ of the \d+")
        self.assertIn("test cases: caught", output)
        after = json.loads(self.succeed("info", model, "--json"))
        self.assertEqual(before["hash"], after["hash"])
        trust = after["training"]["trust"]
        self.assertEqual([one["field"] for one in trust["expected"]], FIELDS)
        self.assertEqual([one["measure"] for one in trust["expected"]], ["mpe", "mre"])
        self.assertEqual(trust["calibration"]["held_out"], "simulated.h5")
        self.run_cli("predict", model, "inputs.h5", "-o", "fields.h5")
        with h5py.File(self.folder / "fields.h5") as file:
            self.assertTrue((file["case/expected_error_gas_saturation"][:] > 0.0).all())
        self.assertEqual(list(self.folder.glob("**/*calibration.h5*")), [])

    def test_bands_hold_nine_tenths_of_the_cells_of_nine_tenths_of_the_cases(self):
        model = self.guided_model()
        self.cases("inputs.h5", 104)
        self.refuse(USAGE, "predict", model, "inputs.h5", "-o", "fields.h5", "--uncertainty",
                  says=[model, "records no bands", "calibrate a copy of it with 100 simulated cases"])
        self.assertFalse((self.folder / "fields.h5").exists())
        self.run_cli("estimate", "inputs.h5", "-o", "simulated.h5", "--substeps", "8")
        output = self.succeed("calibrate", model, "simulated.h5", "--training", "inputs.h5")
        for field in (*FIELDS, "dissolved_co2"):
            self.assertRegex(output, rf"{field}: band of 90 % of the cells of a case at 90 % from 104 cases: half the width is [0-9.]+")
        self.assertIn("bottom_hole_pressure: interval of 90 %", output)
        record = json.loads((self.folder / model / "model.json").read_text())["training"]["trust"]["field_bands"]
        self.assertEqual((record["level"], record["share"], record["cases"], len(record["data_sha256"])), (0.9, 0.9, 104, 64))
        self.assertEqual(list(self.folder.glob("**/*calibration.h5*")), [])
        self.cases("inputs.h5", 104, seed=6)  # that the calibration never saw
        self.run_cli("estimate", "inputs.h5", "-o", "simulated.h5", "--substeps", "8", "--force")
        self.succeed("predict", model, "inputs.h5", "-o", "plain.h5")
        found = self.run_cli("predict", model, "inputs.h5", "-o", "fields.h5", "--uncertainty")
        self.assertEqual(found.returncode, OK, found.stderr)
        with h5py.File(self.folder / "fields.h5") as file, h5py.File(self.folder / "simulated.h5") as simulated:
            self.assertEqual((file.attrs["band_level"], file.attrs["band_share"]), (b"0.9", b"0.9"))
            active = np.broadcast_to(file["inputs/active"][:][:, None] > 0, file["outputs/gas_saturation"].shape)
            known = np.array([note == b"" for note in file["case/band_notes"]])
            self.assertGreater(known.sum(), 30)  # the others are bad: the network saw one epoch
            self.assertIn(f"no band in {(~known).sum()} of 104 cases", found.stderr)
            self.assertIn("not calibrated here: the case is bad", found.stderr)
            for field in FIELDS:
                low, middle, high, true = (data[:] for data in (file[f"outputs/{field}_low"], file[f"outputs/{field}"],
                                                                file[f"outputs/{field}_high"], simulated[f"outputs/{field}"]))
                with np.errstate(invalid="ignore"):
                    counts = active & ((middle > 0.01) | (true > 0.01)) if field == "gas_saturation" else active
                    held = [np.mean((low[i] <= true[i])[counts[i]] & (true[i] <= high[i])[counts[i]]) >= 0.9
                            for i in np.flatnonzero(known)]
                self.assertGreater(np.mean(held), 0.75, field)  # of some 46 cases: 0.9 less three standard errors
                self.assertTrue(np.isnan(low[~known]).all() and np.isfinite(low[known][active[known]]).all(), field)
                self.assertEqual(file[f"outputs/{field}_low"].attrs["units"], file[f"outputs/{field}"].attrs["units"])
            self.assertGreaterEqual(np.nanmin(file["outputs/gas_saturation_low"][:]), 0.0)
            self.assertLessEqual(np.nanmax(file["outputs/gas_saturation_high"][:]), 1.0)
            self.assertTrue((file["case/figure_bottom_hole_pressure_low"][known] > 0.0).all())
            one = int(np.flatnonzero(known)[0])
            with h5py.File(self.folder / "plain.h5") as plain:
                self.assertNotIn("outputs/gas_saturation_low", plain)
                np.testing.assert_array_equal(plain["outputs/gas_saturation"][one], file["outputs/gas_saturation"][one])
        for command in (["validate", "fields.h5"], ["info", "fields.h5"],
                        ["plot", "fields.h5", "-o", "plume.png", "--case", str(one)]):
            self.succeed(*command)
        self.check_intervals_of_reports(one)

    def check_intervals_of_reports(self, one):
        self.run_cli("report", "fields.h5", "-o", "all")
        self.run_cli("report", "fields.h5", "-o", "single", "--case", str(one))
        with open(self.folder / "all" / "cases.csv") as table:
            row = next(row for row in csv.DictReader(table) if row["case"] == str(one))
        self.assertLess(float(row["plume_radius_0.01_low [m]"]), float(row["plume_radius_0.01 [m]"]))
        self.assertGreater(float(row["max_buildup_high [bar]"]), float(row["max_buildup [bar]"]))
        with open(self.folder / "single" / "series.csv") as table:
            rows = list(csv.DictReader(table))
        self.assertTrue(all(float(row["mass_free_low [Mt]"]) <= float(row["mass_free [Mt]"]) for row in rows))
        self.assertIn("interval of 90 %", (self.folder / "single" / "report.html").read_text().lower())

    def test_a_case_beyond_the_training_has_no_band(self):
        model = self.guided_model()
        self.cases("inputs.h5", 101)
        self.run_cli("estimate", "inputs.h5", "-o", "simulated.h5", "--substeps", "4")
        self.refuse(USAGE, "calibrate", model, "simulated.h5", "--only-intervals", "--test", "simulated.h5",
                  says=["simulated.h5", "intervals alone leave as they are"])
        description = self.folder / model / "model.json"
        without = json.loads(description.read_text())
        without["training"].pop("trust", None)
        description.write_text(json.dumps(without))
        found = self.run_cli("calibrate", model, "simulated.h5", "--only-intervals")
        self.assertEqual(found.returncode, OK, found.stderr)
        self.assertIn("does not record where its training cases lie", found.stderr)
        found = self.run_cli("calibrate", model, "simulated.h5", "--only-intervals", "--training", "inputs.h5")
        self.assertEqual(found.returncode, OK, found.stderr)
        self.assertNotIn("does not record", found.stderr)
        self.assertIn("temperature", json.loads(description.read_text())["training"]["trust"]["cloud"]["features"])
        self.changed_sample("hot.h5", "inputs/temperature", lambda t: t + np.float32([0.0, 0.0, 60.0]))
        self.run_cli("predict", model, "hot.h5", "-o", "fields.h5", "--uncertainty")
        with h5py.File(self.folder / "fields.h5") as file:
            self.assertIn(b"not calibrated here", file["case/band_notes"][2])
            self.assertTrue(np.isnan(file["outputs/pressure_buildup_high"][2]).all())
            self.assertTrue(np.isfinite(file["outputs/pressure_buildup"][2]).any())
        self.succeed("validate", "fields.h5")

    def test_calibrates_bands_over_several_files_and_keeps_them_at_other_times(self):
        model = self.guided_model()
        for name, seed in (("inputs", 5), ("later", 6)):
            self.cases(f"{name}.h5", 101, seed)
        with h5py.File(self.folder / "later.h5", "r+") as file:
            file["grid/times"][1] *= 0.8
        for name in ("inputs", "later"):
            self.run_cli("estimate", f"{name}.h5", "-o", f"{name}_simulated.h5", "--substeps", "4")
        self.run_cli("estimate", "sample.h5", "-o", "few.h5", "--substeps", "4")
        self.refuse(USAGE, "calibrate", model, "inputs_simulated.h5", "few.h5", "--only-intervals",
                  says=["few.h5", "holds 3 cases (intervals need 100 held-out ones"])
        shutil.copy(self.folder / "later_simulated.h5", self.folder / "part.h5")
        with h5py.File(self.folder / "part.h5", "r+") as file:
            del file["outputs/pressure_buildup"]
        self.refuse(USAGE, "calibrate", model, "inputs_simulated.h5", "part.h5", says=["part.h5", "has other fields in /outputs"])
        found = self.run_cli("calibrate", model, "inputs_simulated.h5", "later_simulated.h5", "--training", "inputs.h5")
        self.assertEqual(found.returncode, OK, found.stderr)
        self.assertRegex(found.stdout, r"pressure_buildup: band of 90 % .* from 202 cases")
        self.assertRegex(found.stdout, r"max_buildup: interval of 90 % from 202 cases")
        self.assertRegex(found.stdout, r"held-out cases: caught (\d+) of \d+ cases that are far off")
        trust = json.loads((self.folder / model / "model.json").read_text())["training"]["trust"]
        self.assertEqual([len(one) for one in trust["field_bands"]["data_sha256"].split(" ")], [64, 64])
        self.assertNotIn("resampled", trust["field_bands"])  # the correction alone was
        self.assertEqual(trust["calibration"]["held_out"], "inputs_simulated.h5, later_simulated.h5")
        self.assertEqual(list(self.folder.glob("**/*calibration*.h5*")), [])
        self.run_cli("predict", model, "later.h5", "-o", "fields.h5", "--uncertainty")
        with h5py.File(self.folder / "fields.h5") as file:
            self.assertEqual(file.attrs["resampled"], b"yes")
            notes = file["case/band_notes"][:]
            self.assertGreater(sum(note == b"" for note in notes), 10)
            self.assertFalse(any(b"brought over" in note for note in notes))

    def test_calibrates_a_model_found_by_its_name(self):
        model = self.guided_model()
        (self.folder / "shelf").mkdir()
        shutil.move(self.folder / model, self.folder / "shelf" / "small")
        self.cases("inputs.h5", 40)
        self.run_cli("estimate", "inputs.h5", "-o", "simulated.h5", "--substeps", "4")
        shelf = {**os.environ, "PLUMECAST_MODELS": str(self.folder / "shelf")}
        result = self.run_cli("calibrate", "small", "simulated.h5", "--training", "sample.h5", env=shelf)
        self.assertEqual(result.returncode, OK, result.stderr)
        info = json.loads(self.succeed("info", "shelf/small", "--json"))
        self.assertEqual(info["training"]["trust"]["calibration"]["held_out"], "simulated.h5")
        self.refuse(MODEL, "calibrate", "smal", "simulated.h5", says=["smal", "PLUMECAST_MODELS"], env=shelf)

    def test_calibrating_never_replaces_a_strange_file(self):
        model = self.guided_model()
        strange = self.folder / model / ".calibration.h5"
        strange.write_text("notes")
        self.refuse(USAGE, "calibrate", model, "sample.h5", says=[".calibration.h5", "move it elsewhere"])
        self.assertEqual(strange.read_text(), "notes")
        shutil.copy(self.folder / "sample.h5", strange)
        self.refuse(USAGE, "calibrate", model, strange, says=["is the input itself"])

    def test_refuses_to_calibrate_with_too_few_cases(self):
        model = self.guided_model()
        self.refuse(USAGE, "calibrate", model, "sample.h5", says=["3 cases cannot tell", "more held-out cases"])
        self.sample("inputs", "inputs.h5")
        self.refuse(DATA, "calibrate", model, "inputs.h5", says=["inputs.h5", "/outputs"])


if __name__ == "__main__":
    unittest.main()
