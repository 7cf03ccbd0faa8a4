#!/usr/bin/env python3
"""Makes a wheel of `pip wheel .` one for other machines: with the libraries it needs, and with their licences.

Usage: repair_wheel.py plumecast-*.whl [-o FOLDER] [--platform manylinux_2_28_x86_64] [--licences FOLDER]

Needs auditwheel and patchelf, and Debian packages, whose texts of copyright are the licences. --platform refuses a wheel that would need more
than that platform has. --licences names a folder of further texts, PACKAGE.copyright each, of what is linked into the engine.
Refuses a result of more than 60 MB.
"""
import argparse
import base64
import csv
import hashlib
import io
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MOST_BYTES = 60_000_000
# What the engine uses, by the names of its libraries and by those of the texts that --licences has for them.
USED = {"libdnnl": "onednn", "libhdf5": "hdf5", "libcrypto": "openssl", "libfmt": "fmtlib", "libz": "zlib", "libstdc++": "libstdc++",
        "libgomp": "libgomp1"}


def original_name(carried):
    """libdnnl-a4f9d805.so.2.6 -> libdnnl.so.2.6: auditwheel names libraries by their hashes."""
    return re.sub(r"-[0-9a-f]{8}(?=\.)", "", Path(carried).name, count=1)


def package_of(library):
    """The Debian package that a library comes from. Raises RuntimeError where none has it."""
    found = subprocess.run(["dpkg-query", "-S", f"*/{library}"], capture_output=True, text=True)
    if found.returncode != 0 or not found.stdout:
        raise RuntimeError(f"{library}: no package has it (its licence is not known); install it from a package")
    return found.stdout.splitlines()[0].split(":")[0]


def is_named(library, stem):
    """Whether a file is a library of that name: libhdf5_serial-8768aa43.so.103 is libhdf5, libzstd.so.1 is not libz."""
    return re.match(re.escape(stem) + r"[-._]", Path(library).name) is not None


def own_licence(library, texts):
    """The name of the text among `texts` that is a library's licence, or None."""
    names = (f"{text}.copyright" for stem, text in USED.items() if is_named(library, stem))
    return next((name for name in names if name in texts), None)


def licences_of(libraries, texts=()):
    """Texts by the names that they get in the wheel; those of `texts`, which are there, need no package."""
    packages = {package_of(original_name(library)) for library in libraries if not own_licence(library, texts)}
    return {f"{package}.copyright": Path(f"/usr/share/doc/{package}/copyright").read_bytes() for package in sorted(packages)}


def repair(wheel, folder, platform):
    """Writes the wheel with its libraries into a folder and returns its path."""
    wanted = ["--plat", platform] if platform else []
    subprocess.run([sys.executable, "-m", "auditwheel", "repair", *wanted, "-w", folder, wheel], check=True)
    (repaired,) = Path(folder).glob("*.whl")
    return repaired


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return [name, f"sha256={digest}", str(len(content))]


def with_files(wheel, added, to):
    """Copies a wheel with further files in its folder of licences; its list of files names them too."""
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as new:
        record = next(name for name in old.namelist() if name.endswith(".dist-info/RECORD"))
        rows = list(csv.reader(io.StringIO(old.read(record).decode())))
        for entry in old.infolist():
            if entry.filename != record:
                new.writestr(entry, old.read(entry), zipfile.ZIP_DEFLATED)
        for name, content in added.items():
            place = record.replace("RECORD", f"licenses/{name}")
            new.writestr(place, content)
            rows.insert(-1, record_line(place, content))
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        new.writestr(record, text.getvalue())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("."))
    parser.add_argument("--platform")
    parser.add_argument("--licences", type=Path)
    given = parser.parse_args()
    further = {text.name: text.read_bytes() for text in sorted(given.licences.glob("*.copyright"))} if given.licences else {}
    with tempfile.TemporaryDirectory() as folder:
        repaired = repair(given.wheel, folder, given.platform)
        with zipfile.ZipFile(repaired) as archive:
            libraries = [name for name in archive.namelist() if ".libs/" in name and not name.endswith("/")]
        given.output.mkdir(parents=True, exist_ok=True)
        made = given.output / repaired.name
        with_files(repaired, licences_of(libraries, further) | further, made)
    size = made.stat().st_size
    print(f"{made}: {size / 1e6:.1f} MB with {len(libraries)} libraries")
    if size > MOST_BYTES:
        sys.exit(f"{made} is larger than {MOST_BYTES / 1e6:.0f} MB (what may be handed on); leave libraries out")


if __name__ == "__main__":
    main()
