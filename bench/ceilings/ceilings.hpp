#pragma once

#include <string>

#include <plumecast/core/json.hpp>

namespace plumecast::bench {

/// What this machine can do at most, all threads together, measured now.
struct Ceilings {
    int threads = 1;
    std::string instruction_set;  ///< the one the CPU backend's kernels use here
    double gigaflops = 0.0;       ///< float32 multiply-adds, each two operations, from registers [GFLOP/s]
    double copy = 0.0;            ///< copying arrays larger than any cache, bytes read plus bytes written [GB/s]
    double read = 0.0;            ///< summing such an array [GB/s]
};

/// Measures for about a second. `megabytes` is the size of each of the two arrays passed over.
Ceilings measure_ceilings(int threads, int megabytes = 512);

Json to_json(const Ceilings& ceilings);

}  // namespace plumecast::bench
