"""Scripts that name their interpreter can be called by their path, as the pages of the documentation do."""
import os
import unittest

from source_tree import ROOT

FOLDERS = ["bench", "scripts", "tests"]


def not_executable(root):
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".sh", "") and path.is_file() and path.read_bytes()[:2] == b"#!" and not os.access(path, os.X_OK):
                found.append(str(path.relative_to(root)))
    return found


class ExecutableScriptsTest(unittest.TestCase):
    def test_can_be_called(self):
        self.assertEqual(not_executable(ROOT), [])


if __name__ == "__main__":
    unittest.main()
