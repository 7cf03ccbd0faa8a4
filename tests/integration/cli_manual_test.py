"""Pages of the manual and completion, as the build wrote them, say what --help says."""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from cli_test_case import PLUMECAST

MANUAL = Path(os.environ["PLUMECAST_BUILD"]) / "manual"


def help_of(path):
    return subprocess.run([PLUMECAST, *path, "--help"], check=True, capture_output=True, text=True).stdout


def section(text, title):
    """Lines of a section of a help text; CLI11 2.6 writes its title in capitals."""
    _, *found = re.split(rf"\n(?:{title}|{title.upper()}):\n", text, maxsplit=1)
    return found[0].split("\n\n")[0] if found else ""


def options_in(text):
    """Names of the options of a help text; CLI11 2.6 sets long names apart from short ones."""
    names = set()
    for line in section(text, "Options").splitlines():
        found = re.match(r" {2,20}(-[^\s,]*(?:, *-[^\s,]*)*)", line)
        if found:
            names |= {re.sub(r"\{.*?\}", "", name.strip()) for name in found[1].split(",")}  # "{false}" is what a flag sets
    return names


def subcommands_in(text):
    return re.findall(r"^  ([a-z][\w-]*)", section(text, "Subcommands"), re.M)


def all_paths(path=()):
    """Every subcommand as a tuple of words, that of the program itself empty."""
    inner = [one for name in subcommands_in(help_of(path)) for one in all_paths((*path, name))]
    return [path, *inner]


class ManualTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.helps = {path: help_of(path) for path in all_paths()}

    def page(self, path):
        return MANUAL / "man" / ("-".join(("plumecast", *path)) + ".1")

    def completions(self, *words):
        """What bash offers for the last word."""
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plumecast; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        result = subprocess.run(["bash", "-c", script, "bash", MANUAL / "bash/plumecast", "plumecast", *words], check=True,
                                capture_output=True, text=True, cwd=MANUAL)
        return set(result.stdout.split())

    def test_there_is_a_page_for_each_subcommand_and_no_other(self):
        self.assertIn(("bench", "predict"), self.helps)
        self.assertEqual({page.name for page in (MANUAL / "man").iterdir()}, {self.page(path).name for path in self.helps})

    def test_pages_have_every_option_and_description(self):
        for path, text in self.helps.items():
            page = self.page(path).read_text().replace("\\-", "-").replace("\\e", "\\")
            self.assertGreater(len(options_in(text)), 0, path)
            for name in options_in(text):
                self.assertIn(f"\\fB{name}\\fR", page, path)
            self.assertIn(text.splitlines()[0].rstrip(), page)
            for name in subcommands_in(text):
                self.assertIn(f"\\fB{name}\\fR\n", page, path)

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_pages_are_formatted_without_a_warning(self):
        for path in self.helps:
            result = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbu", self.page(path)], capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""), path)
            self.assertIn("SYNOPSIS", result.stdout)

    def test_bash_completes_subcommands(self):
        self.assertEqual(self.completions(""), set(subcommands_in(self.helps[()])))
        self.assertEqual(self.completions("bench", "pre"), {"predict"})

    def test_bash_completes_the_options_of_every_subcommand(self):
        for path, text in self.helps.items():
            self.assertEqual(self.completions(*path, "-"), options_in(text), path)

    def test_bash_completes_values_and_files(self):
        self.assertEqual(self.completions("predict", "--precision", ""), {"fp32", "tf32", "bf16"})
        self.assertEqual(self.completions("predict", "--precision", "b"), {"bf16"})
        self.assertEqual(self.completions("predict", "-o", "ma"), {"man"})
        self.assertEqual(self.completions("predict", "z"), {"zsh"})

    def test_zsh_functions_have_every_option(self):
        text = (MANUAL / "zsh/_plumecast").read_text()
        self.assertTrue(text.startswith("#compdef plumecast\n"))
        for path, help_text in self.helps.items():
            function = "_".join(("_plumecast", *path)).replace("-", "_")
            body = text.partition(f"\n{function}() {{\n")[2].partition("\n}\n")[0]
            self.assertEqual(set(re.findall(r"'\*(--?[\w-]+)\[", body)), options_in(help_text), path)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_reads_its_completion(self):
        result = subprocess.run(["zsh", "-f", "-n", MANUAL / "zsh/_plumecast"], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
