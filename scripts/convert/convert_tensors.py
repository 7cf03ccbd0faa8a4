#!/usr/bin/env python3
"""Turns the published tensors of U-FNO (.pt files) into one safetensors file that `plumecast import` reads.

Inputs are [N, Z, R, T, 12], outputs [N, Z, R, T]. Eleven of the twelve channels do not vary in time; they are stored once,
which makes the file some sixty times smaller. Values stay as published (scaled); the import brings them to physical units.
Nothing that the files name is executed. Memory is that of one case. Needs only Python.

Channels go by name. The order taken here is that of the published data, in which temperature comes before initial pressure; a
comment in the published code says the reverse. For other tensors name the channels with --channels.
The build-up of the published training and validation files is standardised, that of the test file is in bar; nothing in the
files tells which, so --pressure-scale must.

Usage: convert_tensors.py OUT.safetensors --inputs A.pt [--gas-saturation S.pt] [--pressure-buildup P.pt --pressure-scale bar]
"""
import argparse
import array
import io
import json
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from convert_checkpoint import (  # noqa: E402
    CheckpointError, SafeUnpickler, TensorRecord, flip_signs, is_legacy, opened_archive, refuse_foreign, refuse_other_byte_order)

PUBLISHED_CHANNELS = (
    "permeability_r", "permeability_z", "porosity", "perforation", "injection_rate", "temperature", "initial_pressure",
    "irreducible_water_saturation", "van_genuchten_lambda", "cell_width_r", "cell_width_z", "time")
MAPS = ("permeability_r", "permeability_z", "porosity", "perforation")
SCALARS = ("injection_rate", "temperature", "initial_pressure", "irreducible_water_saturation", "van_genuchten_lambda")
WIDTH_TOLERANCE = 1e-5


class TensorFile:
    """A .pt file with one tensor, read case by case."""

    def __init__(self, path, axes):
        self.path = path
        try:
            with open(path, "rb") as file:
                refuse_foreign(file)
                if is_legacy(file):
                    raise CheckpointError(
                        "it has the format before PyTorch 1.6, which cannot be read case by case; save it again: "
                        "torch.save(torch.load(OLD), NEW)"
                    )
            self.archive = opened_archive(path)
            names = self.archive.namelist()
            main = [name for name in names if name.endswith("data.pkl") and name.count("/") <= 1]
            if len(main) != 1:
                raise CheckpointError("the archive has no data.pkl")
            self.tensor = SafeUnpickler(io.BytesIO(self.archive.read(main[0])), {}).load()
            if not isinstance(self.tensor, TensorRecord):
                raise CheckpointError("it holds no tensor, but something else")
            self.check(axes)
            folder = main[0][: -len("data.pkl")]
            refuse_other_byte_order(self.archive, folder)
            self.stream = self.archive.open(f"{folder}data/{self.tensor.storage.key}")
        except CheckpointError as problem:
            raise CheckpointError(f"{path}: {problem}") from problem
        except OSError as problem:
            raise CheckpointError(f"{path}: {problem.strerror or problem}") from problem
        except Exception as problem:  # a damaged archive or pickle can fail in any way
            raise CheckpointError(f"{path}: it is damaged, or no file of torch.save since PyTorch 1.6 ({problem})") from problem

    def check(self, axes):
        tensor = self.tensor
        if tensor.storage.dtype != "F32":
            raise CheckpointError(f"its elements are {tensor.storage.dtype}; 32-bit reals are read")
        self.shape = tensor.shape
        if len(self.shape) == axes + 1 and self.shape[-1] == 1:
            self.shape = self.shape[:-1]
        if len(self.shape) != axes or min(self.shape) < 1:
            raise CheckpointError(f"its shape is {list(tensor.shape)}; {axes} axes are expected, none empty")
        stride = 1
        for extent, found in zip(reversed(tensor.shape), reversed(tensor.stride)):
            if extent > 1 and found != stride:
                raise CheckpointError("its elements do not stand in order; save tensor.contiguous()")
            stride *= extent
        if tensor.offset != 0:
            raise CheckpointError("it is a view into a larger tensor; save tensor.clone()")

    def next_case(self):
        """Elements of the next case."""
        count = 4
        for extent in self.shape[1:]:
            count *= extent
        data = self.stream.read(count)
        if len(data) != count:
            raise CheckpointError(f"{self.path}: it ends within a case (the file is cut)")
        if self.tensor.is_negative:
            data = bytearray(data)
            flip_signs(data, 3, 4)
        values = array.array("f")
        values.frombytes(data)
        if sys.byteorder == "big":
            values.byteswap()
        return values


