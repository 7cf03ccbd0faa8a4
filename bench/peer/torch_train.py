#!/usr/bin/env python3
"""Trains a network in PyTorch from given weights on given batches and writes the loss of every step.

The peer for "our loss overlays PyTorch's": same initial weights, same cases in the same order, same loss.

Usage: torch_train.py --weights W.safetensors --batches B.json --data D.h5 --output LOSS.csv
                      [--steps N] [--learning-rate 1e-3] [--weight-decay 1e-4] [--threads N] [--final-weights F.safetensors]

  weights   published names; architecture, width and modes follow from names and shapes
  batches   a list of lists of case indices: [[3, 0], [7, 1], ...]
  data      .safetensors, .h5 or .npz with  inputs [N, Z, R, T, C]  target [N, Z, R, T]  active [N, Z, R]  cell_width [R] metres
"""
import argparse
import csv
import json
import time
from pathlib import Path

import torch
import torch_models
from safetensors.torch import load_file, save_file


def network_for(weights):
    """The network whose parameters these are, with the weights loaded; complex ones are pairs on the last axis."""
    if "conv1.fc0.weight" not in weights:
        residual_blocks = len({name.split(".")[1] for name in weights if name.startswith("residual.")})
        first = weights["encoder.0.0.weight"]
        network = torch_models.CNN(first.shape[1], residual_blocks, narrower=32 // first.shape[0])
    else:
        width, channels = weights["conv1.fc0.weight"].shape
        modes = tuple(weights["conv1.conv0.weights1"].shape[2:5])

        def blocks(kind):
            return len({name.split(".")[1] for name in weights if name.startswith(f"conv1.{kind}")})

        convolutions, unets = blocks("convolution"), blocks("unet")
        depth = len({name for name in weights if name.startswith("conv1.conv") and name.endswith(".weights1")})
        network = torch_models.PaddedOperator(
            modes, width, channels_in=channels, fourier=depth - convolutions - unets, conv_fourier=convolutions,
            u_fourier=unets,
        )
    state = network.state_dict()
    for name, value in weights.items():
        weights[name] = torch.view_as_complex(value.contiguous()) if state[name].is_complex() else value
    missing = network.load_state_dict(weights, strict=False).missing_keys
    lost = [name for name in missing if not name.endswith("num_batches_tracked")]
    if lost:
        raise SystemExit(f"error: the weights lack {', '.join(lost[:3])} (of {len(lost)} missing tensors)")
    return network


def read_data(path):
    """inputs, target, active and cell_width as float32 tensors."""
    names = ("inputs", "target", "active", "cell_width")
    if path.suffix == ".safetensors":
        tensors = load_file(path)
        return [tensors[name].float() for name in names]
    if path.suffix == ".npz":
        import numpy

        with numpy.load(path) as file:
            return [torch.from_numpy(file[name].astype("float32")) for name in names]
    import h5py

    with h5py.File(path) as file:
        return [torch.from_numpy(file[name][:].astype("float32")) for name in names]


def write_safetensors(network, path):
    tensors = {}
    for name, value in network.state_dict().items():
        tensors[name] = torch.view_as_real(value).contiguous() if value.is_complex() else value.contiguous()
    save_file(tensors, path)


def train(network, data, batches, arguments):
    """Writes step, loss and seconds since the start for every batch; the loss is the one before the step."""
    inputs, target, active, width = data
    optimizer = torch.optim.Adam(
        network.parameters(), lr=arguments.learning_rate, weight_decay=arguments.weight_decay
    )
    network.train()
    start = time.perf_counter()
    with open(arguments.output, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("step", "loss", "seconds"))
        for step, cases in enumerate(batches):
            optimizer.zero_grad(set_to_none=True)
            loss = torch_models.training_loss(network(inputs[cases]), target[cases], active[cases], width)
            loss.backward()
            optimizer.step()
            table.writerow((step, f"{loss.item():.9g}", f"{time.perf_counter() - start:.3f}"))
            file.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--batches", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--weight-decay", type=float, default=1e-4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--final-weights", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    network = network_for(load_file(arguments.weights))
    batches = json.loads(arguments.batches.read_text())[: arguments.steps]
    train(network, read_data(arguments.data), batches, arguments)
    if arguments.final_weights:
        write_safetensors(network, arguments.final_weights)


if __name__ == "__main__":
    main()
