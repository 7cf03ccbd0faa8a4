"""A case that cannot be computed costs no other: NaN, the verdict bad and the reason, and all that reads the result goes on."""

import json
import os
import re
import shutil
import unittest
from pathlib import Path

from cli_test_case import DATA, FAILURE, OK, SYSTEM, USAGE, CliTestCase, inject_too_much

try:
    import h5py
except ImportError:
    h5py = None

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "radial-co2"
RADIAL = ROOT / "data" / "radial_sample.h5"
FAILED = (2, 5)
STILL = 1  # without injection


@unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
class FailedCases(CliTestCase):
    """Of eight cases two inject so much that the physics does not converge, and one injects nothing."""

    def setUp(self):
        super().setUp()
        shutil.copy(RADIAL, self.folder / "cases.h5")
        with h5py.File(self.folder / "cases.h5", "a") as file:
            inject_too_much(file, FAILED)
            file["inputs/injection_rate"][STILL] = 0.0

    def expect_settled(self, name):
        """NaN and bad where it failed, 0 and good without injection, values elsewhere."""
        with h5py.File(self.folder / name) as file:
            self.assertEqual(file.attrs["skipped_cases"].decode(), "2, 5")
            for output in file["outputs"].values():
                for case in range(8):
                    values = output[case][:, file["inputs/active"][case] > 0]
                    self.assertEqual(bool((values != values).all()), case in FAILED, (output.name, case))
                    self.assertEqual(bool((values != values).any()), case in FAILED, (output.name, case))
                    self.assertEqual(bool((values == 0.0).all()), case == STILL, (output.name, case))
            trust, reasons = file["case/trust"][...], file["case/trust_reasons"][...]
            for case in FAILED:
                self.assertEqual(trust[case], 2)
                self.assertRegex(reasons[case].decode(), rf"has no values: cases.h5: case {case}: .*did not converge")
            self.assertEqual((trust[STILL], reasons[STILL]), (0, b""))

    def expect_to_be_read(self, name):
        """What reads a result goes on without the failed cases, and names them."""
        self.succeed("validate", "cases.h5")
        report = self.run_cli("report", name, "-o", "report", "--force")
        self.assertEqual(report.returncode, OK, report.stderr)
        self.assertIn(f"{name}: 2 cases have no values and are left out: 2, 5", report.stderr)
        told = json.loads((self.folder / "report" / "report.json").read_text())
        self.assertEqual(told["cases_without_values"], [2, 5])
        self.assertEqual([one["case"] for one in told["cases"]], [0, 1, 3, 4, 6, 7])
        self.assertIn("they could not be computed: cases 2, 5", (self.folder / "report" / "report.html").read_text())
        self.refuse(DATA, "report", name, "-o", "one", "--case", "2", says=["case 2 has no values"])
        export = self.run_cli("export", name, "-o", "files", "--format", "csv", "--force")
        self.assertEqual(export.returncode, OK, export.stderr)
        self.assertIn("6 cases of " + name, export.stdout)
        self.assertIn("left out: 2, 5", export.stderr)
        self.succeed("plot", name, "--case", "1", "-o", "still.png", "--force")
        self.refuse(DATA, "plot", name, "--case", "5", "-o", "none.png", says=["case 5 has no values"])
        compared = json.loads(self.succeed("evaluate", name, "cases.h5", "--json"))
        self.assertEqual(compared["skipped"], [STILL, 2, 5])
        self.succeed("subset", name, "-o", "good.h5", "--where", "trust=0:0", "--force")
        with h5py.File(self.folder / "good.h5") as good, h5py.File(self.folder / name) as every:
            self.assertEqual(len(good["inputs/injection_rate"]), int((every["case/trust"][...] == 0).sum()))
            self.assertIn(0.0, good["inputs/injection_rate"][...])
        self.refuse(USAGE, "subset", "cases.h5", "-o", "none.h5", "--where", "trust=0:0", says=["/case/trust"])

    def test_estimate_goes_on(self):
        arguments = ("estimate", "cases.h5", "-o", "out.h5", "--substeps", "1")
        result = self.run_cli(*arguments)
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertIn("8 cases, 2 of them without values", result.stdout)
        self.expect_settled("out.h5")
        with h5py.File(self.folder / "out.h5") as file:
            for field in ("gas_saturation", "pressure_buildup"):
                expected = file[f"case/expected_error_{field}"][...]
                self.assertEqual(len(expected), 8)
                for case in range(8):
                    self.assertEqual(expected[case] > 0.0, case not in (STILL, *FAILED), (field, case))
        self.expect_to_be_read("out.h5")
        strict = self.run_cli(*arguments, "--strict", "--force")
        self.assertEqual(strict.returncode, DATA, strict.stderr)
        self.assertIn("out.h5: 2 cases are bad", strict.stderr)
        self.expect_settled("out.h5")

    def test_predict_goes_on(self):
        arguments = ("predict", MODEL, "cases.h5", "-o", "out.h5", "--batch", "3")
        result = self.run_cli(*arguments)
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertIn("2 of 8 cases could not be computed and have no values (NaN): 2, 5", result.stderr)
        self.assertNotIn("injection_rate = 0", result.stderr)
        self.expect_settled("out.h5")
        self.expect_to_be_read("out.h5")
        self.assertEqual(self.run_cli(*arguments, "--strict", "--force").returncode, DATA)
        self.expect_settled("out.h5")

    def test_other_cases_keep_their_values(self):
        shutil.copy(RADIAL, self.folder / "sound.h5")
        self.succeed("predict", MODEL, "sound.h5", "-o", "sound_out.h5", "--batch", "4")
        self.succeed("predict", MODEL, "cases.h5", "-o", "out.h5", "--batch", "4")
        with h5py.File(self.folder / "sound_out.h5") as sound, h5py.File(self.folder / "out.h5") as some:
            for name in sound["outputs"]:
                for case in (0, 3, 4, 6, 7):
                    self.assertEqual(sound["outputs"][name][case].tobytes(), some["outputs"][name][case].tobytes())

    def test_model_is_evaluated_without_them(self):
        told = json.loads(self.succeed("evaluate", MODEL, "cases.h5", "--json"))
        self.assertEqual(told["skipped"], [1, 2, 5])
        self.assertEqual([one["case"] for one in told["fields"][0]["cases"]], [0, 3, 4, 6, 7])

    def test_other_grids_go_on_and_no_temporary_path_is_told(self):
        own = json.loads((MODEL / "model.json").read_text())["training"]["grid"]
        with h5py.File(self.folder / "cases.h5", "a") as file:
            del file["outputs"], file["grid/times"]
            file["grid/times"] = [0.9 * time for time in own["times"]]
            file["grid/times"].attrs["units"] = "day"
        result = self.run_cli("predict", MODEL, "cases.h5", "-o", "out.h5")
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertNotIn("plumecast-", result.stderr)
        self.assertRegex(result.stderr, r"the times 32 x 64 x 32 are not those of the model \(32 x 64 x 32\), in times entry 0 \(")
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(file.attrs["skipped_cases"].decode(), "2, 5")
            self.assertNotIn("plumecast-", " ".join(text.decode() for text in file["case/trust_reasons"][...]))
            self.assertTrue(bool((file["outputs/gas_saturation"][STILL][:, file["inputs/active"][STILL] > 0] == 0).all()))

    def test_nothing_is_written_where_no_case_can_be_computed(self):
        with h5py.File(self.folder / "cases.h5", "a") as file:
            file["inputs/injection_rate"][...] = 1e3
            file["inputs/permeability_r"][...] = file["inputs/permeability_r"][...] * 1e-5
        for command in (("estimate", "cases.h5", "--substeps", "1"), ("predict", MODEL, "cases.h5")):
            self.refuse(FAILURE, *command, "-o", "out.h5", says=["cases.h5: none of the cases can be computed", "case 0"])
            self.assertFalse((self.folder / "out.h5").exists())

    def test_many_alike_warnings_are_one(self):
        with h5py.File(self.folder / "cases.h5", "a") as file:
            file["inputs/injection_rate"][...] = 4.0
        result = self.run_cli("predict", MODEL, "cases.h5", "-o", "out.h5")
        self.assertEqual(result.returncode, OK, result.stderr)
        said = [line for line in result.stderr.splitlines() if "injection_rate lies up to" in line]
        self.assertEqual(len(said), 1, result.stderr)
        self.assertIn("8 cases: injection_rate lies up to 2 Mt/year outside the training range", said[0])


