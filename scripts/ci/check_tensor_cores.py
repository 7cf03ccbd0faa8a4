#!/usr/bin/env python3
"""Compiles the convolutions by tiles for compute capability 8.0 and counts their instructions for tensor cores.

The compiler drops work without a word where device code meets what only the host has, such as the address of a constant;
such a kernel would run and give zeros. So every kernel for blocks must multiply and load matrices as often as its tiles say.
Usage: check_tensor_cores.py     exit status 77 without nvcc
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from check_kernels import COMMAND, compiler  # noqa: E402

SOURCE = "src/backend/cuda/tile_conv.cu"
ROW_TILES = 4
ENTRY = re.compile(r"\.entry\s+\w*?\d+(Gather|Weight)Tiles\w*?(?:BFloat16Product|TenBitProductILb([01])E)\w*?Li(\d+)E")
FLAGS = [flag for flag in COMMAND if flag not in ("-cubin", "-Xptxas", "-v")]


def kernels(ptx):
    """(name, products expected at least, products found, matrices or words loaded) of every kernel by tiles."""
    for body in re.split(r"(?=\.(?:visible|weak)\s+\.entry)", ptx):
        if entry := ENTRY.search(body):
            product, in_parts, columns = entry.groups()
            factor = 3 if in_parts == "1" else 1
            name = f"{product}Tiles, {'bfloat16' if in_parts is None else 'TF32' + ' in parts' * (factor == 3)}, {columns}"
            yield name, factor * ROW_TILES * int(columns), body.count("mma.sync"), body.count("ldmatrix.sync")


def compiled(nvcc):
    """PTX of the source; raises CalledProcessError when it does not compile."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "tiles.ptx")
        subprocess.run([nvcc, *FLAGS, "-ptx", SOURCE, "-o", out], capture_output=True, text=True, check=True)
        return Path(out).read_text(encoding="utf-8")


def main():
    nvcc = compiler()
    if nvcc is None:
        print("no nvcc; the kernels were not compiled")
        return 77
    bad = total = 0
    for name, expected, products, matrices in kernels(compiled(nvcc)):
        loads_words = name.startswith("Weight") and "TF32" in name  # matrices of 32 bits cannot be transposed
        fault = products < expected or products % expected or (matrices < ROW_TILES and not loads_words)
        total += 1
        bad += bool(fault)
        print(f"{name:36} {products:4} products {matrices:4} loads of matrices{' FAULT' if fault else ''}")
    print(f"tensor cores: {bad} of {total} kernels lack products" if bad else f"tensor cores: {total} kernels multiply")
    return 1 if bad or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
