#!/usr/bin/env python3
"""Repeats a forward pass that `bench_network_speed --dump FOLDER` wrote down and compares the outputs.

Usage: torch_check.py FOLDER [--tolerance 1e-5]     prints one line of JSON; exit status 1 when they differ
"""
import argparse
import json
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch_train import network_for


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tolerance", type=float, default=1e-5, help="relative L2 norm of the difference")
    arguments = parser.parse_args()
    network = network_for(load_file(arguments.folder / "weights.safetensors")).eval()
    given = load_file(arguments.folder / "forward.safetensors")
    with torch.inference_mode():
        output = network(given["inputs"])
    ours = given["output"].reshape(output.shape)
    error = (torch.linalg.vector_norm(ours - output) / torch.linalg.vector_norm(output)).item()
    print(json.dumps({"relative_l2": error, "tolerance": arguments.tolerance, "torch": torch.__version__}))
    return 0 if error <= arguments.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
