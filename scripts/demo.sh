#!/usr/bin/env bash
# The main job from a fresh clone: installs what is missing, builds, predicts the sample cases with the shipped model,
# compares with the simulator and draws the plume. Results land in out/.
# Usage: demo.sh [--serve] [THREADS]
#   --serve   instead of the sample cases, the page: its last line is an address for a browser; Ctrl-C ends it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

model=models/radial-co2
cases=data/radial_sample.h5
out=out
is_page=
[ "${1:-}" != --serve ] || { is_page=yes; shift; }
threads=${1:-$(nproc)}
plumecast=build/demo/apps/plumecast
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

say() { printf '\n== %s\n' "$*"; }

say "Installing what is missing"
scripts/install_dependencies.sh

say "Building (Release, ${threads} threads)"
cmake -S . -B build/demo -G Ninja -DCMAKE_BUILD_TYPE=Release -DPLUMECAST_TESTS=OFF "${launcher[@]}" >/dev/null
cmake --build build/demo -j "$threads"

if [ -n "$is_page" ]; then
    say "The page, for a browser on this machine; Ctrl-C ends it"
    exec "$plumecast" serve "$model" models/radial-co2-fast --port "${PLUMECAST_PORT:-8080}" --threads "$threads"
fi

mkdir -p "$out"
say "The model and the cases"
"$plumecast" info "$model"
"$plumecast" info "$cases"

say "Predicting gas saturation and pressure build-up"
"$plumecast" predict "$model" "$cases" -o "$out/fields.h5" --threads "$threads"

say "Comparing with the simulator"
"$plumecast" evaluate "$model" "$cases" --threads "$threads"

say "Drawing the plume beside the simulated one"
"$plumecast" plot "$out/fields.h5" --case 0 --compare "$cases" -o "$out/plume.png"

say "Done: $out/fields.h5 (HDF5, physical units) and $out/plume.png"
