"""Four rates of injection into one reservoir, labelled arrays in and out: python 07_predict_xarray.py. Needs xarray."""
import numpy as np
import plumecast
import xarray

model = plumecast.load("radial-co2")
rates = np.array([0.5, 1.0, 1.5, 2.0])
rock, well = np.zeros((2, 32, 64))
rock[:16], well[8:16, 0] = 1, 1  # the upper 100 m of 200 belong to the formation; the well is open in their lower half
maps = {"permeability_r": (100 * rock, "mD"), "permeability_z": (10 * rock, "mD"), "porosity": (0.2 * rock, "1"),
        "perforation": (well, "1"), "active": (rock, "1")}
numbers = {"injection_rate": (rates, "Mt/year"), "initial_pressure": (150.0, "bar"), "temperature": (60.0, "degC"),
           "irreducible_water_saturation": (0.2, "1"), "van_genuchten_lambda": (0.5, "1"), "thickness": (100.0, "m")}
edges = {name: (model.grid[name], "m") for name in ("r_edges", "z_edges")}  # of the training
grid = edges | {"times": (np.geomspace(1, 10957.5, 24), "day")}  # of one's own
inputs = xarray.Dataset(
    {name: (("case", "z", "r"), np.broadcast_to(values, (4, 32, 64)), {"units": unit}) for name, (values, unit) in maps.items()}
    | {name: ("case", np.full(4, values), {"units": unit}) for name, (values, unit) in numbers.items()}
    | {name: (name, values, {"units": unit}) for name, (values, unit) in grid.items()})
fields = model.predict(inputs).to_xarray()
largest = fields["pressure_buildup"].max(["time", "z", "r"])
for rate, buildup in zip(rates, largest.values, strict=True):
    print(f"{rate:.1f} Mt/year: largest build-up {buildup:.1f} {fields['pressure_buildup'].attrs['units']}")
