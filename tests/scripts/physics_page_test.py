"""Equations of docs/physics.md are numbered one after the other, and the code that solves them says which."""
import re
import unittest

from source_tree import ROOT

PAGE = ROOT / "docs" / "physics.md"
NAMED = re.compile(r"[Ee]quations?\s*(?:///|//)?\s*\((\d{1,2})\)(?: (?:to|and) \((\d+)\))?")


def numbers_of_page():
    text = PAGE.read_text()
    shown = re.findall(r"^    .*? \((\d+)\)$", text, re.MULTILINE) + re.findall(r"` \((\d+)\)", text)
    return sorted(map(int, shown))


def numbers_of_code():
    named = set()
    for folder in ("src", "include/plumecast"):
        for path in sorted((ROOT / folder / "reservoir" / "physics").rglob("*.[hc]pp")):
            for first, last in NAMED.findall(path.read_text()):
                named.update(range(int(first), int(last or first) + 1))
    return named


class PhysicsPage(unittest.TestCase):
    def test_numbers_its_equations_one_after_the_other(self):
        numbers = numbers_of_page()
        self.assertGreaterEqual(len(numbers), 14)
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))

    def test_has_every_equation_that_the_code_names_and_none_that_it_does_not(self):
        self.assertEqual(numbers_of_code(), set(numbers_of_page()))


if __name__ == "__main__":
    unittest.main()
