#!/usr/bin/env python3
"""Turns a PyTorch checkpoint into a safetensors file without running anything the checkpoint contains.

A .pt file is a pickle, and a pickle can name any function to be called. This reader calls none: every class or function
the file names becomes an inert record, except those that describe tensors, which are read as bytes. It takes state dicts
and whole pickled models, in the zip format (PyTorch 1.6 and later) and the one before. Needs only Python.

Names are kept, but for `_orig_mod` of torch.compile, which goes. Complex tensors are stored as real ones with a last
axis of 2 (real part, imaginary part); conjugate and negative views become the numbers that they show. Of a checkpoint
of a training script the weights are taken: those under state_dict, model_state_dict, model, net and the like, also one
within the other. Weights under other keys (an exponential moving average) are named, and --take takes them.

Usage: convert_checkpoint.py [--take PART] CHECKPOINT.pt OUT.safetensors
"""
import argparse
import collections
import io
import json
import os
import pickle
import re
import struct
import sys
import zipfile

# PyTorch storage class or dtype name -> (safetensors name, bytes of one element, complex)
STORAGES = {
    "FloatStorage": ("F32", 4, False),
    "DoubleStorage": ("F64", 8, False),
    "HalfStorage": ("F16", 2, False),
    "BFloat16Storage": ("BF16", 2, False),
    "LongStorage": ("I64", 8, False),
    "IntStorage": ("I32", 4, False),
    "ShortStorage": ("I16", 2, False),
    "CharStorage": ("I8", 1, False),
    "ByteStorage": ("U8", 1, False),
    "BoolStorage": ("BOOL", 1, False),
    "ComplexFloatStorage": ("F32", 8, True),
    "ComplexDoubleStorage": ("F64", 16, True),
}
# Keys of training scripts under which the weights stand, the first that is there
WRAPPERS = ("state_dict", "model_state_dict", "model", "net", "network", "module", "weights", "params")
# Whole numbers are no weights but counts, or a quantised model whose scales stand elsewhere
WEIGHT_NAMES = ("weight", "bias", "weights1", "weights2", "weights3", "weights4")
FLOATS = ("F64", "F32", "F16", "BF16")
LEGACY_MAGIC = 0x1950A86A20F9469CFC6C


class CheckpointError(Exception):
    """The file cannot be converted; the message says why."""


class Inert:
    """Stands for any object of a class the file names; holds what the file says about it and does nothing."""

    def __new__(cls, *arguments, **keywords):
        return super().__new__(cls)

    def __init__(self, *arguments, **keywords):
        self.state = {}

    def __setstate__(self, state):
        self.state = state

    def __setitem__(self, key, value):
        pass

    def append(self, value):
        pass

    def extend(self, values):
        pass

    def add(self, value):
        pass


class Storage:
    """Bytes of one or more tensors."""

    def __init__(self, kind, key):
        if str(kind).startswith("Q"):
            raise CheckpointError(f"it holds quantised tensors ({kind}), which are no weights without their scales; save them after dequantize()")
        if kind is not None and kind not in STORAGES:
            raise CheckpointError(f"storage type {kind} is not known (it is none of {', '.join(STORAGES)})")
        self.dtype, self.size, self.is_complex = STORAGES.get(kind, (None, 1, False))  # of no type: the tensors tell theirs
        self.key = key
        self.data = b""


SIGN_BITS = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2}  # bytes of an element, whose last one holds the sign


def view_bits(metadata):
    """Whether a tensor is a conjugate and a negative view, as PyTorch stores it beside the bytes."""
    known = dict(metadata) if isinstance(metadata, dict) else {}
    bits = bool(known.pop("conj", False)), bool(known.pop("neg", False))
    if known or (metadata is not None and not isinstance(metadata, dict)):
        what = ", ".join(map(str, known)) or type(metadata).__name__
        raise CheckpointError(f"a tensor has properties that are not known ({what}); save it again after resolve_conj() and clone()")
    return bits


