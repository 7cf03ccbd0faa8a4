"""The arrays of the data set format, as docs/data_format.md has them: units and axes by name."""

from __future__ import annotations

_EVERY_GRID = {
    "z_edges": ("m", "z_edge"),
    "times": ("day", "time"),
    "injection_rate": ("Mt/year", "case"),
    "schedule_end": ("day", "period"),
    "schedule_rate": ("Mt/year", "case well period"),
    "initial_pressure": ("bar", "case"),
    "temperature": ("degC", "case"),
    "irreducible_water_saturation": ("1", "case"),
    "van_genuchten_lambda": ("1", "case"),
    "thickness": ("m", "case"),
    "salinity": ("1", "case"),
    "residual_gas_saturation": ("1", ""),
    "entry_pressure": ("bar", ""),
    "rock_compressibility": ("1/bar", ""),
    "initial_brine_temperature": ("degC", ""),
    "aquifer_factor": ("1", ""),
    "temperature_gradient": ("degC/m", ""),
    "rotation": ("degree", ""),
    "top_depth": ("m", ""),
    "well_radius": ("m", ""),
}
_MAPS = {"permeability_z": "mD", "porosity": "1", "perforation": "1", "active": "1"}
_OUTPUTS = {"gas_saturation": "1", "pressure_buildup": "bar", "dissolved_co2": "kg/m3", "trapped_gas_saturation": "1"}
_OUTPUTS |= {
    f"{name}_{end}": _OUTPUTS[name] for name in ("gas_saturation", "pressure_buildup", "dissolved_co2") for end in ("low", "high")
}


def _arrays_on(cells: str) -> dict[str, tuple[str, str]]:
    maps = {name: (unit, f"case {cells}") for name, unit in _MAPS.items()}
    outputs = {name: (unit, f"case time {cells}") for name, unit in _OUTPUTS.items()}
    return _EVERY_GRID | maps | outputs


RADIAL: dict[str, tuple[str, str]] = _arrays_on("z r") | {
    "r_edges": ("m", "r_edge"),
    "permeability_r": ("mD", "case z r"),
    "bottom_hole_pressure_limit": ("bar", "case"),
    "dissolution_rate_limit": ("kg/m3/year", "case"),
}
CARTESIAN: dict[str, tuple[str, str]] = _arrays_on("z y x") | {
    "x_edges": ("m", "x_edge"),
    "y_edges": ("m", "y_edge"),
    "cell_volume": ("m3", "z y x"),
    "cell_centre_x": ("m", "z y x"),
    "cell_centre_y": ("m", "z y x"),
    "cell_centre_z": ("m", "z y x"),
    "permeability_x": ("mD", "case z y x"),
    "permeability_y": ("mD", "case z y x"),
    "cell_injection_rate": ("Mt/year", "case z y x"),
    "pore_volume": ("m3", "case z y x"),
    "saturation_region": ("1", "case z y x"),
    "transmissibility_x": ("cP.m3/day/bar", "case z y x"),
    "transmissibility_y": ("cP.m3/day/bar", "case z y x"),
    "transmissibility_z": ("cP.m3/day/bar", "case z y x"),
    "well_connection_factor": ("cP.m3/day/bar", "case z y x"),
    "pillars": ("m", "y_edge x_edge pillar_end"),
    "corner_depths": ("m", "z_corner y_corner x_corner"),
    "connection_first": ("1", "connection"),
    "connection_second": ("1", "connection"),
    "connection_transmissibility": ("cP.m3/day/bar", "case connection"),
}


def unit_of(name: str) -> str:
    """The unit of an array; "" for a name that the format does not know.

    >>> unit_of("permeability_r"), unit_of("injection_rate")
    ('mD', 'Mt/year')
    """
    return (RADIAL | CARTESIAN).get(name, ("", ""))[0]


def dimensions_of(name: str, is_cartesian: bool) -> tuple[str, ...] | None:
    """The names of the axes of an array, slowest first; None for a name that the format does not know.

    >>> dimensions_of("porosity", is_cartesian=False), dimensions_of("porosity", is_cartesian=True)
    (('case', 'z', 'r'), ('case', 'z', 'y', 'x'))
    """
    known = (CARTESIAN if is_cartesian else RADIAL).get(name)
    return None if known is None else tuple(known[1].split())
