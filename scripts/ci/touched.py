"""What a change touches: the files that read, through any number of includes, a file that differs from a commit.

A check that takes seconds a file looks at those, and at an eighth of the others, another eighth for each commit, so that what a
change of compilers, packages or of this choice let through is found within a few runs. `scripts/test.sh long` looks at all.
"""
import re
import subprocess
import zlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
ROOTS = ("include", "src", "tests", "bench", "apps")  # of paths in includes
BUILD_FILES = re.compile(r"^CMakeLists\.txt$|^CMakePresets\.json$|^cmake/|^scripts/ci/(touched|check_(alone|kernels))\.py$")
SHARE = 8


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def base_commit():
    """What a change is compared with: origin/main, or where that is the present state the commit before."""
    head = output_of("git", "rev-parse", "HEAD")
    try:
        base = output_of("git", "merge-base", "HEAD", "origin/main")
    except subprocess.CalledProcessError:
        base = head
    return output_of("git", "rev-parse", "HEAD~1") if base == head else base


def changed_files(base, *folders):
    """Files, of the folders if any are named, that differ from a commit, those not yet committed too."""
    return set(output_of("git", "diff", "--name-only", "--diff-filter=d", base, "--", *folders).splitlines())


class Includes:
    """Which files of the repository a file reads."""

    def __init__(self, root=ROOT):
        self.root = root
        self.direct = cache(self._direct)

    def _direct(self, path):
        places = [path.parent, *(self.root / name for name in ROOTS)]
        text = path.read_text(encoding="utf-8", errors="replace")
        found = (next((place / name for place in places if (place / name).is_file()), None) for name in INCLUDE.findall(text))
        return {file.resolve() for file in found if file}

    def of(self, path):
        """The file and all that it includes, as paths from the root; files elsewhere, as generated ones, are left out."""
        seen, open_ = set(), [Path(path).resolve()]
        while open_:
            file = open_.pop()
            if file not in seen:
                seen.add(file)
                open_ += self.direct(file)
        return {str(file.relative_to(self.root)) for file in seen if file.is_relative_to(self.root)}


def is_in_share(name, commit, share=SHARE):
    """Whether it is the turn of a file that no change touches."""
    return zlib.crc32(f"{commit} {name}".encode()) % share == 0


def chosen(files, changed, commit, root=ROOT):
    """Of the files those that a change touches, and an eighth of the others; all where what builds them differs."""
    if any(BUILD_FILES.search(name) for name in changed):
        return sorted(files)
    includes = Includes(root)
    return sorted(file for file in files
                  if includes.of(file) & changed or is_in_share(Path(file).name, commit))


def chosen_now(files):
    """The same for the present state of the repository; all of them where there is no history to compare with."""
    try:
        return chosen(files, changed_files(base_commit()), output_of("git", "rev-parse", "HEAD"))
    except (OSError, subprocess.CalledProcessError):
        return sorted(files)
