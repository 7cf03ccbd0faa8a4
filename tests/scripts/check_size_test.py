"""check_size.py finds what is too long, counts functions rightly and honours exemptions with a reason."""
import unittest

from source_tree import SourceTree, load

check_size = load("scripts/ci/check_size.py")


def function(name, lines):
    return f"int {name}(int a) {{\n" + "    ++a;\n" * (lines - 3) + "    return a;\n}\n"


class CheckSize(unittest.TestCase):
    def assert_found(self, files, words):
        found = check_size.check(SourceTree(files).root)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_accepts_what_is_exactly_at_the_limit(self):
        files = {"src/a.cpp": function("f", 90), "src/a.hpp": "int a;\n" * 375, "src/b.cpp": "int a;\n" * 600}
        self.assertEqual(check_size.check(SourceTree(files).root), [])

    def test_refuses_long_header_source_and_function(self):
        self.assert_found({"include/a.hpp": "int a;\n" * 376}, "include/a.hpp: 376 lines (limit 375)")
        self.assert_found({"src/a.cpp": "int a;\n" * 601}, "src/a.cpp: 601 lines (limit 600)")
        self.assert_found({"src/a.cpp": function("f", 91)}, "src/a.cpp:1: f has 91 lines (limit 90)")

    def test_refuses_full_folder_by_extension(self):
        files = {f"src/{i}.cpp": "" for i in range(23)} | {f"src/{i}.hpp": "" for i in range(22)}
        self.assert_found(files, "src/*.cpp: 23 files (limit 22)")

    def test_measures_functions_inside_classes_and_namespaces_only_once(self):
        body = "namespace a {\nclass B {\n    template <class T>\n    void run(T t) const {\n        if (t) {\n        }\n    }\n};\n}\n"
        self.assertEqual(list(check_size.functions(body)), [("run", 3, 5)])

    def test_ignores_braces_in_comments_and_literals(self):
        body = "void f() {\n    // {\n    auto s = \"{\"; auto c = '{'; auto r = R\"({)\"; /* { */\n    int n = 1'000;\n}\n"
        self.assertEqual(list(check_size.functions(body)), [("f", 1, 5)])

    def test_honours_exemption_with_reason_and_refuses_one_without(self):
        tree = SourceTree({"src/a.cpp": function("f", 91), "scripts/ci/size_exemptions.txt": "src/a.cpp:f one long table\n"})
        self.assertEqual(check_size.check(tree.root), [])
        tree.write("scripts/ci/size_exemptions.txt", "src/a.cpp:f\n")
        with self.assertRaisesRegex(ValueError, "gives no reason"):
            check_size.check(tree.root)


if __name__ == "__main__":
    unittest.main()
