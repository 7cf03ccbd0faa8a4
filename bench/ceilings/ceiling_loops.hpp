#pragma once

#include <cstdint>

namespace plumecast::bench {

/// The loops that no arithmetic and no pass over memory on this processor can beat, for one instruction set.
struct CeilingLoops {
    const char* name;
    int lanes;  ///< floats of one register
    /// `rounds` rounds of `chains` independent multiply-adds of one register each; the result depends on all.
    float (*multiply_add)(std::int64_t rounds);
    int chains;
    /// Sum of `count` floats, a multiple of 8 * lanes.
    float (*sum)(const float* x, std::int64_t count);
};

const CeilingLoops& ceiling_loops_baseline();
const CeilingLoops& ceiling_loops_avx2();
const CeilingLoops& ceiling_loops_avx512();

/// The loops for the instruction set of that name; the baseline for an unknown one.
const CeilingLoops& ceiling_loops(const char* level);

}  // namespace plumecast::bench
