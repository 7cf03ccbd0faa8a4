"""check_abi.py takes additions to a C library and refuses everything else that a program would notice."""
import shutil
import subprocess
import unittest

from source_tree import SourceTree, load

check_abi = load("scripts/ci/check_abi.py")

HEADER = """\
#include <stddef.h>
typedef enum state { FINE = 0, BAD = 1 } state;
typedef struct handle handle;
typedef struct options {
    size_t size;
    int batch;
} options;
typedef struct pair {
    int first;
} pair;
state run(const handle* h, const options* o, pair* p);
int count(void);
"""
SOURCE = """\
#include "face.h"
struct handle { int hidden; };
state run(const handle* h, const options* o, pair* p) { return h->hidden + o->batch + p->first ? FINE : BAD; }
int count(void) { return 1; }
"""


def describe(header, source):
    tree = SourceTree({"face.h": header, "face.c": source})
    library = tree.root / "libface.so"
    subprocess.run(["cc", "-g", "-shared", "-fPIC", "face.c", "-o", library.name], cwd=tree.root, check=True)
    return check_abi.described(library, tree.root / "face.h", tree.root)


@unittest.skipUnless(shutil.which("abidiff") and shutil.which("cc"), "no abidiff (package abigail-tools)")
class CheckAbi(unittest.TestCase):
    def differences(self, *changes):
        """What is found when (old, new) are replaced in header and source."""
        header, source = HEADER, SOURCE
        for old, new in changes:
            self.assertIn(old, header + source)
            header, source = header.replace(old, new), source.replace(old, new)
        return check_abi.differences(describe(HEADER, SOURCE), describe(header, source), header)

    def test_accepts_the_same_library(self):
        self.assertEqual(self.differences(("hidden", "renamed_behind_the_handle")), "")

    def test_accepts_new_function_and_constant(self):
        added = ("int count(void) { return 1; }", "int count(void) { return 1; }\nint more(void) { return 2; }")
        self.assertEqual(self.differences(added, ("BAD = 1 }", "BAD = 1, WORSE = 2 }")), "")

    def test_accepts_member_at_the_end_of_a_struct_that_begins_with_its_size(self):
        self.assertEqual(self.differences(("    int batch;\n", "    int batch;\n    double limit;\n")), "")

    def test_refuses_removed_function(self):
        found = self.differences(("int count(void);\n", ""), ("int count(void) { return 1; }", ""))
        self.assertIn("count", found)

    def test_refuses_changed_argument(self):
        self.assertIn("run", self.differences(("pair* p)", "pair* p, long more)")))

    def test_refuses_changed_result(self):
        self.assertIn("count", self.differences(("int count(void)", "double count(void)")))

    def test_refuses_member_in_the_middle(self):
        self.assertIn("options", self.differences(("    int batch;\n", "    double limit;\n    int batch;\n")))

    def test_refuses_growth_of_a_struct_without_size(self):
        self.assertIn("pair", self.differences(("    int first;\n", "    int first;\n    int second;\n")))

    def test_refuses_constant_of_another_value(self):
        self.assertEqual(self.differences(("BAD = 1 }", "BAD = 2 }")).splitlines()[-1], "constant BAD was 1 and is 2")

    def test_refuses_library_without_debug_information(self):
        tree = SourceTree({"face.h": HEADER, "face.c": SOURCE})
        subprocess.run(["cc", "-shared", "-fPIC", "face.c", "-o", "libface.so"], cwd=tree.root, check=True)
        with self.assertRaisesRegex(RuntimeError, "does not describe options, pair"):
            check_abi.described(tree.root / "libface.so", tree.root / "face.h", tree.root)

    def test_knows_the_structs_of_plumecast_that_may_grow(self):
        self.assertIn("plumecast_options", check_abi.sized_structs(check_abi.header.read_text()))
        self.assertNotIn("plumecast_array", check_abi.sized_structs(check_abi.header.read_text()))


if __name__ == "__main__":
    unittest.main()
