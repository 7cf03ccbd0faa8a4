#!/usr/bin/env python3
"""Fourier neural operators in the layouts that others publish, written anew in PyTorch, as peers of the imported ones.

The scripts of Li et al. (zongyi-li/fourier_neural_operator) and PINO hold their layers one by one; the library
neuraloperator holds them in lists, keeps its modes in the order of frequencies and may hold a spectral weight in factors.
`main` writes what tests/inference/published_layouts_test.cpp reads for each of NETWORKS: NAME.safetensors, the
checkpoint as scripts/convert/convert_checkpoint.py makes it, and NAME_fields.safetensors with `inputs` and `outputs`,
channels-last and in float64. Needs PyTorch.

Usage: published_layouts.py FOLDER
"""
import itertools
import math
import string
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
import torch_models
from torch import nn
from torch.nn import functional as F

CONVERT = Path(__file__).parents[2] / "scripts" / "convert" / "convert_checkpoint.py"
POINTWISE = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}


class SignedSpectralConv(nn.Module):
    """One weight for each combination of signs of the frequencies of all axes but the last."""

    def __init__(self, width, modes):
        super().__init__()
        self.modes = modes
        for part in range(2 ** (len(modes) - 1)):
            values = torch.randn(width, width, *modes, dtype=torch.cfloat) / width
            self.register_parameter(f"weights{part + 1}", nn.Parameter(values))

    def forward(self, x):
        axes = tuple(range(-len(self.modes), 0))
        spectrum = torch.fft.rfftn(x, dim=axes)
        result = torch.zeros_like(spectrum)
        letters = string.ascii_lowercase[: len(self.modes)]
        for part in range(2 ** (len(self.modes) - 1)):
            signs = [part >> axis & 1 for axis in range(len(self.modes) - 1)] + [0]
            box = tuple(slice(-m, None) if negative else slice(0, m) for m, negative in zip(self.modes, signs))
            weight = getattr(self, f"weights{part + 1}")
            place = (slice(None), slice(None), *box)
            result[place] = torch.einsum(f"zi{letters},io{letters}->zo{letters}", spectrum[place], weight)
        return torch.fft.irfftn(result, s=x.shape[2:])


class PairOfLayers(nn.Module):
    """mlp1, GELU, mlp2."""

    def __init__(self, axes, inputs, outputs, hidden):
        super().__init__()
        self.mlp1 = POINTWISE[axes](inputs, hidden, 1)
        self.mlp2 = POINTWISE[axes](hidden, outputs, 1)

    def forward(self, x):
        return self.mlp2(F.gelu(self.mlp1(x)))


class Script(nn.Module):
    """The scripts of 2021: fc0, zeros behind the lifted field, blocks conv + w, no activation after the last, fc1, fc2."""

    def __init__(self, modes, inputs, padding=None, width=4, blocks=3, activation=F.gelu, norms=False):
        super().__init__()
        self.axes, self.blocks, self.activation = len(modes), blocks, activation
        self.padding = padding or (0,) * self.axes
        self.fc0 = nn.Linear(inputs, width)
        for k in range(blocks):
            setattr(self, f"conv{k}", SignedSpectralConv(width, modes))
            setattr(self, f"w{k}", POINTWISE[self.axes](width, width, 1))
            if norms:
                setattr(self, f"bn{k}", nn.BatchNorm3d(width))  # never called
        self.fc1 = nn.Linear(width, 7)
        self.fc2 = nn.Linear(7, 1)

    def block(self, k, x):
        return getattr(self, f"conv{k}")(x) + getattr(self, f"w{k}")(x)

    def lifted(self, x):
        return self.fc0(x).movedim(-1, 1)

    def projected(self, x):
        return self.fc2(self.activation(self.fc1(x.movedim(1, -1))))

    def forward(self, x):
        extents = x.shape[1:-1]
        x = self.lifted(x)
        x = F.pad(x, [cells for axis in reversed(self.padding) for cells in (0, axis)])
        for k in range(self.blocks):
            x = self.block(k, x)
            x = self.activation(x) if k + 1 < self.blocks else x
        return self.projected(x[(slice(None), slice(None), *(slice(0, n) for n in extents))])


class ScriptOf2022(Script):
    """An MLP after each spectral convolution; p in place of fc0 and q, an MLP, in place of fc1 and fc2."""

    def __init__(self, modes, inputs, width=4, **others):
        super().__init__(modes, inputs, width=width, **others)
        del self.fc0, self.fc1, self.fc2
        self.p = nn.Linear(inputs, width)
        for k in range(self.blocks):
            setattr(self, f"mlp{k}", PairOfLayers(self.axes, width, width, width))
        self.q = PairOfLayers(self.axes, width, 1, 4 * width)

    def block(self, k, x):
        return getattr(self, f"mlp{k}")(getattr(self, f"conv{k}")(x)) + getattr(self, f"w{k}")(x)

    def lifted(self, x):
        return self.p(x).movedim(-1, 1)

    def projected(self, x):
        return self.q(x).movedim(1, -1)