def flip_signs(values, first, step):
    """Changes the sign of floating-point numbers whose last bytes are those from `first` on."""
    values[first::step] = values[first::step].translate(SIGN_FLIPPED)


SIGN_FLIPPED = bytes(byte ^ 0x80 for byte in range(256))


class TensorRecord:
    """A strided view of a storage."""

    def __init__(self, storage, offset, shape, stride, requires_grad=False, hooks=None, metadata=None):
        self.storage, self.offset = storage, int(offset)
        self.shape, self.stride = tuple(shape), tuple(stride)
        self.is_conjugate, self.is_negative = view_bits(metadata)

    def elements(self):
        """The numbers that the view shows, in row-major order, as bytes."""
        data = self.contiguous()
        if not (self.is_conjugate or self.is_negative):
            return data
        if self.storage.dtype not in SIGN_BITS:
            raise CheckpointError(f"a view of type {self.storage.dtype} is marked as negative or conjugate")
        width = SIGN_BITS[self.storage.dtype]
        values = bytearray(data)
        if self.is_negative:
            flip_signs(values, width - 1, width)
        if self.is_conjugate and self.storage.is_complex:  # of the imaginary parts
            flip_signs(values, 2 * width - 1, 2 * width)
        return bytes(values)

    def contiguous(self):
        """The elements in row-major order, as bytes."""
        size, data = self.storage.size, memoryview(self.storage.data)
        count, expected = 1, []
        for extent in reversed(self.shape):
            expected.insert(0, count)
            count *= extent
        reach = self.offset + sum((n - 1) * s for n, s in zip(self.shape, self.stride)) + 1
        if count and (min((self.offset, *self.shape, *self.stride)) < 0 or reach * size > len(data)):
            raise CheckpointError(f"a tensor of shape {self.shape} reaches past its storage (the file is cut or damaged)")
        if all(n == 1 or s == e for n, s, e in zip(self.shape, self.stride, expected)):
            return bytes(data[self.offset * size : (self.offset + count) * size])
        offsets = [self.offset]
        for extent, stride in zip(self.shape, self.stride):
            offsets = [base + stride * i for base in offsets for i in range(extent)]
        return b"".join(data[o * size : (o + 1) * size] for o in offsets)


def rebuild_parameter(tensor, *_):
    return tensor


def rebuild_from_type(rebuild, kind, arguments, *_):
    """A tensor of a class derived from that of PyTorch."""
    return rebuild(*arguments)


class UnreadTensor:
    """A tensor of a kind that is not read: sparse, quantised and others. Refused where it is among the weights."""

    def __init__(self, kind):
        self.kind = kind

    def __call__(self, *_):
        return self


def rebuild_of_other_type(storage, offset, shape, stride, requires_grad, hooks, dtype, *_):
    """A tensor of one of the types that came after those of STORAGES, such as uint16 and float8_e4m3fn."""
    return UnreadTensor(f"type {dtype.__name__}")


SAFE = {
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("builtins", "set"): set,
    ("__builtin__", "set"): set,
    ("torch", "Size"): tuple,
    ("torch._utils", "_rebuild_tensor"): TensorRecord,
    ("torch._utils", "_rebuild_tensor_v2"): TensorRecord,
    ("torch._utils", "_rebuild_tensor_v3"): rebuild_of_other_type,
    ("torch._tensor", "_rebuild_from_type_v2"): rebuild_from_type,
    ("torch._utils", "_rebuild_parameter"): rebuild_parameter,
    ("torch._utils", "_rebuild_parameter_with_state"): rebuild_parameter,
}


