"""The examples in docstrings give what they say."""

import doctest
import importlib
import pkgutil
import unittest

import plumecast


class Docstrings(unittest.TestCase):
    def test_examples_give_what_they_say(self):
        attempted = 0
        for found in pkgutil.iter_modules(plumecast.__path__, "plumecast."):
            try:
                module = importlib.import_module(found.name)
            except ImportError as error:
                self.assertIn(error.name, {"xarray", "matplotlib", "torch", "jax", "h5py", "ert"}, error)
                continue
            result = doctest.testmod(module, extraglobs={"plumecast": plumecast}, verbose=False)
            self.assertEqual(result.failed, 0, found.name)
            attempted += result.attempted
        self.assertGreater(attempted, 4)


if __name__ == "__main__":
    unittest.main()
