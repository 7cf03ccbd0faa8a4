#include "ceilings/ceiling_loops.hpp"

namespace plumecast::bench {

const CeilingLoops& ceiling_loops(const char*) { return ceiling_loops_baseline(); }

}  // namespace plumecast::bench
