#include <string>

#include "ceilings/ceiling_loops.hpp"

namespace plumecast::bench {

const CeilingLoops& ceiling_loops(const char* level) {
    const std::string name = level;
    return name.starts_with("avx512") ? ceiling_loops_avx512()
           : name == "avx2"           ? ceiling_loops_avx2()
                                      : ceiling_loops_baseline();
}

}  // namespace plumecast::bench
