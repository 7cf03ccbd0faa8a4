"""tidy.py chooses the compilations that a change touches."""
import json
import unittest

from source_tree import ROOT, SourceTree, load

tidy = load("scripts/ci/tidy.py")


class Tidy(unittest.TestCase):
    def test_finds_the_sources_of_a_group(self):
        tree = SourceTree({"Unity/a.cxx": f'#include "{ROOT}/src/core/box.cpp"\n#include "{ROOT}/src/core/json.cpp"\n'})
        entries = [{"file": str(tree.root / "Unity/a.cxx")}, {"file": f"{ROOT}/src/core/shape.cpp"},
                   {"file": f"{ROOT}/tests/core/box_test.cpp"}]
        tree.write("compile_commands.json", json.dumps(entries))
        self.assertEqual(tidy.units_of(tree.root), {str(tree.root / "Unity/a.cxx"): {"src/core/box.cpp", "src/core/json.cpp"},
                                                    f"{ROOT}/src/core/shape.cpp": {"src/core/shape.cpp"}})

    def test_chooses_by_source_then_by_name_then_by_include(self):
        units = {"one": {"src/core/box.cpp", "src/core/json.cpp"}, "two": {"src/core/shape.cpp"}}
        self.assertEqual(tidy.touched(units, {"src/core/json.cpp"}), ["one"])
        self.assertEqual(tidy.touched(units, {"include/plumecast/core/shape.hpp"}), ["two"])
        self.assertEqual(tidy.touched(units, {"include/plumecast/core/error.hpp"}), ["one"])
        self.assertEqual(tidy.touched(units, {"docs/design.md", "src/core/lost.hpp"}), [])
        self.assertEqual(tidy.touched(units, {"include/plumecast/core/shape.hpp", "src/core/box.cpp"}), ["one", "two"])


if __name__ == "__main__":
    unittest.main()
