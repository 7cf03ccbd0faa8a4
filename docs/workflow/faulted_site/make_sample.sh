#!/bin/sh
# Makes data/faulted_site.h5 (docs/three_dimensions.md): deck, OPM Flow 2022.10, import.
#
#     docs/workflow/faulted_site/make_sample.sh FOLDER [PLUMECAST] [DATA]
#
# The run is made in FOLDER; PLUMECAST is the program, by default the one on PATH, and DATA the file to write.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
plumecast=${2:-plumecast}
data=${3:-$here/../../../data/faulted_site.h5}
mkdir -p "$folder"
"$here/make_deck.py" -o "$folder/SITE.DATA"
(cd "$folder" && OMP_NUM_THREADS=1 flow SITE.DATA --threads-per-process=1 --tolerance-mb=1e-10 \
    --tolerance-cnv=1e-3 --relaxed-max-pv-fraction=0 --enable-opm-rst-file=true > flow.log)
"$plumecast" import "$folder/SITE" -o "$data" --title "A faulted site on 12 x 10 x 5 cells" --set surface_density=1.8684 \
    --set injection_start=36525 --set irreducible_water_saturation=0.2 --set van_genuchten_lambda=0.5 --force
