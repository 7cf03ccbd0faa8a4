#!/usr/bin/env bash
# Trains the full-size model, the published U-FNO of width 36 with 10 x 10 x 10 modes, on data of one grid: a network for
# saturation, one for pressure, both joined into a model and judged. Goes on where it was interrupted.
# Usage: train_full.sh TRAIN.h5 VALIDATION.h5 FOLDER [-- OPTIONS OF train]
#   PLUMECAST            executable (default build/cuda/apps/plumecast, else the one in PATH)
#   PLUMECAST_EPOCHS     default 100
#   PLUMECAST_PRECISION  default bf16; fp32 or tf32
#   PLUMECAST_LAUNCHER   started before the executable, as in "mpirun -np 4"; default none
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

[ $# -ge 3 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" && exit 2; }
train=$1 validation=$2 folder=$3
shift 3
[ "${1:-}" = -- ] && shift
plumecast=${PLUMECAST:-$root/build/cuda/apps/plumecast}
[ -x "$plumecast" ] || plumecast=$(command -v plumecast) || {
    echo "train_full: no executable (neither build/cuda/apps/plumecast nor in PATH); build it or set PLUMECAST" >&2
    exit 2
}
mkdir -p "$folder"

for field in gas_saturation pressure_buildup; do
    run=$folder/$field
    recipe=$folder/$field.json
    if [ ! -e "$recipe" ]; then
        "$plumecast" config --default ufno --set fields=$field --set data.train="$(realpath "$train")" \
            --set data.validation="$(realpath "$validation")" --set output="$(realpath -m "$run")" \
            --set epochs="${PLUMECAST_EPOCHS:-100}" --set batch_size=4 --set schedule.kind=cosine \
            --set schedule.warmup_steps=500 --set optimizer.gradient_clip=1 >"$recipe.new"
        mv "$recipe.new" "$recipe"
    fi
    resume=()
    [ -e "$run/checkpoint/state.json" ] && resume=(--resume)
    # shellcheck disable=SC2086 # the launcher is a command with its options
    ${PLUMECAST_LAUNCHER:-} "$plumecast" train "$recipe" --precision "${PLUMECAST_PRECISION:-bf16}" "${resume[@]}" "$@"
done
"$plumecast" combine "$folder/gas_saturation/best" "$folder/pressure_buildup/best" -o "$folder/model" \
    --title "U-FNO of the published size"
"$plumecast" evaluate "$folder/model" "$validation" --batch auto
