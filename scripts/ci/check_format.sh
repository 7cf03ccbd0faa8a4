#!/usr/bin/env bash
# Checks that every tracked C++ source is formatted as .clang-format says; `--fix` formats them instead.
# Another version of clang-format than 14 breaks lines elsewhere, so it is not asked.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

formatter=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$formatter" ] || ! "$formatter" --version | grep -q 'version 14\.'; then
    echo "format: clang-format 14 is not installed; not checked"
    exit 77
fi
mode=(--dry-run --Werror)
[ "${1:-}" = --fix ] && mode=(-i)
git ls-files -z '*.cpp' '*.hpp' '*.h' '*.c' '*.cu' | xargs -0 -r "$formatter" "${mode[@]}"
echo "format: every source is formatted"
