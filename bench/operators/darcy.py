#!/usr/bin/env python3
"""Makes Darcy's equation in two dimensions, as papers on neural operators set it (Li et al. 2021, section 5.2):

    -div(a grad u) = 1 on the unit square, u = 0 on its edges; a is 12 where a Gaussian random field is positive, else 3

by finite differences of second order on the points of a square grid. Writes darcy_a.npy and darcy_u.npy [cases, y, x], float32.

Usage: darcy.py FOLDER [--cases 300] [--points 33] [--seed 1]          needs NumPy and SciPy
"""
import argparse
from pathlib import Path

import numpy as np
from scipy.fft import idctn
from scipy.sparse import diags
from scipy.sparse.linalg import spsolve


def coefficient(random, points):
    """12 and 3 by the sign of a field with covariance (-Laplace + 9)^-2, zero slope at the edges."""
    k = np.arange(points)
    amplitude = 1.0 / (np.pi**2 * (k[:, None] ** 2 + k[None, :] ** 2) + 9.0)
    amplitude[0, 0] = 0.0
    field = idctn(amplitude * random.standard_normal((points, points)), norm="ortho")
    return np.where(field > 0.0, 12.0, 3.0)


def solution(a):
    """u on the points, from fluxes between neighbours with the mean of their coefficients."""
    points = a.shape[0]
    h = 1.0 / (points - 1)
    along_y, along_x = 0.5 * (a[1:] + a[:-1]) / h**2, 0.5 * (a[:, 1:] + a[:, :-1]) / h**2
    south, north = along_y[:-1, 1:-1], along_y[1:, 1:-1]
    west, east = along_x[1:-1, :-1], along_x[1:-1, 1:]
    inner = points - 2
    to_east, to_north = -east.copy(), -north.copy()
    to_east[:, -1] = 0.0
    matrix = diags([(south + north + west + east).ravel(), to_east.ravel()[:-1], to_east.ravel()[:-1],
                    to_north.ravel()[:-inner], to_north.ravel()[:-inner]], [0, 1, -1, inner, -inner], format="csc")
    u = np.zeros_like(a)
    u[1:-1, 1:-1] = spsolve(matrix, np.ones(inner * inner)).reshape(inner, inner)
    return u


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--points", type=int, default=33)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    a = np.stack([coefficient(random, options.points) for _ in range(options.cases)])
    options.folder.mkdir(parents=True, exist_ok=True)
    np.save(options.folder / "darcy_a.npy", a.astype(np.float32))
    np.save(options.folder / "darcy_u.npy", np.stack([solution(one) for one in a]).astype(np.float32))


if __name__ == "__main__":
    main()
