#!/usr/bin/env python3
"""Makes Burgers' equation in one dimension and time (Li et al. 2021, section 5.1, with the way there instead of its end):

    du/dt + u du/dx = nu d2u/dx2 on the unit circle, nu = 0.01; u at t = 0 is a Gaussian random field

by Fourier modes in space and the integrating factor with Runge and Kutta's fourth order in time; two thirds of the modes carry products.
Writes burgers_u.npy [cases, t, x], float32, from t = 0 to 1.

Usage: burgers.py FOLDER [--cases 300] [--points 64] [--times 21] [--seed 2]          needs NumPy
"""
import argparse
from pathlib import Path

import numpy as np

VISCOSITY = 0.01
STEPS = 4000


def initial(random, cases, points):
    """Periodic fields with covariance 625 (-Laplace + 25)^-2."""
    k = np.arange(points // 2 + 1)
    amplitude = points * 25.0 / ((2.0 * np.pi * k) ** 2 + 25.0)
    noise = random.standard_normal((cases, k.size)) + 1j * random.standard_normal((cases, k.size))
    modes = amplitude * noise / np.sqrt(2.0)
    modes[:, 0] = 0.0
    return modes


def trajectory(modes, points, times):
    """u at equally spaced times [cases, t, x]."""
    k = 2.0 * np.pi * np.arange(points // 2 + 1)
    kept = np.arange(points // 2 + 1) <= points // 3
    dt = 1.0 / STEPS
    whole, half = np.exp(-VISCOSITY * k**2 * dt), np.exp(-VISCOSITY * k**2 * dt / 2.0)

    def slope(v):
        return -0.5j * k * np.fft.rfft(np.fft.irfft(v * kept, points) ** 2) * kept

    states = [np.fft.irfft(modes, points)]
    for step in range(1, STEPS + 1):
        a = dt * slope(modes)
        b = dt * slope(half * (modes + a / 2.0))
        c = dt * slope(half * modes + b / 2.0)
        d = dt * slope(whole * modes + half * c)
        modes = whole * modes + (whole * a + 2.0 * half * (b + c) + d) / 6.0
        if step % (STEPS // (times - 1)) == 0:
            states.append(np.fft.irfft(modes, points))
    return np.stack(states, axis=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--points", type=int, default=64)
    parser.add_argument("--times", type=int, default=21)
    parser.add_argument("--seed", type=int, default=2)
    options = parser.parse_args()
    modes = initial(np.random.default_rng(options.seed), options.cases, options.points)
    options.folder.mkdir(parents=True, exist_ok=True)
    np.save(options.folder / "burgers_u.npy", trajectory(modes, options.points, options.times).astype(np.float32))


if __name__ == "__main__":
    main()
