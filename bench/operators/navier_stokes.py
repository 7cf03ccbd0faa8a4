#!/usr/bin/env python3
"""Makes the vorticity of a viscous fluid on the torus (Li et al. 2021, section 5.3):

    dw/dt + v . grad w = nu Laplace w + f, nu = 0.001, f = 0.1 (sin 2 pi (x + y) + cos 2 pi (x + y)); w at t = 0 is a Gaussian random field

by Fourier modes in space, Crank and Nicolson's rule for the viscous term and Heun's for the rest. Writes vorticity.npy [cases, t, y, x], float32, at
whole times from 0.

Usage: navier_stokes.py FOLDER [--cases 120] [--points 32] [--times 16] [--seed 3]          needs NumPy
"""
import argparse
from pathlib import Path

import numpy as np

VISCOSITY = 1e-3
STEP = 5e-3


class Fluid:
    def __init__(self, points):
        self.points = points
        whole, half = np.fft.fftfreq(points, 1.0 / points), np.arange(points // 2 + 1)
        self.ky, self.kx = 2j * np.pi * whole[:, None], 2j * np.pi * half[None, :]
        self.square = -(self.kx**2 + self.ky**2).real
        self.inverse = np.where(self.square > 0.0, 1.0 / np.maximum(self.square, 1e-30), 0.0)
        self.kept = (np.abs(whole[:, None]) <= points // 3) & (half[None, :] <= points // 3)
        x = np.arange(points) / points
        phase = 2.0 * np.pi * (x[None, :] + x[:, None])
        self.force = np.fft.rfft2(0.1 * (np.sin(phase) + np.cos(phase)))

    def values(self, modes):
        return np.fft.irfft2(modes, (self.points, self.points))

    def slope(self, w):
        """-v . grad w + f, with v from the stream function -Laplace psi = w."""
        psi = w * self.inverse * self.kept
        moved = self.values(self.ky * psi) * self.values(self.kx * w * self.kept)
        moved -= self.values(self.kx * psi) * self.values(self.ky * w * self.kept)
        return -np.fft.rfft2(moved) * self.kept + self.force

    def step(self, w):
        damping = 0.5 * STEP * VISCOSITY * self.square
        first = self.slope(w)
        guess = ((1.0 - damping) * w + STEP * first) / (1.0 + damping)
        return ((1.0 - damping) * w + 0.5 * STEP * (first + self.slope(guess))) / (1.0 + damping)

    def initial(self, random, cases):
        """Fields with covariance 7^1.5 (-Laplace + 49)^-2.5."""
        noise = np.fft.rfft2(random.standard_normal((cases, self.points, self.points)))
        modes = self.points * 7.0**0.75 * (self.square + 49.0) ** -1.25 * noise
        modes[:, 0, 0] = 0.0
        return modes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", type=int, default=120)
    parser.add_argument("--points", type=int, default=32)
    parser.add_argument("--times", type=int, default=16)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    fluid = Fluid(options.points)
    w = fluid.initial(np.random.default_rng(options.seed), options.cases)
    states = [fluid.values(w)]
    for _ in range(1, options.times):
        for _ in range(round(1.0 / STEP)):
            w = fluid.step(w)
        states.append(fluid.values(w))
    options.folder.mkdir(parents=True, exist_ok=True)
    np.save(options.folder / "vorticity.npy", np.stack(states, axis=1).astype(np.float32))


if __name__ == "__main__":
    main()
