#!/usr/bin/env python3
"""Runs the steps of one call of scripts/gpu_check.sh; whatever fails, the next step follows.

After every step CALL.tar.gz, CALL.json and CALL.txt in the output folder hold all that is known: logs, results, table.
Usage: check_run.py CALL --programs FOLDER --output FOLDER [--seconds N]     exit status 1 when a step failed
"""
import argparse
import contextlib
import io
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_steps  # noqa: E402
import gpu_check_report  # noqa: E402

LOG_BYTES = 1 << 20  # of each log, its end
SKIPPED, TOO_LATE = 77, 124


def run(command, environment, limit, out, log):
    """Exit status; 124 where the limit passed, 127 where the program is missing."""
    with open(out, "wb") as output, open(log, "wb") as errors:
        try:
            process = subprocess.Popen(command, stdout=output, stderr=errors, env=environment, start_new_session=True)
        except OSError as why:
            errors.write(str(why).encode())
            return 127
        try:
            return process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return TOO_LATE


def shorten(path):
    """Keeps the end of a log."""
    if path.exists() and path.stat().st_size > LOG_BYTES:
        path.write_bytes(path.read_bytes()[-LOG_BYTES:])


class Call:
    """Steps with their results in a folder, packed after each."""

    def __init__(self, name, programs, libraries, output, seconds):
        self.name, self.programs, self.libraries, self.output = name, programs, libraries, output
        self.end = time.monotonic() + seconds
        self.folder = Path(tempfile.mkdtemp())
        self.failed = False
        output.mkdir(parents=True, exist_ok=True)

    def attempt(self, step, way=""):
        """Status of a step, done plainly or by its fallback."""
        name = step.name + (f"@{way}" if way else "")
        begin = time.monotonic()
        log = self.folder / f"{name}.log"
        reason = "no time is left" if self.end - begin < 1 else step.needs()
        if reason:
            log.write_text(reason + "\n")
            status = SKIPPED
        else:
            folders = {"bin": self.programs, "out": self.folder, "scratch": self.folder / "scratch",
                       "way": f"@{way}" if way else ""}
            folders["scratch"].mkdir(exist_ok=True)
            variables = {**step.environment, **(check_steps.FALLBACKS[way][1] if way else {})}
            environment = {**os.environ, **{name: value.format(**folders) for name, value in variables.items()}}
            environment["CHECK_STEP"] = name
            if step.libraries == "ours":
                environment["LD_LIBRARY_PATH"] = self.libraries
            command = [part.format(**folders) for part in step.command]
            limit = min(step.limit, self.end - begin)
            status = run(command, environment, limit, self.folder / f"{name}.out", log)
        shorten(self.folder / f"{name}.out")
        shorten(log)
        with open(self.folder / "steps.tsv", "a") as steps:
            steps.write(f"{name}\t{status}\t{time.monotonic() - begin:.1f}\n")
        self.pack()
        return status

    def do(self, step):
        status = self.attempt(step)
        if step.fallback and status not in (0, SKIPPED, TOO_LATE):
            self.attempt(step, step.fallback)

    def pack(self):
        """Table, results and archive, each replaced as a whole. Nothing that goes wrong here ends the call."""
        try:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                self.failed = bool(gpu_check_report.table(self.folder))
            (self.folder / "table.txt").write_text(said.getvalue())
        except Exception as why:  # a report of results that nobody foresaw
            self.failed = True
            (self.folder / "table.txt").write_text(f"no table: {why!r}\n")
        archive = self.output / f"{self.name}.tar.gz.part"
        with tarfile.open(archive, "w:gz") as packed:
            for path in sorted(self.folder.iterdir()):
                if path.is_file():
                    packed.add(path, f"{self.name}/{path.name}")
        os.replace(archive, self.output / f"{self.name}.tar.gz")
        for source, kind in (("table.txt", "txt"), ("gpu_check.json", "json")):
            if (self.folder / source).exists():
                shutil.copyfile(self.folder / source, self.output / f"{self.name}.{kind}")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def cuda_folders():
    """Folders of the toolkit and of Python's nvidia packages."""
    found = [Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "lib64"]
    for place in map(Path, sys.path):
        found += sorted(place.glob("nvidia/*/lib"))
    return [str(folder) for folder in found if folder.is_dir()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("call", choices=check_steps.CALLS)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seconds", type=float, help="of the call; else those of its plan")
    arguments = parser.parse_args()
    libraries = [str(arguments.programs / "lib"), *cuda_folders(), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    os.environ.setdefault("PLUMECAST_REFERENCE_FOLDER", str(Path("tests/reference").resolve()))
    call = Call(arguments.call, arguments.programs / "bin", ":".join(libraries), arguments.output,
                check_steps.SECONDS[arguments.call] if arguments.seconds is None else arguments.seconds)
    for step in check_steps.CALLS[arguments.call]():
        call.do(step)
    call.close()
    print((arguments.output / f"{arguments.call}.txt").read_text(), end="")
    return 1 if call.failed else 0


if __name__ == "__main__":
    sys.exit(main())
