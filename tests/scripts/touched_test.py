"""touched.py finds what a change touches, and check_alone.py reads those sources each alone."""
import contextlib
import io
import json
import shutil
import unittest
from unittest import mock

from source_tree import ROOT, SourceTree, load

touched = load("scripts/ci/touched.py")
check = load("scripts/ci/check_alone.py")
FILES = {"src/core/box.cpp": '#include "plumecast/core/box.hpp"\n\n#include "core/cells.hpp"\n',
         "src/core/json.cpp": "#include <plumecast/core/json.hpp>\n", "src/core/cells.hpp": "#include <vector>\n",
         "include/plumecast/core/box.hpp": "#pragma once\n#  include <plumecast/core/shape.hpp>\n",
         "include/plumecast/core/shape.hpp": "#include <plumecast/core/box.hpp>\n", "include/plumecast/core/json.hpp": ""}


class Touched(unittest.TestCase):
    def setUp(self):
        self.tree = SourceTree(FILES)
        self.sources = [self.tree.root.resolve() / "src/core" / name for name in ("box.cpp", "json.cpp")]

    def names(self, changed, others=False):
        with mock.patch.object(touched, "is_in_share", lambda name, commit: others):
            return [file.name for file in touched.chosen(self.sources, changed, "0", self.tree.root.resolve())]

    def test_follows_includes_through_headers_and_circles(self):
        self.assertEqual(touched.Includes(self.tree.root.resolve()).of(self.sources[0]),
                         {"src/core/box.cpp", "src/core/cells.hpp", "include/plumecast/core/box.hpp", "include/plumecast/core/shape.hpp"})

    def test_chooses_what_reads_a_changed_file(self):
        self.assertEqual(self.names({"include/plumecast/core/shape.hpp"}), ["box.cpp"])
        self.assertEqual(self.names({"src/core/json.cpp", "docs/design.md"}), ["json.cpp"])
        self.assertEqual(self.names({"docs/design.md"}), [])

    def test_chooses_all_where_the_build_or_the_choice_changed(self):
        for name in ("CMakeLists.txt", "cmake/plumecast_options.cmake", "scripts/ci/touched.py"):
            self.assertEqual(self.names({name}), ["box.cpp", "json.cpp"], name)

    def test_chooses_others_in_turn(self):
        self.assertEqual(self.names(set(), others=True), ["box.cpp", "json.cpp"])
        commits = [f"{number:040x}" for number in range(200)]
        turns = [sum(touched.is_in_share(f"source_{i}.cpp", commit) for i in range(400)) for commit in commits]
        self.assertTrue(all(20 < count < 90 for count in turns), "some fifty of 400 for each commit")
        self.assertTrue(all(any(touched.is_in_share(f"source_{i}.cpp", commit) for commit in commits) for i in range(400)))


@unittest.skipUnless(shutil.which("c++"), "no c++")
class CheckAlone(unittest.TestCase):
    def run_on(self, text):
        """What main() gives for a build with one source."""
        tree = SourceTree({"src/a.cpp": text})
        source = str(tree.root / "src/a.cpp")
        entry = {"file": source, "directory": str(tree.root), "command": f"c++ -Wall -Wextra -Werror -std=c++20 -o a.o -c {source}"}
        tree.write("build/compile_commands.json", json.dumps([entry, {"file": "/usr/other.cpp", "command": ""}]))
        said = io.StringIO()
        with mock.patch.object(check, "ROOT", tree.root), contextlib.redirect_stdout(said), \
                mock.patch.object(check.entries_of, "__defaults__", (tree.root,)), \
                mock.patch.object(check.sys, "argv", ["check_alone.py", "--all", "--build", str(tree.root / "build")]):
            status = check.main()
        self.assertFalse((tree.root / "a.o").exists())
        return status, said.getvalue()

    def test_passes_a_source_that_includes_what_it_uses(self):
        status, said = self.run_on("#include <vector>\nstd::vector<int> numbers() { return {1}; }\n")
        self.assertEqual((status, "1 of 1 sources and headers looked at, 0 with errors" in said), (0, True), said)

    def test_names_what_a_source_does_not_include_and_a_warning(self):
        for text, word in (("std::vector<int> numbers() { return {1}; }\n", "vector"), ("int f(int unused) { return 0; }\n", "unused")):
            status, said = self.run_on(text)
            self.assertEqual(status, 1)
            self.assertIn(word, said)


class ListOfSources(unittest.TestCase):
    def test_has_libraries_benchmarks_and_headers(self):
        preset = {one["name"]: one for one in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}["alone"]
        self.assertEqual(preset["inherits"], "base")
        self.assertEqual((preset["cacheVariables"]["PLUMECAST_UNITY_BUILD"], preset["cacheVariables"]["PLUMECAST_BENCH"]), ("OFF", "ON"))


if __name__ == "__main__":
    unittest.main()
