#!/usr/bin/env python3
"""Trains an FNO (Li et al. 2021) in PyTorch as a recipe of Plumecast says, on the data sets that it names, and prints the mean relative L2 error on
parts/test.h5 of the weights that were best on the validation cases.

Usage: torch_fno.py RECIPE.json          needs NumPy, h5py and PyTorch
"""
import argparse
import copy
import json
import math
import sys

import h5py
import numpy as np
import torch
from torch import nn


class SpectralConv(nn.Module):
    """Kept modes of a real field [B, C, axes...] times a matrix each: both signs of all axes but the last."""

    def __init__(self, width, modes):
        super().__init__()
        self.modes = modes
        corners = 2 ** (len(modes) - 1)
        self.weight = nn.Parameter(torch.rand(corners, width, width, *modes, dtype=torch.cfloat) / width**2)

    def forward(self, x):
        axes = tuple(range(2, x.ndim))
        spectrum = torch.fft.rfftn(x, dim=axes)
        out = torch.zeros_like(spectrum)
        for corner in range(self.weight.shape[0]):
            kept = [slice(None), slice(None)]
            for axis, count in enumerate(self.modes[:-1]):
                kept.append(slice(-count, None) if corner >> axis & 1 else slice(0, count))
            kept.append(slice(0, self.modes[-1]))
            out[tuple(kept)] = torch.einsum("bi...,io...->bo...", spectrum[tuple(kept)], self.weight[corner])
        return torch.fft.irfftn(out, s=x.shape[2:], dim=axes)


class FNO(nn.Module):
    def __init__(self, channels, network, modes, padding):
        super().__init__()
        width = network["width"]
        conv = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}[len(modes)]
        self.padding = padding
        self.lift = conv(channels, width, 1)
        self.spectral = nn.ModuleList(SpectralConv(width, modes) for _ in range(network["fourier_blocks"]))
        self.linear = nn.ModuleList(conv(width, width, 1) for _ in self.spectral)
        self.first, self.second = conv(width, network["hidden"], 1), conv(network["hidden"], 1, 1)

    def forward(self, x):
        extents = x.shape[2:]
        x = nn.functional.pad(self.lift(x), [n for axis in reversed(self.padding) for n in (0, axis)])
        for k, (spectral, linear) in enumerate(zip(self.spectral, self.linear)):
            x = spectral(x) + linear(x)
            if k + 1 < len(self.spectral):
                x = nn.functional.gelu(x)
        x = x[(slice(None), slice(None), *(slice(0, extent) for extent in extents))]
        return self.second(nn.functional.gelu(self.first(x)))


def load(path, recipe):
    """Inputs [N, C, axes...] and outputs [N, 1, axes...], normalised, time last; axes of one point left out."""
    field = recipe["fields"][0]
    with h5py.File(path) as file:
        output = file["outputs"][field["name"]][:]
        space = np.asarray(file.attrs["axes"]).astype(str).item().count(",") + 1
        output = np.moveaxis(output, 1, -1) if "grid/times" in file else output
        shape = output.shape
        channels = []
        for channel in recipe["channels"]:
            source = channel["source"]
            if source == "/grid/times":
                values = np.broadcast_to(file[source][:], shape)
            elif source.startswith("/grid/"):
                axis = 1 + "zyx"[3 - space:].index(source[-1])
                points = file[source][:] if source in file else np.linspace(0.0, 1.0, shape[axis])
                values = np.broadcast_to(points.reshape([-1 if k == axis else 1 for k in range(len(shape))]), shape)
            else:
                values = file[source][:]
                values = np.broadcast_to(values.reshape(values.shape + (1,) * (len(shape) - values.ndim)), shape)
            channels.append((values - channel["offset"]) / channel["scale"])
        inputs = np.stack(channels, axis=1).astype(np.float32)
        return torch.from_numpy(inputs), torch.from_numpy(((output - field["offset"]) / field["scale"])[:, None].astype(np.float32))


def relative(prediction, truth, offset=0.0):
    axes = tuple(range(1, truth.ndim))
    return (prediction - truth).pow(2).sum(axes).sqrt() / (truth + offset).pow(2).sum(axes).sqrt()


def evaluate(network, inputs, truth, batch, offset):
    with torch.no_grad():
        return float(torch.cat([relative(network(inputs[k:k + batch]), truth[k:k + batch], offset)
                                for k in range(0, len(inputs), batch)]).mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recipe")
    recipe = json.load(open(parser.parse_args().recipe))
    torch.manual_seed(recipe["seed"])
    inputs, truth = load(recipe["data"]["train"], recipe)
    seen = load(recipe["data"]["validation"], recipe)
    network_entries = recipe["network"]
    kept = [axis for axis, extent in enumerate(network_entries["modes"]) if extent > 0]
    modes, padding = ([network_entries[key][axis] for axis in kept] for key in ("modes", "padding"))
    network = FNO(inputs.shape[1], network_entries, modes, padding)
    rate, lowest, epochs, batch = recipe["schedule"]["learning_rate"], recipe["schedule"]["minimum"], recipe["epochs"], recipe["batch_size"]
    adam = torch.optim.Adam(network.parameters(), lr=rate)
    steps = epochs * math.ceil(len(inputs) / batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(adam, steps, lowest)
    best, best_weights = math.inf, None
    for _ in range(epochs):
        for cases in torch.randperm(len(inputs)).split(batch):
            adam.zero_grad()
            relative(network(inputs[cases]), truth[cases]).mean().backward()
            adam.step()
            schedule.step()
        loss = evaluate(network, *seen, batch, 0.0)
        if loss < best:
            best, best_weights = loss, copy.deepcopy(network.state_dict())
    network.load_state_dict(best_weights)
    field = recipe["fields"][0]
    error = evaluate(network, *load("parts/test.h5", recipe), batch, field["offset"] / field["scale"])
    json.dump({"relative_l2": error}, sys.stdout)


if __name__ == "__main__":
    main()
