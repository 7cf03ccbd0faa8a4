"""The Debian package of PLUMECAST_PACKAGE, installed in a root folder of its own and run there with nothing but the shared
libraries of the packages that it depends on."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PACKAGE = Path(os.environ["PLUMECAST_PACKAGE"]).resolve()
ROOT = Path(__file__).resolve().parents[2]


def output_of(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


class Installed:
    """The packages of this machine, each under its name and what else it provides, and what they depend on."""

    def __init__(self):
        self.depends, self.providers = {}, {}
        fields = "${Package}\t${db:Status-Status}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
        for line in output_of("dpkg-query", "-W", "-f", fields).splitlines():
            name, status, provides, depends = line.split("\t")
            if status == "installed":
                self.depends[name] = depends
                for one in (name, *re.findall(r"([\w.+-]+)(?: \([^)]*\))?(?:, |$)", provides)):
                    self.providers[one] = name

    def names_in(self, dependencies):
        """Packages of a list of dependencies, the first of each choice that is here."""
        for choice in filter(None, dependencies.split(", ")):
            names = (re.match(r"[\w.+-]+", one)[0] for one in choice.split(" | "))
            here = [self.providers[name] for name in names if name in self.providers]
            if not here:
                raise RuntimeError(f"{choice} is not installed")
            yield here[0]

    def with_dependencies(self, dependencies):
        """The packages of a list of dependencies, and all that they depend on."""
        closure, left = set(), list(self.names_in(dependencies))
        while left:
            name = left.pop()
            if name not in closure:
                closure.add(name)
                left += self.names_in(self.depends[name])
        return closure


def may_mount():
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0


@unittest.skipUnless(shutil.which("dpkg") and may_mount(), "needs dpkg, root and the right to mount")
class DebianPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        cls.dependencies = output_of("dpkg-deb", "-f", PACKAGE, "Depends").strip()
        for name in ("bin", "lib", "lib64"):  # where /usr holds them
            if os.path.islink(f"/{name}"):
                (cls.root / name).symlink_to(f"usr/{name}")
        for name in Installed().with_dependencies(cls.dependencies):
            cls.copy_libraries(name)
        for at in ("var/lib/dpkg/info", "var/lib/dpkg/updates"):
            (cls.root / at).mkdir(parents=True)
        (cls.root / "var/lib/dpkg/status").touch()
        for name in ("proc", "tmp"):
            (cls.root / name).mkdir()
        # What it depends on is here as files, not as packages; its scripts would call programs of those.
        output_of("dpkg", f"--root={cls.root}", "--force-depends", "--no-triggers", "--unpack", PACKAGE)
        output_of("ldconfig", "-r", cls.root)

    @classmethod
    def copy_libraries(cls, package):
        for line in output_of("dpkg-query", "-L", package).splitlines():
            if re.search(r"\.so(\.|$)", line) and os.path.isfile(line):
                target = cls.root / os.path.realpath(os.path.dirname(line))[1:] / os.path.basename(line)
                target.parent.mkdir(parents=True, exist_ok=True)
                if not target.exists():
                    shutil.copy2(line, target)

    def run_inside(self, *command):
        """What a program prints in the root folder, with the list of processes that it finds itself in."""
        script = 'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"'
        result = subprocess.run(["unshare", "--mount", "sh", "-c", script, str(self.root), *command], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, f"{command}: {result.stderr}")
        return result.stdout

    def installed(self):
        return set(output_of("dpkg", f"--root={self.root}", "-L", "plumecast").splitlines())

    def test_names_what_it_depends_on(self):
        for name in ("libc6", "libdnnl", "libhdf5", "libcairo2", "libnlopt", "libssl"):
            self.assertRegex(self.dependencies, rf"(^|, ){name}")

    def test_has_the_version_of_the_project(self):
        version = output_of("dpkg-deb", "-f", PACKAGE, "Version").strip().removesuffix("-1")  # the package's own number
        self.assertIn(f"plumecast {version}\n", self.run_inside("plumecast", "--version"))

    def test_holds_library_headers_models_manual_and_completion(self):
        files = self.installed()
        for name in ("bin/plumecast", "include/plumecast.h", "include/plumecast/core/tensor.hpp", "lib/libplumecast_c.so.1",
                     "lib/libplumecast_nn.a", "lib/cmake/plumecast/plumecast-config.cmake", "lib/pkgconfig/plumecast.pc",
                     "share/plumecast/models/radial-co2/model.json", "share/man/man1/plumecast.1.gz",
                     "share/man/man1/plumecast-predict.1.gz", "share/doc/plumecast/copyright", "include/plumecast.f90",
                     "share/doc/plumecast/changelog.gz", "share/doc/plumecast/changelog.Debian.gz",
                     "share/bash-completion/completions/plumecast",
                     "share/zsh/vendor-completions/_plumecast", "share/doc/plumecast/LICENSE"):
            self.assertIn(f"/usr/{name}", files)

    @unittest.skipUnless(shutil.which("lintian"), "needs lintian")
    def test_has_no_errors_for_lintian(self):
        result = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", str(PACKAGE)], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_holds_models_data_and_documents_of_the_repository_and_nothing_that_a_run_left(self):
        tracked = set(output_of("git", "-C", ROOT, "ls-files").splitlines())
        shares = {f"/usr/share/plumecast/{folder}/": f"{folder}/" for folder in ("models", "data")}
        shares["/usr/share/doc/plumecast/docs/"] = "docs/"
        held = 0
        for name in self.installed():
            for share, folder in shares.items():
                if name.startswith(share) and (self.root / name[1:]).is_file():
                    held += 1
                    self.assertIn(name.replace(share, folder), tracked)
        self.assertGreater(held, 50)

    def test_programs_are_hardened_and_know_no_path_of_the_build(self):
        for name in ("usr/bin/plumecast", "usr/lib/libplumecast_c.so.1"):
            program = (self.root / name).resolve()
            self.assertRegex(output_of("readelf", "-d", program), r"BIND_NOW|FLAGS.*NOW", name)
            self.assertRegex(output_of("readelf", "--dyn-syms", "-W", program), r"__\w+_chk", name)
            self.assertNotIn(str(ROOT).encode(), program.read_bytes(), name)

    def test_bill_of_materials_names_every_library_that_it_needs(self):
        bill = json.loads((self.root / "usr/share/doc/plumecast/plumecast.spdx.json").read_text())
        packages = {package["name"].lower(): package["versionInfo"] for package in bill["packages"]}
        other = json.loads((self.root / "usr/share/doc/plumecast/plumecast.cdx.json").read_text())
        named = {one["name"].lower(): one.get("version", "NOASSERTION") for one in other["components"] if one["type"] == "library"}
        self.assertEqual(named, {name: version for name, version in packages.items() if name != "plumecast"})
        spelt = {"libdnnl": "dnnl", "libhdf5": "hdf5", "libz": "zlib", "libcrypto": "openssl", "libssl": "openssl", "libfmt": "fmt", "libcairo": "cairo",
                 "libgomp": "openmp", "libspdlog": "spdlog", "libmpi": "mpi", "libcpp-httplib": "cpp-httplib",
                 "libnlopt": "nlopt"}
        system = {"libc", "libm", "libstdc++", "libgcc_s", "ld-linux-x86-64"}
        linked = re.findall(r"NEEDED.*\[(\S+?)\.so", output_of("readelf", "-d", self.root / "usr/bin/plumecast"))
        needed = [re.sub(r"_(serial|hl|cxx)", "", library) for library in linked]
        self.assertIn("libhdf5", needed)
        for library in set(needed) - system:
            self.assertNotEqual(packages[spelt[library]], "NOASSERTION", library)

    def test_predicts_with_its_model_by_name(self):
        cases = str(Path("/usr/share/plumecast", "data", "radial_sample.h5"))
        self.run_inside("plumecast", "predict", "radial-co2", cases, "-o", "/fields.h5")
        self.assertIn("gas_saturation", self.run_inside("plumecast", "info", "/fields.h5"))

    def test_lists_every_subcommand_in_its_completion(self):
        text = (self.root / "usr/share/bash-completion/completions/plumecast").read_text()
        self.assertIn("predict", re.search(r'subcommands="([^"]+)"', text)[1].split())
        for name in re.findall(r"^  ([a-z][\w-]*)  ", self.run_inside("plumecast", "--help"), re.M):
            self.assertIn(name, re.search(r'subcommands="([^"]+)"', text)[1].split())


if __name__ == "__main__":
    unittest.main()
