#!/usr/bin/env python3
"""Writes golden files for the parity tests: weights of a small network and what PyTorch makes of them in float64.

Usage: make_reference.py NETWORK OUT_STEM [--width 8] [--modes 5 6 4] [--channels 12] [--grid 16 24 8] [--seed 0]

Writes OUT_STEM.safetensors (float32, complex values as pairs on a last axis) and OUT_STEM.h5 (float64):
  inputs [2, Z, R, T, C], target [2, Z, R, T]
  output_evaluation, output_training        prediction with running and with batch statistics
  loss_relative_l2                          of output_training against target, mean over the batch
  gradient_inputs, gradients/NAME           of that loss; a complex weight's is the pair dL/dRe, dL/dIm
  buffers_after_one_training_forward/NAME   running statistics (momentum 0.1, unbiased variance)
  adam_losses [6]                           before each of six steps on that batch (1e-3, coupled weight decay 1e-4)
"""
import argparse
import copy

import h5py
import torch
import torch_models
from safetensors.torch import load_file
from torch_weights import network_for, write_safetensors


def statistics(network):
    return {name: value for name, value in network.named_buffers() if value.is_floating_point()}


def results(network, inputs, target):
    """Name -> float64 tensor of everything a golden file holds besides inputs and target."""
    network = torch_models.in_double(network)
    with torch.no_grad():
        found = {"output_evaluation": network.eval()(inputs)}
    network.train()
    leaf = inputs.clone().requires_grad_()
    output = network(leaf)
    loss = torch_models.relative_l2(output, target)
    loss.backward()
    found.update(output_training=output, loss_relative_l2=loss, gradient_inputs=leaf.grad)
    for name, parameter in network.named_parameters():
        found[f"gradients/{name}"] = parameter.grad
    for name, value in statistics(network).items():
        found[f"buffers_after_one_training_forward/{name}"] = value.clone()
    found["adam_losses"] = torch.tensor(adam_losses(network, inputs, target), dtype=torch.float64)
    return {name: torch.view_as_real(v.detach()) if v.is_complex() else v.detach() for name, v in found.items()}


def adam_losses(network, inputs, target, steps=6):
    network = copy.deepcopy(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=1e-4)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = torch_models.relative_l2(network(inputs), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def make_network(arguments):
    """A network with random running statistics, so that evaluation differs from training."""
    torch.manual_seed(arguments.seed)
    if arguments.network == "cnn":
        network = torch_models.CNN(arguments.channels, residual_blocks=1, narrower=arguments.narrower)
    else:
        make = torch_models.NETWORKS[arguments.network]
        network = make(tuple(arguments.modes), arguments.width, channels_in=arguments.channels)
    for name, value in statistics(network).items():
        value.uniform_(0.5, 1.5) if name.endswith("var") else value.normal_(0.0, 0.1)
    return network


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=sorted(torch_models.NETWORKS))
    parser.add_argument("stem")
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--modes", type=int, nargs=3, default=(5, 6, 4))
    parser.add_argument("--channels", type=int, default=12)
    parser.add_argument("--grid", type=int, nargs=3, default=(16, 24, 8), metavar=("Z", "R", "T"))
    parser.add_argument("--narrower", type=int, default=16, help="cnn: divide the published widths by this")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    write_safetensors(make_network(arguments), f"{arguments.stem}.safetensors")
    network = network_for(load_file(f"{arguments.stem}.safetensors"))
    inputs = torch.rand(2, *arguments.grid, arguments.channels)
    target = torch.rand(2, *arguments.grid)
    with h5py.File(f"{arguments.stem}.h5", "w") as file:
        written = {"inputs": inputs, "target": target, **results(network, inputs.double(), target.double())}
        for name, value in written.items():
            options = {"compression": "gzip", "shuffle": True} if value.ndim else {}
            file.create_dataset(name, data=value.numpy(), **options)


if __name__ == "__main__":
    main()
