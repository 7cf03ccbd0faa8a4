"""The Python of docs/python.md runs as it is printed, and every call that the page shows is among it."""

import ast
import contextlib
import importlib.util
import io
import os
import re
import socket
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import plumecast
import sample
from plumecast import command

PAGE = sample.REPOSITORY / "docs" / "python.md"
OPTIONAL = ("torch", "jax", "h5py", "matplotlib", "xarray")
PORT = 8080  # that of the page


def blocks():
    """The blocks of the page, in their order."""
    return re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def needs(block):
    """What a block imports or asks for and what is not there."""
    missing = [name for name in OPTIONAL if re.search(rf"^import {name}\b", block, re.MULTILINE) and not importlib.util.find_spec(name)]
    return missing + (["a service"] if "plumecast.connect(" in block and not can_serve() else [])


def program():
    """The executable plumecast: that of the package, of PLUMECAST or of the build."""
    built = os.environ.get("PLUMECAST", str(sample.REPOSITORY / "build" / "mpi" / "apps" / "plumecast"))
    return str(command.executable() or built)


def can_serve():
    """Whether a service can be started where the page has it."""
    if not os.access(program(), os.X_OK) or subprocess.run([program(), "serve", "--help"], capture_output=True).returncode != 0:
        return False
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", PORT)) != 0


@contextlib.contextmanager
def service():
    """The service that the page speaks of, with a shipped model."""
    model = str(sample.REPOSITORY / "models" / "radial-co2-fast")
    serving = subprocess.Popen([program(), "serve", model, "--port", str(PORT)], text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        while "serving" not in (line := serving.stderr.readline()):
            assert line, "the service did not start"
        yield
    finally:
        serving.terminate()
        serving.wait(60)
        serving.stderr.close()


def calls(text):
    """The calls in a text of Python, without their layout."""
    return {ast.dump(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)}


def calls_in_prose():
    """Calls between the blocks, in the code of the text, as they are printed: not mere names of functions, max()."""
    page = re.sub(r"^```.*?^```$", "", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    page = re.sub(r"^    .*$", "", page, flags=re.MULTILINE)
    found = []
    for code in re.findall(r"`([^`\n]+)`", page):
        with contextlib.suppress(SyntaxError):
            if any(isinstance(node, ast.Call) for node in ast.walk(ast.parse(code))) and not re.fullmatch(r"\w+\(\)", code):
                found.append(code)
    return found


def write_cases(path):
    """Two cases of the sample; the second has steps of its physics that were retaken."""
    import h5py

    with h5py.File(sample.RADIAL) as whole, h5py.File(path, "w") as some:
        some.attrs.update(whole.attrs)
        for group in whole:
            for name, array in whole[group].items():
                values = array[:] if group == "grid" else array[[1, 5]]
                some.create_dataset(f"{group}/{name}", data=values).attrs.update(array.attrs)
            some[group].attrs.update(whole[group].attrs)


class Page(unittest.TestCase):
    """Blocks share their names, as on a page that is read from its top."""

    @classmethod
    def setUpClass(cls):
        if importlib.util.find_spec("h5py") is None:
            raise unittest.SkipTest("h5py is not installed, with which the page begins")
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.addClassCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        write_cases("cases.h5")
        cls.names = {}
        cls.ran = []
        cls.left = []
        cls.printed = io.StringIO()
        cls.warned = cls.enterClassContext(warnings.catch_warnings(record=True))
        warnings.simplefilter("always")
        for number, block in enumerate(blocks()):
            if needs(block):
                cls.left.append(block)
            else:
                with service() if "plumecast.connect(" in block else contextlib.nullcontext(), contextlib.redirect_stdout(cls.printed):
                    exec(compile(block, f"{PAGE.name}, block {number}", "exec"), cls.names)
                cls.ran.append(block)

    def test_all_blocks_ran_that_can(self):
        self.assertGreaterEqual(len(blocks()), 14)
        self.assertEqual(len(self.ran) + len(self.left), len(blocks()))
        for block in self.left:
            self.assertTrue("import " in block or "plumecast.connect(" in block, block)

    def test_every_call_of_the_text_is_in_a_block(self):
        known = {call for block in blocks() for call in calls(block)}
        shown = calls_in_prose()
        self.assertGreater(len(shown), 3)
        for code in shown:
            self.assertTrue(calls(code) <= known, f"{code} is shown and runs nowhere")

    def test_errors_are_printed_as_a_table(self):
        self.assertRegex(self.printed.getvalue(), r"field +measure +mean")

    def test_a_network_of_ones_own_is_saved_and_loaded(self):
        self.assertEqual(plumecast.load("mine").title, "Mine")
        self.assertEqual(len(self.names["reports"]), 1)

    def test_gradients_are_there(self):
        slopes = self.names["gradients"]["permeability_r"]
        self.assertTrue(np.isfinite(slopes).all())
        self.assertTrue((np.abs(slopes).max(axis=(1, 2)) > 0).all())

    def test_rough_cases_are_told(self):
        steps = self.names["recording"].retaken_steps
        self.assertEqual(steps[0], 0)
        self.assertGreater(steps[1], 0)
        told = [str(one.message) for one in self.warned if issubclass(one.category, plumecast.PlumecastWarning)]
        self.assertTrue(any("fields jump with the inputs in case 1 " in text for text in told), told)

    def test_result_file_and_data_set_are_written(self):
        self.assertTrue(Path("fields.h5").exists() and Path("saved.h5").exists())

    @unittest.skipIf(needs("import torch"), "PyTorch is not installed")
    def test_default_call_of_pytorch_has_the_gradient_of_the_recording(self):
        tensors, predict = self.names["tensors"], self.names["plumecast"].torch.Predict(self.names["model"])
        permeability = tensors["permeability_r"].detach().clone().requires_grad_()
        predict(**(tensors | {"permeability_r": permeability}))["pressure_buildup"].nansum().backward()
        expected = self.names["gradients"]["permeability_r"]
        np.testing.assert_allclose(permeability.grad.numpy(), expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())
        self.assertTrue((self.names["rate"].grad > 1).all())

    @unittest.skipIf(needs("import torch"), "PyTorch is not installed")
    def test_dissolved_co2_has_no_gradient_and_says_so(self):
        tensors, predict = self.names["tensors"], self.names["plumecast"].torch.Predict(self.names["model"])
        rate = tensors["injection_rate"].detach().clone().requires_grad_()
        with self.assertRaisesRegex((plumecast.InvalidInput, RuntimeError), "'dissolved_co2', which has no derivatives"):
            predict(**(tensors | {"injection_rate": rate}))["dissolved_co2"].nansum().backward()


if __name__ == "__main__":
    unittest.main()
