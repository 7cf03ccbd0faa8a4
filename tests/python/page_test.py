"""The Python of docs/python.md runs as it is printed."""

import importlib.util
import os
import re
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import plumecast
import sample

PAGE = sample.REPOSITORY / "docs" / "python.md"
OPTIONAL = ("torch", "jax", "h5py")


def blocks():
    """The blocks of the page, in their order."""
    return re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def needs(block):
    """Packages that a block imports and that are not installed."""
    return [name for name in OPTIONAL if re.search(rf"^import {name}\b", block, re.MULTILINE) and not importlib.util.find_spec(name)]


def write_cases(path):
    """Two cases of the sample; the second has steps of its physics that were retaken."""
    import h5py

    with h5py.File(sample.RADIAL) as whole, h5py.File(path, "w") as some:
        some.attrs.update(whole.attrs)
        for group in whole:
            for name, array in whole[group].items():
                values = array[:] if group == "grid" else array[[0, 5]]
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
        cls.warned = cls.enterClassContext(warnings.catch_warnings(record=True))
        warnings.simplefilter("always")
        for number, block in enumerate(blocks()):
            if not needs(block):
                exec(compile(block, f"{PAGE.name}, block {number}", "exec"), cls.names)
                cls.ran.append(block)

    def test_all_blocks_ran_that_can(self):
        self.assertGreaterEqual(len(blocks()), 7)
        self.assertEqual(self.ran, [block for block in blocks() if not needs(block)])

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
