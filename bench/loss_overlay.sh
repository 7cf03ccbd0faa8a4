#!/usr/bin/env bash
# Trains a small U-FNO here and in PyTorch from the same weights on the same batches, compares the loss of every step and
# draws both as docs/benchmarks/loss_overlay.png.
# Usage: loss_overlay.sh DATA.h5 [--steps 200] [--cases 64] [--batch 4] [--width 16] [--modes 8] [--threads N] [--output FOLDER]
#   DATA.h5   a data set with outputs          --output   folder of the picture (default docs/benchmarks)
#   PLUMECAST_TORCH_PYTHON   Python with torch and safetensors (default python3)
set -euo pipefail
data=$(realpath "${1:?usage: loss_overlay.sh DATA.h5 [--steps N] [--cases N] [--batch N] [--width N] [--modes N] [--threads N] [--output FOLDER]}")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."

steps=200 cases=64 batch=4 width=16 modes=8 threads=$(nproc) output=docs/benchmarks
while [ $# -gt 0 ]; do
    case "$1" in
        --steps | --cases | --batch | --width | --modes | --threads | --output) printf -v "${1#--}" %s "${2:?$1 needs a value}" ;;
        *) echo "error: unknown option $1 (see the top of this script)" >&2 && exit 2 ;;
    esac
    shift 2
done
python=${PLUMECAST_TORCH_PYTHON:-python3}
"$python" -c 'import torch, safetensors' || { echo "error: $python lacks torch or safetensors; set PLUMECAST_TORCH_PYTHON" >&2 && exit 1; }
programs=${PLUMECAST_BENCH_BUILD:-build/bench}/bench
if [ -z "${PLUMECAST_BENCH_BUILD:-}" ]; then
    cmake --preset bench >/dev/null
    cmake --build --preset bench -j "$(nproc)"
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/recipe.json" <<JSON
{"network": {"architecture": "ufno", "width": $width, "modes": [$modes, $modes, $modes]}, "batch_size": $batch, "seed": 1,
 "schedule": {"kind": "constant", "learning_rate": 1e-3}, "optimizer": {"weight_decay": 1e-4}}
JSON
"$programs/bench_export_batches" "$data" --recipe "$folder/recipe.json" --output "$folder" --cases "$cases" --steps "$steps"
echo "training here"
"$programs/bench_train_losses" "$data" --recipe "$folder/recipe.json" --exported "$folder" --output "$folder/ours.csv" \
    --threads "$threads"
echo "training in PyTorch"
"$python" bench/peer/torch_train.py --weights "$folder/weights.safetensors" --batches "$folder/batches.json" \
    --data "$folder/tensors.safetensors" --output "$folder/torch.csv" --threads "$threads"
mkdir -p "$output"
"$programs/bench_draw_curves" "$output/loss_overlay.png" "PyTorch=$folder/torch.csv:step:loss" \
    "Plumecast=$folder/ours.csv:step:loss" --title "Training loss from the same weights and batches" --x-label step --y-label loss
cp "$folder/ours.csv" "$output/loss_overlay_plumecast.csv"
cp "$folder/torch.csv" "$output/loss_overlay_pytorch.csv"
python3 bench/compare_losses.py "$folder/ours.csv" "$folder/torch.csv"
echo "picture: $output/loss_overlay.png"
