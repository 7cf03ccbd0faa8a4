"""The public headers are those that docs/cpp.md lists, few, and reach each other alone."""
import re
import unittest

from source_tree import ROOT

INCLUDE = ROOT / "include"
MOST = 90  # public headers of C++
MOST_OF_PREDICTOR = 20  # headers of the project that a program gets with predictor.hpp, itself included
OF_PROJECT = re.compile(r"^#include <(plumecast/[^>]+)>", re.MULTILINE)


def public():
    return {str(path.relative_to(INCLUDE)) for path in (INCLUDE / "plumecast").rglob("*.hpp")}


def reached(header):
    """A header and all of the project that it includes, through others too."""
    found, todo = set(), [header]
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += OF_PROJECT.findall((INCLUDE / one).read_text())
    return found


class PublicHeaders(unittest.TestCase):
    def test_are_few(self):
        self.assertLessEqual(len(public()), MOST)

    def test_are_those_that_the_page_lists(self):
        section = re.search(r"(?ms)^## Headers\n(.*?)^## ", (ROOT / "docs/cpp.md").read_text())[1]
        rows = [line for line in section.splitlines() if line.startswith("| ") and "`" in line]
        listed = [f"plumecast/{name}.hpp" for row in rows for name in re.findall(r"`([^`]+)`", row)]
        self.assertEqual(len(listed), len(set(listed)), "a header stands in two rows")
        self.assertEqual(set(listed), public())

    def test_reach_each_other_alone(self):
        for header in public():
            self.assertLessEqual(reached(header), public(), header)

    def test_of_the_predictor_are_few(self):
        self.assertLessEqual(len(reached("plumecast/inference/predictor.hpp")), MOST_OF_PREDICTOR)

    def test_are_what_examples_and_consumers_include(self):
        programs = [*(ROOT / "docs/examples").glob("*.cpp"), *(ROOT / "tests/install").glob("*.cpp")]
        self.assertGreater(len(programs), 5)
        for program in programs:
            self.assertLessEqual(set(OF_PROJECT.findall(program.read_text())), public(), program.name)


if __name__ == "__main__":
    unittest.main()
