"""follow_page.py does what a page says, and refuses a page that cannot be followed."""
import tempfile
import unittest
from pathlib import Path

from source_tree import SourceTree, load

follow_page = load("tests/documentation/follow_page.py")

FILES = {"src/graph/CMakeLists.txt": "sources(graph a.cpp ops/b.cpp)\n",
         "src/graph/a.cpp": "namespace plumecast {\nnamespace {\nint one() { return 1; }\n}  // namespace\n}  // namespace plumecast\n"}


def followed(page):
    return follow_page.FollowedPage(page, SourceTree(FILES).root)


class FollowPage(unittest.TestCase):
    def refuses(self, page, words):
        with self.assertRaisesRegex(follow_page.PageError, words):
            followed(page)

    def test_adds_code_at_the_end_of_a_file_within_its_namespaces(self):
        page = followed("```cpp\n// src/graph/a.cpp\nint two() { return 2; }\n```\n")
        self.assertEqual(page.files, {"src/graph/a.cpp": "namespace plumecast {\nnamespace {\nint one() { return 1; }\n\n"
                                      "int two() { return 2; }\n\n}  // namespace\n}  // namespace plumecast\n"})

    def test_divides_a_block_at_the_lines_that_name_files(self):
        page = followed("```cpp\n// src/graph/new.hpp\nint two();\n\n// src/graph/new.cpp\nint two() { return 2; }\n```\n")
        self.assertEqual(page.files, {"src/graph/new.hpp": "int two();\n", "src/graph/new.cpp": "int two() { return 2; }\n"})

    def test_makes_a_file_that_is_not_there(self):
        self.assertEqual(followed("```cpp\n// src/graph/new.hpp\n#pragma once\n```\n").files, {"src/graph/new.hpp": "#pragma once\n"})

    def test_changes_what_a_diff_says_one_change_after_the_other(self):
        page = followed("```diff\n+++ src/graph/a.cpp\n-return 1;\n+return 3;\n@@\n-int one\n+int three\n"
                        "+++ src/graph/CMakeLists.txt\n-ops/b.cpp\n+ops/c.cpp\n```\n")
        self.assertIn("int three() { return 3; }", page.files["src/graph/a.cpp"])
        self.assertEqual(page.files["src/graph/CMakeLists.txt"], "sources(graph a.cpp ops/c.cpp)\n")

    def test_refuses_a_change_of_text_that_is_not_there_once(self):
        self.refuses("```diff\n+++ src/graph/a.cpp\n-return 2;\n+return 3;\n```\n", "'return 2;' 0 times")
        self.refuses("```diff\n+++ src/graph/a.cpp\n-namespace\n+space\n```\n", "'namespace' 4 times")

    def test_refuses_code_that_names_no_file_and_a_page_without_code(self):
        self.refuses("```cpp\nint two();\n```\n", "names no file")
        self.refuses("Words alone.\n", "no code")

    def test_includes_the_sources_of_a_module_from_the_copy_where_it_has_them(self):
        page = followed("```cpp\n// src/graph/a.cpp\nint two();\n```\n")
        self.assertEqual(follow_page.module_source(page, "graph", Path("/copy")),
                         f'#include "/copy/src/graph/a.cpp"\n#include "{page.sources}/src/graph/ops/b.cpp"\n')

    def test_removes_what_an_earlier_page_made_and_leaves_the_rest_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            follow_page.write({"a.cpp": "a\n", "b.cpp": "b\n"}, copy)
            before = (copy / "a.cpp").stat().st_mtime_ns
            follow_page.write({"a.cpp": "a\n"}, copy)
            self.assertEqual((copy / "a.cpp").stat().st_mtime_ns, before)
            self.assertFalse((copy / "b.cpp").exists())


if __name__ == "__main__":
    unittest.main()
