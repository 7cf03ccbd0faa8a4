#!/usr/bin/env bash
# Builds Plumecast on another Debian release and runs the demo and the release tests there, in a folder that debootstrap
# makes. Takes hours and several GB, so it is part of no other script. Needs root and the package debootstrap.
# Usage: debian_release.sh RELEASE FOLDER     RELEASE is trixie, sid ...; a FOLDER that is a system already is used as it is
set -euo pipefail

[ $# -eq 2 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0"; exit 2; }
release=$1 folder=$2
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
jobs=${JOBS:-$(nproc)}
packages=(build-essential cmake ninja-build pkg-config libdnnl-dev ocl-icd-opencl-dev libhdf5-dev zlib1g-dev libssl-dev
    nlohmann-json3-dev libeigen3-dev libcli11-dev libspdlog-dev libfmt-dev libcairo2-dev libgtest-dev libgmock-dev libdlpack-dev
    libcpp-httplib-dev libnlopt-dev libopenmpi-dev openmpi-bin python3 python3-h5py python3-numpy gfortran git file locales curl jq
    libopm-simulators-bin libopm-common-bin)

[ "$(id -u)" = 0 ] || { echo "debian_release.sh: only root may change the root folder; run it with sudo" >&2; exit 1; }
if [ ! -x "$folder/usr/bin/dpkg" ]; then
    debootstrap --variant=minbase "$release" "$folder"
fi
mounted=()
unmount() {
    for path in "${mounted[@]}"; do umount -R -l "$path"; done
}
trap unmount EXIT
for name in proc dev sys; do
    if ! mountpoint -q "$folder/$name"; then
        mount --rbind "/$name" "$folder/$name"
        mount --make-rslave "$folder/$name" # or what is unmounted there goes here too
        mounted+=("$folder/$name")
    fi
done
cp /etc/resolv.conf "$folder/etc/resolv.conf"

chroot "$folder" env DEBIAN_FRONTEND=noninteractive apt-get update
chroot "$folder" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"
rm -rf "$folder/plumecast"
mkdir "$folder/plumecast"
git -C "$source_tree" archive HEAD | tar -x -C "$folder/plumecast"
chroot "$folder" bash -euc "
    cd /plumecast
    . /etc/os-release
    echo \"\$PRETTY_NAME, GCC \$(gcc -dumpfullversion), HDF5 \$(dpkg-query -W -f '\${Version}' libhdf5-dev)\"
    cmake --preset mpi -DPLUMECAST_WARNINGS_AS_ERRORS=OFF # a newer compiler may warn of more
    nice cmake --build --preset mpi -j $jobs
    ctest --preset mpi
    scripts/demo.sh"
