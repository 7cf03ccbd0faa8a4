#!/usr/bin/env python3
"""Writes a small faulted site on a corner-point grid as a deck of OPM Flow 2022.10 (docs/three_dimensions.md).

    make_deck.py -o SITE.DATA

12 x 10 x 5 cells dip along both axes. A fault throws the cells beyond column 6 down by half a layer at one end of it and
by two and a half layers at the other, and takes half of the flow through it (MULTFLT). There are shale in a layer (NTG),
a baffle below another (MULTZ), cells without rock (ACTNUM), an aquifer in the cells at the sides (MULTPV) and axes on the
map (MAPAXES). Two wells inject in turns. The wells stay shut for 100 years until brine is at rest, since that release
makes initial pressures with the weight of brine at its surface temperature.
"""

import argparse
import math
import random

NX, NY, NZ = 12, 10, 5
WIDTH, HEIGHT = 250.0, 8.0  # m, of the cells
TOP, DIP_X, DIP_Y = 1200.0, -0.03, 0.01  # depth of the corner (1, 1) and its change along the axes [m, m/m]
LEAN = 0.15  # of the pillars along x [m/m]
FAULT = 6  # columns before the fault
THROW = (4.0, 20.0)  # m at the two ends of the fault
REST = 36525.0  # days
YEAR = 365.25
YEARS = [0.1, 0.3, 0.6, 1, 1.5, 2, 3, 3.3, 3.7, 4.3, 5, 6, 7, 8, 9, 10, 11, 12.5, 15, 18, 22, 26, 30]
RATES = {"I1": (0.0, 10.0, 0.12), "I2": (3.0, 8.0, 0.08)}  # first and last year, Mt/year
SURFACE_DENSITY = 1.8684  # kg/sm3
IRREDUCIBLE_WATER, LAMBDA, RESIDUAL_GAS, ENTRY_PRESSURE = 0.2, 0.5, 0.05, 0.1961
LARGEST_CAPILLARY_PRESSURE = 30 * ENTRY_PRESSURE  # bar


def grid():
    """COORD and ZCORN."""
    base = TOP + NZ * HEIGHT + 200.0
    coord = []
    for j in range(NY + 1):
        for i in range(NX + 1):
            x, y = i * WIDTH, j * WIDTH
            coord.append("%g %g %g %g %g %g" % (x, y, TOP - 200.0, x + LEAN * (base - TOP + 200.0), y, base))
    def depth(i, j, edge, cell):
        throw = 0.0 if cell < FAULT else THROW[0] + (THROW[1] - THROW[0]) * j / NY
        return TOP + DIP_X * i * WIDTH + DIP_Y * j * WIDTH + throw + edge * HEIGHT
    zcorn = []
    for k in range(NZ):
        for edge in (k, k + 1):
            for j in range(NY):
                for line in (j, j + 1):
                    zcorn.append(" ".join("%.4f" % depth(column, line, edge, i)
                                          for i in range(NX) for column in (i, i + 1)))
    return "COORD\n" + "\n".join(coord) + " /\nZCORN\n" + "\n".join(zcorn) + " /\n"


def values(keyword, numbers):
    """An array of cells."""
    numbers = ["%.6g" % number for number in numbers]
    lines = [" ".join(numbers[at:at + NX]) for at in range(0, len(numbers), NX)]
    return keyword + "\n" + "\n".join(lines) + " /\n"


def saturation_table():
    """SGOF of the functions that plumecast has for these values (docs/physics.md), brine as oil."""
    largest = 1.0 - IRREDUCIBLE_WATER
    gases = [0.0, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05] + [0.06 + (largest - 0.06) * i / 59 for i in range(60)]
    def effective(gas, water, residual=0.0):
        return min(1.0, max(0.0, (1.0 - gas - water) / (1.0 - water - residual)))
    rows = []
    for gas in gases:
        of_gas = effective(gas, IRREDUCIBLE_WATER, RESIDUAL_GAS)
        of_brine = effective(gas, IRREDUCIBLE_WATER)
        krg = (1 - of_gas) ** 2 * (1 - of_gas ** 2)
        krw = math.sqrt(of_brine) * (1 - (1 - of_brine ** (1 / LAMBDA)) ** LAMBDA) ** 2 if gas < largest else 0.0
        dry = effective(gas, IRREDUCIBLE_WATER - 0.05)
        pc = ENTRY_PRESSURE * (dry ** (-1 / LAMBDA) - 1) ** (1 - LAMBDA) if gas > 0 else 0.0
        rows.append((gas, krg, krw, min(pc, LARGEST_CAPILLARY_PRESSURE)))
    return rows


