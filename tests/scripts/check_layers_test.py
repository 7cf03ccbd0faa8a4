"""check_layers.py finds every kind of forbidden include and lets the allowed ones pass."""
import unittest

from source_tree import ROOT, SourceTree, load

check_layers = load("scripts/check_layers.py")
TABLE = (ROOT / "scripts" / "layers.txt").read_text()


def findings(files):
    tree = SourceTree({"scripts/layers.txt": TABLE, "include/plumecast/core/shape.hpp": "#pragma once\n", **files})
    return check_layers.check(tree.root)


class CheckLayers(unittest.TestCase):
    def assert_found(self, files, words):
        found = findings(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_accepts_rooms_to_the_left_and_granted_vendors(self):
        files = {
            "include/plumecast/data/dataset.hpp": "#include <vector>\n#include <plumecast/core/shape.hpp>\n",
            "src/data/hdf5_file.cpp": "#include <hdf5.h>\n#include <cstdint>\n#include <fcntl.h>\n",
            "src/core/json.cpp": "#include <nlohmann/json.hpp>\n",
            "apps/main.cpp": '#include <CLI/CLI.hpp>\n#include "subcommands.hpp"\n#include <plumecast/core/shape.hpp>\n',
            "apps/subcommands.hpp": "#pragma once\n",
        }
        self.assertEqual(findings(files), [])

    def test_refuses_room_to_the_right(self):
        files = {
            "include/plumecast/data/dataset.hpp": "",
            "src/core/shape.cpp": "#include <plumecast/data/dataset.hpp>\n",
        }
        self.assert_found(files, "module core must not know module data")

    def test_refuses_room_on_the_other_branch(self):
        files = {"include/plumecast/layers/tape.hpp": "", "src/data/a.cpp": "#include <plumecast/layers/tape.hpp>\n"}
        self.assert_found(files, "module data must not know module layers")

    def test_refuses_vendor_in_another_room(self):
        self.assert_found({"src/metrics/plume.cpp": "#include <hdf5.h>\n"}, "hdf5.h, which module metrics is not granted")

    def test_refuses_json_library_outside_its_file(self):
        self.assert_found({"src/core/shape.cpp": "#include <nlohmann/json.hpp>\n"}, "nlohmann/json.hpp")

    def test_refuses_compute_library_outside_its_folder(self):
        self.assert_found({"src/backend/factory.cpp": "#include <dnnl.hpp>\n"}, "dnnl.hpp")
        self.assert_found({"src/layers/a.cpp": "#include <omp.h>\n"}, "omp.h")

    def test_refuses_vendor_in_public_header(self):
        self.assert_found({"include/plumecast/data/file.hpp": "#include <hdf5.h>\n"}, "public headers know no vendor")

    def test_refuses_internal_header_in_application(self):
        files = {"src/core/inner.hpp": "", "apps/main.cpp": '#include "core/inner.hpp"\n'}
        self.assert_found(files, "applications see only public headers")

    def test_refuses_backends_that_see_each_other(self):
        files = {"src/backend/cuda/a.hpp": "", "src/backend/cpu/b.cpp": '#include "backend/cuda/a.hpp"\n'}
        self.assert_found(files, "never see each other")

    def test_refuses_circle_of_files(self):
        files = {"src/core/a.hpp": '#include "b.hpp"\n', "src/core/b.hpp": '#include "a.hpp"\n'}
        self.assert_found(files, "in a circle: src/core/a.hpp -> src/core/b.hpp -> src/core/a.hpp")

    def test_refuses_missing_header_and_unknown_room(self):
        self.assert_found({"src/core/a.cpp": "#include <plumecast/core/lost.hpp>\n"}, "does not exist")
        self.assert_found({"src/attic/a.cpp": ""}, "module attic is not in layers.txt")


if __name__ == "__main__":
    unittest.main()
