#!/usr/bin/env python3
"""Repeats a forward pass that `bench_network_speed --dump FOLDER` wrote down and compares the outputs.

Usage: torch_check.py FOLDER [--tolerance 1e-5] [--bf16]     prints one line of JSON; exit status 1 when they differ

With --bf16 the output given is one in bfloat16. It is compared with PyTorch's in float32, and so is PyTorch's own under
autocast: both have to keep the tolerance.
"""
import argparse
import json
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch_weights import network_for


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tolerance", type=float, default=1e-5, help="relative L2 norm of the difference")
    parser.add_argument("--bf16", action="store_true", help="the output given is one in bfloat16")
    arguments = parser.parse_args()
    network = network_for(load_file(arguments.folder / "weights.safetensors")).eval()
    given = load_file(arguments.folder / "forward.safetensors")
    with torch.inference_mode():
        output = network(given["inputs"])

    def distance(other):
        return (torch.linalg.vector_norm(other.float() - output) / torch.linalg.vector_norm(output)).item()

    found = {"relative_l2": distance(given["output"].reshape(output.shape))}
    if arguments.bf16:
        with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
            found["autocast_relative_l2"] = distance(network(given["inputs"]))
    print(json.dumps({**found, "tolerance": arguments.tolerance, "torch": torch.__version__}))
    return 0 if all(found[name] <= arguments.tolerance for name in found) else 1


if __name__ == "__main__":
    sys.exit(main())
