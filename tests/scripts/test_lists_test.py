"""Every C++ test is compiled and every integration test runs: a test that no list names passes unseen."""
import re
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def words_of(folder):
    return re.split(r"[\s()]+", (folder / "CMakeLists.txt").read_text())


def unlisted(tests):
    """Tests that the nearest CMakeLists.txt above them does not name."""
    found = []
    for test in sorted(tests.rglob("*_test.cpp")):
        folder = next(folder for folder in test.parents if (folder / "CMakeLists.txt").exists())
        if str(test.relative_to(folder)) not in words_of(folder):
            found.append(str(test.relative_to(tests)))
    return found


class TestListsTest(unittest.TestCase):
    def test_name_every_test(self):
        self.assertEqual(unlisted(TESTS), [])

    def test_name_every_integration_test(self):
        folder = TESTS / "integration"
        self.assertEqual(sorted({test.stem for test in folder.glob("*_test.py")} - set(words_of(folder))), [])


if __name__ == "__main__":
    unittest.main()
