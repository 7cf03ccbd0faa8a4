"""check_names.py finds types that share a name, and lets namespaces keep theirs."""
import unittest

from source_tree import SourceTree, load

check_names = load("scripts/ci/check_names.py")


class CheckNames(unittest.TestCase):
    def test_names_both_files_of_a_type_defined_twice(self):
        files = {"include/a.hpp": "namespace plumecast {\n\nstruct Range {\n    int low;\n};\n\n}  // namespace plumecast\n",
                 "src/b.hpp": "namespace plumecast {\n\nclass Range {\n};\n\n}  // namespace plumecast\n"}
        found = check_names.check(SourceTree(files).root)
        self.assertEqual(len(found), 1, found)
        self.assertIn("plumecast::Range: defined in include/a.hpp and src/b.hpp", found[0])

    def test_allows_one_name_in_two_namespaces_in_unnamed_ones_and_declared_ahead(self):
        files = {"src/a.hpp": "namespace plumecast {\nstruct Range {\n};\nstruct Late;\n}  // namespace plumecast\n",
                 "src/b.hpp": "namespace plumecast::cuda {\nstruct Range {\n};\n}  // namespace plumecast::cuda\n",
                 "src/c.cpp": "namespace plumecast {\nnamespace {\nstruct Range {\n};\n}  // namespace\n"
                              "struct Late {\n};\n}  // namespace plumecast\n"}
        self.assertEqual(check_names.check(SourceTree(files).root), [])


if __name__ == "__main__":
    unittest.main()
