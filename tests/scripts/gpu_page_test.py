"""docs/benchmarks/gpu.md names tests and steps that there are for what a review found."""
import re
import sys
import unittest

from source_tree import ROOT, load

sys.path.insert(0, str(ROOT / "scripts/gpu"))
steps = load("scripts/gpu/check_steps.py")
TEST = re.compile(r"TEST(?:_F|_P)?\((\w+),\s*(\w+)\)")


def rows():
    """What was wrong, and the cells that say what holds it mended."""
    section = (ROOT / "docs/benchmarks/gpu.md").read_text().partition("## What a review found")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("| ")][1:]


class GpuPage(unittest.TestCase):
    def test_has_a_test_or_a_step_for_each_of_eleven_things(self):
        self.assertEqual(len(rows()), 11)
        for what, host, device in rows():
            self.assertRegex(host, "`", what)
            self.assertTrue("`" in device, what)

    def test_names_tests_and_checks_that_exist(self):
        sources = "".join(path.read_text() for path in (ROOT / "tests").rglob("*_test.cpp"))
        known = {f"{suite}.{name}" for suite, name in TEST.findall(sources)}
        named = {name for _, *cells in rows() for cell in cells for name in re.findall(r"`(\w+\.\w+)`", cell)}
        checks = {name for name in named if name.endswith(".py")}
        self.assertGreater(len(named - checks), 20)
        self.assertEqual(named - checks - known, set())
        self.assertEqual({name for name in checks if not (ROOT / "scripts/ci" / name).exists()}, set())

    def test_names_steps_of_the_check_that_exist(self):
        known = {step.name for call in steps.CALLS.values() for step in call()}
        named = {name for _, _, device in rows() for words in re.findall(r"steps? ((?:`\w+`(?:, )?)+)", device)
                 for name in re.findall(r"`(\w+)`", words)}
        self.assertGreater(len(named), 5)
        self.assertEqual(named - known, set())


if __name__ == "__main__":
    unittest.main()
