"""The published tensors on their way to a data set: scripts/convert/convert_tensors.py, then plumecast import."""

import json
import math
import pickle
import struct
import subprocess
import sys
import unittest
from pathlib import Path

from cli_test_case import DATA, MODEL, USAGE, CliTestCase

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "scripts"))
from convert_checkpoint_test import Named, checkpoint, tensor  # noqa: E402

SCRIPT = ROOT / "scripts" / "convert" / "convert_tensors.py"
CASES, ROWS, COLUMNS, TIMES = 2, 3, 4, 2
WIDTHS_R, WIDTH_Z = (4.0, 8.0, 16.0, 32.0), 2.5
CHANNELS = ("permeability_r", "permeability_z", "porosity", "perforation", "injection_rate", "temperature",
            "initial_pressure", "irreducible_water_saturation", "van_genuchten_lambda", "cell_width_r", "cell_width_z", "time")


def strides(shape):
    result, count = [], 1
    for extent in reversed(shape):
        result.insert(0, count)
        count *= extent
    return tuple(result)


class Tensors(CliTestCase):
    def save(self, name, shape, values):
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        data = struct.pack(f"<{len(values)}f", *values)
        return checkpoint(folder, tensor("FloatStorage", "0", shape, strides(shape)), {"0": data})

    def channel(self, name, case, z, r, t):
        """The published value; the last row is no part of the formation."""
        if z == ROWS - 1:
            return 0.0
        return {"permeability_r": 0.0 if (z, r) == (0, 1) else math.log(100.0 + r) / 15,  # 1 mD in one cell
                "permeability_z": math.log(10.0) / 15, "porosity": 0.2 + 0.01 * case, "perforation": float(r == 0),
                "injection_rate": 0.25, "temperature": 0.2, "initial_pressure": 0.5, "irreducible_water_saturation": 0.5,
                "van_genuchten_lambda": 0.25, "cell_width_r": WIDTHS_R[r], "cell_width_z": WIDTH_Z,
                "time": (1.0, 10950.0)[t] / 10950.0}[name]

    def inputs(self, order=CHANNELS, change=None):
        values = [self.channel(name, n, z, r, t) for n in range(CASES) for z in range(ROWS) for r in range(COLUMNS)
                  for t in range(TIMES) for name in order]
        if change:
            change(values)
        return self.save("a", (CASES, ROWS, COLUMNS, TIMES, len(CHANNELS)), values)

    def output(self, name, value):
        cells = [(n, z, r, t) for n in range(CASES) for z in range(ROWS) for r in range(COLUMNS) for t in range(TIMES)]
        return self.save(name, (CASES, ROWS, COLUMNS, TIMES), [value(*cell) for cell in cells])

    def convert(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, self.folder / "t.safetensors", *map(str, arguments)], text=True,
                              capture_output=True)

    def import_tensors(self, *arguments):
        result = self.convert(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.succeed("import", "t.safetensors", "-o", "data.h5", "--force")
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        stats = json.loads(self.succeed("stats", "data.h5", "--json"))
        return {array["name"]: array for array in stats["arrays"]}

    def test_brings_scaled_channels_to_physical_values(self):
        found = self.import_tensors("--inputs", self.inputs())
        for name, value in (("temperature", 60.0), ("initial_pressure", 200.0), ("irreducible_water_saturation", 0.2),
                            ("van_genuchten_lambda", 0.4), ("permeability_z", 10.0), ("thickness", 5.0),
                            ("injection_rate", (0.25 * 2.7e6 + 3e5) / 1.47139e6)):
            self.assertAlmostEqual(found[name]["mean"], value, delta=1e-4 * value, msg=name)
        self.assertAlmostEqual(found["permeability_r"]["min"], 1.0, places=5)
        self.assertEqual(found["porosity"]["count"], CASES * 2 * COLUMNS)
        info = json.loads(self.succeed("info", "data.h5", "--json"))
        self.assertEqual((info["cases"], info["rows"], info["columns"]), (CASES, ROWS, COLUMNS))
        self.assertIn("radius 60.1 m, depth 7.5 m, 1 to 10950 days", self.succeed("info", "data.h5"))

    def test_takes_channels_by_name_in_any_order(self):
        straight = self.import_tensors("--inputs", self.inputs())
        swapped = list(CHANNELS)
        swapped[5], swapped[6] = swapped[6], swapped[5]
        again = self.import_tensors("--inputs", self.inputs(swapped), "--channels", ",".join(swapped))
        self.assertEqual(straight, again)

    def test_undoes_the_scale_of_the_buildup_when_it_has_one(self):
        saturation = self.output("s", lambda n, z, r, t: 0.1 * t if z < ROWS - 1 else 0.0)
        pressure = self.output("p", lambda n, z, r, t: 2.0 if z < ROWS - 1 else 0.0)
        both = ("--inputs", self.inputs(), "--gas-saturation", saturation, "--pressure-buildup", pressure)
        found = self.import_tensors(*both, "--pressure-scale", "bar")
        self.assertAlmostEqual(found["pressure_buildup"]["mean"], 2.0, places=5)
        self.assertAlmostEqual(found["gas_saturation"]["max"], 0.1, places=5)
        found = self.import_tensors(*both, "--pressure-scale", "standardised")
        self.assertAlmostEqual(found["pressure_buildup"]["mean"], 2.0 * 18.772821433 + 4.172939172, places=4)
        self.assertNotEqual(self.convert(*both).returncode, 0)

    def test_says_when_the_channels_are_others(self):
        def vary_in_time(values):
            values[12 + 5] += 0.1  # temperature of the first cell at the second time

        def vary_in_space(values):
            for t in range(TIMES):
                values[12 * (TIMES + t) + 5] += 0.1  # temperature of the second cell

        for change, says in ((vary_in_time, "channel temperature varies in time"),
                             (vary_in_space, "channel temperature varies over the cells")):
            result = self.convert("--inputs", self.inputs(change=change))
            self.assertEqual(result.returncode, 3)
            self.assertIn(says, result.stderr)
        result = self.convert("--inputs", self.inputs(), "--channels", "porosity")
        self.assertIn("must be named once", result.stderr)
        self.assertFalse((self.folder / "t.safetensors").exists())

    def test_refuses_other_files_in_one_line_and_calls_nothing(self):
        mark = self.folder / "ran"
        cases = ((checkpoint(self.folder, Named("os", "system", f"touch {mark}"), {}), "no tensor"),
                 (self.save("short", (2, 3), [0.0] * 6), "5 axes are expected"))
        for path, says in cases:
            result = self.convert("--inputs", path)
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (3, 1), result.stderr)
            self.assertIn(says, result.stderr)
        (self.folder / "text.pt").write_text("no archive")
        self.assertIn("damaged", self.convert("--inputs", self.folder / "text.pt").stderr)
        (self.folder / "text.pt").write_bytes(pickle.dumps(0x1950A86A20F9469CFC6C, protocol=2) + bytes(8))
        self.assertIn("before PyTorch 1.6", self.convert("--inputs", self.folder / "text.pt").stderr)
        (self.folder / "text.pt").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n")
        self.assertIn("git lfs pull", self.convert("--inputs", self.folder / "text.pt").stderr)
        path = self.inputs()
        path.write_bytes(path.read_bytes()[:-200])
        self.assertEqual(self.convert("--inputs", path).returncode, 3)
        self.assertFalse(mark.exists())

    def test_refuses_tensors_that_are_not_of_cases(self):
        header = b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
        (self.folder / "t.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(4))
        self.refuse(DATA, "import", "t.safetensors", "-o", "d.h5", says=["no tensors of cases", "convert_tensors.py"])
        (self.folder / "t.safetensors").write_bytes(b"cut")
        self.refuse(MODEL, "import", "t.safetensors", "-o", "d.h5", says=["t.safetensors"])
        self.convert("--inputs", self.inputs())
        self.refuse(USAGE, "import", "t.safetensors", "-o", "d.h5", "--set", "temperature=3", says=["temperature"])
        self.refuse(USAGE, "import", "t.safetensors", "t.safetensors", "-o", "d.h5", says=["one file at a time"])


if __name__ == "__main__":
    unittest.main()
