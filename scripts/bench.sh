#!/usr/bin/env bash
# Builds the benchmarks, measures this engine and PyTorch alternately, and writes docs/benchmarks/cpu.md.
# Usage: bench.sh [--quick]     --quick: tiny sizes, to see that everything works; writes build/bench/results/cpu.md
#   PLUMECAST_TORCH_PYTHON   Python with torch and safetensors (default python3); without it only ours is measured
#   PLUMECAST_BENCH_ROUNDS   how often the two take turns (default 3)
#   PLUMECAST_BENCH_BUNDLE   also measure the first network of this trained model
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
rounds=(--rounds "${PLUMECAST_BENCH_ROUNDS:-3}")
kernel_options=()
if [ "${1:-}" = --quick ]; then
    page=$results/cpu.md
    kernels=${PLUMECAST_BENCH_KERNELS:-"conv/.*/width16/small|(linear|spectral|batch_norm|adam)/.*small"}
    rounds=(--rounds 1 --sizes tiny --repeat 1)
    kernel_options=(--benchmark_min_time=0.01)
fi
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
[ -z "${PLUMECAST_BENCH_BUNDLE:-}" ] || rounds+=(--bundle "$PLUMECAST_BENCH_BUNDLE")

for threads in 1 2; do
    [ "$threads" -le "$(nproc)" ] || continue
    echo "kernels with $threads thread(s)"
    "$build/bench/bench_kernels" --threads="$threads" --benchmark_filter="$kernels" "${kernel_options[@]}" \
        --benchmark_out="$results/kernels_$threads.json" --benchmark_out_format=json
done
python3 scripts/bench_rounds.py --build "$build/bench" --output "$results/networks.jsonl" "${rounds[@]}"
python3 scripts/bench_report.py --results "$results" --output "$page" --command "scripts/bench.sh${1:+ $1}"
echo "bench: see $page"
