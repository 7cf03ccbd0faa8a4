#!/usr/bin/env python3
"""Writes SPE11B on a coarse grid of NX x NZ cells as a deck of OPM Flow 2024.10 (docs/spe11.md).

    make_deck.py 84 30 --years 1000 -o SPE11B.DATA

Facies take the one that most of their 10 m cells have. Properties are those of the description of the benchmark
(Nordbotten et al. 2024, The 11th Society of Petroleum Engineers Comparative Solution Project: Problem Definition, SPE
Journal 29). Left out are heat, diffusion and dispersion: each cell keeps the temperature of its depth.
"""

import argparse
import collections
import math
import pathlib

LENGTH, HEIGHT = 8400.0, 1200.0  # m; the section is 1 m thick
POROSITY = [0.10, 0.20, 0.20, 0.20, 0.25, 0.35]  # of facies 1 to 6; facies 7 is left out
PERMEABILITY = [0.10132, 101.324, 202.650, 506.625, 1013.25, 2026.5]  # mD along the layers; a tenth across them
IRREDUCIBLE_WATER = [0.32, 0.14, 0.12, 0.12, 0.12, 0.10]
ENTRY_PRESSURE = [193531.39, 8654.99, 6120.0, 3870.63, 3060.0, 2560.18]  # Pa
IMMOBILE_GAS = 0.10
LARGEST_CAPILLARY_PRESSURE = 3e7  # Pa
BOUNDARY_VOLUME = 5e4  # pore volume per area of the two sides, facies 2 to 5, m
WELLS = {"INJ0": (2700.0, 300.0), "INJ1": (5100.0, 700.0)}  # x and height above the base, m
RATE = 0.035 * 86400 / 1.86843  # 0.035 kg/s as sm3/day
YEAR = 365.0
# Years at which states are written; the second well injects from year 25 to 50, the first from 0 to 50.
YEARS = [1, 2, 5, 10, 15, 20, 25, 26, 27, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100, 120, 150, 200, 250, 300,
         400, 500, 600, 700, 800, 900, 1000]


def facies_rows():
    """Facies of the 10 m cells, rows from the top down."""
    rows = []
    for line in (pathlib.Path(__file__).parent / "facies.txt").read_text().splitlines():
        if not line.startswith("#"):
            runs = [run.split("*") for run in line.split()]
            rows.append([int(facies) for count, facies in runs for _ in range(int(count))])
    return rows


