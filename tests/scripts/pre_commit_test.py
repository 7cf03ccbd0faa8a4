"""The hooks of .pre-commit-config.yaml need nothing from elsewhere, and the tree passes those of spelling and shell scripts."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from source_tree import ROOT, SourceTree

CONFIGURATION = (ROOT / ".pre-commit-config.yaml").read_text()
TOOLS = ("pre-commit", "codespell", "shellcheck")


class PreCommit(unittest.TestCase):
    def test_fetches_nothing(self):
        self.assertEqual(re.findall(r"repo: (\S+)", CONFIGURATION), ["local"])
        self.assertEqual(set(re.findall(r"language: (\w+)", CONFIGURATION)), {"system", "pygrep"})
        self.assertNotIn("additional_dependencies", CONFIGURATION)

    def test_runs_scripts_that_are_there(self):
        scripts = re.findall(r"scripts/ci/check_\w+\.(?:py|sh)", CONFIGURATION)
        self.assertGreaterEqual(len(scripts), 5)
        self.assertEqual([name for name in scripts if not (ROOT / name).is_file()], [])


@unittest.skipUnless(all(map(shutil.which, TOOLS)), "not all of pre-commit, codespell and shellcheck are installed")
class Hooks(unittest.TestCase):
    def run_hook(self, root, hook):
        with tempfile.TemporaryDirectory() as home:
            return subprocess.run(["pre-commit", "run", hook, "--all-files"], cwd=root, env=os.environ | {"PRE_COMMIT_HOME": home},
                                  capture_output=True, text=True)

    def test_pass_on_this_tree(self):
        for hook in ("codespell", "shellcheck", "merge-conflict", "blank-ends"):  # the others are steps of scripts/test.sh
            done = self.run_hook(ROOT, hook)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_refuse_what_they_are_for(self):
        tree = SourceTree({".pre-commit-config.yaml": CONFIGURATION, "a.md": "recieve\n", "b.sh": "#!/bin/sh\nlocal a=$(ls *)\n",
                           "c.md": "<" * 7 + " ours\n", "d.py": "a = 1 \n", "e.md": "keyword EQUIL\n"})
        tree.write(".codespellrc", (ROOT / ".codespellrc").read_text())
        subprocess.run("git init -q && git add .", shell=True, cwd=tree.root, check=True)
        for hook, name in (("codespell", "a.md"), ("shellcheck", "b.sh"), ("merge-conflict", "c.md"), ("blank-ends", "d.py")):
            done = self.run_hook(tree.root, hook)
            self.assertNotEqual(done.returncode, 0, hook)
            self.assertIn(name, done.stdout)
            self.assertNotIn("e.md", done.stdout)


if __name__ == "__main__":
    unittest.main()
