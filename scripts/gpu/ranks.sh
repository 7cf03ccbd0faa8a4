#!/usr/bin/env bash
# Evaluates the shipped model on two ranks, which share each case, and compares the mean errors with those of one rank.
# Usage: ranks.sh PLUMECAST MODEL CASES TRANSPORT     the executable, and host or nccl; nccl takes a device for each rank
# Exit status 77, with the reason, without mpirun, with an executable that does without MPI, or with one device for nccl.
set -euo pipefail
plumecast=$1 model=$2 cases=$3 transport=$4

skip() {
    echo "$1" >&2
    exit 77
}
command -v mpirun >/dev/null || skip "no mpirun here"
"$plumecast" evaluate --help | grep -q -e --transport ||
    skip "the executable has no MPI (gather the programs of a build with MPI: PLUMECAST_CUDA_BUILD=build/cuda-mpi)"
if [ "$transport" = nccl ]; then
    [ "$(nvidia-smi --list-gpus | wc -l)" -ge 2 ] || skip "one device; NCCL takes one for each rank"
fi

one=$("$plumecast" evaluate "$model" "$cases" --json --device cuda)
two=$(mpirun --allow-run-as-root --oversubscribe -n 2 "$plumecast" evaluate "$model" "$cases" --json --device cuda \
    --grid 1x2 --transport "$transport")
python3 - "$(cd "$(dirname "$0")" && pwd)" "$one" "$two" <<'PYTHON'
import json
import sys

sys.path.insert(0, sys.argv[1])
import gpu_check_report

apart = gpu_check_report.disagreement(*map(json.loads, sys.argv[2:]))
print(f"mean errors of two ranks and of one: {apart:.1e} apart")
sys.exit(apart > gpu_check_report.AGREEMENT)
PYTHON
