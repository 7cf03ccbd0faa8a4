"""The tables of bad inputs in docs/import.md, export.md and report.md: every row is acted out, and what the executable answers is
compared with the row. A row without a scene here, or a scene without its row, fails."""

import gzip
import json
import re
import shutil
import struct
import unittest

from cli_decks_test import box_text
from cli_import_test import ROOT, ImportTestCase, doubles, integers, reals
from cli_test_case import CliTestCase, no_room_for_files
from well_runs import write_grid, write_states, write_summary

try:
    import h5py
    import numpy
except ImportError:
    h5py = None


def rows_of(document):
    """{input: (patterns, exit code)} of the tables whose last column is an exit code. A pattern stands for a message in
    back quotes; three points stand for any text, N for a number."""
    rows = {}
    for line in (ROOT / "docs" / document).read_text().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if line.startswith("|") and len(cells) == 3 and cells[2].isdigit():
            patterns = []
            for message in re.findall(r"`([^`]*)`", cells[1]):
                parts = [re.sub(r"\bN\b", r"[\\d.]+", re.escape(part.strip())) for part in message.split("...")]
                patterns.append(re.compile(".*".join(parts)))
            rows[cells[0]] = (patterns, int(cells[2]))
    return rows


class Scenes(CliTestCase):
    document = None

    def act(self, scenes):
        """`scenes` gives for each input of the document a list of (arguments, options)."""
        rows = rows_of(self.document)
        self.assertEqual(sorted(rows), sorted(scenes))
        for name, (patterns, code) in rows.items():
            with self.subTest(name):
                errors = [self.refuse(code, *arguments, **options) for arguments, options in scenes[name]()]
                for pattern in patterns:
                    self.assertTrue(any(pattern.search(error) for error in errors), f"{pattern.pattern}\n{errors}")
                for error in errors:
                    self.assertTrue(not patterns or any(pattern.search(error) for pattern in patterns), error)
                self.assertRegex(errors[0], r";|full|--")  # a remedy, or the option at fault
                left = [path.name for path in self.folder.rglob("*") if "partial" in path.name]
                self.assertEqual(left, [])


@unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
class ImportMessages(Scenes, ImportTestCase):
    document = "import.md"

    def call(self, *arguments, **options):
        return (("import", *arguments, "-o", "data.h5", "--values", "values.json", "--set", "perforation=[0, 10]"), options)

    def bare_arrays(self, *names):
        for name in names:
            (self.folder / name).write_bytes(b"arrays")
            yield self.call(name)

    def changed(self, extension, old, new):
        """The call for a run with other bytes in one of its files."""
        path = self.write_run().with_suffix(extension)
        content = path.read_bytes()
        self.assertIn(old, content)
        path.write_bytes(content.replace(old, new, 1))
        return [self.call("CASE")]

    def cut(self, *lengths):
        for length in lengths:
            path = self.write_run().with_suffix(".UNRST")
            content = path.read_bytes()
            path.write_bytes(content[:length] if length > 0 else content + b"half")
            yield self.call("CASE")

    def without_a_part(self):
        for extension in (".EGRID", ".INIT", ".UNRST"):
            self.write_run("PART").with_suffix(extension).unlink()
            yield self.call("PART")
        for path in self.folder.glob("PART.*"):
            path.unlink()

    def without_value(self, text):
        self.write_run()
        (self.folder / "values.json").write_text(text)
        yield self.call("CASE")
        self.values()

    def two(self, change):
        self.write_run("A")
        change(self.write_run("B"))
        return [self.call("A", "B")]

    def other_rings(self, root):
        path = root.with_suffix(".EGRID")
        old, new = (struct.pack(">f", value) for value in (30.0, 31.0))
        angle_old, angle_new = (struct.pack(">f", 3.141592653589793 * value) for value in (30.0, 31.0))
        content = path.read_bytes().replace(old, new).replace(angle_old, angle_new)
        path.write_bytes(content.replace(struct.pack(">f", -3.141592653589793 * 30.0), struct.pack(">f", -3.141592653589793 * 31.0)))

    def not_radial(self):
        path = self.write_run().with_suffix(".EGRID")
        content = path.read_bytes()
        at = content.index(b"COORD   ") + 24
        path.write_bytes(content[:at] + struct.pack(">f", 3.0) + content[at + 4 :])
        return [self.call("CASE")]

    def grid_kinds(self):
        for place in (4, 5):  # kind of grid, and of porosity
            root = self.write_run()
            path = root.with_suffix(".EGRID")
            head = 100 * [0]
            head[place] = 1
            path.write_bytes(integers("FILEHEAD", head) + path.read_bytes())
            yield self.call(root)

    def grdecl(self, *texts, **values):
        for text in texts:
            (self.folder / "m.grdecl").write_text(text)
            self.values(**values)
            yield self.call("m.grdecl")
        self.values()

    def wide_text(self):
        (self.folder / "m.grdecl").write_bytes("PORO\n 4*0.2 /\n".encode("utf-16"))
        return [self.call("m.grdecl")]

    def no_grid_or_times(self):
        yield from self.grdecl("PORO\n 4*0.2 /\n", times=[1, 10])
        yield from self.grdecl("PORO\n 4*0.2 /\n")

    def tensors(self, content):
        (self.folder / "t.safetensors").write_bytes(content)
        return [(("import", "t.safetensors", "-o", "data.h5"), {})]

    def foreign_tensors(self):
        header = json.dumps({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
        return self.tensors(struct.pack("<Q", len(header)) + header + b"\0\0\0\0")

    def arrays(self, with_map=True, **inputs):
        with h5py.File(self.folder / "well.hdf5", "w") as file:
            file["t0_fields/porosity"] = numpy.full((2, 2), 0.2)
        number = {"permeability_r": 100, "permeability_z": 10, "porosity": 0.2, "perforation": 1, "injection_rate": 1,
                  "initial_pressure": 100, "temperature": 50, "irreducible_water_saturation": 0.2, "van_genuchten_lambda": 0.5}
        grid = {"r_edges": [0, 1, 2, 3, 4], "z_edges": [0, 5, 10], "times": [1]}
        (self.folder / "map.json").write_text(json.dumps({"grid": grid, "inputs": {**number, **inputs}}))
        return (("import", "well.hdf5", "-o", "data.h5", *(("--map", "map.json") if with_map else ())), {})

    def split(self, *parts):
        self.sample(name="data.h5")
        yield (("split", "data.h5", "-o", "parts", "--parts", *parts), {})
        (self.folder / "data.h5").unlink()

    def wells(self, states, totals, start=0, **summary):
        root = self.folder / "WELLS"
        write_grid(root)
        write_states(root, states)
        write_summary(root, totals, **summary)
        settings = ("surface_density=1.87", "temperature=60", f"injection_start={start}")
        call = (("import", root, "-o", "data.h5", *(f"--set={setting}" for setting in settings)), {})
        return [call]

    def turns(self):
        one = self.folder / "ONE"
        write_grid(one)
        write_states(one, [(0, []), (100, [(1, 1, 1e6)]), (200, [(1, 1, 1e6)])])
        write_summary(one, [(100, 1e8), (200, 2e8)])
        [(call, options)] = self.wells([(0, []), (100, [(1, 1, 1e6)]), (200, [(1, 1, 1e6), (4, 3, 1e6)])],
                                       [(100, 1e8), (200, 3e8)])
        return [((*call[:2], one, *call[2:]), options)]

    def merge(self):
        self.sample(name="a.h5")
        return [(("merge", "a.h5", "a.h5", "-o", "all.h5"), {})]

    def folder_of(self, *names):
        shutil.rmtree(self.folder / "runs", ignore_errors=True)
        (self.folder / "runs").mkdir()
        for name in names:
            self.write_run(f"runs/{name}")
        return [self.call("runs")]

    def test_every_row_is_what_happens(self):
        porosity = {"array": "/t0_fields/porosity", "unit": "1"}
        whole = len(self.write_run().with_suffix(".UNRST").read_bytes())
        self.act({
            "file or folder that is not there": lambda: [self.call("NOTHING")],
            "folder without a run": lambda: self.folder_of(),
            "folder with several": lambda: self.folder_of("A", "B"),
            "a part of the run is missing": self.without_a_part,
            "file cut short": lambda: self.cut(0, whole - 3, whole - 30),
            "damaged mark or header": lambda: self.changed(".INIT", b"\x00\x00\x00\x10", b"\x00\x00\x00\x11"),
            "array larger than its file": lambda: self.changed(".INIT", b"INTEHEAD\x00\x00\x00\x64", b"INTEHEAD\x7f\xff\xff\xff"),
            "no state before injection": lambda: [self.call(self.write_run(days=(0.5, 1.0)))],
            "`injection_start` within an injection": lambda: self.wells(
                [(0, []), (50, []), (100, [(1, 1, 1e6)]), (200, [(1, 1, 1e6)])], [(50, 0), (100, 5e7), (200, 1.5e8)], start=100),
            "wells that take turns, in cases with other numbers of wells": self.turns,
            "restarted run without the total it begins with": lambda: self.wells(
                [(3650, []), (3680, [])], [(3680, 3e7)], start=3650, restarts="HIST"),
            "restarted run within an injection": lambda: self.wells(
                [(3650, []), (3680, [(1, 1, 1e6)])], [(3680, 3.68e9)], start=3650, restarts="HIST"),
            "property missing": lambda: self.changed(".INIT", b"PERMZ   ", b"OTHER   "),
            "field missing": self.without_gas,
            "files of different runs": lambda: self.short_porosity(),
            "value missing": lambda: self.without_value('{"injection_rate": 1}'),
            "value misspelt": lambda: self.without_value('{"injection_rate": 1, "temprature": 60}'),
            "runs with other report steps": lambda: self.two(lambda root: self.write_run("B", days=(0, 2, 10))),
            "runs with other rings": lambda: self.two(self.other_rings),
            "porosity in per cent": self.per_cent,
            "stated value out of range": lambda: self.without_value('{"injection_rate": -1}'),
            "pressure below 0": self.negative_pressure,
            "compressed file of a run": self.compressed,
            "records in the other byte order": lambda: self.restart_of(b"\x10\0\0\0SEQNUM  "),
            "pointer of Git LFS": self.lfs_pointers,
            "grid with one line that is not radial": self.not_radial,
            "LAB units": lambda: self.changed(".INIT", *self.units_of(3)),
            "unstructured grid, dual porosity": self.grid_kinds,
            "no number in GRDECL": lambda: self.grdecl("PORO\n 0.1 high /\n"),
            "default, missing slash": lambda: self.grdecl("PORO\n 5* /\n", "PORO\n 0.1 0.2\n"),
            "keyword that changes arrays": lambda: self.grdecl("EQUALS\n PORO 0.2 /\n/\n",
                                                               "OPERATER\n 'PORO' 2 'MULTX' 'PORO' 0.5 /\n/\n"),
            "keyword that takes arrays from elsewhere": lambda: self.grdecl("IMPORT\n 'rock.bin' /\n"),
            "layers from the bottom up": lambda: self.grdecl(box_text(depths=(1020, 1010, 1010, 1000)), times=[1]),
            "text in UTF-16": self.wide_text,
            "alias that PATHS does not name": lambda: self.grdecl("INCLUDE\n '$ROCK/poro.inc' /\n"),
            "axes of the map that are not perpendicular": lambda: self.grdecl("MAPAXES\n 0 1 0 0 1 1 /\n" + box_text(),
                                                                              times=[1]),
            "GRDECL without grid or times": self.no_grid_or_times,
            "other safetensors": self.foreign_tensors,
            "damaged safetensors": lambda: self.tensors(b"\xff\xff\xff"),
            "HDF5 without a map": lambda: [self.arrays(with_map=False)],
            "NumPy, MATLAB, netCDF or PyTorch without a map": lambda: self.bare_arrays("a.npy", "a.pt"),
            "map with an unknown unit or wrong axes": self.bad_unit_and_axes,
            "map and array disagree": lambda: [self.arrays(porosity={**porosity, "axes": "z r"})],
            "shares that do not add up": lambda: self.split("a=0.5"),
            "part without a case": lambda: self.split("a=0.999,b=0.001"),
            "merge of one case twice": self.merge,
            "full disk": lambda: [self.call(self.write_run(), preexec_fn=no_room_for_files)],
        })

    def units_of(self, system):
        """Bytes of the head of a file in metric units, and in another system."""
        head = 100 * [0]
        head[2], head[14] = 1, 5
        old = integers("INTEHEAD", head)
        head[2] = system
        return old, integers("INTEHEAD", head)

    def without_gas(self):
        path = self.write_run().with_suffix(".UNRST")
        path.write_bytes(path.read_bytes().replace(b"SGAS    ", b"OTHER   "))
        return [self.call("CASE")]

    def restart_of(self, content):
        self.write_run().with_suffix(".UNRST").write_bytes(content)
        return [self.call("CASE")]

    def per_cent(self):
        path = self.write_run().with_suffix(".INIT")
        path.write_bytes(path.read_bytes().replace(reals("PORO", 16 * [0.2]), reals("PORO", 16 * [20.0])))
        yield self.call("CASE")
        yield self.arrays(porosity=20)

    def negative_pressure(self):
        path = self.write_run().with_suffix(".UNRST")
        found = doubles("PRESSURE", [101.0 + 0.01 * n for n in range(16)])
        assert found in path.read_bytes()
        path.write_bytes(path.read_bytes().replace(found, doubles("PRESSURE", 16 * [-5.0])))
        return [self.call("CASE")]

    def compressed(self):
        path = self.write_run().with_suffix(".UNRST")
        content = gzip.compress(path.read_bytes())
        path.write_bytes(content)
        yield self.call("CASE")
        packed = path.rename(self.folder / "CASE.UNRST.gz")
        yield self.call("CASE")
        packed.unlink()

    def lfs_pointers(self):
        pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
        yield from self.grdecl(pointer)
        call, options = self.arrays()
        (self.folder / "well.hdf5").write_text(pointer)
        yield call, options

    def short_porosity(self):
        path = self.write_run().with_suffix(".INIT")
        path.write_bytes(path.read_bytes().replace(reals("PORO", 16 * [0.2]), reals("PORO", 3 * [0.2])))
        return [self.call("CASE")]

    def bad_unit_and_axes(self):
        yield self.arrays(porosity={"array": "/t0_fields/porosity", "axes": "z r n", "unit": "1"})
        call, options = self.arrays(injection_rate={"array": "/rate", "axes": "n", "unit": "mph"})
        with h5py.File(self.folder / "well.hdf5", "a") as file:
            file["rate"] = [1.0]
        yield call, options


@unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
class ResultMessages(Scenes):
    """The sample: three cases of 4 x 5 cells at 3 times."""

    subcommand = None

    def setUp(self):
        super().setUp()
        self.sample()
        self.sample("inputs", "inputs.h5")

    def call(self, *arguments, file="sample.h5", out="out", **options):
        return [((self.subcommand, file, "-o", out, *arguments), options)]

    def text_file(self):
        (self.folder / "text.h5").write_text("no HDF5")
        return self.call(file="text.h5")

    def changed(self, array, place, value):
        self.sample(name="changed.h5")
        with h5py.File(self.folder / "changed.h5", "a") as file:
            file[array][place] = value
        return self.call(file="changed.h5")

    def not_a_number(self):
        return self.changed("outputs/gas_saturation", (1, 0, 0, 1), numpy.nan)

    def no_room(self):
        (self.folder / "file").write_text("")
        return self.call(out="file/out") + self.call(preexec_fn=no_room_for_files)

    def limits(self, text):
        (self.folder / "limits.txt").write_text(text)
        return self.call("--fracture-pressure", "limits.txt")


class ExportMessages(ResultMessages):
    document, subcommand = "export.md", "export"

    def test_every_row_is_what_happens(self):
        self.act({
            "file that does not exist": lambda: self.call(file="nothing.h5"),
            "file that is no HDF5 file": self.text_file,
            "cases that were not predicted yet": lambda: self.call(file="inputs.h5"),
            "NaN in an active cell": self.not_a_number,
            "`--case 7` of three": lambda: self.call("--case", "7"),
            "`--format vkt`": lambda: self.call("--format", "vkt"),
            "`--sectors 2`": lambda: self.call("--sectors", "2"),
            "`--start 2030-13-01`": lambda: self.call("--start", "2030-13-01"),
            "temperature without a known density": lambda: self.changed("inputs/temperature", 0, 900.0),
            "output that cannot be made, full disk": self.no_room,
        })


class ReportMessages(ResultMessages):
    document, subcommand = "report.md", "report"

    def test_every_row_is_what_happens(self):
        self.act({
            "file that does not exist": lambda: self.call(file="nothing.h5"),
            "cases that were not predicted yet": lambda: self.call(file="inputs.h5"),
            "NaN in an active cell": self.not_a_number,
            "`--case 3` of three": lambda: self.call("--case", "3"),
            "`--threshold 1.2`": lambda: self.call("--threshold", "1.2"),
            "`--front -1`": lambda: self.call("--front", "-1"),
            "`--water-depth 300` alone": lambda: self.call("--water-depth", "300"),
            "`--water-depth` without a known depth": lambda: self.call("--water-depth", "300", "--brine-density", "1080"),
            "`--fracture-pressure -3`": lambda: self.call("--fracture-pressure", "-3"),
            "`--fracture-pressure none.txt`, no such file": lambda: self.call("--fracture-pressure", "none.txt"),
            "a line of that file that is no number": lambda: self.limits("200\nmany\n"),
            "that file has too few lines": lambda: self.limits("200\n"),
            "that file has more lines than the file of fields has cases": lambda: self.limits("200\n210\n220\n230\n"),
            "`--gen-data` of an ensemble": lambda: self.call("--gen-data"),
            "output that cannot be made, full disk": self.no_room,
        })


del ResultMessages, Scenes, ImportTestCase, CliTestCase  # only the classes with tests of their own are to be found


if __name__ == "__main__":
    unittest.main()
