"""count_tests.py counts what CTest ran, and within the parts of a program what each part ran."""
import unittest

from source_tree import SourceTree, load

count_tests = load("scripts/ci/count_tests.py")

PASSED = "[==========] 12 tests from 3 test suites ran. (5 ms total)\n[  PASSED  ] 12 tests.\n"
SKIPPED = "[==========] 12 tests from 3 test suites ran. (5 ms total)\n[  PASSED  ] 10 tests.\n[  SKIPPED ] 2 tests.\n"
FAILED = ("[==========] 12 tests from 3 test suites ran. (5 ms total)\n[  PASSED  ] 9 tests.\n"
          "[  FAILED  ] 3 tests, listed below:\n[  FAILED  ] A.B\n\n 3 FAILED TESTS\n")


def counted(*cases):
    lines = [f'<testcase name="{name}" status="{status}"><system-out>{text}</system-out></testcase>' for name, status, text in cases]
    numbers = {"tests": len(cases), **{name: sum(case[1] == status for case in cases)
                                       for name, status in (("failures", "fail"), ("skipped", "notrun"), ("disabled", "disabled"))}}
    attributes = " ".join(f'{name}="{number}"' for name, number in numbers.items())
    tree = SourceTree({"report.xml": f"<testsuite {attributes}>{''.join(lines)}</testsuite>"})
    return count_tests.count(tree.root / "report.xml")


class CountTests(unittest.TestCase):
    def test_counts_single_tests_by_their_status(self):
        cases = [("A.a", "run", ""), ("A.b", "fail", ""), ("A.c", "notrun", ""), ("A.d", "disabled", ""), ("A.e", "run", PASSED)]
        self.assertEqual(counted(*cases), (5, 1, 2))

    def test_counts_every_test_of_a_part(self):
        self.assertEqual(counted(("core.part_1_of_8", "run", PASSED), ("core.part_2_of_8", "run", SKIPPED)), (24, 0, 2))

    def test_counts_the_failures_of_a_part(self):
        self.assertEqual(counted(("core.part_1_of_8", "fail", FAILED)), (12, 3, 0))

    def test_takes_a_part_that_broke_off_for_one_failure(self):
        self.assertEqual(counted(("core.part_1_of_8", "fail", "AddressSanitizer: heap-use-after-free")), (1, 1, 0))

    def test_takes_a_leak_after_all_tests_for_a_failure(self):
        self.assertEqual(counted(("core.part_1_of_8", "fail", PASSED + "LeakSanitizer: detected memory leaks")), (12, 1, 0))

    def test_takes_no_report_and_no_test_for_a_failure(self):
        self.assertEqual(count_tests.count("absent.xml"), (1, 1, 0))
        self.assertEqual(counted(), (1, 1, 0))


if __name__ == "__main__":
    unittest.main()
