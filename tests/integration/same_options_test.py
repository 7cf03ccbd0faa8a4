"""The options of a prediction are the same in all four languages: command line, C++, C and Python, with their defaults."""

import ast
import re
import unittest
from pathlib import Path

from cli_test_case import CliTestCase

ROOT = Path(__file__).resolve().parents[2]

# Of each option: what it is called on the command line, in C++, C and Python, each with its default; None where a language
# has none.
OPTIONS = {
    "batch": (("--batch", "auto"), ("batch", "0"), ("batch", "0"), ("batch", 0)),
    "extrapolate": (("--extrapolate", "refuse"), ("beyond", "Beyond::refuse"),
                    ("extrapolate", "PLUMECAST_EXTRAPOLATE_REFUSE"), ("extrapolate", "refuse")),
    "buildup_limit": (("--buildup-limit", None), ("buildup_limit", "std::nullopt"), ("buildup_limit", "0.0"),
                      ("buildup_limit", None)),
    "strict": (("--strict", None), ("strict", "false"), ("strict", "0"), ("strict", False)),
    "uncertainty": (("--uncertainty", None), ("uncertainty", "false"), ("uncertainty", "0"), ("uncertainty", False)),
}


def struct_members(path, name):
    """Text of a struct of a header."""
    text = path.read_text()
    return re.search(rf"struct {name} {{(.*?)^}}", text, re.DOTALL | re.MULTILINE).group(1)


def c_defaults():
    """Defaults of plumecast_options in the order of its members, less the size."""
    text = (ROOT / "src/bindings/c/options.cpp").read_text()
    values = re.search(r"plumecast_options defaults{(.*?)};", text, re.DOTALL).group(1)
    return [value.strip() for value in values.split(",")][1:]


def c_members():
    text = re.search(r"typedef struct plumecast_options {(.*?)} plumecast_options;", (ROOT / "include/plumecast.h").read_text(),
                     re.DOTALL).group(1)
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return [line.split()[-1] for line in code.split(";") if line.strip()][1:]


def python_defaults():
    """Arguments of Model.predict() with their defaults."""
    tree = ast.parse((ROOT / "python/plumecast/model.py").read_text())
    model = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Model")
    predict = [node for node in model.body if isinstance(node, ast.FunctionDef) and node.name == "predict"][-1]
    names = [argument.arg for argument in predict.args.args]
    values = [ast.literal_eval(value) for value in predict.args.defaults]
    return dict(zip(names[-len(values):], values))


class SameOptions(CliTestCase):
    def test_command_line(self):
        said = self.succeed("predict", "--help")
        for (option, default), *_ in OPTIONS.values():
            line = next((line for line in said.splitlines() if option + " " in line or option + "," in line), None)
            self.assertIsNotNone(line, option)
            if default is not None:
                self.assertRegex(said, rf"{option} \S+(={default}| \[{default}\])\s")  # CLI11 2.2 and 2.4
        estimate = self.succeed("estimate", "--help")
        for option in ("--strict", "--buildup-limit"):
            self.assertIn(option, estimate)

    def test_cpp(self):
        members = struct_members(ROOT / "include/plumecast/inference/prediction/prediction_options.hpp", "PredictionOptions")
        for _, (name, default), *_ in OPTIONS.values():
            self.assertRegex(members, rf"\b{name} = {re.escape(default)};")

    def test_c(self):
        found = dict(zip(c_members(), c_defaults()))
        for _, _, (name, default), _ in OPTIONS.values():
            self.assertEqual(found.get(name), default, name)

    def test_python(self):
        found = python_defaults()
        for *_, (name, default) in OPTIONS.values():
            self.assertIn(name, found)
            self.assertEqual(found[name], default, name)

    def test_ways_of_spectral_transforms(self):
        """An option of the device: the same names and the same default in all four languages."""
        for command in ("predict", "train", "explain"):
            self.assertRegex(self.succeed(command, "--help"), r"--spectral \S+(=auto| \[auto\])")
        self.assertRegex(struct_members(ROOT / "include/plumecast/backend/cuda.hpp", "CudaOptions"),
                         r"SpectralWay spectral = SpectralWay::automatic;")
        header = (ROOT / "include/plumecast.h").read_text()
        numbers = dict(re.findall(r"PLUMECAST_SPECTRAL_(\w+) = (\d)", header))
        device = ast.parse((ROOT / "python/plumecast/device.py").read_text())
        table = next(node.value for node in device.body if isinstance(node, ast.Assign) and node.targets[0].id == "_SPECTRAL")
        self.assertEqual({name.upper(): str(number) for name, number in ast.literal_eval(table).items()}, numbers)
        self.assertEqual(numbers, {"AUTO": "0", "CUFFT": "1", "DFT": "2"})
        self.assertIn('spectral: str = "auto"', (ROOT / "python/plumecast/model.py").read_text())

    def test_memory_of_a_device(self):
        """A share, or a size, of a CUDA device's memory in all four languages; a library's process counts as one."""
        for command in (("predict",), ("train",), ("evaluate",), ("bench", "predict")):
            self.assertRegex(self.succeed(*command, "--help"), r"--device-memory \S+(=auto| \[auto\])")
        cpp = struct_members(ROOT / "include/plumecast/backend/cuda.hpp", "CudaOptions")
        for member in ("std::size_t memory_bytes = 0;", "double memory_share = 0.0;", "int processes = 1;"):
            self.assertIn(member, cpp)
        header = (ROOT / "include/plumecast.h").read_text()
        self.assertRegex(header, r"double memory_share;\s+} plumecast_device_options;")
        self.assertIn("PLUMECAST_SPECTRAL_AUTO, 0, 0.0};", (ROOT / "src/bindings/c/library.cpp").read_text())
        self.assertIn("memory_share: float = 0.0", (ROOT / "python/plumecast/model.py").read_text())

    def test_no_option_is_left_out_of_one_of_them(self):
        """An option that one language gains is named here, with what it is in the others."""
        ours = {name for *_, (name, _) in OPTIONS.values()}
        elsewhere = {"fields", "out", "progress", "stop", "output", "limits"}  # arguments that are not about how
        self.assertEqual(set(python_defaults()) - elsewhere, ours)
        self.assertEqual(set(c_members()) - {"progress", "stop", "log", "user", "limits", "reserved", "verdict", "unused"}, ours)


if __name__ == "__main__":
    unittest.main()
