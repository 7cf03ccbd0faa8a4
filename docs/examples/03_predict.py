"""Predicts one case with a trained model: 1 Mt of CO2 per year for 30 years into 100 m of homogeneous rock."""
import numpy as np
import plumecast

model = plumecast.load("radial-co2")
rock, well = np.zeros((2, 1, 32, 64))
rock[:, :16], well[:, 8:16, 0] = 1, 1  # the upper 100 m of 200 belong to the formation; the well is open in their lower half
fields = model.predict(plumecast.Cases(
    **model.grid | {"times": np.geomspace(1, 10957.5, 24)},  # 32 rows over 200 m, 64 columns; times of one's own
    permeability_r=100 * rock, permeability_z=10 * rock, porosity=0.2 * rock, perforation=well, active=rock, injection_rate=[1.0],
    initial_pressure=[150.0], temperature=[60.0], irreducible_water_saturation=[0.2], van_genuchten_lambda=[0.5], thickness=[100.0]))
print(f"largest build-up {np.nanmax(fields['pressure_buildup']):.1f} bar, largest saturation {np.nanmax(fields['gas_saturation']):.2f}")
