#!/bin/sh
# Makes data/spe11b_84x30.h5 (docs/spe11.md): deck, OPM Flow 2024.10 with short time steps (minutes), import.
#
#     docs/workflow/spe11b/make_sample.sh FOLDER [PLUMECAST]
#
# The run is made in FOLDER; PLUMECAST is the program, by default the one on PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
plumecast=${2:-plumecast}
mkdir -p "$folder"
"$here/make_deck.py" 84 30 -o "$folder/SPE11B.DATA"
(cd "$folder" && OMP_NUM_THREADS=1 flow SPE11B.DATA --threads-per-process=1 --tolerance-mb=1e-10 \
    --relaxed-max-pv-fraction=0 --enable-opm-rst-file=true --solver-max-time-step-in-days=73)
"$plumecast" import "$folder/SPE11B" -o "$here/../../../data/spe11b_84x30.h5" --grid box --title "SPE11B on 84 x 30 cells" \
    --set surface_density=1.86843 \
    --set 'times=[365,1825,3650,7300,9125,9490,10950,14600,18250,21900,29200,36500,73000,182500,365000]' --force
