"""Runs with wells, made up: a box of 4 x 3 x 2 cells, written down independently of the reader."""
from records import array, doubles, integers, reals

NX, NY, NZ = 4, 3, 2


def head(wells):
    values = 411 * [0]
    values[2], values[14], values[16], values[17] = 1, 7, wells, 2
    values[24], values[27], values[32], values[34] = 155, 3, 25, 58
    values[64:67] = [1, 1, 2025]
    return values


def write_grid(root):
    cells = NX * NY * NZ
    pillars = [value for j in range(NY + 1) for i in range(NX + 1) for z in (1000.0, 1020.0)
               for value in (100.0 * i, 100.0 * j, z)]
    depths = [z for z in (1000.0, 1010.0, 1010.0, 1020.0) for _ in range(4 * NX * NY)]
    root.with_suffix(".EGRID").write_bytes(
        integers("GRIDHEAD", [1, NX, NY, NZ] + 96 * [0]) + reals("COORD", pillars) + reals("ZCORN", depths)
        + integers("ENDGRID", []))
    root.with_suffix(".INIT").write_bytes(
        integers("INTEHEAD", head(0)) + b"".join(reals(name, cells * [value]) for name, value in
                                                 (("PORO", 0.2), ("PERMX", 100.0), ("PERMY", 100.0), ("PERMZ", 10.0))))


def connections(wells):
    """ICON and XCON of wells as (i, j, gas injected [sm3/day]), each in both layers."""
    icon, xcon = [], []
    for i, j, rate in wells:
        for layer in (1, 2):
            icon += [layer, i, j, layer, 0, 1] + 19 * [0]
            xcon += [0.0, 0.0, -rate / 2] + 55 * [0.0]
    return integers("ICON", icon) + doubles("XCON", xcon)


def write_states(root, states):
    """States as (day, wells as in connections())."""
    cells = NX * NY * NZ
    bytes_of = b""
    for step, (day, wells) in enumerate(states):
        bytes_of += (integers("SEQNUM", [step]) + integers("INTEHEAD", head(len(wells))) + doubles("DOUBHEAD", [day])
                     + (connections(wells) if wells else b"") + reals("PRESSURE", cells * [100.0 + step])
                     + reals("SGAS", cells * [0.1 * step]))
    root.with_suffix(".UNRST").write_bytes(bytes_of)


def write_summary(root, totals, restarts=""):
    """Days and the gas injected until then [sm3]."""
    root.with_suffix(".SMSPEC").write_bytes(
        array("RESTART", "CHAR", [restarts] + 8 * [""]) + array("KEYWORDS", "CHAR", ["TIME", "FGIT"])
        + array("WGNAMES", "CHAR", 2 * [":+:+:+:+"]) + array("UNITS", "CHAR", ["DAYS", "SM3"])
        + integers("STARTDAT", [1, 1, 2025, 0, 0, 0]))
    root.with_suffix(".UNSMRY").write_bytes(b"".join(
        integers("MINISTEP", [step]) + reals("PARAMS", pair) for step, pair in enumerate(totals)))
