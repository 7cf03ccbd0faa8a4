"""The row that bench/operators/compare.py makes of several seeds."""

import unittest

from source_tree import load

compare = load("bench/operators/compare.py")


class Row(unittest.TestCase):
    def test_has_the_means_over_seeds_and_the_range_of_ratios(self):
        found = [((0.02, 10.0, 100.0), (0.01, 20.0, 800.0)), ((0.04, 30.0, 200.0), (0.05, 40.0, 900.0))]
        self.assertEqual(compare.row("darcy", found), "| darcy | 0.0300 | 0.0300 | 1.00 (0.80 to 2.00) | 20 s | 30 s | 150 MiB | 850 MiB |")

    def test_of_one_seed_has_no_range(self):
        self.assertIn("| 2.00 | 10 s", compare.row("darcy", [((0.02, 10.0, 100.0), (0.01, 20.0, 800.0))]))


if __name__ == "__main__":
    unittest.main()
