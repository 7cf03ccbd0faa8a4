"""Does in a copy of the sources what the code blocks of a page say.

Usage: follow_page.py PAGE SOURCES COPY [MODULE...]

Lines of a block name the files that the lines behind them belong to. C++ (`// FILE`) is a new file or comes at the end
of one, within its namespaces. A diff (`+++ FILE`, changes of one file divided by `@@`) changes text that the file has
exactly once.
COPY gets the files that the page makes or changes, and for each MODULE a source MODULE.cpp that includes all of the
module's.
"""
import re
import sys
from pathlib import Path

END_OF_NAMESPACES = re.compile(r"(?:\}  // namespace[^\n]*\n)+\Z")


class PageError(Exception):
    """A page that cannot be followed."""


class FollowedPage:
    """The files of a source tree that a page makes or changes."""

    def __init__(self, page, sources):
        self.sources = sources
        self.files = {}
        for language, block in re.findall(r"(?ms)^```(cpp|diff)\n(.*?)^```$", page):
            if language == "cpp":
                self._add(block)
            else:
                self._change(block)
        if not self.files:
            raise PageError("the page has no code; give its blocks the files that they belong to")

    def text(self, file):
        return self.files[file] if file in self.files else (self.sources / file).read_text()

    def _add(self, block):
        before, *parts = re.split(r"(?m)^// (\S+\.[ch]pp)\n", block)
        if before or not parts:
            raise PageError(f"a block begins with '{before.splitlines()[0]}' (it names no file); begin it with // FILE")
        for file, code in zip(parts[::2], parts[1::2]):
            self._add_to(file, code.rstrip("\n") + "\n")

    def _add_to(self, file, code):
        if file not in self.files and not (self.sources / file).exists():
            self.files[file] = code
            return
        old = self.text(file)
        end = END_OF_NAMESPACES.search(old)
        if not end:
            raise PageError(f"{file} does not end with its namespaces; write the change as a diff")
        self.files[file] = old[:end.start()].rstrip("\n") + "\n\n" + code + "\n" + old[end.start():]

    def _change(self, block):
        for part in re.split(r"(?m)^(?=\+\+\+ )", block)[1:]:
            header, _, changes = part.partition("\n")
            file = header[len("+++ "):]
            for change in changes.split("@@\n"):
                lines = change.splitlines()
                old = "\n".join(line[1:] for line in lines if line[0] in " -")
                new = "\n".join(line[1:] for line in lines if line[0] in " +")
                count = self.text(file).count(old)
                if not old or count != 1:
                    raise PageError(f"{file} has '{old}' {count} times (a change needs it once); correct the page")
                self.files[file] = self.text(file).replace(old, new)


def module_source(page, module, copy):
    """A source that includes all sources of a module, of the copy where it has them."""
    folder = f"src/{module}/"
    names = dict.fromkeys(re.findall(r"[\w/]+\.cpp\b", page.text(folder + "CMakeLists.txt")))  # some are named twice, with properties
    roots = {name: copy if folder + name in page.files else page.sources for name in names}
    return "".join(f'#include "{roots[name] / (folder + name)}"\n' for name in names)


def write(files, copy):
    """Leaves files that stay the same alone, so that they are not compiled again, and removes those of the last time."""
    written = copy / "files.txt"
    for name in written.read_text().split() if written.exists() else []:
        if name not in files:
            (copy / name).unlink(missing_ok=True)
    for name, text in (files | {written.name: "".join(f"{name}\n" for name in files)}).items():
        target = copy / name
        if not target.exists() or target.read_text() != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)


def main(page_file, sources, copy, modules):
    page = FollowedPage(Path(page_file).read_text(), sources)
    write(page.files | {f"{module}.cpp": module_source(page, module, copy) for module in modules}, copy)


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve(), sys.argv[4:])
    except PageError as problem:
        sys.exit(f"{sys.argv[1]}: {problem}")