def coarse_facies(nx, nz):
    """[nz][nx] facies that most fine cells of a coarse one have."""
    fine = facies_rows()
    def of_cell(i, k):
        count = collections.Counter()
        for row in fine[k * len(fine) // nz:(k + 1) * len(fine) // nz]:
            count.update(row[i * len(row) // nx:(i + 1) * len(row) // nx])
        return count.most_common(1)[0][0]
    return [[of_cell(i, k) for i in range(nx)] for k in range(nz)]


def capillary_pressure(facies, water):
    """Brooks and Corey with the benchmark's smooth bound [Pa]."""
    swi, entry = IRREDUCIBLE_WATER[facies], ENTRY_PRESSURE[facies]
    reduced = (water - swi) / (1 - swi)
    if reduced <= 1e-9:
        return LARGEST_CAPILLARY_PRESSURE
    pressure = entry * reduced ** (-1 / 1.5)
    return LARGEST_CAPILLARY_PRESSURE * math.erf(
        pressure * math.sqrt(math.pi) / (2 * LARGEST_CAPILLARY_PRESSURE))


def saturation_tables():
    """SGFN and SWFN of the facies; the latter holds the capillary pressure of gas and water, which OPM Flow takes from
    there alone. Pressures above 100 bar, at the last hundredth of mobile brine, are cut."""
    gas, water = "SGFN\n", "SWFN\n"
    for facies, swi in enumerate(IRREDUCIBLE_WATER):
        points = [swi + (1 - swi) * i / 100 for i in range(101)]
        for sw in reversed(points):
            mobile = max(0.0, (1 - sw - IMMOBILE_GAS) / (1 - IMMOBILE_GAS)) ** 1.5
            gas += "%.8f %.8g 0\n" % (1 - sw, mobile)
        for sw in points:
            pressure = min(capillary_pressure(facies, sw), 1e7) / 1e5
            water += "%.8f %.8g %.8g\n" % (sw, ((sw - swi) / (1 - swi)) ** 1.5, pressure)
        gas += "/\n"
        water += "/\n"
    return gas + water


def array(keyword, facies, value, form="%g"):
    return keyword + "\n" + "\n".join(
        " ".join(form % value(f, i) for i, f in enumerate(row)) for row in facies) + "\n/\n"


def controls(year):
    open_wells = {"INJ0": year < 50, "INJ1": 25 <= year < 50}
    lines = [" '%s' 'GAS' '%s' 'RATE' %.8g 1* 600 /" % (name, "OPEN" if is_open else "SHUT", RATE * is_open)
             for name, is_open in open_wells.items()]
    return "WCONINJE\n" + "\n".join(lines) + "\n/\n"


def schedule(last):
    text, before = controls(0), 0
    for year in [year for year in YEARS if year <= last]:
        if before in (25, 50):
            text += controls(before)
        text += "TSTEP\n %.10g /\n" % ((year - before) * YEAR)
        before = year
    return text


def deck(nx, nz, last):
    facies = coarse_facies(nx, nz)
    dx, dz = LENGTH / nx, HEIGHT / nz
    of = lambda values: (lambda f, i: values[f - 1] if f < 7 else 0)  # noqa: E731
    def pore_volume(f, i):
        side = BOUNDARY_VOLUME * dz if i in (0, nx - 1) and f in (2, 3, 4, 5) else 0.0
        return POROSITY[f - 1] * dx * dz + side if f < 7 else 0.0
    wells = {name: (int(x / dx) + 1, int((HEIGHT - z) / dz) + 1) for name, (x, z) in WELLS.items()}
    observed = [(int(4500 / dx) + 1, int((HEIGHT - 500) / dz) + 1), (int(5100 / dx) + 1, int((HEIGHT - 1100) / dz) + 1)]
    nl = "\n"
    return f"""RUNSPEC
TITLE
 SPE11B {nx} x {nz}
DIMENS
 {nx} 1 {nz} /
EQLDIMS
/
TABDIMS
 6 1 110 /
WATER
GAS
DISGASW
CO2STORE
METRIC
START
 1 'JAN' 2025 /
WELLDIMS
 2 2 2 2 /
UNIFOUT
GRID
INIT
DX
 {nx * nz}*{dx:.10g} /
DY
 {nx * nz}*1 /
DZ
 {nx * nz}*{dz:.10g} /
TOPS
 {nx}*0 /
{array("ACTNUM", facies, lambda f, i: 0 if f == 7 else 1, "%d")}{array("PORO", facies, of(POROSITY))}{
array("PERMX", facies, of(PERMEABILITY))}COPY
 PERMX PERMY /
 PERMX PERMZ /
/
MULTIPLY
 PERMZ 0.1 /
/
EDIT
{array("PORV", facies, pore_volume, "%.8g")}PROPS
ROCK
 300 0 /
{saturation_tables()}REGIONS
{array("SATNUM", facies, lambda f, i: min(f, 6), "%d")}SOLUTION
EQUIL
 900 300 0 0 0 0 0 0 0 /
RTEMPVD
 0 40
 {HEIGHT:g} 70 /
RPTRST
 'BASIC=2' BW PCGW /
SUMMARY
FGIT
FGIP
FGIPL
FGIPG
FGMIP
FGMGP
FGMDS
FGMMO
FPR
WGIT
/
WGIR
/
WBHP
/
BPR
{nl.join(f" {i} 1 {k} /" for i, k in observed)}
/
SCHEDULE
RPTRST
 'BASIC=2' BW PCGW /
WELSPECS
{nl.join(f" '{name}' 'G' {i} 1 1* 'GAS' 0.15 /" for name, (i, k) in wells.items())}
/
COMPDAT
{nl.join(f" '{name}' {i} 1 {k} {k} 'OPEN' 1* 1* 0.3 /" for name, (i, k) in wells.items())}
/
{schedule(last)}END
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nx", type=int)
    parser.add_argument("nz", type=int)
    parser.add_argument("--years", type=float, default=1000)
    parser.add_argument("-o", "--output", default="SPE11B.DATA")
    arguments = parser.parse_args()
    output = pathlib.Path(arguments.output)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(deck(arguments.nx, arguments.nz, arguments.years))


if __name__ == "__main__":
    main()
