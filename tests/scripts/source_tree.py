"""Folders and small source trees for a test, and the scripts of the repository as modules."""
import atexit
import importlib.util
import shutil
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def load(path):
    """A script of the repository, by its path, as a module."""
    specification = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


class FolderTest(unittest.TestCase):
    """Each test has an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class SourceTree:
    """A folder with the given files; vanishes at the end of the run."""

    def __init__(self, files):
        self.root = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        for name, text in files.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