class Plans(CliTestCase):
    def test_need_no_data_set(self):
        options = "--plan", "--plan-ranks", "2", "--plan-rates", "10,200"
        plan = self.succeed("predict", MODEL, "32x64x24", *options)
        same = self.succeed("predict", MODEL, RADIAL, *options)
        self.assertEqual(plan, same)
        self.assertIn("at 10 GB/s and computing at 200 GFLOP/s (as given", plan)
        self.refuse(SYSTEM, "predict", MODEL, "32x64", "--plan", says=["32x64: "])
        self.refuse(USAGE, "predict", MODEL, RADIAL, says=["--output"])

    def rows(self, plan):
        """Of each grid the words of its line."""
        return {line.split()[0]: line.split() for line in plan.splitlines() if re.match(r"\d+x\d", line)}

    def test_tell_least_times_by_the_rates_of_the_device(self):
        command = "predict", MODEL, "32x64x24", "--plan", "--plan-ranks", "4"
        slow, fast = (self.rows(self.succeed(*command, "--plan-rates", rates)) for rates in ("5,50", "50,500"))
        self.assertEqual(set(slow), {"1x4", "2x2", "4x1"})
        for grid, words in slow.items():
            self.assertEqual(words[-1], "ms")
            self.assertAlmostEqual(float(words[-2]) / float(fast[grid][-2]), 10, delta=0.02)
        here = self.succeed(*command, "--device", "cpu", "--threads", "1")
        self.assertRegex(here, r"(?m)^Least time: .* GB/s and computing at .* GFLOP/s \(measured on cpu: 1 thread")
        absent = self.succeed(*command, "--device", "cuda:99")
        self.assertIn("at 4800 GB/s and computing at 6.7e+04 GFLOP/s (data sheet of an H200", absent)
        for rates, says in (("5", "--plan-rates"), ("5,0", "above 0"), ("5,-1", "above 0"), ("5,x", "x")):
            self.refuse(USAGE, *command, "--plan-rates", rates, says=[says])

    def test_say_which_grids_fit_no_device(self):
        command = ("train", ROOT / "models" / "radial-ufno.json", "--set", f"data.train={RADIAL}", "--set",
                   f"data.validation={RADIAL}", "--plan", "--device", "cuda", "--plan-rates", "4800,67000")
        self.assertNotIn("fits no device", self.succeed(*command, "--set", "batch_size=64"))
        plan = self.succeed(*command, "--set", "batch_size=3072")
        rows = [line for line in plan.splitlines() if re.match(r"\d+x\d", line)]
        self.assertEqual(len(rows), 1, plan)
        self.assertTrue(rows[0].endswith("ms  fits no device"), rows[0])
        self.succeed("predict", MODEL, "--plan", "--plan-rates", "4800,67000", "32x64x24")

    def test_count_the_memory_of_a_device_that_is_asked_for(self):
        command = ("predict", MODEL, "--plan", "--plan-rates", "4800,67000", "32x64x24", "--device", "cuda", "--device-memory")
        small = self.succeed(*command, "1MiB")
        self.assertRegex(small, r"(?m)^1x1 .* ms  does not fit$")
        self.assertIn('"does not fit": in 1', small)
        self.assertNotIn("ms  does not fit", self.succeed(*command, "80GiB"))
        share = self.succeed(*command, "40%")
        self.assertNotIn("ms  does not fit", share)
        self.assertIn("--device-memory 40% counts for nothing here", share)
        self.refuse(USAGE, *command, "4", says=["--device-memory 4", "give one of them"])

    def test_say_why_there_is_none(self):
        self.refuse(USAGE, "predict", MODEL, "32x64x24", "--plan", "--plan-ranks", "4096",
                  says=["no process grid for 4096 ranks"])


@unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
class PressuresWithoutKnownDensity(CliTestCase):
    def test_cost_no_report_and_no_export(self):
        shutil.copy(RADIAL, self.folder / "all.h5")
        with h5py.File(self.folder / "all.h5", "a") as file:
            for name in ("permeability_r", "permeability_z"):
                file["inputs"][name][0] = 0.005 * file["inputs"][name][0]
        self.succeed("subset", "all.h5", "-o", "cases.h5", "--cases", "0-1", "--without-outputs")
        self.succeed("estimate", "cases.h5", "-o", "fields.h5")
        with h5py.File(self.folder / "fields.h5") as file:
            largest = float(file["case/max_buildup"][0])
            self.assertGreater(largest, 1000)
            self.assertEqual(largest, float(file["outputs/pressure_buildup"][0][:, file["inputs/active"][0] > 0].max()))
            self.assertIn(f"with a build-up of {largest:.4g} bar", file["case/trust_reasons"][0].decode())
        self.succeed("report", "fields.h5", "-o", "report")
        told = json.loads((self.folder / "report" / "report.json").read_text())
        beyond, sound = (case["key_figures"] for case in told["cases"])
        self.assertIsNone(beyond["mass_free"])
        self.assertGreater(beyond["plume_radius_0.01"], 0)
        self.assertGreater(sound["mass_free"], 0)
        self.succeed("export", "fields.h5", "-o", "files", "--format", "csv")
        self.succeed("export", "fields.h5", "-o", "eclipse")


class LongNames(CliTestCase):
    def test_are_written_up_to_what_the_file_system_takes(self):
        for length in (200, 253, 255):
            name = "r" * (length - 3) + ".h5"
            self.succeed("estimate", RADIAL, "-o", name, "--substeps", "1")
            self.assertTrue((self.folder / name).is_file())
            self.assertEqual(os.listdir(self.folder), [name])
            (self.folder / name).unlink()

    def test_are_read_up_to_what_the_file_system_takes(self):
        for length in (235, 253):
            name = "c" * (length - 3) + ".h5"
            shutil.copy(RADIAL, self.folder / name)
            self.succeed("estimate", name, "-o", "out.h5", "--substeps", "1", "--force")
            self.assertEqual(sorted(os.listdir(self.folder)), [name, "out.h5"])
            (self.folder / name).unlink()


class Launchers(CliTestCase):
    def test_start_only_subcommands_that_share_their_work(self):
        for variable in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"):
            refused = self.run_cli("estimate", RADIAL, "-o", "out.h5", env={**os.environ, variable: "4"})
            self.assertEqual(refused.returncode, USAGE, refused.stderr)
            self.assertIn("estimate of 4 processes that were started together (it does not share its work", refused.stderr)
            self.assertFalse((self.folder / "out.h5").exists())
        for variable in ("PMI_SIZE", "SLURM_STEP_NUM_TASKS"):
            alone = self.run_cli("info", RADIAL, env={**os.environ, variable: "1"})
            self.assertEqual(alone.returncode, OK, alone.stderr)


if __name__ == "__main__":
    unittest.main()
