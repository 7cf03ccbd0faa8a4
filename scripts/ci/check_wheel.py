#!/usr/bin/env python3
"""Checks a wheel of scripts/repair_wheel.py: of a manylinux platform, at most 60 MB, with a licence for each library that it carries or
has linked in, and nothing that it would still look for outside but what every such platform has: no library beyond those of
the platform, no function of a newer C library than its name says. A wheel for glibc 2.28 or older carries nothing that speaks over a network.

Usage: check_wheel.py plumecast-*.whl
"""
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import repair_wheel  # noqa: E402  beside this folder

# Of what manylinux platforms promise (PEP 600), all but what needs a display.
EVERYWHERE = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0",
              "libresolv.so.2", "librt.so.1", "libstdc++.so.6", "libutil.so.1", "libz.so.1"}
NETWORK = re.compile(r"^lib(curl|krb5|k5crypto|gssapi|com_err|keyutils|ldap|lber|sasl|ssl|ssh|nghttp|rtmp|gnutls|idn|psl)")
SLIM = (2, 28)


def named_platform(wheel):
    """The oldest glibc that the name of a wheel promises to run with, as (2, 28); None where it names none."""
    found = [tuple(map(int, version)) for version in re.findall(r"manylinux_(\d+)_(\d+)_", wheel.name)]
    return min(found, default=None)


def read_elf(path):
    """Names of the libraries that an ELF file needs, and the newest glibc that it takes a function of."""
    dynamic = subprocess.run(["readelf", "-d", "-W", path], capture_output=True, text=True, check=True).stdout
    versions = subprocess.run(["readelf", "-V", "-W", path], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*?)\]", dynamic))
    glibc = [tuple(map(int, version)) for version in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", versions)]
    return needed, max(glibc, default=(0, 0))


def read_binaries(archive):
    """What read_elf() gives for each shared library, module and executable of a wheel, by its name there."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in archive.namelist():
            if re.search(r"\.so(\.\d+)*$|/bin/[\w-]+$", name):
                found[name] = read_elf(archive.extract(name, folder))
    return found


def missing_outside(wheel, binaries):
    """What the binaries need and the platform in the wheel's name does not have."""
    inside = {Path(name).name for name in binaries}
    platform = named_platform(wheel)
    found = []
    for name, (needed, glibc) in binaries.items():
        for library in sorted(needed - inside - EVERYWHERE):
            found.append(f"{name}: needs {library}, which is not in the wheel (not every Linux has it); run scripts/repair_wheel.py")
        if platform and glibc > platform:
            found.append(f"{name}: needs glibc {glibc[0]}.{glibc[1]} (the wheel's name promises {platform[0]}.{platform[1]}); build it over an "
                         "older C library")
    return found


def unlicensed(binaries, carried, licences):
    """Libraries in the wheel, carried or linked in, whose licence is not."""
    found = []
    for library in carried:
        if repair_wheel.own_licence(library, licences):
            continue
        try:
            package = repair_wheel.package_of(repair_wheel.original_name(library))
        except RuntimeError as unknown:
            found.append(str(unknown))
            continue
        if f"{package}.copyright" not in licences:
            found.append(f"{library}: no licence of {package} is in the wheel (it must come with the library); repair it anew")
    outside = {library for needed, _ in binaries.values() for library in needed} | {Path(name).name for name in carried}
    for library, package in repair_wheel.USED.items():
        if not any(repair_wheel.is_named(name, library) for name in outside) and f"{package}.copyright" not in licences:
            found.append(f"{library}: is linked into the engine, and no licence of {package} is in the wheel (it must come with it); give its "
                         "text by --licences of scripts/repair_wheel.py")
    return found


def problems(wheel):
    found = []
    platform = named_platform(wheel)
    if "manylinux" not in wheel.name:
        found.append(f"{wheel.name}: is for no manylinux platform (auditwheel did not repair it); run scripts/repair_wheel.py")
    size = wheel.stat().st_size
    if size > repair_wheel.MOST_BYTES:
        found.append(f"{wheel.name}: {size / 1e6:.1f} MB (a wheel has at most {repair_wheel.MOST_BYTES / 1e6:.0f}); carry fewer libraries")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        binaries = read_binaries(archive)
    carried = [name for name in names if ".libs/" in name and ".so" in name]
    if not carried:
        found.append(f"{wheel.name}: carries no libraries (the engine needs that of OpenMP at least); repair it")
    licences = {Path(name).name for name in names if "/licenses/" in name}
    found += missing_outside(wheel, binaries) + unlicensed(binaries, carried, licences)
    if platform and platform <= SLIM:
        found += [f"{name}: speaks over a network (files are all that the engine reads); build HDF5 without it"
                  for name in carried if NETWORK.match(Path(name).name)]
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
