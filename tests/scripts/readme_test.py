"""The program of README.md, which a test compiles and runs, predicts in as few lines as it is meant to."""
import re
import unittest

from source_tree import ROOT


class Readme(unittest.TestCase):
    def test_predicts_in_fifteen_lines_of_cpp(self):
        programs = re.findall(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
        self.assertEqual(len(programs), 1)  # docs/examples/CMakeLists.txt takes the first
        self.assertIn(".predict(", programs[0])
        self.assertLessEqual(len([line for line in programs[0].splitlines() if line.strip()]), 15)


if __name__ == "__main__":
    unittest.main()
