#!/usr/bin/env bash
# Installs what Plumecast needs to be built. On Debian and Ubuntu the missing packages are installed with apt-get (through
# sudo when not root); elsewhere the list of packages is printed for you to install.
# Usage: install_dependencies.sh [--tests] [--bench] [--check]
#   --tests   also what only scripts/test.sh needs      --bench   also what only the benchmarks need
#   --check   only list what is missing; exit status 1 when something is
set -euo pipefail

build=(cmake g++ ninja-build pkg-config libdnnl-dev ocl-icd-opencl-dev libhdf5-dev zlib1g-dev libssl-dev nlohmann-json3-dev
    libeigen3-dev libcli11-dev libspdlog-dev libfmt-dev libcairo2-dev libcpp-httplib-dev libnlopt-dev)
tests=(libgtest-dev libgmock-dev libdlpack-dev libbenchmark-dev libopenmpi-dev openmpi-bin libopm-simulators-bin libopm-common-bin python3-opm-common
    python3-h5py python3-numpy python3-pip python3-venv python3-dev python3-vtk9 xvfb xauth iproute2 clang-16 libclang-rt-16-dev clang-format-14 clang-tidy-16 libomp-16-dev gfortran
    python3 git chromium curl jq abigail-tools dpkg-dev file lintian binutils zsh groff-base doxygen locales
    pre-commit codespell shellcheck)
bench=(libbenchmark-dev)

wanted=("${build[@]}")
check_only=no
for argument in "$@"; do
    case "$argument" in
        --tests) wanted+=("${tests[@]}") ;;
        --bench) wanted+=("${bench[@]}") ;;
        --check) check_only=yes ;;
        *)
            sed -n '2,6s/^# \{0,1\}//p' "$0"
            exit 2
            ;;
    esac
done

advise_other_distribution() {
    cat <<'TEXT'
This is not Debian or Ubuntu, so nothing was installed. Install a C++20 compiler (GCC 12 or newer), CMake 3.25 or newer and
the packages below, then build as README.md says. Names as best known:

  Fedora     dnf install gcc-c++ cmake ninja-build pkgconf onednn-devel ocl-icd-devel hdf5-devel zlib-devel openssl-devel
             json-devel eigen3-devel cli11-devel spdlog-devel fmt-devel cairo-devel cpp-httplib-devel NLopt-devel
    tests    dnf install gtest-devel gmock-devel openmpi-devel gcc-gfortran python3 python3-h5py git clang clang-tools-extra iproute
    bench    dnf install google-benchmark-devel
  Arch       pacman -S base-devel cmake ninja pkgconf onednn ocl-icd opencl-headers hdf5 zlib openssl nlohmann-json eigen
             cli11 spdlog fmt cairo cpp-httplib nlopt
    tests    pacman -S gtest openmpi gcc-fortran python python-h5py git clang iproute2
    bench    pacman -S benchmark
  openSUSE   zypper install gcc-c++ cmake ninja pkgconf onednn-devel ocl-icd-devel hdf5-devel zlib-devel
             libopenssl-devel nlohmann_json-devel eigen3-devel cli11-devel spdlog-devel fmt-devel cairo-devel nlopt-devel
    tests    zypper install gtest gmock openmpi4-devel gcc-fortran python3 python3-h5py git clang clang-tools iproute2
    bench    zypper install benchmark-devel
TEXT
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    advise_other_distribution
    exit 1
fi

missing=()
for package in "${wanted[@]}"; do
    [ "$package" = clang-format-14 ] && command -v clang-format-14 >/dev/null && continue
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    echo "dependencies: all ${#wanted[@]} packages are installed"
    exit 0
fi
echo "dependencies missing: ${missing[*]}"
[ "$check_only" = yes ] && exit 1

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Cannot install them (this needs root and sudo is not here); run as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "dependencies: installing them with ${as_root[*]:+sudo }apt-get"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
# Not every release has these. The tests that simulate, those that ask other readers, the fuzz targets, clang-tidy and the format
# check then say that they did not run.
kept=()
for package in "${missing[@]}"; do
    case "$package" in
        libdlpack-dev | libopm-* | python3-opm-common | python3-vtk9 | clang-16 | libclang-rt-16-dev | clang-format-14 | clang-tidy-16 | libomp-16-dev | abigail-tools)
            [ -n "$(apt-cache madison "$package")" ] || continue # 'show' knows names that are only mentioned
            ;;
    esac
    kept+=("$package")
done
missing=("${kept[@]}")
[ ${#missing[@]} -eq 0 ] || "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
