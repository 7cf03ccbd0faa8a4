"""Runs the steps of the ERT example as ERT does: job files, arguments and files of a realization."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from cli_test_case import PLUMECAST, TIME_LIMIT, CliTestCase

try:
    import h5py
except ImportError:
    h5py = None

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "workflow" / "ert"


def read_job(name):
    """Keywords of a job file; a comment begins with -- outside of quotation marks."""
    job = {"DEFAULT": {}, "REQUIRED": []}
    for line in (EXAMPLE / "jobs" / name).read_text().splitlines():
        words = shlex.split(line) if not line.startswith("--") else []
        if not words:
            continue
        if words[0] == "DEFAULT":
            job["DEFAULT"][words[1]] = words[2]
        elif words[0] == "REQUIRED":
            job["REQUIRED"] += words[1:]
        else:
            job[words[0]] = words[1:]
    return job


def forward_models():
    """Names and arguments of the steps in the configuration."""
    for line in (EXAMPLE / "ensemble.ert").read_text().splitlines():
        if line.startswith("FORWARD_MODEL"):
            name, _, rest = line.split(maxsplit=1)[1].partition("(")
            yield name, dict(pair.strip().split("=", 1) for pair in rest.rstrip(")").split(","))


@unittest.skipIf(h5py is None, "h5py is not installed (python3-h5py)")
class Ert(CliTestCase):
    def run_step(self, name, arguments):
        job = read_job(name)
        known = {"<TEMPLATE>": ROOT / "data/radial_sample.h5", "<MODEL>": ROOT / "models/radial-co2", "<ECLBASE>": "CASE"}
        values = {**job["DEFAULT"], **{key: str(known.get(value, value)) for key, value in arguments.items()}}
        self.assertLessEqual(set(job["REQUIRED"]), set(values))
        program = job["EXECUTABLE"][0]
        script = str((EXAMPLE / "jobs" / program).resolve())
        command = [PLUMECAST] if program == "plumecast" else [sys.executable, script]
        for argument in job["ARGLIST"]:
            for key, value in values.items():
                argument = argument.replace(key, value)
            self.assertNotIn("<", argument)
            command.append(argument)
        return subprocess.run(command, cwd=self.folder, text=True, capture_output=True, timeout=TIME_LIMIT,
                              stdin=subprocess.DEVNULL)

    def test_a_realization_leaves_what_the_configuration_reads(self):
        (self.folder / "parameters.json").write_text(json.dumps({"INJECTION_RATE": {"value": 0.5},
                                                                 "LOG10_PERMEABILITY": {"value": 0.25}}))
        for name, arguments in forward_models():
            result = self.run_step(name, arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
        for file in ("CASE.UNSMRY", "CASE.SMSPEC", "CASE.EGRID", "report/report.html"):
            self.assertTrue((self.folder / file).exists(), file)
        numbers = (self.folder / "report/gen_data/plume_radius_0.01_0").read_text().split()
        with h5py.File(self.folder / "fields.h5") as fields, h5py.File(ROOT / "data/radial_sample.h5") as cases:
            self.assertEqual(len(numbers), len(fields["grid/times"]))
            self.assertAlmostEqual(fields["inputs/injection_rate"][0], 0.5 * cases["inputs/injection_rate"][1], places=5)

    def test_parameters_with_names_of_inputs_are_their_values(self):
        (self.folder / "parameters.json").write_text(json.dumps({"POROSITY": {"value": 0.17}, "VAN_GENUCHTEN_LAMBDA": {"value": 0.45}}))
        result = self.run_step("PLUMECAST_CASE", {"<CASES>": "<TEMPLATE>", "<NUMBER>": "1"})
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.folder / "case.h5") as made, h5py.File(ROOT / "data/radial_sample.h5") as cases:
            for name, array in made["inputs"].items():
                was = cases["inputs/" + name][1:2]
                expected = {"porosity": (was != 0) * 0.17, "van_genuchten_lambda": was * 0 + 0.45}.get(name, was)
                self.assertTrue((abs(array[:] - expected) < 1e-6).all(), name)

    def test_a_step_that_fails_says_so_by_its_exit_code(self):
        steps = dict(forward_models())
        result = self.run_step("PLUMECAST_PREDICT", steps["PLUMECAST_PREDICT"])
        self.assertEqual(result.returncode, 5, result.stderr)
        result = self.run_step("PLUMECAST_CASE", {**steps["PLUMECAST_CASE"], "<NUMBER>": "99"})
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("no case 99 (the file has cases 0 to 7)", result.stderr)
        self.assertEqual(list(self.folder.glob("case.h5*")), [])

    @unittest.skipIf(shutil.which("ert") is None, "ERT is not installed (pip install ert)")
    def test_ert_runs_the_example(self):
        shutil.copytree(EXAMPLE, self.folder / "ert")
        configuration = (EXAMPLE / "ensemble.ert").read_text().replace("<CONFIG_PATH>/../../../", f"{ROOT}/")
        (self.folder / "ert" / "ensemble.ert").write_text(configuration.replace("REALIZATIONS 20", "REALIZATIONS 2"))
        paths = os.pathsep.join([str(Path(PLUMECAST).parent), os.environ["PATH"]])
        result = subprocess.run(["ert", "ensemble_experiment", "ensemble.ert"], cwd=self.folder / "ert", text=True,
                                capture_output=True, timeout=TIME_LIMIT, env={**os.environ, "PATH": paths})
        self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