class Pino(Script):
    """Lists in place of numbered layers, and pointwise layers over one axis."""

    def __init__(self, modes, inputs, width=4, **others):
        super().__init__(modes, inputs, width=width, **others)
        self.sp_convs = nn.ModuleList(getattr(self, f"conv{k}") for k in range(self.blocks))
        self.ws = nn.ModuleList(nn.Conv1d(width, width, 1) for _ in range(self.blocks))
        for k in range(self.blocks):
            delattr(self, f"conv{k}")
            delattr(self, f"w{k}")

    def block(self, k, x):
        return self.sp_convs[k](x) + self.ws[k](x.flatten(2)).view_as(x)


class SpectralWeight(nn.Module):
    """A complex array [I, O, modes...], whole or in factors under the names of tensorly-torch."""

    def __init__(self, shape, kind, rank=3):
        super().__init__()
        self.kind, self.shape = kind, shape
        self.letters = string.ascii_lowercase[: len(shape)]
        self.ranks = string.ascii_uppercase[: len(shape) + 1]

        def values(*extents):
            return nn.Parameter(torch.randn(*extents, dtype=torch.cfloat) / math.sqrt(rank))

        if kind == "dense":
            self.tensor = values(*shape)
            return
        self.factors = nn.Module()
        ranks = [min(rank, extent) for extent in shape]
        if kind == "tucker":
            self.core = values(*ranks)
        elif kind == "cp":
            self.weights = values(rank)
            ranks = [rank] * len(shape)
        links = [1, *[rank] * (len(shape) - 1), 1]
        for k, extent in enumerate(shape):
            size = (links[k], extent, links[k + 1]) if kind == "tt" else (extent, ranks[k])
            self.factors.register_parameter(f"factor_{k}", values(*size))

    def whole(self):
        if self.kind == "dense":
            return self.tensor
        factors = [getattr(self.factors, f"factor_{k}") for k in range(len(self.shape))]
        if self.kind == "tucker":
            terms = [self.ranks[:-1], *(a + r for a, r in zip(self.letters, self.ranks))]
            arrays = [self.core, *factors]
        elif self.kind == "cp":
            terms, arrays = ["R", *(a + "R" for a in self.letters)], [self.weights, *factors]
        else:
            terms = [self.ranks[k] + a + self.ranks[k + 1] for k, a in enumerate(self.letters)]
            arrays = factors
        return torch.einsum(",".join(terms) + "->" + self.letters, *arrays)


def shifted(shift, spectrum):
    """All axes but the last turned."""
    axes = tuple(range(2, spectrum.ndim - 1))
    return shift(spectrum, dim=axes) if axes else spectrum


