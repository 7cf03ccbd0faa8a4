#!/usr/bin/env bash
# Trains the full-size model, the published U-FNO of width 36 with 10 x 10 x 10 modes, on data of one grid: a network for
# saturation, one for pressure, both joined into a model and judged. Goes on where it was interrupted: started again with the
# same words as often as needed, it ends at the weights of one run. SIGTERM, SIGINT and SIGUSR1 go to the training, which saves a
# checkpoint and ends with status 75; killed, it loses what came after the last checkpoint.
# Usage: train_full.sh TRAIN.h5 VALIDATION.h5 FOLDER [-- OPTIONS OF train]
#   PLUMECAST            executable (default build/cuda/apps/plumecast, else the one in PATH)
#   PLUMECAST_EPOCHS     default 100
#   PLUMECAST_PRECISION  default bf16; fp32 or tf32
#   PLUMECAST_LAUNCHER   started before the executable, as in "mpirun -np 4"; default none
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

[ $# -ge 3 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" && exit 2; }
train=$1 validation=$2 folder=$3
shift 3
[ "${1:-}" = -- ] && shift
plumecast=${PLUMECAST:-$root/build/cuda/apps/plumecast}
[ -x "$plumecast" ] || plumecast=$(command -v plumecast) || {
    echo "train_full: no executable (neither build/cuda/apps/plumecast nor in PATH); build it or set PLUMECAST" >&2
    exit 2
}
mkdir -p "$folder"

# A program in a session of its own gets a signal once, from here, also where a whole group is sent it (a second one would end
# it without a checkpoint); it is killed where this script is.
apart=()
command -v setsid >/dev/null && setpriv --pdeathsig KILL true 2>/dev/null && apart=(setsid setpriv --pdeathsig KILL)
run_and_pass_signals_on() { # command: else the shell would end at once on a signal and leave the command running
    local child status=0 told=no
    "${apart[@]}" "$@" &
    child=$!
    trap 'told=yes; kill -TERM "$child" 2>/dev/null || true' TERM INT USR1
    while kill -0 "$child" 2>/dev/null; do # a signal ends a wait, not the command
        wait "$child" && status=0 || status=$?
    done
    trap - TERM INT USR1
    if [ "$told" = yes ]; then
        case $status in # it was done just then, and what follows is not; or it had not begun to listen yet (INT, USR1, TERM)
            0 | 130 | 138 | 143) status=75 ;;
        esac
    fi
    return "$status"
}

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
    # Always --resume: without a checkpoint it starts, and it alone sees one whose writing was cut short.
    # shellcheck disable=SC2086 # the launcher is a command with its options
    run_and_pass_signals_on ${PLUMECAST_LAUNCHER:-} "$plumecast" train "$recipe" --precision "${PLUMECAST_PRECISION:-bf16}" --resume "$@"
done
# The model appears whole, so one that is there needs no second.
[ -e "$folder/model" ] || "$plumecast" combine "$folder/gas_saturation/best" "$folder/pressure_buildup/best" -o "$folder/model" \
    --title "U-FNO of the published size"
"$plumecast" evaluate "$folder/model" "$validation" --batch auto