class SafeUnpickler(pickle.Unpickler):
    """Unpickler that resolves every name to an inert class or to a reader of tensors."""

    def __init__(self, file, storages):
        super().__init__(file, encoding="utf-8")
        self.storages = storages

    def find_class(self, module, name):
        if module == "torch" and name.endswith("Storage"):
            return type(name, (), {"kind": name})
        if (module, name) in SAFE:
            return SAFE[module, name]
        if module.startswith("torch") and name.startswith("_rebuild_"):
            return UnreadTensor(name[len("_rebuild_") :])
        return type(name.rpartition(".")[2], (Inert,), {"__module__": module})

    def persistent_load(self, identifier):
        if not isinstance(identifier, tuple) or identifier[0] not in ("storage", "module"):
            raise CheckpointError("it refers to something outside that is no tensor storage (not a PyTorch checkpoint)")
        if identifier[0] == "module":  # (module, class, source file, source text): the class alone matters
            return identifier[1]
        kind, key = getattr(identifier[1], "kind", None), str(identifier[2])
        storage = self.storages.setdefault(key, Storage(kind, key))
        view = identifier[5] if len(identifier) > 5 else None
        if view is not None:
            raise CheckpointError("it shares storages by views of the oldest format (save it again with a newer PyTorch)")
        return storage


# What is taken for a checkpoint, by its first bytes
FOREIGN = (
    (b"version https://git-lfs", "it is a pointer of Git LFS, not the file; fetch the file with 'git lfs pull'"),
    (b"\x1f\x8b", "it is compressed with gzip; unpack it with 'gunzip'"),
    (b"\x89HDF", "it is an HDF5 file, as Keras writes; save the weights by torch.save or as safetensors"),
    (b"<!DOCTYPE", "it is a web page, as a failed download leaves it; fetch the file itself"),
    (b"<html", "it is a web page, as a failed download leaves it; fetch the file itself"),
)


def refuse_parts(path):
    """Names files that hold a part of a model or say where its parts are, by the names that their writers give them."""
    name = os.path.basename(path)
    if re.search(r"-\d{5}-of-\d{5}\.|\.distcp$|\.index\.json$", name):
        raise CheckpointError(
            "it is a part of a checkpoint that is spread over several files, or the list of them; load the whole model and save it "
            "in one file: torch.save(model.state_dict(), NEW)"
        )


def refuse_foreign(file):
    """Names files of other kinds, and those that are empty."""
    start = file.read(32)
    file.seek(0)
    if not start:
        raise CheckpointError("it is empty; fetch it again")
    for first, says in FOREIGN:
        if start.startswith(first):
            raise CheckpointError(says)


def is_legacy(file):
    """Whether the file has the format before PyTorch 1.6, which begins with a pickled number."""
    start = file.read(64)
    file.seek(0)
    return start.startswith(pickle.dumps(LEGACY_MAGIC, protocol=2))


def opened_archive(file):
    """A zip archive of PyTorch, whose checksums are 0 where set_crc32_options(False) left them out."""
    archive = zipfile.ZipFile(file)
    for entry in archive.infolist():
        entry.CRC = entry.CRC or None  # which is not compared
    return archive


def refuse_other_byte_order(archive, folder):
    """Refuses numbers of a big-endian machine."""
    if folder + "byteorder" in archive.namelist() and archive.read(folder + "byteorder") != b"little":
        raise CheckpointError("it was written on a big-endian machine (save it again on a common one)")


def read_zip(file):
    """Object tree of a checkpoint in the zip format."""
    with opened_archive(file) as archive:
        names = archive.namelist()
        main = [n for n in names if n.endswith("data.pkl") and n.count("/") <= 1]
        if any("/code/" in n or n.endswith("constants.pkl") for n in names):
            raise CheckpointError("it is TorchScript, a compiled model (save model.state_dict() instead)")
        if len(main) != 1:
            raise CheckpointError("the archive has no data.pkl (a TorchScript or other archive is not a checkpoint)")
        folder, storages = main[0][: -len("data.pkl")], {}
        refuse_other_byte_order(archive, folder)
        tree = SafeUnpickler(io.BytesIO(archive.read(main[0])), storages).load()
        for key, storage in storages.items():
            storage.data = archive.read(f"{folder}data/{key}")
    return tree


