"""What people do wrong: each command of wrong_usages.py ends with its exit code and one message that names the problem, why it is one
and what to do; no file is lost, and docs/wrong_usages.md shows the messages. Run with --write, this file writes that page anew."""

import hashlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cli_test_case import PLUMECAST, TIME_LIMIT
from wrong_usages import USAGES

try:
    from wrong_usages_folder import ROOT, prepare
except ImportError:  # h5py and numpy are not installed
    prepare = None

START = "plumecast: error: "
GRAMMAR = re.compile(r".+ \(.+\); .+")
REPORT = re.compile(r".+; .+")  # a line of `validate`, or a message
TITLE = """# Wrong usages

What people do wrong, and what Plumecast answers: the command, its exit code ([cli.md](cli.md#exit-codes)) and the message behind
`plumecast: error:`. A message says what the problem is, (why it is one); and what to do. The test `cli_wrong_usages_test` runs all of
them, checks that no file is lost or changed, and writes this page.
"""


def run(folder, line):
    """Exit code, and what is said of the error: `validate` tells it on standard output."""
    arguments, _, target = line.partition(" > ")
    with open(target or "/dev/null", "wb") as full:
        result = subprocess.run([PLUMECAST, *shlex.split(arguments)], cwd=folder, stdin=subprocess.DEVNULL,
                                stdout=full if target else subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIME_LIMIT)
    return result.returncode, result.stderr.decode() + (result.stdout or b"").decode()


def content(folder):
    """Hashes of all files, and the targets of links."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() + str(path.is_symlink())
            for path in folder.rglob("*") if path.is_file()}


def message_of(errors):
    lines = [line[len(START):] for line in errors.splitlines() if line.startswith(START)]
    found = re.findall(r"(?m)^error +(.*)$", errors)
    return lines[0] if len(lines) == 1 else found[0] if found else None


def with_placeholders(message):
    """Without what differs from machine to machine."""
    share = str(Path(PLUMECAST).resolve().parent.parent / "share")
    message = re.sub(r"eof = \d+", "eof = ...", message)
    message = re.sub(r"truncated: \d+ of \d+ bytes", "truncated: ... of ... bytes", message)
    return message.replace(share, "PREFIX/share")


def page(answers):
    text = TITLE
    for section, usages in USAGES.items():
        text += f"\n## {section}\n\n| `plumecast` ... | code | message |\n|---|---|---|\n"
        for line, _ in usages:
            code, errors = answers[line]
            message = with_placeholders(message_of(errors) or "").replace("|", "\\|").replace("<", "&lt;")
            text += f"| `{line}` | {code} | {message} |\n" if line else f"|  | {code} | {message} |\n"
    return text


def answers_in(folder):
    prepare(folder)
    before = content(folder)
    lines = [line for usages in USAGES.values() for line, _ in usages]
    trains = [line for line in lines if line.startswith("train ")]  # one after the other: they lock their folder
    groups = [trains, *([line] for line in lines if line not in trains)]
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(lambda group: [(line, run(folder, line)) for line in group], groups)
        answers = dict(answer for part in parts for answer in part)
    return answers, before, content(folder)


@unittest.skipIf(prepare is None, "h5py or numpy is not installed (packages python3-h5py, python3-numpy)")
class WrongUsages(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.answers, cls.before, cls.after = answers_in(cls.folder)

    def test_each_ends_with_its_code_and_one_message_in_three_parts(self):
        for usages in USAGES.values():
            for line, code in usages:
                with self.subTest(line):
                    found, errors = self.answers[line]
                    message = message_of(errors)
                    self.assertEqual(found, code, errors)
                    self.assertIsNotNone(message, errors)
                    self.assertRegex(message, REPORT if line.startswith("validate") else GRAMMAR)
                    self.assertNotRegex(message, r"-nan|basic_|std::|terminate")
                    self.assertNotIn(str(self.folder), message)

    def test_there_are_at_least_120_and_none_twice(self):
        lines = [line for usages in USAGES.values() for line, _ in usages]
        self.assertGreaterEqual(len(lines), 120)
        self.assertEqual(len(lines), len(set(lines)))

    def test_none_loses_or_changes_a_file(self):
        # A run that began and failed leaves its recipe.
        after = {name: state for name, state in self.after.items() if not name.startswith("new/")}
        self.assertEqual(after, self.before)

    def test_the_page_shows_what_happens(self):
        self.assertEqual((ROOT / "docs" / "wrong_usages.md").read_text(), page(self.answers),
                         "run cli_wrong_usages_test.py --write")


def write_page():
    with tempfile.TemporaryDirectory() as folder:
        answers, _, _ = answers_in(Path(folder))
    (ROOT / "docs" / "wrong_usages.md").write_text(page(answers))


if __name__ == "__main__":
    write_page() if sys.argv[1:] == ["--write"] else unittest.main()
