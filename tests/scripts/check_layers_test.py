"""check_layers.py finds every kind of forbidden include and lets the allowed ones pass."""
import unittest

from source_tree import ROOT, SourceTree, load

check_layers = load("scripts/ci/check_layers.py")
TABLE = (ROOT / "scripts" / "ci" / "layers.txt").read_text()


def findings(files):
    tree = SourceTree({"scripts/ci/layers.txt": TABLE, "include/plumecast/core/shape.hpp": "#pragma once\n", **files})
    return check_layers.check(tree.root)


class CheckLayers(unittest.TestCase):
    def assert_found(self, files, words):
        found = findings(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_accepts_granted_modules_and_granted_vendors(self):
        files = {
            "include/plumecast/reservoir/dataset/dataset.hpp": "#include <vector>\n#include <plumecast/core/shape.hpp>\n",
            "src/reservoir/h5/hdf5_file.cpp": "#include <hdf5.h>\n#include <cstdint>\n#include <fcntl.h>\n",
            "src/core/json.cpp": "#include <nlohmann/json.hpp>\n",
            "apps/main.cpp": '#include <CLI/CLI.hpp>\n#include "subcommands.hpp"\n#include <plumecast/core/shape.hpp>\n',
            "apps/subcommands.hpp": "#pragma once\n",
        }
        self.assertEqual(findings(files), [])

    def test_refuses_module_that_builds_on_it(self):
        files = {
            "include/plumecast/reservoir/dataset/dataset.hpp": "",
            "src/core/shape.cpp": "#include <plumecast/reservoir/dataset/dataset.hpp>\n",
        }
        self.assert_found(files, "module core must not know module reservoir/dataset")

    def test_refuses_module_of_another_library(self):
        files = {"include/plumecast/plan/plan.hpp": "", "src/reservoir/dataset/a.cpp": "#include <plumecast/plan/plan.hpp>\n"}
        self.assert_found(files, "module reservoir/dataset must not know module plan")

    def test_refuses_vendor_in_another_module(self):
        self.assert_found({"src/reservoir/metrics/plume.cpp": "#include <hdf5.h>\n"}, "hdf5.h, which module reservoir/metrics is not granted")

    def test_refuses_json_library_outside_its_file(self):
        self.assert_found({"src/core/shape.cpp": "#include <nlohmann/json.hpp>\n"}, "nlohmann/json.hpp")

    def test_refuses_compute_library_outside_its_folder(self):
        self.assert_found({"src/backend/factory.cpp": "#include <dnnl.hpp>\n"}, "dnnl.hpp")
        self.assert_found({"src/passes/a.cpp": "#include <omp.h>\n"}, "omp.h")

    def test_refuses_vendor_in_public_header(self):
        self.assert_found({"include/plumecast/reservoir/dataset/file.hpp": "#include <hdf5.h>\n"}, "public headers know no vendor")

    def test_refuses_internal_header_in_public_header(self):
        files = {"src/core/inner.hpp": "", "include/plumecast/core/a.hpp": '#include "core/inner.hpp"\n'}
        self.assert_found(files, "public headers see only public headers")

    def test_refuses_application_that_knows_a_module_which_it_is_not_granted(self):
        files = {"src/passes/inner.hpp": "", "apps/main.cpp": '#include "passes/inner.hpp"\n'}
        self.assert_found(files, "module apps must not know module passes")

    def test_refuses_backends_that_see_each_other(self):
        files = {"src/backend/cuda/a.hpp": "", "src/backend/cpu/b.cpp": '#include "backend/cuda/a.hpp"\n'}
        self.assert_found(files, "module backend/cpu must not know module backend/cuda")

    def test_refuses_all_but_the_c_face_in_the_bindings_of_python(self):
        allowed = {"src/bindings/python/a.cpp": "#include <plumecast.h>\n#include <nanobind/ndarray.h>\n"}
        self.assertEqual(findings(allowed), [])
        wrong = {"src/bindings/python/a.cpp": "#include <plumecast/core/shape.hpp>\n"}
        self.assert_found(wrong, "module bindings/python must not know module core")
        wrong = {"src/bindings/c/handles.hpp": "", "src/bindings/python/a.cpp": '#include "bindings/c/handles.hpp"\n'}
        self.assert_found(wrong, "module bindings/python must not know module bindings/c")

    def test_refuses_circle_of_files(self):
        files = {"src/core/a.hpp": '#include "b.hpp"\n', "src/core/b.hpp": '#include "a.hpp"\n'}
        self.assert_found(files, "in a circle: src/core/a.hpp -> src/core/b.hpp -> src/core/a.hpp")

    def test_refuses_circle_of_components(self):
        files = {
            "include/plumecast/plan/a.hpp": "",
            "src/plan/a.cpp": '#include <plumecast/plan/a.hpp>\n#include "plan/b.hpp"\n',
            "src/plan/b.hpp": "#include <plumecast/plan/a.hpp>\n",
        }
        self.assert_found(files, "components know each other in a circle: plan/a -> plan/b -> plan/a")
        between = {
            "include/plumecast/graph/ops/a.hpp": "",
            "src/graph/ops/a.cpp": "#include <plumecast/graph/graph.hpp>\n",
            "include/plumecast/graph/graph.hpp": "#include <plumecast/graph/ops/a.hpp>\n",
        }
        self.assertEqual(findings(between), [], "layers.txt makes ops and their graph one component")

    def test_refuses_circle_of_modules(self):
        table = "module core: files\nmodule files: core\n"
        tree = SourceTree({"scripts/ci/layers.txt": table, "src/core/a.cpp": "", "src/files/b.cpp": ""})
        self.assertEqual(check_layers.check(tree.root), ["modules know each other in a circle: core -> files -> core"])

    def test_refuses_type_of_a_module_that_is_not_granted_though_its_header_is_not_included(self):
        files = {
            "include/plumecast/plan/tape.hpp": "class Tape {\n};\n",
            "src/spectral/a.cpp": "void f(const Tape& tape);  // a Tape\n",
        }
        self.assert_found(files, "src/spectral/a.cpp: uses Tape, but module spectral must not know module plan")
        inner = {"src/plan/tape.hpp": "class Tape {\n};\n", "src/spectral/a.cpp": "void f(const Tape& tape);\n"}
        self.assert_found(inner, "src/spectral/a.cpp: uses Tape, but module spectral must not know module plan")
        files["src/spectral/a.cpp"] = "// a Tape\nstruct A { struct Tape { int x; }; };\nTape y;\n"
        self.assertEqual(findings(files), [])

    def test_refuses_public_header_away_from_its_source(self):
        files = {"include/plumecast/graph/conv.hpp": "", "src/graph/inner/conv.cpp": ""}
        self.assert_found(files, "include/plumecast/graph/conv.hpp: its source is in src/graph/inner")
        files = {"include/plumecast/graph/conv.hpp": "", "src/graph/conv.cpp": "", "src/graph/inner/conv.cpp": ""}
        self.assertEqual(findings(files), [])

    def test_refuses_module_with_more_than_a_fifth_of_the_lines(self):
        modules = ("core", "backend", "spectral", "graph", "plotting")
        files = {f"src/{module}/a.cpp": "\n" * 300 for module in modules}
        self.assertEqual(findings(files | {"src/training/a.cpp": "\n" * 370}), [])
        self.assert_found(files | {"src/training/a.cpp": "\n" * 380}, "module training has 380 of 1881 lines")

    def test_refuses_missing_header_and_unknown_module(self):
        self.assert_found({"src/core/a.cpp": "#include <plumecast/core/lost.hpp>\n"}, "does not exist")
        self.assert_found({"src/attic/a.cpp": ""}, "module attic is not in layers.txt")


if __name__ == "__main__":
    unittest.main()
