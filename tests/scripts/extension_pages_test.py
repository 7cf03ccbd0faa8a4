"""The pages on layers and backends, the READMEs of backends and the page for C++ name functions, files and words that the sources have."""
import re
import unittest

from source_tree import ROOT

PAGES = ["docs/adding_a_layer.md", "docs/adding_a_backend.md", "src/backend/cpu/README.md", "src/backend/cuda/README.md", "docs/cpp.md"]
FILE_NAME = re.compile(r"[\w./-]+\.(?:cpp|hpp|cu|md|txt|json|py|sh)|[\w.-]+(?:/[\w.-]+)*/")
NAME = re.compile(r"(?:\w+::)*(\w*_\w+|[A-Z]\w*[a-z]\w*)(?:\(\))?")


def page(name):
    return (ROOT / name).read_text()


def prose(name):
    """A page without its blocks of code."""
    return re.sub(r"(?ms)^```.*?^```$", "", page(name))


def code_spans(name):
    return re.findall(r"`([^`\n]+)`", prose(name))


def functions_without_default(header):
    """Pure virtual functions of the class Backend."""
    body = re.search(r"(?ms)^class Backend \{(.*?)^\};", header)[1]
    declarations = re.sub(r"\{[^{}]*\}", ";", re.sub(r"//.*", "", body)).split(";")
    return {re.search(r"(\w+)\(", text)[1] for text in declarations if "virtual" in text and text.rstrip().endswith("= 0")}


def functions_of_table(text):
    """What the rows of the table of families name."""
    table = re.search(r"(?m)^\| family \|.*\n\|[-|]+\n((?:\|.*\n)+)", text)[1]
    return [name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row)]


def sources():
    folders = ["include", "src", "tests", "cmake"]
    files = [file for folder in folders for file in (ROOT / folder).rglob("*") if file.suffix in {".hpp", ".cpp", ".cu", ".in"}]
    return "\n".join(file.read_text() for file in [ROOT / "CMakeLists.txt", *files])


class ExtensionPages(unittest.TestCase):
    def test_list_each_function_that_a_backend_must_have_once(self):
        functions = functions_without_default(page("include/plumecast/backend/backend.hpp"))
        self.assertIn("error_norms", functions)
        self.assertEqual(sorted(functions_of_table(page("docs/adding_a_backend.md"))), sorted(functions))

    def test_name_files_that_are_there(self):
        for name in PAGES:
            folder = (ROOT / name).parent
            files = [span for span in code_spans(name) if FILE_NAME.fullmatch(span) and "NAME" not in span]
            links = re.findall(r"\]\(([^)#:]+)", prose(name))
            self.assertTrue(files, name)
            for file in files:
                found = (ROOT / file).exists() or (folder / file).exists() or file == "plumecast/cuda_tuning.json"
                self.assertTrue(found, f"{name} names {file}, which is not there")
            for link in links:
                self.assertTrue((folder / link).exists(), f"{name} links to {link}, which is not there")

    def test_name_words_of_the_sources(self):
        words = set(re.findall(r"\w+", sources()))
        for name in PAGES:
            named = [match[1] for span in code_spans(name) if (match := NAME.fullmatch(span.split("=")[0]))]
            self.assertTrue(named, name)
            for word in named:
                self.assertTrue(word in words or "NAME" in word or word == "CUDA_LAUNCH_BLOCKING",
                                f"{name} names {word}, which no source has")

    def test_give_the_steps_that_made_the_cuda_backend(self):
        words = set(re.findall(r"\w+", sources()))
        for span in code_spans("docs/adding_a_backend.md"):
            if "NAME" in span:
                made = span.replace("NAME", "cuda")
                self.assertTrue((ROOT / made).exists() or made.removesuffix("()") in words, made)
        for family in ["conv", "norm", "transform"]:
            self.assertTrue((ROOT / f"src/backend/cpu/{family}.cpp").exists() and (ROOT / f"src/backend/cuda/{family}.cu").exists(), family)
        self.assertRegex(page("src/backend/cuda/not_built.cpp"), r"(?s)make_cuda_backend\(.*throw NotBuilt")
        self.assertIn("\nvendor src/backend/cuda: ", page("scripts/ci/layers.txt"))
        self.assertRegex(page("CMakeLists.txt"), r'option\(PLUMECAST_CUDA "[^"]*" OFF\)(?s:.*)APPEND PLUMECAST_BACKENDS ", \\"cuda\\""')
        entries = re.findall(r"(?ms)^std::vector<BackendChoice> (backends|bfloat16_backends)\(\) \{\n(.*?)^\}", page("tests/support/backends.cpp"))
        self.assertEqual([name for name, body in entries if "cuda_backends()" in body], ["backends", "bfloat16_backends"])


if __name__ == "__main__":
    unittest.main()
