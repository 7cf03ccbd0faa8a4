"""convert_checkpoint.py reads PyTorch files tensor by tensor and runs nothing of what they name."""
import collections
import io
import json
import os
import pickle
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from source_tree import ROOT, load

convert = load("scripts/convert/convert_checkpoint.py")
SCRIPT = ROOT / "scripts" / "convert" / "convert_checkpoint.py"


def read_safetensors(path):
    """Name -> (dtype, shape, bytes)."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    body = data[8 + length :]
    header = json.loads(data[8 : 8 + length])
    return {n: (e["dtype"], e["shape"], body[slice(*e["data_offsets"])]) for n, e in header.items() if n != "__metadata__"}


class Named:
    """Pickles as a call of the function or class with this module and name."""

    def __init__(self, module, name, *arguments):
        self.call = (module, name, arguments)


class Global:
    """Pickles as the name of something in a module."""

    def __init__(self, module, name):
        self.text = f"{module}\n{name}\n"


class StoragePointer:
    def __init__(self, kind, key):
        self.kind, self.key = kind, key


class CheckpointPickler(pickle._Pickler):
    """Writes pickles as PyTorch does, without PyTorch."""

    def save(self, thing, *rest, **options):
        if isinstance(thing, Named):
            module, name, arguments = thing.call
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
            super().save(arguments)
            self.write(pickle.REDUCE)
        elif isinstance(thing, Global):
            self.write(pickle.GLOBAL + thing.text.encode())
        elif isinstance(thing, StoragePointer):
            self.write(pickle.MARK)
            super().save("storage")
            module = "torch.storage" if thing.kind == "UntypedStorage" else "torch"
            self.write(pickle.GLOBAL + f"{module}\n{thing.kind}\n".encode())
            for part in (thing.key, "cpu", 0):
                super().save(part)
            self.write(pickle.TUPLE + pickle.BINPERSID)
        else:
            super().save(thing, *rest, **options)


def tensor(kind, key, shape, stride, offset=0):
    return Named("torch._utils", "_rebuild_tensor_v2", StoragePointer(kind, key), offset, shape, stride, False, {})


def checkpoint(folder, tree, storages):
    """Path of a zip checkpoint of this object tree."""
    buffer = io.BytesIO()
    CheckpointPickler(buffer, protocol=2).dump(tree)
    path = Path(folder) / "model.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", buffer.getvalue())
        for key, data in storages.items():
            archive.writestr(f"archive/data/{key}", data)
    return path


class ConvertCheckpoint(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.output = Path(self.folder) / "out.safetensors"

    def convert(self, path, *options):
        command = [sys.executable, SCRIPT, path, self.output, *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def test_keeps_names_and_stores_complex_numbers_as_pairs(self):
        values = struct.pack("<6f", *range(6))
        tree = collections.OrderedDict(
            conv=tensor("ComplexFloatStorage", "0", (3,), (1,)), bias=tensor("FloatStorage", "1", (2,), (1,), 1)
        )
        result = self.convert(checkpoint(self.folder, tree, {"0": values, "1": values}))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(
            read_safetensors(self.output), {"bias": ("F32", [2], values[4:12]), "conv": ("F32", [3, 2], values)}
        )

    def test_keeps_what_neuraloperator_made_a_network_with(self):
        made = {"_name": "FNO", "n_modes": (4, 6), "norm": None, "non_linearity": Named("torch._C._nn", "gelu"), "args": [1]}
        tree = collections.OrderedDict(w=tensor("FloatStorage", "0", (1,), (1,)), _metadata=made)
        self.converted(tree, {"0": b"\0" * 4})
        raw = self.output.read_bytes()
        header = json.loads(raw[8 : 8 + struct.unpack("<Q", raw[:8])[0]])
        settings = json.loads(header["__metadata__"]["neuraloperator"])
        self.assertEqual({key: settings[key] for key in ("_name", "n_modes", "norm")}, {"_name": "FNO", "n_modes": [4, 6], "norm": None})
        self.assertNotIn("args", settings)

    def test_orders_the_elements_of_a_transposed_tensor(self):
        tree = {"state_dict": {"w": tensor("LongStorage", "0", (2, 3), (1, 2))}}
        self.convert(checkpoint(self.folder, tree, {"0": struct.pack("<6q", *range(6))}))
        self.assertEqual(read_safetensors(self.output)["w"], ("I64", [2, 3], struct.pack("<6q", 0, 2, 4, 1, 3, 5)))

    def converted(self, tree, storages):
        result = self.convert(checkpoint(self.folder, tree, storages))
        self.assertEqual(result.returncode, 0, result.stderr)
        return read_safetensors(self.output)

    def test_applies_conjugate_and_negative_views(self):
        def view(kind, key, **bits):
            return Named("torch._utils", "_rebuild_tensor_v2", StoragePointer(kind, key), 0, (2,), (1,), False, {}, bits)

        tree = {
            "conjugate": view("ComplexFloatStorage", "0", conj=True),
            "both": view("ComplexFloatStorage", "0", conj=True, neg=True),
            "negative": view("FloatStorage", "1", neg=True),
        }
        found = self.converted(tree, {"0": struct.pack("<4f", 1, 2, 3, -4), "1": struct.pack("<2f", 1, 2)})
        self.assertEqual(found["conjugate"], ("F32", [2, 2], struct.pack("<4f", 1, -2, 3, 4)))
        self.assertEqual(found["both"], ("F32", [2, 2], struct.pack("<4f", -1, 2, -3, -4)))
        self.assertEqual(found["negative"], ("F32", [2], struct.pack("<2f", -1, -2)))

    def test_refuses_properties_of_tensors_that_it_does_not_know(self):
        tree = {"w": Named("torch._utils", "_rebuild_tensor_v2", StoragePointer("FloatStorage", "0"), 0, (1,), (1,), False,
                           {}, {"rotated": True})}
        result = self.convert(checkpoint(self.folder, tree, {"0": bytes(4)}))
        self.assertEqual(result.returncode, 3)
        self.assertIn("rotated", result.stderr)

    def test_refuses_weights_of_kinds_that_it_does_not_read(self):
        tree = {"w": Named("torch._utils", "_rebuild_sparse_tensor", "layout", ())}
        result = self.convert(checkpoint(self.folder, tree, {}))
        self.assertEqual(result.returncode, 3)
        self.assertIn("w is a tensor of a kind that is not read (sparse_tensor)", result.stderr)

    def test_looks_into_wrappers_of_training_scripts_also_nested(self):
        weights = {"module._orig_mod.fc0.weight": tensor("FloatStorage", "0", (1,), (1,)),
                   "n_averaged": tensor("LongStorage", "1", (), ())}
        other = {"momentum": tensor("FloatStorage", "0", (1,), (1,))}
        for tree in (
            weights,
            {"net": weights, "optimizer": other},
            {"state_dict": weights, "epoch": 3, "optimizer_states": [other]},
            {"model": {"state_dict": weights}, "ema": other},
            {"checkpoint": 1, "net": {"model_state_dict": weights}},
        ):
            found = self.converted(tree, {"0": bytes(4), "1": bytes(8)})
            self.assertEqual(list(found), ["module.fc0.weight", "n_averaged"])

    def test_names_other_weights_and_takes_them_when_asked(self):
        weights = {"fc0.weight": tensor("FloatStorage", "0", (1,), (1,))}
        averaged = {"fc0.weight": tensor("FloatStorage", "1", (1,), (1,))}
        optimizer = {"state": {0: {"exp_avg": tensor("FloatStorage", "0", (1,), (1,))}}, "param_groups": [{"lr": 0.1}]}
        tree = {"state_dict": weights, "ema_state_dict": averaged, "optimizer": optimizer, "epoch": 3}
        storages = {"0": struct.pack("<f", 1), "1": struct.pack("<f", 2)}
        path = checkpoint(self.folder, tree, storages)
        result = self.convert(path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("also holds weights under ema_state_dict, which are left out; --take", result.stderr)
        self.assertEqual(read_safetensors(self.output)["fc0.weight"][2], storages["0"])
        result = self.convert(path, "--take", "ema_state_dict")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(read_safetensors(self.output)["fc0.weight"][2], storages["1"])
        result = self.convert(path, "--take", "ema")
        self.assertEqual(result.returncode, 3)
        self.assertIn("its parts are state_dict, ema_state_dict, optimizer, epoch", result.stderr)
        result = self.convert(checkpoint(self.folder, {"model": weights, "optimizer": optimizer}, storages))
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_refuses_what_holds_no_weights(self):
        whole = tensor("CharStorage", "0", (1,), (1,))
        moments = {"state": {0: {"exp_avg": whole}}, "param_groups": []}
        for tree, says in ((moments, "the state of an optimizer"), ({"fc0.weight": whole}, "fc0.weight holds whole numbers (I8)")):
            result = self.convert(checkpoint(self.folder, tree, {"0": bytes(1)}))
            self.assertEqual(result.returncode, 3)
            self.assertIn(says, result.stderr)
            self.assertFalse(self.output.exists())

    def test_takes_checksums_that_were_left_out(self):
        path = checkpoint(self.folder, {"a": tensor("FloatStorage", "0", (1,), (1,))}, {"0": struct.pack("<f", 2.5)})
        data = bytearray(path.read_bytes())
        at = data.find(b"PK\x01\x02")
        while at >= 0:  # the entries of the list at the end, as PyTorch writes them after set_crc32_options(False)
            data[at + 16 : at + 20] = bytes(4)
            at = data.find(b"PK\x01\x02", at + 4)
        path.write_bytes(data)
        result = self.convert(path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(read_safetensors(self.output)["a"][2], struct.pack("<f", 2.5))
        data[data.find(b"PK\x01\x02") + 16] = 1
        path.write_bytes(data)
        self.assertIn("Bad CRC-32", self.convert(path).stderr)

    def test_names_parts_of_checkpoints_that_are_spread_over_files(self):
        path = checkpoint(self.folder, {"a": tensor("FloatStorage", "0", (1,), (1,))}, {"0": bytes(4)})
        for name in ("pytorch_model-00001-of-00002.bin", "__0_0.distcp", "model.safetensors.index.json"):
            part = path.rename(path.with_name(name))
            result = self.convert(part)
            self.assertEqual(result.returncode, 3)
            self.assertIn("save it in one file", result.stderr)
            part.rename(path)
        self.assertEqual(self.convert(path).returncode, 0)

    def test_names_types_that_are_not_read(self):
        untyped = Named("torch._utils", "_rebuild_tensor_v3", StoragePointer("UntypedStorage", "0"), 0, (1,), (1,), False, {},
                        Global("torch", "uint16"))
        result = self.convert(checkpoint(self.folder, {"a.weight": untyped}, {"0": bytes(2)}))
        self.assertEqual(result.returncode, 3)
        self.assertIn("a.weight is a tensor of a kind that is not read (type uint16)", result.stderr)

    def test_does_not_wait_for_a_pipe(self):
        path = Path(self.folder) / "pipe.pt"
        os.mkfifo(path)
        result = self.convert(path)
        self.assertEqual(result.returncode, 3)
        self.assertIn("not an ordinary file", result.stderr)

    def test_calls_nothing_that_the_file_names(self):
        mark = Path(self.folder) / "ran"
        tree = {"a": Named("os", "system", f"touch {mark}"), "w": tensor("FloatStorage", "0", (1,), (1,))}
        result = self.convert(checkpoint(self.folder, tree, {"0": bytes(4)}))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse(mark.exists())
        self.assertEqual(list(read_safetensors(self.output)), ["w"])

    def test_refuses_tensor_past_its_storage_and_leaves_no_file(self):
        tree = {"w": tensor("FloatStorage", "0", (4,), (1,))}
        result = self.convert(checkpoint(self.folder, tree, {"0": bytes(8)}))
        self.assertEqual(result.returncode, 3)
        self.assertIn("reaches past its storage", result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["model.pt"])

    def test_refuses_truncated_empty_and_missing_files_in_one_line(self):
        whole = checkpoint(self.folder, {"w": tensor("FloatStorage", "0", (1,), (1,))}, {"0": bytes(4)}).read_bytes()
        for data in (whole[:100], whole[: len(whole) // 2], b"", None):
            path = Path(self.folder) / "bad.pt"
            path.unlink(missing_ok=True)
            if data is not None:
                path.write_bytes(data)
            result = self.convert(path)
            self.assertEqual(result.returncode, 3)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertFalse(self.output.exists())

    def test_names_files_of_other_kinds(self):
        path = Path(self.folder) / "other.pt"
        for content, says in (
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "git lfs pull"),
            (b"\x1f\x8b\x08\x00" + bytes(40), "gunzip"),
            (b"\x89HDF\r\n\x1a\n" + bytes(40), "an HDF5 file"),
            (b"<!DOCTYPE html><html></html>", "a web page"),
            (b"", "it is empty"),
        ):
            path.write_bytes(content)
            result = self.convert(path)
            self.assertEqual(result.returncode, 3)
            self.assertIn(says, result.stderr)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("model/data.pkl", pickle.dumps({}, protocol=2))
            archive.writestr("model/code/__torch__.py", "")
        self.assertIn("TorchScript", self.convert(path).stderr)

    def test_refuses_truth_values_one_tensor_and_quantised_ones(self):
        for tree, says in (
            ({"fc0.weight": tensor("BoolStorage", "0", (1,), (1,))}, "fc0.weight holds truth values (BOOL)"),
            (tensor("FloatStorage", "0", (1,), (1,)), "one tensor without a name"),
            ({"fc0.weight": tensor("QInt8Storage", "0", (1,), (1,))}, "quantised tensors (QInt8Storage)"),
        ):
            result = self.convert(checkpoint(self.folder, tree, {"0": bytes(4)}))
            self.assertEqual(result.returncode, 3)
            self.assertIn(says, result.stderr)
            self.assertFalse(self.output.exists())

    def torch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        return torch

    def test_refuses_what_torch_writes_and_no_network_takes(self):
        torch = self.torch()
        path = Path(self.folder) / "torch.pt"
        ones = torch.ones(2, 3)
        for thing, says in (
            ({"fc0.weight": ones.int()}, "fc0.weight holds whole numbers (I32)"),
            ({"fc0.weight": ones.bool()}, "fc0.weight holds truth values (BOOL)"),
            ({"fc0.weight": torch.quantize_per_tensor(ones, 0.1, 0, torch.qint8)}, "quantised tensors"),
            ({"fc0.weight": ones.to_sparse()}, "sparse"),
            (ones, "one tensor without a name"),
            ([ones], "no named tensors"),
        ):
            for new_format in (True, False):
                torch.save(thing, path, _use_new_zipfile_serialization=new_format)
                result = self.convert(path)
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertIn(says, result.stderr)
        torch.jit.script(torch.nn.Linear(2, 3)).save(str(path))
        self.assertIn("TorchScript", self.convert(path).stderr)

    def test_reads_views_and_counts_written_by_torch_in_both_formats(self):
        torch = self.torch()
        path = Path(self.folder) / "torch.pt"
        values = torch.rand(10, 10)
        tree = {"a.weight": values[2:5, 1:9:2], "b.weight": values.T, "c.weight": values.half(),
                "d.weights1": torch.rand(3, dtype=torch.cfloat).conj(), "e.num_batches_tracked": torch.tensor(7)}
        for new_format in (True, False):
            torch.save(tree, path, _use_new_zipfile_serialization=new_format)
            self.assertEqual(self.convert(path).returncode, 0)
            read = read_safetensors(self.output)
            self.assertEqual(set(read), set(tree))
            for name, value in torch.load(path).items():  # versions before 2.0 lose the mark of a conjugate view
                value = torch.view_as_real(value.resolve_conj()) if value.is_complex() else value
                self.assertEqual(read[name][1:], (list(value.shape), value.contiguous().numpy().tobytes()), name)
            self.assertEqual((read["c.weight"][0], read["e.num_batches_tracked"][0]), ("F16", "I64"))

    def test_reads_whole_models_and_old_format_written_by_torch(self):
        torch = self.torch()
        model = torch.nn.Sequential(torch.nn.Conv3d(2, 3, 3), torch.nn.BatchNorm3d(3))
        model.register_parameter("weights1", torch.nn.Parameter(torch.rand(2, 2, dtype=torch.cfloat)))
        path = Path(self.folder) / "torch.pt"
        for thing in (model, model.state_dict()):
            for new_format in (True, False):
                torch.save(thing, path, _use_new_zipfile_serialization=new_format)
                result = self.convert(path)
                self.assertEqual(result.returncode, 0, result.stderr)
                read = read_safetensors(self.output)
                self.assertEqual(set(read), set(model.state_dict()))
                for name, value in model.state_dict().items():
                    value = torch.view_as_real(value) if value.is_complex() else value
                    self.assertEqual(read[name][1:], (list(value.shape), value.numpy().tobytes()), name)


if __name__ == "__main__":
    unittest.main()