class Inputs:
    """Takes the channels of one case after the other apart."""

    def __init__(self, shape, channels):
        self.cases, self.rows, self.columns, self.times = shape[:4]
        self.channels = channels
        self.widths = {"cell_width_r": [0.0] * self.columns, "cell_width_z": [0.0] * self.rows}
        self.time = None

    def slice(self, values, name, time):
        return values[time * len(self.channels) + self.channels.index(name) :: self.times * len(self.channels)]

    def static(self, values, name, case):
        first = self.slice(values, name, 0)
        for time in range(1, self.times):
            if self.slice(values, name, time) != first:
                raise CheckpointError(f"case {case}: channel {name} varies in time; is the order of the channels right?")
        return first

    def take(self, values, case):
        """Name -> elements of the arrays of one case."""
        found = {name: self.static(values, name, case) for name in MAPS}
        active = [i for i, porosity in enumerate(found["porosity"]) if porosity != 0.0]
        if not active:
            raise CheckpointError(f"case {case}: porosity is 0 everywhere; is the order of the channels right?")
        for name in SCALARS:
            cells = self.static(values, name, case)
            if any(cells[i] != cells[active[0]] for i in active):
                raise CheckpointError(f"case {case}: channel {name} varies over the cells; is the order of the channels right?")
            found[name] = array.array("f", [cells[active[0]]])
        self.learn_widths(values, case)
        channels = len(self.channels)
        start = active[0] * self.times * channels + self.channels.index("time")
        time = values[start : start + self.times * channels : channels]
        if self.time is not None and time != self.time:
            raise CheckpointError(f"case {case}: other times than in case 0; convert such cases apart")
        self.time = time
        return found

    def learn_widths(self, values, case):
        r = self.static(values, "cell_width_r", case)
        z = self.static(values, "cell_width_z", case)
        here = {"cell_width_r": [max(r[i :: self.columns]) for i in range(self.columns)],
                "cell_width_z": [max(z[i * self.columns : (i + 1) * self.columns]) for i in range(self.rows)]}
        for name, widths in here.items():
            for i, width in enumerate(widths):
                known = self.widths[name][i]
                if width and known and abs(width - known) > WIDTH_TOLERANCE * known:
                    raise CheckpointError(f"case {case}: other {name} than in the cases before; convert such cases apart")
                self.widths[name][i] = max(width, known)


def header_of(inputs, outputs, pressure_scale):
    """Header text and name -> (first byte, bytes of one case); arrays that all cases share have no cases."""
    box = [inputs.rows, inputs.columns]
    shapes = {name: [inputs.cases, *box] for name in MAPS}
    shapes.update({name: [inputs.cases] for name in SCALARS})
    shapes.update({name: [inputs.cases, *box, inputs.times] for name in outputs})
    shapes.update({"cell_width_r": [inputs.columns], "cell_width_z": [inputs.rows], "time": [inputs.times]})
    header = {"__metadata__": {"format": "plumecast-tensors", "pressure_scale": pressure_scale or ""}}
    places, offset = {}, 0
    for name in sorted(shapes):
        count = 4
        for extent in shapes[name]:
            count *= extent
        header[name] = {"dtype": "F32", "shape": shapes[name], "data_offsets": [offset, offset + count]}
        places[name] = (offset, count // inputs.cases if shapes[name][0] == inputs.cases else count)
        offset += count
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text, places, offset


def write(file, begin, place, case, values):
    file.seek(begin + place[0] + case * place[1])
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    file.write(values.tobytes())


def convert(arguments):
    channels = arguments.channels.split(",") if arguments.channels else list(PUBLISHED_CHANNELS)
    if sorted(channels) != sorted(PUBLISHED_CHANNELS):
        raise CheckpointError(f"--channels: each of {', '.join(PUBLISHED_CHANNELS)} must be named once")
    source = TensorFile(arguments.inputs, 5)
    if source.shape[4] != len(channels):
        raise CheckpointError(f"{arguments.inputs}: {source.shape[4]} channels, {len(channels)} are expected")
    outputs = {}
    for name, path in (("gas_saturation", arguments.gas_saturation), ("pressure_buildup", arguments.pressure_buildup)):
        if path:
            outputs[name] = TensorFile(path, 4)
            if outputs[name].shape != source.shape[:4]:
                raise CheckpointError(f"{path}: shape {list(outputs[name].shape)}, the inputs have {list(source.shape[:4])}")
    inputs = Inputs(source.shape, channels)
    text, places, size = header_of(inputs, outputs, arguments.pressure_scale)
    temporary = f"{arguments.output}.part"
    try:
        with open(temporary, "wb") as file:
            file.write(text)
            file.truncate(len(text) + size)
            for case in range(inputs.cases):
                arrays = inputs.take(source.next_case(), case)
                arrays.update({name: output.next_case() for name, output in outputs.items()})
                for name, values in arrays.items():
                    write(file, len(text), places[name], case, values)
                if sys.stderr.isatty():
                    print(f"\r{case + 1}/{inputs.cases} cases", end="", file=sys.stderr)
            for name, values in (*inputs.widths.items(), ("time", inputs.time)):
                write(file, len(text), places[name], 0, array.array("f", values))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, arguments.output)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)
    return inputs.cases, sorted(outputs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", help="safetensors file to write")
    parser.add_argument("--inputs", required=True, help="tensor [N, Z, R, T, 12] of channels")
    parser.add_argument("--gas-saturation", help="tensor [N, Z, R, T]")
    parser.add_argument("--pressure-buildup", help="tensor [N, Z, R, T]")
    parser.add_argument("--pressure-scale", choices=("bar", "standardised"), help="what the build-up is in")
    parser.add_argument("--channels", help="names of the channels in their order, between commas")
    arguments = parser.parse_args()
    if bool(arguments.pressure_buildup) != bool(arguments.pressure_scale):
        parser.error("--pressure-buildup and --pressure-scale go together: the published training and validation files are "
                     "standardised, the test file is in bar")
    try:
        cases, outputs = convert(arguments)
    except (CheckpointError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 3
    print(f"{arguments.output}: {cases} case{'' if cases == 1 else 's'}, outputs: {', '.join(outputs) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
