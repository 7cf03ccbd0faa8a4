"""check_words.py finds machine paths, empty names and unfinished marks among tracked files only."""
import subprocess
import unittest

from source_tree import SourceTree, load

check_words = load("scripts/ci/check_words.py")


def findings(files, track=True):
    tree = SourceTree(files)
    subprocess.run(["git", "init", "-q"], cwd=tree.root, check=True)
    if track:
        subprocess.run(["git", "add", "."], cwd=tree.root, check=True)
    return check_words.check(tree.root)


class CheckWords(unittest.TestCase):
    def assert_found(self, files, words):
        found = findings(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_refuses_path_of_one_machine(self):
        self.assert_found({"README.md": "see /" + "home/ada/models\n"}, "README.md:1: a path")

    def test_refuses_names_that_say_nothing(self):
        self.assert_found({"src/core/utils.hpp": ""}, "src/core/utils.hpp: the name says nothing")
        self.assert_found({"src/common/a.hpp": ""}, "src/common/a.hpp: the name says nothing")

    def test_refuses_mark_of_unfinished_work(self):
        self.assert_found({"a.cpp": "// TO" + "DO: later\n"}, "a.cpp:1: a mark of unfinished work")

    def test_accepts_ordinary_text_and_untracked_files(self):
        self.assertEqual(findings({"a.md": "https://example.org/home/page and usr/work/x\n", "communicator.hpp": ""}), [])
        self.assertEqual(findings({"misc.txt": ""}, track=False), [])


if __name__ == "__main__":
    unittest.main()
