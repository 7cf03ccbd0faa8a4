"""What the mean build-up of pressure at the end feels of each cell's permeability: python 04_gradients.py MODEL CASES"""
import sys

import numpy as np
import plumecast

model, cases = plumecast.load(sys.argv[1]), plumecast.Cases.open(sys.argv[2])
recording = model.record(cases, fields=["pressure_buildup"], limits=False)
buildup = recording.fields["pressure_buildup"]
weights = np.zeros_like(buildup)
weights[:, -1] = 1 / np.isfinite(buildup[0, -1]).sum()  # the mean over the active cells of the first case
gradient = recording.pull_back({"pressure_buildup": weights})["permeability_r"]  # [N, Z, R] in bar per mD
row, column = np.unravel_index(np.argmax(np.abs(gradient[0])), gradient[0].shape)
print(f"strongest at row {row}, column {column}: {gradient[0, row, column]:.3g} bar per mD")
