#!/usr/bin/env bash
# Trains the four architectures, and U-FNO in PyTorch, for the same number of seconds each on the same cases, and writes
# docs/benchmarks/architectures.md with the learning curves beside it.
# Usage: compare_architectures.sh TRAIN.h5 VALIDATION.h5 SECONDS [--cases N] [--threads N] [--output FOLDER]
#                                 [--set KEY=VALUE]...
#   --cases    only the first training cases        --output   folder of page and pictures (default docs/benchmarks)
#   --set      an entry of every recipe, for example --set network.width=32 (the CNN keeps its published widths)
#   PLUMECAST_TORCH_PYTHON   Python with torch and safetensors (default python3); without it PyTorch is left out
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" && exit 2; }
command="bench/compare_architectures.sh $(basename "$1") $(basename "$2") ${*:3}"
train=$(realpath "$1") validation=$(realpath "$2") seconds=$3
shift 3
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cases=0 threads=$(nproc) output=docs/benchmarks settings=()
while [ $# -gt 0 ]; do
    case "$1" in
        --cases | --threads | --output) printf -v "${1#--}" %s "${2:?$1 needs a value}" ;;
        --set) settings+=(--set "${2:?--set needs KEY=VALUE}") ;;
        *) echo "error: unknown option $1 (see the top of this script)" >&2 && exit 2 ;;
    esac
    shift 2
done
python=${PLUMECAST_TORCH_PYTHON:-python3}
build=${PLUMECAST_BENCH_BUILD:-build/bench}
if [ -z "${PLUMECAST_BENCH_BUILD:-}" ]; then
    cmake --preset bench >/dev/null
    cmake --build --preset bench -j "$(nproc)"
fi
runs=build/architectures
rm -rf "$runs"
mkdir -p "$runs" "$output"

for architecture in fno conv_fno ufno cnn; do
    own=("${settings[@]}")
    if [ "$architecture" = cnn ]; then # its width is that of the first stage, not of every field
        for i in "${!own[@]}"; do
            case "${own[$i]}" in network.width=*) unset "own[$i]" "own[$((i - 1))]" ;; esac
        done
    fi
    echo "{\"network\": {\"architecture\": \"$architecture\"}, \"epochs\": 100000,
           \"schedule\": {\"kind\": \"step\"}}" >"$runs/$architecture.json"
    echo "$architecture for $seconds s"
    status=0
    timeout --signal=INT --kill-after=600 --preserve-status "$seconds" "$build/apps/plumecast" train \
        "$runs/$architecture.json" --set "data.train=$train" --set "data.validation=$validation" \
        --set "data.train_cases=$cases" --threads "$threads" "${own[@]}" --output "$runs/$architecture" >"$runs/$architecture.log" 2>&1 || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 130 ] || { tail "$runs/$architecture.log" && exit "$status"; }
done

if "$python" -c 'import torch, safetensors' 2>/dev/null; then
    echo "ufno in PyTorch for $seconds s"
    peer=$runs/ufno_pytorch
    mkdir -p "$peer"
    "$build/bench/bench_export_batches" "$train" --recipe "$runs/ufno/recipe.json" --output "$peer" --cases "$cases"
    "$build/bench/bench_export_batches" "$validation" --recipe "$runs/ufno/recipe.json" --output "$peer/validation" --tensors-only
    "$python" bench/peer/torch_budget.py --recipe "$runs/ufno/recipe.json" --weights "$peer/weights.safetensors" \
        --data "$peer/tensors.safetensors" --validation "$peer/validation/tensors.safetensors" --seconds "$seconds" \
        --threads "$threads" --output "$peer/metrics.csv" --best-weights "$peer/best.safetensors"
    [ ! -f "$peer/best.safetensors" ] || "$build/bench/bench_score_weights" "$peer/best.safetensors" \
        --recipe "$runs/ufno/recipe.json" --data "$validation" >"$peer/score.json"
    rm -f "$peer/tensors.safetensors" "$peer/validation/tensors.safetensors"
else
    echo "PyTorch is left out ($python cannot import torch and safetensors); set PLUMECAST_TORCH_PYTHON"
fi

curves=()
while read -r name file; do curves+=("$name=$file:seconds:validation_loss"); done < <(
    python3 bench/architectures_report.py --runs "$runs" --seconds "$seconds" --output "$output/architectures.md" \
        --threads "$threads" --command "$command")
if [ ${#curves[@]} -gt 0 ]; then
    "$build/bench/bench_draw_curves" "$output/architectures.png" "${curves[@]}" --log-y \
        --title "Validation loss, same recipe and time" --x-label "seconds" --y-label "validation loss"
fi
echo "page: $output/architectures.md"
