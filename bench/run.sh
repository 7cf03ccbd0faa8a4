#!/usr/bin/env bash
# Builds the benchmarks, measures this engine and PyTorch alternately, and writes docs/benchmarks/cpu.md.
# Usage: run.sh [--short | --tiny]
#   --short  the kernels and networks that matter most, every row once, within about eight minutes
#   --tiny   tiny sizes, to see that everything works; writes build/bench/results/cpu.md
#   PLUMECAST_TORCH_PYTHON   Python with torch and safetensors (default python3); without it only ours is measured
#   PLUMECAST_BENCH_ROUNDS   how often the two take turns (default 3, --short 1)
#   PLUMECAST_BENCH_BUDGET   seconds after which no measurement of a network is begun (default none, --short 340)
#   PLUMECAST_BENCH_BUNDLE   trained model to measure too (default models/radial-co2)
#   PLUMECAST_BENCH_CASES    data set to predict with it from file to file (default data/radial_sample.h5)
#   PLUMECAST_BENCH_KERNELS  regular expression of the kernels to measure (default all)
#   PLUMECAST_FFTW           ON to compare with FFTW (GPL) where it is installed
# Nothing else should run on the machine meanwhile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${PLUMECAST_TORCH_PYTHON:-python3}
build=build/bench
results=$build/results
page=docs/benchmarks/cpu.md
kernels=${PLUMECAST_BENCH_KERNELS:-.}
bundle=${PLUMECAST_BENCH_BUNDLE:-models/radial-co2}
cases=${PLUMECAST_BENCH_CASES:-data/radial_sample.h5}
turns=${PLUMECAST_BENCH_ROUNDS:-3}
budget=${PLUMECAST_BENCH_BUDGET:-}
rounds=()
kernel_options=(--benchmark_min_time=0.3)
case "${1:-}" in
    --short)
        turns=${PLUMECAST_BENCH_ROUNDS:-1}
        budget=${PLUMECAST_BENCH_BUDGET:-340}
        kernels=${PLUMECAST_BENCH_KERNELS:-"(conv/.*/width36|spectral|linear/.*36to36|batch_norm|adam)/?.*published|spectral/.*of"}
        rounds=(--sizes published shipped --repeat 2 --limit 100 --variants channels_last+malloc stock compile+malloc
            --narrow bf16+malloc)
        kernel_options=(--benchmark_min_time=0.05)
        ;;
    --tiny)
        page=$results/cpu.md
        turns=1
        kernels=${PLUMECAST_BENCH_KERNELS:-"conv/.*/width16/small|(linear|spectral|batch_norm|adam)/.*small"}
        rounds=(--sizes tiny --repeat 1)
        kernel_options=(--benchmark_min_time=0.01)
        ;;
    "") ;;
    *)
        echo "bench: unknown option $1 (known: --short, --tiny)" >&2
        exit 2
        ;;
esac
rounds+=(--rounds "$turns")
[ -z "$budget" ] || rounds+=(--budget "$budget")
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

scripts/install_dependencies.sh --bench
cmake --preset bench "${launcher[@]}" -DPLUMECAST_FFTW="${PLUMECAST_FFTW:-OFF}" >/dev/null
cmake --build --preset bench -j "$(nproc)"
mkdir -p "$results" "$(dirname "$page")"
rm -f "$results"/*.json "$results"/*.jsonl

if "$python" -c 'import torch, safetensors' 2>/dev/null; then
    rounds+=(--python "$python")
else
    echo "bench: PyTorch is not measured ($python cannot import torch and safetensors); set PLUMECAST_TORCH_PYTHON"
fi
[ ! -d "$bundle" ] || rounds+=(--bundle "$bundle")

for threads in 2 1; do
    [ "$threads" -le "$(nproc)" ] || continue
    echo "kernels with $threads thread(s)"
    "$build/bench/bench_kernels" --threads="$threads" --benchmark_filter="$kernels" "${kernel_options[@]}" \
        --benchmark_out="$results/kernels_$threads.json" --benchmark_out_format=json
done
if [ -d "$bundle" ] && [ -f "$cases" ]; then
    echo "predictions from file to file"
    "$build/apps/plumecast" bench predict "$bundle" "$cases" --device cpu --json | tee "$results/predict.json"
fi
for task in forward training; do
    [ "${1:-}" != --tiny ] || continue
    echo "ops, $task"
    "$build/bench/bench_network_speed" --task "$task" --threads "$(nproc)" --repeat 2 --ops >"$results/ops_$task.json"
done
python3 bench/rounds.py --build "$build/bench" --output "$results/networks.jsonl" "${rounds[@]}"
python3 bench/report.py --results "$results" --output "$page" --command "bench/run.sh${1:+ $1}"
echo "bench: see $page"
