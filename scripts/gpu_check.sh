#!/usr/bin/env bash
# All checks that need a CUDA device, in five calls that take 25 minutes together, each less than eight:
#   alive   driver, libraries, one kernel, the shipped model against the CPU, the tests of the backend
#   right   a network of the published size against the CPU in all precisions, forward and gradients; all CUDA tests; a
#           matrix of convolutions of the published size
#   speed   ceilings of the device; forward and training in all precisions, recorded and not, op by op and kernel by kernel
#   peer    PyTorch at the same, ONNX Runtime and TensorRT on the shipped model, as far as python3 has them
#   rest    threads with one plan, checkers of memory and of races over the kernels, rates of whole files, two ranks on one
#           device and, by NCCL, on two
# Each step's result is packed as soon as it is there: CALL.tar.gz with all logs, CALL.txt (table) and CALL.json. Whatever
# fails, the next step follows; what fails by itself, but not what hangs, is repeated once with the fallback that isolates
# it, and the table says so. Tests that fail together run again, each in a process of its own.
# Usage: gpu_check.sh [alive|right|speed|peer|rest] [--bundle ARCHIVE] [--output FOLDER] [--rehearse]     all calls without a name
#   --bundle     takes the programs from an archive of scripts/gpu/bundle.sh instead of building them
#   --output     where results go (default out/gpu_check)
#   --rehearse   runs all calls on this machine with stand-ins for the programs that fail in turn
# The libraries of CUDA come from a toolkit or from the nvidia packages of python3.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

calls=() bundle='' output=out/gpu_check rehearse=no
while [ $# -gt 0 ]; do
    case "$1" in
        alive | right | speed | peer | rest) calls+=("$1") && shift ;;
        --bundle) bundle=${2:?a path is missing} && shift 2 ;;
        --output) output=${2:?a path is missing} && shift 2 ;;
        --rehearse) rehearse=yes && shift ;;
        *) sed -n '2,19s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
done
[ ${#calls[@]} -gt 0 ] || calls=(alive right speed peer rest)
[ "$rehearse" = no ] || exec python3 scripts/gpu/rehearsal.py "$output"

gathered=$(mktemp -d)
trap 'rm -rf "$gathered"' EXIT
if [ -n "$bundle" ]; then
    # Not tar: it needs xz beside it, which the machine may lack.
    python3 -m tarfile -e "$bundle" "$gathered" || exit 1
else
    scripts/gpu/bundle.sh --programs "$gathered" || exit 1
fi
failed=0
for call in "${calls[@]}"; do
    echo "$call"
    python3 scripts/gpu/check_run.py "$call" --programs "$gathered" --output "$output" || failed=1
done
exit $failed
