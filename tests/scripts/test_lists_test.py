"""Every C++ test is compiled: a test that no list names passes unseen."""
import re
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def unlisted(tests):
    """Tests that the nearest CMakeLists.txt above them does not name."""
    found = []
    for test in sorted(tests.rglob("*_test.cpp")):
        folder = next(folder for folder in test.parents if (folder / "CMakeLists.txt").exists())
        if str(test.relative_to(folder)) not in re.split(r"[\s()]+", (folder / "CMakeLists.txt").read_text()):
            found.append(str(test.relative_to(tests)))
    return found


class TestListsTest(unittest.TestCase):
    def test_name_every_test(self):
        self.assertEqual(unlisted(TESTS), [])


if __name__ == "__main__":
    unittest.main()
