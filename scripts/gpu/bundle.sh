#!/usr/bin/env bash
# Builds programs, tests and benchmarks with the CUDA backend and packs them with the libraries they need into one
# archive, for scripts/gpu_check.sh in a checkout on another machine: one with a device and an NVIDIA driver, but perhaps
# without compilers. CUDA's own libraries are not in it.
# Usage: bundle.sh [ARCHIVE]             default out/plumecast-cuda.tar.xz
#        bundle.sh --programs FOLDER     only gathers the programs there
#   PLUMECAST_CUDA_BUILD   build folder (default build/cuda; build/cuda-mpi, configured before, for steps on several ranks)
#   PLUMECAST_CUDA_ARCHITECTURES   capabilities to build for (default that of the device here; for an archive, which each
#                          capability more makes larger, 90 of an H100 and an H200)
#   PLUMECAST_JOBS         parallel compilers (default all cores)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

limit_mib=64
build=${PLUMECAST_CUDA_BUILD:-build/cuda}
programs=(apps/plumecast bench/bench_conv_matrix bench/bench_device_ceilings bench/bench_network_speed
    bench/bench_published_pass bench/bench_spectral_ways tests/architectures/test_architectures
    tests/backend/test_backend tests/integration/test_integration tests/graph/test_graph
    tests/inference/test_inference tests/plan/test_threads tests/training/test_training)
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)

architectures=90
[ "${1:-}" != --programs ] || architectures=native
cmake --preset cuda -B "$build" -DCMAKE_CUDA_ARCHITECTURES="${PLUMECAST_CUDA_ARCHITECTURES:-$architectures}" -DPLUMECAST_BENCH=ON "${launcher[@]}" >/dev/null
cmake --build "$build" -j "${PLUMECAST_JOBS:-$(nproc)}" --target plumecast_app bench_conv_matrix bench_device_ceilings \
    bench_network_speed bench_published_pass bench_spectral_ways test_architectures test_backend test_integration test_inference test_graph test_threads test_training

gather() { # folder
    mkdir -p "$1/bin"
    for program in "${programs[@]}"; do
        strip -o "$1/bin/$(basename "$program")" "$build/$program"
    done
}
if [ "${1:-}" = --programs ]; then
    gather "$2"
    exit 0
fi

archive=${1:-out/plumecast-cuda.tar.xz}
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
gather "$staging"
mkdir -p "$staging/lib"
# What the C library consists of must be the other machine's own.
ldd "$staging"/bin/* | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -Ev '/(libc|libm|libdl|librt|libpthread|libresolv|ld-linux[^/]*)\.so' |
    while read -r library; do cp -L "$library" "$staging/lib/"; done
mkdir -p "$(dirname "$archive")"
tar -C "$staging" -cf - . | xz -9 >"$archive"
size=$(($(stat -c %s "$archive") / 1048576))
echo "bundle: $archive, $size MiB"
if [ "$size" -ge "$limit_mib" ]; then
    echo "bundle: larger than $limit_mib MiB; build for fewer CMAKE_CUDA_ARCHITECTURES" >&2
    exit 1
fi
