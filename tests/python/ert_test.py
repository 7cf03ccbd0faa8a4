"""Steps of ERT that the package brings; with ERT itself where it is installed, else with a stand-in for what it documents."""

import contextlib
import importlib
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import sample

HAS_ERT = importlib.util.find_spec("ert") is not None
STEPS = ["PLUMECAST_CASE", "PLUMECAST_PREDICT", "PLUMECAST_EXPORT", "PLUMECAST_REPORT", "PLUMECAST_OBSERVE", "PLUMECAST_INVERT"]


class Step:
    """What ERT documents of its ForwardModelStepPlugin, as far as the steps use it."""

    def __init__(self, name, command, **options):
        known = {"stdin_file", "stdout_file", "stderr_file", "start_file", "target_file", "error_file", "default_mapping", "required_keywords"}
        assert set(options) <= known, set(options) - known
        self.name, self.executable, self.arglist = name, command[0], command[1:]
        for key in known:
            setattr(self, key, options.get(key))


def stand_in():
    module = types.ModuleType("ert")
    module.ForwardModelStepPlugin = Step
    module.ForwardModelStepValidationError = type("ForwardModelStepValidationError", (Exception,), {})
    module.ForwardModelStepDocumentation = types.SimpleNamespace
    module.plugin = lambda name: lambda function: function
    return module


class Interface(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with contextlib.nullcontext() if HAS_ERT else mock.patch.dict(sys.modules, {"ert": stand_in()}):
            cls.plugin = importlib.import_module("plumecast.ert")
        cls.steps = {name: getattr(cls.plugin, name)() for name in STEPS}

    def test_the_package_has_the_entry_point(self):
        points = importlib.metadata.distribution("plumecast").entry_points.select(group="ert")
        self.assertEqual([(point.name, point.value) for point in points], [("plumecast", "plumecast.ert")])

    def test_steps_are_those_of_the_job_files(self):
        predict = self.steps["PLUMECAST_PREDICT"]
        self.assertEqual(predict.name, "PLUMECAST_PREDICT")
        self.assertEqual(predict.executable, "plumecast")
        self.assertEqual(predict.arglist, ["predict", "<MODEL>", "<INPUT>", "--output", "<OUTPUT>", "--threads", "<THREADS>"])
        self.assertEqual(predict.default_mapping, {"<INPUT>": "case.h5", "<OUTPUT>": "fields.h5", "<THREADS>": "1"})
        self.assertEqual(predict.required_keywords, ["<MODEL>"])
        self.assertEqual(predict.stdout_file, "plumecast_predict.stdout")
        self.assertEqual(self.steps["PLUMECAST_CASE"].target_file, "case.h5")
        invert = self.steps["PLUMECAST_INVERT"]
        self.assertEqual(invert.arglist, ["invert", "<CONFIG>", "--output", "<FOLDER>", "--threads", "<THREADS>", "--resume"])
        self.assertEqual(invert.required_keywords, ["<CONFIG>"])
        for step in self.steps.values():
            used = {word for word in step.arglist if word.startswith("<")}
            self.assertEqual(used, set(step.default_mapping) | set(step.required_keywords or []), step.name)

    def test_a_step_without_its_executable_is_refused_before_the_run(self):
        with mock.patch.dict("os.environ", {"PATH": ""}):
            with self.assertRaisesRegex(Exception, "plumecast is not on the PATH"):
                self.steps["PLUMECAST_REPORT"].validate_pre_experiment({})
        self.steps["PLUMECAST_CASE"].validate_pre_experiment({})

    def test_steps_say_what_they_do(self):
        self.assertEqual(self.plugin.PLUMECAST_PREDICT.documentation().description, "Predicts the fields of the cases of a file.")

    @unittest.skipIf(importlib.util.find_spec("h5py") is None, "h5py is not installed")
    def test_the_first_step_writes_a_case(self):
        step = self.steps["PLUMECAST_CASE"]
        values = {**step.default_mapping, "<CASES>": str(sample.RADIAL), "<NUMBER>": "1"}
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "parameters.json").write_text(json.dumps({"INJECTION_RATE": {"value": 0.5}}))
            subprocess.run([step.executable, *(values.get(word, word) for word in step.arglist)], cwd=folder, check=True)
            import h5py

            with h5py.File(Path(folder) / "case.h5") as made, h5py.File(sample.RADIAL) as source:
                self.assertEqual(made["inputs/injection_rate"][0], 0.5 * source["inputs/injection_rate"][1])


@unittest.skipUnless(HAS_ERT, "ERT is not installed (pip install ert)")
class WithErt(unittest.TestCase):
    def test_ert_finds_the_steps(self):
        from ert.plugins import ErtPluginManager

        found = {step.__name__ for step in ErtPluginManager().forward_model_steps}
        self.assertLessEqual(set(STEPS), found)

    def test_a_configuration_needs_no_install_job(self):
        from ert.config import ErtConfig
        from ert.plugins import get_site_plugins

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "one.ert"
            path.write_text("NUM_REALIZATIONS 1\nFORWARD_MODEL PLUMECAST_CASE(<CASES>=cases.h5, <NUMBER>=3)\n")
            config = ErtConfig.with_plugins(get_site_plugins()).from_file(str(path))
        step = config.forward_model_steps[0]
        self.assertEqual((step.name, step.private_args["<NUMBER>"]), ("PLUMECAST_CASE", "3"))

    @unittest.skipIf(importlib.util.find_spec("h5py") is None, "h5py is not installed")
    def test_ert_runs_a_step_with_the_parameters_it_drew(self):
        import ert
        import h5py

        programs = Path(ert.__file__).parents[4] / "bin"  # ERT starts fm_dispatch.py
        environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "QT_QPA_PLATFORM": "offscreen"}
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "prior.txt").write_text("INJECTION_RATE UNIFORM 0.4 0.6\n")
            (Path(folder) / "one.ert").write_text(
                "NUM_REALIZATIONS 1\nQUEUE_SYSTEM LOCAL\nRUNPATH run\nGEN_KW PARAMETERS prior.txt\n"
                f"FORWARD_MODEL PLUMECAST_CASE(<CASES>={sample.RADIAL}, <NUMBER>=1)\n"
            )
            command = [sys.executable, "-m", "ert", "test_run", "--disable-monitoring", "one.ert"]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            drawn = json.loads((Path(folder) / "run" / "parameters.json").read_text())["INJECTION_RATE"]["value"]
            with h5py.File(Path(folder) / "run" / "case.h5") as made, h5py.File(sample.RADIAL) as source:
                self.assertAlmostEqual(made["inputs/injection_rate"][0], drawn * source["inputs/injection_rate"][1], delta=1e-6)


if __name__ == "__main__":
    unittest.main()
