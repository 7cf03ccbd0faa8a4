"""convert_tensors.py takes tensors as they show themselves; tests/integration/cli_tensors_test.py imports what it writes."""
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from convert_checkpoint_test import Named, StoragePointer, checkpoint, read_safetensors, tensor
from source_tree import ROOT

SCRIPT = ROOT / "scripts" / "convert" / "convert_tensors.py"
CHANNELS = 12


class ConvertTensors(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.output = self.folder / "t.safetensors"
        values = [float(1 + channel) for channel in range(CHANNELS)]
        shape = (1, 1, 1, 1, CHANNELS)
        pickled = tensor("FloatStorage", "0", shape, (CHANNELS, CHANNELS, CHANNELS, CHANNELS, 1))
        self.inputs = checkpoint(self.folder, pickled, {"0": struct.pack(f"<{CHANNELS}f", *values)}).rename(self.folder / "a.pt")

    def convert(self, saturation):
        command = [sys.executable, SCRIPT, self.output, "--inputs", self.inputs, "--gas-saturation", saturation]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def test_changes_the_sign_of_negative_views(self):
        view = Named("torch._utils", "_rebuild_tensor_v2", StoragePointer("FloatStorage", "0"), 0, (1, 1, 1, 1), (1, 1, 1, 1), False,
                     {}, {"neg": True})
        result = self.convert(checkpoint(self.folder, view, {"0": struct.pack("<f", -0.25)}))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(read_safetensors(self.output)["gas_saturation"][2], struct.pack("<f", 0.25))

    def test_refuses_numbers_of_the_other_byte_order(self):
        path = checkpoint(self.folder, tensor("FloatStorage", "0", (1, 1, 1, 1), (1, 1, 1, 1)), {"0": struct.pack(">f", 0.25)})
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("archive/byteorder", "big")
        result = self.convert(path)
        self.assertEqual(result.returncode, 3)
        self.assertIn("big-endian", result.stderr)
        self.assertFalse(self.output.exists())


if __name__ == "__main__":
    unittest.main()
