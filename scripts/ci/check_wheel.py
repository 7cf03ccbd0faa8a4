#!/usr/bin/env python3
"""Checks a wheel of scripts/repair_wheel.py: of a manylinux platform, at most 60 MB, with a licence for each library that it carries,
and nothing that it would still look for outside but what every such platform has.

Usage: check_wheel.py plumecast-*.whl
"""
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import repair_wheel  # noqa: E402  beside this folder


def problems(wheel):
    found = []
    if "manylinux" not in wheel.name:
        found.append(f"{wheel.name}: is for no manylinux platform (auditwheel did not repair it); run scripts/repair_wheel.py")
    size = wheel.stat().st_size
    if size > repair_wheel.MOST_BYTES:
        found.append(f"{wheel.name}: {size / 1e6:.1f} MB (a wheel has at most {repair_wheel.MOST_BYTES / 1e6:.0f}); carry fewer libraries")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    carried = [name for name in names if ".libs/" in name and ".so" in name]
    if not carried:
        found.append(f"{wheel.name}: carries no libraries (the engine needs HDF5 and oneDNN); repair it")
    licences = {Path(name).name for name in names if "/licenses/" in name}
    for library in carried:
        package = repair_wheel.package_of(repair_wheel.original_name(library))
        if f"{package}.copyright" not in licences:
            found.append(f"{library}: no licence of {package} is in the wheel (it must come with the library); repair it anew")
    if "LICENSE" not in licences:
        found.append(f"{wheel.name}: has no LICENSE of its own; build it from the repository")
    return found


def main():
    wheel = Path(sys.argv[1])
    found = problems(wheel)
    shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", str(wheel)], capture_output=True, text=True)
    if shown.returncode != 0 or "manylinux" not in shown.stdout:
        found.append(f"{wheel.name}: auditwheel finds it consistent with no manylinux platform; repair it")
    print("\n".join(found) or f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, with the licences of what it carries")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