def read_legacy(file):
    """Object tree of a checkpoint in the format before PyTorch 1.6: pickles in a row, then the storages."""
    storages = {}
    if SafeUnpickler(file, storages).load() != LEGACY_MAGIC:
        raise CheckpointError("it is neither a zip archive nor an old PyTorch file")
    SafeUnpickler(file, storages).load()  # protocol version
    SafeUnpickler(file, storages).load()  # machine facts
    tree = SafeUnpickler(file, storages).load()
    for key in SafeUnpickler(file, storages).load():
        if str(key) not in storages:
            raise CheckpointError(f"storage {key} belongs to no tensor (the file is damaged)")
        storage = storages[str(key)]
        (count,) = struct.unpack("<q", file.read(8))
        storage.data = file.read(count * storage.size)
    return tree


def collect(node, prefix, out):
    """Adds the tensors under a state dict or a pickled module to `out` by their dotted names."""
    if isinstance(node, TensorRecord):
        out[prefix] = node
        return
    if isinstance(node, UnreadTensor):
        raise CheckpointError(f"{prefix} is a tensor of a kind that is not read ({node.kind}); save it as a dense one of float32 or complex64")
    if isinstance(node, Inert):
        state = node.state if isinstance(node.state, dict) else {}
        for group in ("_parameters", "_buffers", "_modules"):
            collect(state.get(group, {}), prefix, out)
        return
    if isinstance(node, dict):
        for name, child in node.items():
            collect(child, f"{prefix}.{name}" if prefix else str(name), out)


def holds_tensors(node):
    """Whether there are tensors under a part of a checkpoint."""
    found = {}
    collect(node, "", found)
    return bool(found)


def is_optimizer(node):
    """Whether this is the state of an optimizer: moments of the weights, not the weights."""
    return isinstance(node, dict) and "state" in node and "param_groups" in node


def is_for_training(key, node):
    """Whether a part of a checkpoint belongs to its optimizers and schedules."""
    name = str(key).lower()
    return is_optimizer(node) or any(part in name for part in ("optim", "sched", "scaler", "callback", "loop"))


def unwrapped(tree, wanted, beside):
    """The state dict or model within the dicts of training scripts. A state dict holds tensors, or names with dots.

    Other parts with tensors are added to `beside` by their keys; `wanted` is the key to take in the first place."""
    if wanted is not None:
        if not (isinstance(tree, dict) and wanted in tree):
            keys = ", ".join(map(str, tree)) if isinstance(tree, dict) else "none"
            raise CheckpointError(f"it has no part {wanted} (its parts are {keys})")
        tree = tree[wanted]
    while isinstance(tree, dict):
        wrapper = next((key for key in WRAPPERS if isinstance(tree.get(key), (dict, Inert))), None)
        if wrapper is None:
            break
        beside += [
            str(key)
            for key, node in tree.items()
            if key != wrapper and isinstance(node, (dict, Inert)) and not is_for_training(key, node) and holds_tensors(node)
        ]
        tree = tree[wrapper]
    if is_optimizer(tree):
        raise CheckpointError("it is the state of an optimizer, not of a model (save model.state_dict())")
    return tree


