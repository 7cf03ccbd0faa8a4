"""check_tensor_cores.py finds kernels whose products the compiler dropped."""
import contextlib
import io
import unittest
from unittest import mock

from source_tree import load

check = load("scripts/ci/check_tensor_cores.py")

GATHER = "_ZN9plumecast4cuda10each_blockINS0_4tile11GatherTilesINS2_15BFloat16ProductELi5EEEEEvT_"
PARTS = "_ZN9plumecast4cuda10each_blockINS0_4tile11WeightTilesINS2_13TenBitProductILb1EEELi2EEEEEvT_"
OTHER = "_ZN9plumecast4cuda10each_indexINS0_4tile11PackColumnsINS2_15BFloat16ProductELi5EEEEEvlT_"


def entry(name, products, matrices):
    return f".visible .entry {name}(\n)\n" + "mma.sync.aligned\n" * products + "ldmatrix.sync.aligned\n" * matrices


class CheckTensorCores(unittest.TestCase):
    def run_on(self, *entries):
        said = io.StringIO()
        with mock.patch.object(check, "compiler", lambda: "nvcc"), \
                mock.patch.object(check, "compiled", lambda nvcc: ".target sm_80\n" + "".join(entries)), \
                contextlib.redirect_stdout(said):
            return check.main(), said.getvalue()

    def test_names_kernels_by_tiles_and_how_many_products_they_need(self):
        found = list(check.kernels(entry(GATHER, 40, 8) + entry(OTHER, 0, 0) + entry(PARTS, 24, 0)))
        self.assertEqual(found, [("GatherTiles, bfloat16, 5", 20, 40, 8), ("WeightTiles, TF32 in parts, 2", 24, 24, 0)])

    def test_passes_where_every_kernel_multiplies(self):
        status, said = self.run_on(entry(GATHER, 20, 4), entry(PARTS, 48, 0))
        self.assertEqual(status, 0)
        self.assertIn("2 kernels multiply", said)

    def test_fails_where_products_or_loads_are_missing(self):
        for broken in (entry(GATHER, 0, 4), entry(GATHER, 19, 4), entry(GATHER, 21, 4), entry(GATHER, 20, 0)):
            status, said = self.run_on(broken, entry(PARTS, 24, 0))
            self.assertEqual(status, 1)
            self.assertIn("1 of 2 kernels lack products", said)

    def test_fails_where_there_is_no_kernel_at_all(self):
        self.assertEqual(self.run_on(entry(OTHER, 0, 0))[0], 1)

    def test_is_skipped_without_a_compiler(self):
        with mock.patch.object(check, "compiler", lambda: None), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(check.main(), 77)


if __name__ == "__main__":
    unittest.main()
