"""Messages of the libraries name no option of the command line: callers in C++, C and Python do not know them."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
OPTION = re.compile(r"(?<![\w-])--[a-z]")
ARGUMENT = re.compile(r"--[a-z][a-z-]*(=\S*)?")  # of a program that a library starts, and nothing beside it


def options_in(source):
    """Lines of a source and the texts in them that name an option."""
    for number, line in enumerate(source.splitlines(), 1):
        code = line if line.lstrip()[:2] not in ("//", "* ") else ""
        for text in TEXT.findall(code):
            if OPTION.search(text) and not ARGUMENT.fullmatch(text):
                yield number, text


class LibraryMessages(unittest.TestCase):
    def test_name_no_option_of_the_command_line(self):
        sources = [path for folder in ("src", "include") for path in (ROOT / folder).rglob("*")
                   if path.suffix in (".cpp", ".hpp", ".h", ".cu", ".cuh")]
        self.assertGreater(len(sources), 500)
        found = [f"{path.relative_to(ROOT)}:{number}: {text}" for path in sources for number, text in options_in(path.read_text())]
        self.assertEqual(found, [])

    def test_are_found_where_they_do(self):
        self.assertEqual(list(options_in('x("choose another with --device cuda:N");')), [(1, "choose another with --device cuda:N")])
        self.assertEqual(list(options_in('a\n  "--like gives it"')), [(2, "--like gives it")])
        self.assertEqual(list(options_in('{"--output-dir=.", "--version"};\n/// "--like" of import\ncounter--; "a--b"')), [])


if __name__ == "__main__":
    unittest.main()