def tensors_of(tree, wanted=None, beside=None):
    """Name -> tensor of a loaded checkpoint; looks into the usual wrappers of training scripts."""
    tree = unwrapped(tree, wanted, [] if beside is None else beside)
    if isinstance(tree, TensorRecord):
        raise CheckpointError("it is one tensor without a name; save a state dict, {'NAME': tensor, ...}")
    whole = {}
    collect(tree, "", whole)
    found = {}
    for name, tensor in whole.items():
        bare = ".".join(part for part in name.split(".") if part != "_orig_mod")
        if bare in found:
            raise CheckpointError(f"it holds {bare} compiled and not compiled; save one of them")
        if bare.split(".")[-1] in WEIGHT_NAMES and tensor.storage.dtype not in FLOATS:
            kind = "truth values" if tensor.storage.dtype == "BOOL" else "whole numbers"
            raise CheckpointError(
                f"{bare} holds {kind} ({tensor.storage.dtype}), as the weights of a quantised or pruned model; save it as "
                "floating-point numbers"
            )
        found[bare] = tensor
    if not found:
        raise CheckpointError("it holds no named tensors (neither a state dict nor a model)")
    return found


def read_checkpoint(path, wanted=None, beside=None, settings=None):
    """Name -> tensor of a .pt file, of its part `wanted`; other parts with weights go to `beside`, and what the network was
    made with to `settings`. Throws CheckpointError."""
    try:
        if not os.path.isfile(path) and os.path.exists(path):
            raise CheckpointError("it is not an ordinary file")
        refuse_parts(path)
        with open(path, "rb") as file:
            refuse_foreign(file)
            is_zip = zipfile.is_zipfile(file)
            file.seek(0)
            tree = read_zip(file) if is_zip else read_legacy(file)
            if settings is not None:
                settings.update(settings_of(tree, wanted))
            return tensors_of(tree, wanted, beside)
    except CheckpointError:
        raise
    except OSError as problem:
        raise CheckpointError(problem.strerror or str(problem)) from problem
    except Exception as problem:  # a damaged pickle or archive can fail in any way
        raise CheckpointError(f"it is damaged or no PyTorch checkpoint ({problem})") from problem


def plain(value):
    """A setting as JSON has it: of a class or function its name alone; None for what has no like there."""
    if value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and value - value == 0.0):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, type):
        return value.__name__
    return type(value).__name__ if isinstance(value, Inert) else None


def settings_of(tree, wanted=None):
    """What the library neuraloperator says a network was made with, under `_metadata` of its state dict; or nothing."""
    tree = unwrapped(tree, wanted, [])
    settings = tree.get("_metadata") if isinstance(tree, dict) else None
    if not isinstance(settings, dict) or "_name" not in settings:
        return {}
    return {str(key): plain(value) for key, value in settings.items() if key != "args"}


def write_safetensors(path, tensors, settings=None):
    """Writes name -> TensorRecord; appears under its name only when complete."""
    header, offset = {}, 0
    if settings:
        header["__metadata__"] = {"neuraloperator": json.dumps(settings, sort_keys=True)}
    for name in sorted(tensors):
        tensor = tensors[name]
        count = tensor.storage.size
        for extent in tensor.shape:
            count *= extent
        shape = list(tensor.shape) + ([2] if tensor.storage.is_complex else [])
        header[name] = {"dtype": tensor.storage.dtype, "shape": shape, "data_offsets": [offset, offset + count]}
        offset += count
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    temporary = f"{path}.part"
    try:
        with open(temporary, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for name in sorted(tensors):
                file.write(tensors[name].elements())
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint", help="PyTorch file: a state dict or a whole model")
    parser.add_argument("output", help="safetensors file to write")
    parser.add_argument("--take", metavar="PART", help="part of the checkpoint to take, for example ema_state_dict")
    arguments = parser.parse_args()
    beside, settings = [], {}
    try:
        tensors = read_checkpoint(arguments.checkpoint, arguments.take, beside, settings)
        write_safetensors(arguments.output, tensors, settings)
    except (CheckpointError, OSError) as problem:
        print(f"error: {arguments.checkpoint} cannot be converted ({problem})", file=sys.stderr)
        return 3
    print(f"{arguments.output}: {len(tensors)} tensors")
    if beside:
        parts = ", ".join(beside)
        print(f"warning: {arguments.checkpoint} also holds weights under {parts}, which are left out; --take takes them", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
