// Times the ops of the CPU backend beside the ceilings of this machine, measured first in the same run.
// Besides the options of Google Benchmark: --threads=N, --winograd=f2
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels.hpp"
#include "program.hpp"

namespace plumecast::bench {
namespace {

/// Takes --threads=N out of the arguments; one thread without it.
int take_threads(int& argc, char** argv) {
    constexpr std::string_view option = "--threads=";
    int threads = 1, kept = 0;
    for (int i = 0; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with(option)) {
            threads = std::atoi(argv[i] + option.size());
        } else {
            argv[kept++] = argv[i];
        }
    }
    argc = kept;
    if (threads < 1) {
        throw std::invalid_argument("--threads (it must be 1 or more); give --threads=1");
    }
    return threads;
}

/// Takes --winograd=f2 out of the arguments; f4 without it.
Winograd take_winograd(int& argc, char** argv) {
    char** end =
        std::remove_if(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--winograd=f2"; });
    const bool found = end != argv + argc;
    argc = static_cast<int>(end - argv);
    return found ? Winograd::f2 : Winograd::f4;
}

int run(int argc, char** argv) {
    Context context;
    context.threads = take_threads(argc, argv);
    const Winograd winograd = take_winograd(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    context.backend = make_cpu_backend({.threads = context.threads, .winograd = winograd});
    context.ceilings = measure_ceilings(context.threads);
    const Json ceilings = to_json(context.ceilings);
    benchmark::AddCustomContext("device", context.backend->description());
    benchmark::AddCustomContext("ceilings", ceilings.dump(-1));
    register_conv(context);
    register_spectral(context);
    register_fftw(context);
    register_linear(context);
    register_batch_norm(context);
    register_adam(context);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
