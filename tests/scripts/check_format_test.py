"""check_format.sh refuses an unformatted source and accepts it after --fix."""
import shutil
import subprocess
import unittest

from source_tree import ROOT, SourceTree


class CheckFormat(unittest.TestCase):
    def test_refuses_unformatted_source_until_fixed(self):
        tree = SourceTree({"a.cpp": "int   a ;\n", ".clang-format": (ROOT / ".clang-format").read_text()})
        (tree.root / "scripts" / "ci").mkdir(parents=True)
        script = shutil.copy(ROOT / "scripts" / "ci" / "check_format.sh", tree.root / "scripts" / "ci")
        subprocess.run("git init -q && git add a.cpp", shell=True, cwd=tree.root, check=True)

        def run(*arguments):
            return subprocess.run(["bash", script, *arguments], capture_output=True).returncode

        first = run()
        if first == 77:
            self.skipTest("clang-format 14 is not installed")
        self.assertNotEqual(first, 0)
        self.assertEqual(run("--fix"), 0)
        self.assertEqual(run(), 0)


if __name__ == "__main__":
    unittest.main()
