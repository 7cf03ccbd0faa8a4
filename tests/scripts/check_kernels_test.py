"""check_kernels.py finds kernels that spill or use local memory in what the compiler says."""
import contextlib
import io
import unittest
from unittest import mock

from source_tree import load

check = load("scripts/ci/check_kernels.py")

REPORT = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN9plumecast4cuda10each_indexIjNS0_6kernel7ConvertIfNS_8bfloat16EEEEEvT_T0_' for 'sm_80'
ptxas info    : Function properties for _ZN9plumecast4cuda10each_indexIjNS0_6kernel7ConvertIfNS_8bfloat16EEEEEvT_T0_
    {local} bytes stack frame, {spilled} bytes spill stores, 0 bytes spill loads
ptxas info    : Used 22 registers, used 0 barriers, 384 bytes cmem[0]
ptxas info    : Compiling entry function '_ZN9plumecast4cuda10each_indexIlNS0_6kernel5SplitEEEvT_T0_' for 'sm_80'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers, used 0 barriers, 384 bytes cmem[0]
"""


class CheckKernels(unittest.TestCase):
    def run_on(self, **memory):
        report = REPORT.format(**{"local": 0, "spilled": 0, **memory})
        said = io.StringIO()
        with mock.patch.object(check, "compiler", lambda: "nvcc"), \
                mock.patch.object(check, "compiled", lambda nvcc, source: report), \
                mock.patch.object(check.sys, "argv", ["check_kernels.py", "a.cu"]), contextlib.redirect_stdout(said):
            return check.main(), said.getvalue()

    def test_names_every_kernel_with_its_registers(self):
        found = list(check.kernels(REPORT.format(local=0, spilled=0)))
        self.assertEqual(found, [("Convert<float, bfloat16>", 80, 22, 0, 0, 0), ("Split, 64 bits", 80, 24, 0, 0, 0)])

    def test_names_a_kernel_by_its_arguments_that_are_numbers(self):
        name = "_ZN9plumecast4cuda10each_indexIjNS0_6kernel7CopyBoxILi5ELi8ENS_8bfloat16EEEEEvT_T0_"
        self.assertEqual(list(check.readable([name])), ["CopyBox<5, 8, bfloat16>"])

    def test_passes_where_everything_is_in_registers(self):
        status, said = self.run_on()
        self.assertEqual(status, 0)
        self.assertIn("none of 2 uses local memory", said)

    def test_fails_on_local_memory_and_on_spills(self):
        for memory in ({"local": 128}, {"spilled": 8}):
            status, said = self.run_on(**memory)
            self.assertEqual(status, 1)
            self.assertIn("1 of 2", said)
            self.assertIn("FAULT", said)

    def test_is_skipped_without_the_compiler(self):
        with mock.patch.object(check, "compiler", lambda: None), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(check.main(), 77)


if __name__ == "__main__":
    unittest.main()
