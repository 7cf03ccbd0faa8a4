#!/usr/bin/env bash
# All checks that need a CUDA device, in a few minutes: tests, parity with the CPU, a memory checker over the kernels,
# speed. Prints a table and writes it as JSON.
# PyTorch, where python3 has it with CUDA, does the same computations in the same call.
# Usage: gpu_check.sh [--bundle ARCHIVE] [--output FOLDER] [--quick]
#   --bundle   takes the programs from an archive of scripts/gpu/bundle.sh instead of building them
#   --output   where logs and gpu_check.json go (default out/gpu_check)
#   --quick    tests only
# The libraries of CUDA come from a toolkit or from the nvidia packages of python3.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bundle='' output=out/gpu_check quick=no
while [ $# -gt 0 ]; do
    case "$1" in
        --bundle) bundle=$2 && shift 2 ;;
        --output) output=$2 && shift 2 ;;
        --quick) quick=yes && shift ;;
        *) sed -n '2,9s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
done
mkdir -p "$output"
output=$(cd "$output" && pwd)
rm -f "$output"/*.json "$output"/*.out "$output"/*.log "$output"/steps.tsv "$output"/device.txt

gathered=$(mktemp -d)
trap 'rm -rf "$gathered"' EXIT
if [ -n "$bundle" ]; then
    tar -xf "$bundle" -C "$gathered" || exit 1
else
    scripts/gpu/bundle.sh --programs "$gathered" || exit 1
fi
programs=$gathered/bin
libraries=$gathered/lib
export PLUMECAST_REFERENCE_FOLDER=$PWD/tests/reference

cuda_folders() { # folders of the toolkit and of Python's nvidia packages, one per line
    printf '%s\n' "${CUDA_HOME:-/usr/local/cuda}/lib64"
    python3 - <<'PYTHON' 2>/dev/null
import importlib.util, pathlib
spec = importlib.util.find_spec("nvidia")
for place in spec.submodule_search_locations if spec else []:
    for folder in sorted(pathlib.Path(place).glob("*/lib")):
        print(folder)
PYTHON
}
while read -r folder; do
    [ -d "$folder" ] && libraries=$libraries:$folder
done < <(cuda_folders)
libraries=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}  # for our programs only: other programs have their own

step() { # name, seconds allowed, command: notes name, status and duration
    local name=$1 limit=$2 begin=$EPOCHREALTIME status
    shift 2
    local path=$libraries
    [ "${LIBRARIES_OF:-ours}" = system ] && path=${LD_LIBRARY_PATH:-}
    timeout -k 20 "$limit" env LD_LIBRARY_PATH="$path" "$@" >"$output/$name.out" 2>"$output/$name.log"
    status=$?
    printf '%s\t%s\t%s\n' "$name" "$status" "$(python3 -c "print(round($EPOCHREALTIME - $begin, 1))")" >>"$output/steps.tsv"
    [ $status -eq 0 ] && return
    echo "gpu_check: $name failed (status $status):" && tail -n 25 "$output/$name.out" "$output/$name.log"
    return $status
}
tests() { # name, program, filter
    step "$1" 240 "$programs/$2" --gtest_filter="$3" --gtest_brief=1 --gtest_output="json:$output/$1.json"
}

precision_flag() { [ "$1" = fp32 ] || echo "--$1"; }

model=models/radial-co2 cases=data/radial_sample.h5
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader >"$output/device.txt" 2>/dev/null
if ! step device 120 "$programs/plumecast" evaluate "$model" "$cases" --json --device cuda; then
    python3 scripts/gpu/gpu_check_report.py "$output"
    exit 1
fi
tests ops test_backend '*/cuda:*/cuda_bf16:Cuda*:Kernels.*'
PLUMECAST_CUDA_CONV=direct tests ops_without_cudnn test_backend '*Conv*/cuda'
tests spectral test_spectral '*'
tests layers test_layers '*'
tests architectures test_architectures '*'
tests golden test_integration '*_cuda'
tests training test_training '*Cuda*:*/cuda'
step cpu 300 "$programs/plumecast" evaluate "$model" "$cases" --json --device cpu
step bf16 60 "$programs/plumecast" evaluate "$model" "$cases" --json --device cuda --precision bf16

if [ "$quick" = no ]; then
    if command -v compute-sanitizer >/dev/null; then
        PLUMECAST_CUDA_CONV=direct step sanitizer 240 compute-sanitizer --tool memcheck --error-exitcode 9 \
            "$programs/test_backend" --gtest_brief=1 \
            --gtest_filter='*Elementwise*/cuda:*Reduce*/cuda:*Norm*/cuda:*Box*/cuda:*ErrorOp*/cuda:*CombineSigns*/cuda:*Complex*/cuda:*ByHand*/cuda'
    fi
    step ceilings 120 "$programs/bench_device_ceilings" --cuda
    for precision in bf16 tf32 fp32; do
        for task in forward/1 training/4; do
            step "speed_${task/\//_}_$precision" 90 "$programs/bench_network_speed" --cuda $(precision_flag $precision) \
                --task "${task%/*}" --batch "${task#*/}" --repeat 20
        done
    done
    PLUMECAST_CUDA_GRAPHS=off step speed_forward_1_bf16_unrecorded 60 "$programs/bench_network_speed" --cuda \
        --bf16 --task forward --batch 1 --repeat 20
    PLUMECAST_CUDA_SPECTRAL=fft step speed_forward_1_fp32_fft 60 "$programs/bench_network_speed" --cuda \
        --task forward --batch 1 --repeat 20
    # The shipped model over a file of 512 cases, reading and writing included.
    many=$gathered/many.h5
    mapfile -t copies < <(yes "$cases" | head -n 64)
    if step many 60 "$programs/plumecast" merge "${copies[@]}" --duplicates keep -o "$many"; then
        for precision in bf16 fp32; do
            step "file_$precision" 90 "$programs/plumecast" predict "$model" "$many" -o "$gathered/$precision.h5" \
                --batch auto --device cuda --precision $precision
        done
    fi
    if python3 -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
        for task in forward/1 training/4; do
            LIBRARIES_OF=system step "torch_${task/\//_}" 200 python3 bench/peer/torch_speed.py --device cuda --seconds 100 \
                --threads 4 --tasks "${task%/*}" --batch "${task#*/}" --repetitions 10 \
                --variants stock bf16+channels_last bf16+channels_last+compile
        done
    fi
fi
python3 scripts/gpu/gpu_check_report.py "$output"