def rock(seed=41):
    draw = random.Random(seed)
    layers = [200.0, 60.0, 350.0, 120.0, 250.0]
    permeability, porosity, active, net = [], [], [], []
    for k in range(NZ):
        for j in range(NY):
            for i in range(NX):
                permeability.append(layers[k] * math.exp(draw.gauss(0.0, 0.4)))
                porosity.append(0.16 + 0.02 * (k % 3) + 0.02 * draw.random())
                net.append(0.8 if k == 2 else 1.0)
                active.append(0 if i + j < 2 or (k == 4 and 4 <= i <= 5 and j == 8) else 1)
    return permeability, porosity, active, net


def props(permeability, porosity):
    table = saturation_table()
    limits = [table[-1][3] * math.sqrt(phi / 0.2 * 100.0 / k) for k, phi in zip(permeability, porosity)]
    return ("PROPS\nROCK\n 125 4.5e-5 /\nSALINITY\n 0.5 /\nSGOF\n" +
            "".join(" %.8f %.8g %.8g %.8g\n" % row for row in table) + "/\n" + values("PCG", limits))


def schedule():
    """Periods of constant rates, reports at all times."""
    wells = {"I1": (5, 4), "I2": (9, 8)}  # i, j
    text = "SCHEDULE\nRPTRST\n BASIC=2 BO /\nWELSPECS\n"
    text += "".join(" %s G %d %d 1* GAS /\n" % (name, i, j) for name, (i, j) in wells.items()) + "/\nCOMPDAT\n"
    text += "".join(" %s 2* 3 5 OPEN 1* 1* 0.2 /\n" % name for name in wells) + "/\n"
    text += "TSTEP\n 1 9 90 900 9000 26525 /\n"
    before, rates = 0.0, None
    for year in YEARS:
        wanted = {name: rate if first < year <= last else 0.0 for name, (first, last, rate) in RATES.items()}
        if wanted != rates:
            rates = wanted
            text += "WCONINJE\n" + "".join(
                " %s GAS %s RATE %.8g 1* 600 /\n" % (
                    name, "OPEN" if rate > 0 else "SHUT", rate * 1e9 / YEAR / SURFACE_DENSITY)
                for name, rate in rates.items()) + "/\n"
        text += "TSTEP\n %.6f /\n" % ((year - before) * YEAR)
        before = year
    return text + "END\n"


def deck():
    permeability, porosity, active, net = rock()
    return f"""RUNSPEC
TITLE
 Faulted site
DIMENS
 {NX} {NY} {NZ} /
METRIC
OIL
GAS
DISGAS
CO2STORE
START
 1 JAN 1925 /
EQLDIMS
/
TABDIMS
 1 1 73 /
ENDSCALE
/
FAULTDIM
 10 /
WELLDIMS
 2 {NZ} 1 2 /
UNIFOUT
GRID
INIT
GRIDFILE
 0 1 /
MAPAXES
 429134 6520500 430000 6520000 430500 6520866 /
{grid()}{values("ACTNUM", active)}{values("PERMX", permeability)}COPY
 PERMX PERMY /
 PERMX PERMZ /
/
MULTIPLY
 PERMY 0.7 /
 PERMZ 0.1 /
/
{values("PORO", porosity)}{values("NTG", net)}EQUALS
 MULTPV 100 1 1 1 {NY} 1 {NZ} /
 MULTPV 100 {NX} {NX} 1 {NY} 1 {NZ} /
 MULTZ 0.05 1 {NX} 1 {NY} 2 2 /
/
FAULTS
 F1 {FAULT} {FAULT} 1 {NY} 1 {NZ} X /
/
MULTFLT
 F1 0.5 /
/
{props(permeability, porosity)}SOLUTION
RTEMP
 45 /
EQUIL
 {TOP:g} 125 5000 0 0 0 1 1* 0 /
RSVD
 0 0
 5000 0 /
RPTRST
 BASIC=2 BO /
SUMMARY
FGIT
FGIP
WGIT
/
WBHP
/
{schedule()}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True)
    with open(parser.parse_args().output, "w") as file:
        file.write(deck())


if __name__ == "__main__":
    main()
