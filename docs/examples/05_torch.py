"""Adam of PyTorch finds by which factor permeabilities were mistaken, from a build-up of pressure: python 05_torch.py MODEL CASES"""
import sys

import h5py
import plumecast
import torch
from plumecast.torch import Predict

with h5py.File(sys.argv[2]) as file:
    inputs = {name: torch.from_numpy(array[:1] if group == "inputs" else array[:])
              for group in ("grid", "inputs") for name, array in file[group].items()}
predict = Predict(plumecast.load(sys.argv[1]), fields=["pressure_buildup"])
observed = predict(**inputs)["pressure_buildup"]
mistake = torch.tensor(0.5, requires_grad=True)  # logarithm of the factor
optimizer = torch.optim.Adam([mistake], lr=0.05)
for step in range(20):
    optimizer.zero_grad()
    predicted = predict(**(inputs | {"permeability_r": inputs["permeability_r"] * mistake.exp()}))["pressure_buildup"]
    misfit = (predicted - observed).square().nanmean()
    torch.autograd.backward(misfit)
    optimizer.step()
print(f"factor {mistake.exp().item():.3f} after misfit {misfit.item():.3g} bar2")
