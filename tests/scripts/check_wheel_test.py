"""check_wheel.py refuses wheels that need more than the platform in their name has, speak over a network, or lack a licence."""
import shutil
import subprocess
import unittest
import zipfile
from pathlib import Path

from source_tree import FolderTest, load

check_wheel = load("scripts/ci/check_wheel.py")
STATIC = [f"{package}.copyright" for package in check_wheel.repair_wheel.USED.values()]


def binaries(needed=(), glibc=(2, 17), carried=()):
    """What read_binaries() gives for a wheel with the engine's library and carried ones."""
    found = {"plumecast/libplumecast_c.so.1": ({"libc.so.6", *needed}, glibc)}
    return found | {f"plumecast.libs/{name}": ({"libc.so.6"}, (2, 17)) for name in carried}


class CheckWheel(FolderTest):
    def wheel(self, platform, carried=(), licences=("LICENSE", *STATIC)):
        """A wheel whose libraries are what the C compiler makes of nothing."""
        path = self.folder / f"plumecast-1-cp312-abi3-{platform}.whl"
        library = self.folder / "empty.so"
        subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
        with zipfile.ZipFile(path, "w") as archive:
            for name in ("plumecast/libplumecast_c.so.1", *(f"plumecast.libs/{name}" for name in carried)):
                archive.write(library, name)
            for name in licences:
                archive.writestr(f"plumecast-1.dist-info/licenses/{name}", "free\n")
        return path

    def test_reads_the_oldest_platform_of_a_name(self):
        name = "plumecast-1-cp312-abi3-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl"
        self.assertEqual(check_wheel.named_platform(Path(name)), (2, 27))
        self.assertIsNone(check_wheel.named_platform(Path("plumecast-1-cp312-abi3-linux_x86_64.whl")))

    @unittest.skipUnless(shutil.which("cc") and shutil.which("readelf"), "needs a C compiler and readelf")
    def test_reads_what_a_library_needs(self):
        source, library = self.folder / "a.c", self.folder / "liba.so"
        source.write_text("#include <math.h>\ndouble of(double x) { return sin(x); }\n")
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library, "-Wl,--no-as-needed", "-lm"], check=True)
        needed, glibc = check_wheel.read_elf(library)
        self.assertEqual(needed, {"libm.so.6", "libc.so.6"})
        self.assertGreaterEqual(glibc, (2, 2))

    def test_refuses_a_newer_c_library_than_the_name_promises(self):
        wheel = Path("plumecast-1-cp312-abi3-manylinux_2_28_x86_64.whl")
        self.assertEqual(check_wheel.missing_outside(wheel, binaries(glibc=(2, 28))), [])
        (found,) = check_wheel.missing_outside(wheel, binaries(glibc=(2, 34)))
        self.assertIn("needs glibc 2.34 (the wheel's name promises 2.28)", found)
        newer = Path("plumecast-1-cp312-abi3-manylinux_2_36_x86_64.whl")
        self.assertEqual(check_wheel.missing_outside(newer, binaries(glibc=(2, 34))), [])

    def test_refuses_a_library_that_not_every_linux_has(self):
        wheel = Path("plumecast-1-cp312-abi3-manylinux_2_28_x86_64.whl")
        (found,) = check_wheel.missing_outside(wheel, binaries(needed=["libhdf5.so.310", "libm.so.6"]))
        self.assertIn("needs libhdf5.so.310, which is not in the wheel", found)
        within = binaries(needed=["libhdf5-1a2b3c4d.so.310"], carried=["libhdf5-1a2b3c4d.so.310"])
        self.assertEqual(check_wheel.missing_outside(wheel, within), [])

    def test_asks_for_the_licence_of_what_is_linked_in(self):
        needed = ["libgomp-12345678.so.1", "libstdc++.so.6", "libz.so.1", "libfmt.so.9", "libcrypto.so.3", "libdnnl.so.2"]
        (found,) = check_wheel.unlicensed(binaries(needed=needed), [], {"LICENSE"})
        self.assertIn("libhdf5: is linked into the engine, and no licence of hdf5 is in the wheel", found)
        self.assertEqual(check_wheel.unlicensed(binaries(needed=needed), [], {"hdf5.copyright"}), [])
        debian = binaries(needed=[*needed, "libhdf5_serial-b926ac43.so.103.3.1"])
        self.assertEqual(check_wheel.unlicensed(debian, [], {"LICENSE"}), [])

    @unittest.skipUnless(shutil.which("cc") and shutil.which("readelf"), "needs a C compiler and readelf")
    def test_refuses_what_speaks_over_a_network(self):
        carried = ["libgomp-12345678.so.1", "libssl-12345678.so.3"]
        for platform, expected in (("manylinux_2_28_x86_64", 1), ("manylinux_2_36_x86_64", 0)):
            wheel = self.wheel(platform, carried)
            found = [problem for problem in check_wheel.problems(wheel) if "speaks over a network" in problem]
            self.assertEqual(len(found), expected, platform)
        self.assertEqual(check_wheel.problems(self.wheel("manylinux_2_28_x86_64", carried[:1])), [])

    def test_knows_what_speaks_over_a_network(self):
        for name in ("libkrb5-3a7f934a.so.3.3", "libldap-2-062bb940.5.so.0.1.8", "libssl-59d05945.so.3", "libsasl2-0e214d8c.so.2.0.25"):
            self.assertTrue(check_wheel.NETWORK.match(name), name)
        for name in ("libgomp-f9a9ad78.so.1.0.0", "libhdf5-8768aa43.so.310", "libcrypto-7c3c55df.so.3", "libdnnl-a4f9d805.so.3"):
            self.assertFalse(check_wheel.NETWORK.match(name), name)


if __name__ == "__main__":
    unittest.main()
