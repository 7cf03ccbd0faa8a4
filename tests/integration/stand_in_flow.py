#!/usr/bin/env python3
"""Stands in for the simulator: reads a deck and writes output in which the injected CO2 lies in the first cell.

STAND_IN_DELAY    seconds a case takes
STAND_IN_FAILS    numbers of the cases that end with an error, "1,4"
STAND_IN_LEAKS    numbers of the cases that lose half of their CO2
STAND_IN_KILLED   numbers of the cases that somebody kills
STAND_IN_AT_REST  set: pressures stay as they are until something is injected
STAND_IN_RECORD   file that gets a line per case begun
STAND_IN_CALLED   file that gets a line per case with the arguments
STAND_IN_VERSION  what it says that it is
"""
import os
import signal
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reservoir" / "eclipse"))
from records import array  # noqa: E402

PORE_VOLUME, DENSITY_RATIO = 1e9, 300.0
WELL_RISE = 7.5  # [bar] of the pressure in the well


def read_deck():
    """Words after each keyword, and the steps [day] with the rate of all wells [sm3/day] in each."""
    deck, words, rates = {"STEPS": []}, [], {}
    for line in open("CASE.DATA"):
        if line[0].isalpha():
            if "TSTEP" in deck and "WCONINJE" in deck:
                wells = deck["WCONINJE"]
                rates.update({wells[at]: float(wells[at + 4]) for at in range(0, len(wells), 7)})
                deck["STEPS"] += [(float(step), sum(rates.values())) for step in deck.pop("TSTEP")]
            if line.strip() == "WCONINJE":
                deck.pop("WCONINJE", None)
            words = deck.setdefault(line.strip(), [])
        else:
            words += line.replace("/", " ").split()
    return deck


def numbers_in(variable):
    return [int(word) for word in os.environ.get(variable, "").split(",") if word]


def report_step(step, day, gas, cells, pressure):
    rise = 0.0 if gas == 0.0 and "STAND_IN_AT_REST" in os.environ else 0.1 * step
    zeros = [0.0] * (cells - 1)
    return (array("SEQNUM", "INTE", [step]) + array("DOUBHEAD", "DOUB", [day])
            + array("PRESSURE", "DOUB", [pressure + rise] * cells) + array("RS", "DOUB", [0.0] * cells)
            + array("SGAS", "DOUB", [gas] + zeros) + array("1OVERBG", "DOUB", [DENSITY_RATIO] * cells)
            + array("1OVERBO", "DOUB", [1.0] * cells))


def simulate():
    deck = read_deck()
    number = int(deck["TITLE"][3])
    if "STAND_IN_RECORD" in os.environ:
        with open(os.environ["STAND_IN_RECORD"], "a") as log:
            log.write(f"{number}\n")
    if "STAND_IN_CALLED" in os.environ:
        with open(os.environ["STAND_IN_CALLED"], "a") as log:
            log.write(" ".join(sys.argv[1:]) + "\n")
    time.sleep(float(os.environ.get("STAND_IN_DELAY", "0")))
    if number in numbers_in("STAND_IN_FAILS"):
        return 1
    if number in numbers_in("STAND_IN_KILLED"):
        os.kill(os.getpid(), signal.SIGTERM)
    columns, lines, rows = map(int, deck["DIMENS"])
    active = [word == "1" for word in deck.get("ACTNUM", ["1"] * columns * lines * rows)]
    cells = sum(active)
    pressure = float(deck["EQUIL"][1])
    kept = 0.5 if number in numbers_in("STAND_IN_LEAKS") else 1.0
    day, total, restart, summary = 0.0, 0.0, report_step(0, 0.0, 0.0, cells, pressure), b""
    for index, (step, rate) in enumerate(deck["STEPS"], start=1):
        day += step
        total += rate * step
        gas = kept * total / (PORE_VOLUME * DENSITY_RATIO)
        restart += report_step(index, day, gas, cells, pressure)
        summary += array("MINISTEP", "INTE", [index]) + array("PARAMS", "REAL", [day, total, pressure + WELL_RISE, rate])
    for name, content in (("INIT", array("PORV", "REAL", [PORE_VOLUME * one for one in active])), ("UNRST", restart),
                          ("SMSPEC", array("KEYWORDS", "CHAR", ["TIME", "FGIT", "WBHP", "WGIR"])), ("UNSMRY", summary)):
        with open(f"CASE.{name}", "wb") as file:
            file.write(content)
    return 0


if __name__ == "__main__":
    if "--version" in sys.argv:
        print(os.environ.get("STAND_IN_VERSION", "stand-in 1"))
    elif "--help" in sys.argv:
        print(f"Usage: stand-in CASE.DATA {os.environ.get('STAND_IN_OPTION', '')}")
    else:
        sys.exit(simulate())