class OrderedSpectralConv(nn.Module):
    """All frequencies of an axis from the lowest to the highest, `modes` in all; of the last axis modes // 2 + 1."""

    def __init__(self, width, modes, kind):
        super().__init__()
        self.kept = (*modes[:-1], modes[-1] // 2 + 1)
        self.weight = SpectralWeight((width, width, *self.kept), kind)
        self.bias = nn.Parameter(torch.randn(width, *[1] * len(modes)))

    def forward(self, x):
        axes = tuple(range(2, x.ndim))
        spectrum = shifted(torch.fft.fftshift, torch.fft.rfftn(x, dim=axes, norm="forward"))
        result = torch.zeros_like(spectrum)
        starts = [n // 2 - m // 2 for n, m in zip(spectrum.shape[2:-1], self.kept)] + [0]
        box = (slice(None), slice(None), *(slice(low, low + m) for low, m in zip(starts, self.kept)))
        letters = string.ascii_lowercase[: len(axes)]
        result[box] = torch.einsum(f"zi{letters},io{letters}->zo{letters}", spectrum[box], self.weight.whole())
        back = shifted(torch.fft.ifftshift, result)
        return torch.fft.irfftn(back, s=x.shape[2:], dim=axes, norm="forward") + self.bias


class Layers(nn.Module):
    """Linear layers along the channels, `fcs`, with an activation between them."""

    def __init__(self, *widths, activation=F.gelu):
        super().__init__()
        self.fcs = nn.ModuleList(nn.Conv1d(a, b, 1) for a, b in itertools.pairwise(widths))
        self.activation = activation

    def forward(self, x):
        flat = x.flatten(2)
        for k, layer in enumerate(self.fcs):
            flat = layer(flat if k == 0 else self.activation(flat))
        return flat.unflatten(2, x.shape[2:])


class Gate(nn.Module):
    def __init__(self, width, axes):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(1, width, *[1] * axes))

    def forward(self, x):
        return self.weight * x


class LinearSkip(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv1d(width, width, 1, bias=False)

    def forward(self, x):
        return self.conv(x.flatten(2)).view_as(x)


class Library(nn.Module):
    """FNO and TFNO of neuraloperator: a lift of two layers, blocks with skips and MLPs along the channels."""

    def __init__(self, modes, inputs, kind="dense", mlp=True, skip="linear", activation=F.gelu, width=4, blocks=3):
        super().__init__()
        axes = len(modes)
        self.blocks, self.activation = blocks, activation
        self.lifting = Layers(inputs, 2 * width, width, activation=activation)
        self.projection = Layers(width, 2 * width, 1, activation=activation)
        self.fno_blocks = nn.Module()
        self.fno_blocks.convs = nn.ModuleList(OrderedSpectralConv(width, modes, kind) for _ in range(blocks))
        skips = {"linear": lambda: LinearSkip(width), "soft-gating": lambda: Gate(width, axes), "identity": nn.Identity}
        self.fno_blocks.fno_skips = nn.ModuleList(skips[skip]() for _ in range(blocks))
        if mlp:
            self.fno_blocks.channel_mlp = nn.ModuleList(Layers(width, width // 2, width) for _ in range(blocks))
            self.fno_blocks.channel_mlp_skips = nn.ModuleList(Gate(width, axes) for _ in range(blocks))
        self.arguments = {"_name": "FNO", "n_modes": modes, "non_linearity": activation, "fno_skip": skip, "norm": None}

    def forward(self, x):
        x = self.lifting(x.movedim(-1, 1))
        for k in range(self.blocks):
            parts, end = self.fno_blocks, self.activation if k + 1 < self.blocks else nn.Identity()
            u = end(parts.convs[k](x) + parts.fno_skips[k](x))
            x = end(parts.channel_mlp[k](u) + parts.channel_mlp_skips[k](x)) if hasattr(parts, "channel_mlp") else u
        return self.projection(x).movedim(1, -1)

    def state_dict(self, *arguments, **keywords):
        """As the library: with what the network was made with."""
        state = super().state_dict(*arguments, **keywords)
        state["_metadata"] = self.arguments
        return state


# Name -> the network, and the extents of its fields
NETWORKS = {
    "script_1d": (lambda: Script((5,), 2), (24,)),
    "script_2d": (lambda: Script((3, 4), 3, padding=(3, 2)), (10, 13)),
    "script_3d": (lambda: Script((2, 3, 3), 4, padding=(0, 0, 3), norms=True), (6, 8, 7)),
    "script_2022_2d": (lambda: ScriptOf2022((3, 4), 3), (9, 12)),
    "pino_2d": (lambda: Pino((3, 4), 3), (8, 11)),
    "library_1d": (lambda: Library((8,), 2), (21,)),
    "library_2d": (lambda: Library((6, 8), 3), (12, 15)),
    "library_odd_2d": (lambda: Library((5, 7), 3, mlp=False, skip="identity", activation=F.relu), (11, 12)),
    "library_3d": (lambda: Library((4, 2, 6), 4, skip="soft-gating"), (8, 6, 9)),
    "library_4d": (lambda: Library((2, 4, 2, 4), 2, width=3), (3, 5, 4, 6)),
    "library_tucker_2d": (lambda: Library((6, 8), 3, kind="tucker"), (12, 15)),
    "library_cp_2d": (lambda: Library((6, 8), 3, kind="cp"), (12, 15)),
    "library_tt_3d": (lambda: Library((4, 2, 6), 3, kind="tt"), (8, 6, 9)),
}


def convert(content, path, folder):
    checkpoint = Path(folder) / "checkpoint.pt"
    torch.save(content, checkpoint)
    subprocess.run([sys.executable, str(CONVERT), str(checkpoint), str(path)], check=True, stdout=subprocess.DEVNULL)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[-1])
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for seed, (name, (make, extents)) in enumerate(NETWORKS.items()):
            torch.manual_seed(seed)
            network = make().eval()
            convert(network.state_dict(), target / f"{name}.safetensors", folder)
            channels = next(iter(p for n, p in network.named_parameters() if n.split(".")[0] in ("fc0", "p", "lifting"))).shape[1]
            inputs = torch.randn(2, *extents, channels)
            with torch.no_grad():
                outputs = torch_models.in_double(network)(inputs.double())
            convert({"inputs": inputs, "outputs": outputs}, target / f"{name}_fields.safetensors", folder)


if __name__ == "__main__":
    main()
