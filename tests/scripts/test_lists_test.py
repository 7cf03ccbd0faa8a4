"""Every test in C++ and of the executable is in a list: one that no list names passes unseen."""
import re
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def names_in(folder):
    """The words of a CMakeLists.txt."""
    return re.split(r"[\s()]+", (folder / "CMakeLists.txt").read_text())


def unlisted(tests):
    """Tests that the nearest CMakeLists.txt above them does not name."""
    found = []
    for test in sorted(tests.rglob("*_test.cpp")):
        folder = next(folder for folder in test.parents if (folder / "CMakeLists.txt").exists())
        if str(test.relative_to(folder)) not in names_in(folder):
            found.append(str(test.relative_to(tests)))
    return found


class TestListsTest(unittest.TestCase):
    def test_name_every_test(self):
        self.assertEqual(unlisted(TESTS), [])

    def test_name_every_test_of_the_executable(self):
        folder = TESTS / "integration"
        self.assertEqual({test.stem for test in folder.glob("*_test.py")} - set(names_in(folder)), set())


if __name__ == "__main__":
    unittest.main()
