#include "backend/cpu/processor/simd_levels.hpp"

namespace plumecast::cpu {

std::vector<SimdLevel> simd_levels() { return {{&simd_kernels_baseline(), true}}; }

}  // namespace plumecast::cpu
