#include "backend/cpu/processor/settings.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "backend/cpu/processor/simd_levels.hpp"
#include "core/machine/threads.hpp"

namespace plumecast::cpu {
namespace {

/// Beside the threads of ops a run has as many for reduced physics, and some that load, write and share cores.
constexpr int other_threads = 4;

/// OpenMP ends the process where the system refuses a thread, so the system is asked before.
int usable_threads(int wanted) {
    if (wanted < 0) {
        throw InvalidInput("thread count " + std::to_string(wanted) +
                           " (a count is 0 for all, or positive); give CpuOptions::threads 0 or more");
    }
    const int all = wanted == 0 ? omp_get_max_threads() : wanted;
    const int usable =
        all == 1 ? 1 : std::clamp((startable_threads(2 * all + other_threads) - other_threads) / 2, 1, all);
    if (usable < all && wanted > 0) {
        throw InvalidInput(std::to_string(wanted) +
                           " threads are too many (the system lets the process start enough for " +
                           std::to_string(usable) + "); give CpuOptions::threads " + std::to_string(usable) +
                           ", or let the process have more (ulimit -u, the limits of container or job)");
    }
    return usable;
}

/// The implementation of the convolutions that the environment or the options force; nullptr for the usual choice.
const char* forced_convolutions(const CpuOptions& options) {
    const char* named = std::getenv("PLUMECAST_CONV");
    return named == nullptr && options.direct_convolutions ? "direct" : named;
}

/// Beside the rounding of bfloat16 fields that of the larger tiles does not count.
Winograd tiles_of(const CpuOptions& options) {
    return options.precision == Precision::bf16 ? Winograd::f4 : options.winograd;
}

}  // namespace

Settings::Settings(const CpuOptions& options)
    : threads(usable_threads(options.threads)),
      simd(&simd_kernels(std::getenv("PLUMECAST_SIMD"))),
      conv_choice(forced_convolutions(options), *simd->conv, tiles_of(options)) {
    if (options.precision == Precision::tf32) {
        throw InvalidInput("precision tf32 on the CPU (it has no units for it); use fp32, bf16 or a CUDA device");
    }
}

}  // namespace plumecast::cpu
