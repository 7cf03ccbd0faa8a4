"""The recipes in packaging/ name only what the repository has, and its version."""
import ast
import json
import re
import shlex
import subprocess
import unittest

from source_tree import ROOT

DOCKER = ROOT / "packaging/docker/Dockerfile"
APPTAINER = ROOT / "packaging/apptainer/plumecast.def"
SPACK = ROOT / "packaging/spack/packages/plumecast/package.py"
PROJECT = (ROOT / "CMakeLists.txt").read_text()
VERSION = re.search(r"project\(plumecast VERSION ([\d.]+)", PROJECT)[1]


def arguments(text):
    """Arguments of a recipe with their defaults, by their names in small letters."""
    found = re.findall(r"^ARG (\w+)=(.*)$", text, re.M)
    for section in re.findall(r"^%arguments\n((?:    .*\n)+)", text, re.M):
        found += re.findall(r"^    (\w+)=(.*)$", section, re.M)
    return {name.lower(): default for name, default in found}


def commands(text):
    """The shell commands of a recipe, without its own words, with the defaults of its arguments."""
    joined = re.sub(r"\\\n", " ", text)
    joined = re.sub(r"\$\{(\w+)\}|\{\{ (\w+) \}\}", lambda found: arguments(text)[(found[1] or found[2]).lower()], joined)
    lines = [re.sub(r"^\s*RUN\s+", "", line).strip() for line in joined.splitlines() if not line.startswith("#")]
    return [command.strip() for line in lines for command in line.split("&&") if command.strip()]


def docker_instructions():
    joined = re.sub(r"\\\n", " ", DOCKER.read_text())
    return [line.split(maxsplit=1) for line in joined.splitlines() if line.strip() and not line.startswith("#")]


def presets(kind):
    return {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())[kind]}


class BuildCommands(unittest.TestCase):
    """What Docker and Apptainer do alike."""

    def test_scripts_presets_and_options_exist(self):
        for recipe in (DOCKER, APPTAINER):
            lines = [command for command in commands(recipe.read_text()) if re.match(r"(scripts/|cmake |cpack )", command)]
            self.assertEqual(len(lines), 4, f"{recipe}: {lines}")
            script, configure, build, package = (shlex.split(line) for line in lines)
            self.assertTrue((ROOT / script[0]).is_file(), script)
            preset = configure[configure.index("--preset") + 1]
            self.assertIn(preset, presets("configurePresets"))
            self.assertIn(build[build.index("--preset") + 1], presets("buildPresets"))
            self.assertEqual(package[package.index("--config") + 1], f"build/{preset}/CPackConfig.cmake")
            for option in re.findall(r"-D(\w+)=", " ".join(configure)):
                self.assertRegex(PROJECT, rf"option\({option} ")
            self.assertEqual(package[package.index("-B") + 1], "/packages")

    def test_arguments_of_both_are_those_that_the_page_describes(self):
        page = (ROOT / "packaging/README.md").read_text()
        rows = {row[0]: row[1:] for row in re.findall(r"^\| `(\w+)` \| `(\S+)` \| `(\S+)` \|$", page, re.M)}
        for recipe in (DOCKER, APPTAINER):
            self.assertEqual(set(arguments(recipe.read_text())), set(rows), recipe)
        for preset in rows["preset"]:
            self.assertIn(preset, presets("configurePresets"))
        given = re.findall(r"--build-arg (\w+)=(\S+)", page)
        self.assertGreater(len(given), 5)
        for name, value in given:
            self.assertIn(value, rows[name.lower()])

    def test_shell_can_read_every_command(self):
        for recipe in (DOCKER, APPTAINER):
            for command in commands(recipe.read_text()):
                if re.match(r"(scripts|cmake|cpack|apt-get|rm|cd|exec)\b", command):
                    result = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True)
                    self.assertEqual(result.returncode, 0, f"{recipe}: {command}: {result.stderr}")


class DockerRecipe(unittest.TestCase):
    def test_has_known_instructions_and_copies_what_exists(self):
        known = {"ARG", "FROM", "COPY", "WORKDIR", "RUN", "ENTRYPOINT", "CMD"}
        for word, rest in docker_instructions():
            self.assertIn(word, known)
            if word == "COPY" and not rest.startswith("--from="):
                self.assertTrue((ROOT / rest.split()[0]).exists(), rest)
            if word in ("ENTRYPOINT", "CMD"):
                self.assertIsInstance(json.loads(rest), list)

    def test_copies_from_a_stage_that_it_has(self):
        stages = {rest.split(" AS ")[1] for word, rest in docker_instructions() if word == "FROM" and " AS " in rest}
        wanted = {re.match(r"--from=(\w+)", rest)[1] for word, rest in docker_instructions()
                  if word == "COPY" and rest.startswith("--from=")}
        self.assertEqual(wanted, stages)


class ApptainerRecipe(unittest.TestCase):
    def test_has_known_sections_stages_and_the_version(self):
        text = APPTAINER.read_text()
        sections = re.findall(r"^%(\w+)", text, re.M)
        self.assertEqual(set(sections) - {"arguments", "files", "post", "runscript", "test", "labels", "help"}, set())
        self.assertEqual(re.findall(r"^%files from (\w+)", text, re.M), [re.findall(r"^Stage: (\w+)", text, re.M)[0]])
        self.assertIn(f"Version {VERSION}\n", text)


class SpackRecipe(unittest.TestCase):
    def setUp(self):
        self.recipe = next(node for node in ast.parse(SPACK.read_text()).body if isinstance(node, ast.ClassDef))
        self.calls = [node for node in ast.walk(self.recipe) if isinstance(node, ast.Call)]

    def first_arguments(self, name):
        return [call.args[0].value for call in self.calls if isinstance(call.func, ast.Name) and call.func.id == name]

    def test_has_the_version_of_the_project(self):
        self.assertEqual(self.first_arguments("version"), [VERSION])
        self.assertEqual(self.recipe.name.lower(), SPACK.parent.name)

    def test_sets_options_that_exist_from_variants_that_it_has(self):
        defined = [call for call in self.calls if isinstance(call.func, ast.Attribute) and call.func.attr.startswith("define")]
        self.assertGreater(len(defined), 1)
        for call in defined:
            self.assertRegex(PROJECT, rf"option\({call.args[0].value} ")
            if call.func.attr == "define_from_variant":
                self.assertIn(call.args[1].value, self.first_arguments("variant"))

    def test_depends_on_what_cmake_looks_for(self):
        names = {re.match(r"[\w-]+", spec)[0] for spec in self.first_arguments("depends_on")}
        found = set(re.findall(r"find_package\((\w+)", PROJECT + (ROOT / "apps/CMakeLists.txt").read_text()
                               + (ROOT / "cmake/onednn.cmake").read_text()))
        spelt = {"HDF5": "hdf5", "OpenSSL": "openssl", "ZLIB": "zlib-api", "PkgConfig": "pkgconfig", "CLI11": "cli11",
                 "dnnl": "onednn", "nlohmann_json": "nlohmann-json", "Eigen3": "eigen"}
        of_the_compiler = {"Threads", "OpenMP"}
        self.assertEqual({spelt.get(name, name) for name in found - of_the_compiler} - names, set())


if __name__ == "__main__":
    unittest.main()
