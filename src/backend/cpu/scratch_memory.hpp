#pragma once

#include <plumecast/core/memory.hpp>

namespace plumecast::cpu {

/// Where an op takes memory for a while. One that is planned takes the memory and computes nothing in it, so that a
/// planner counts what the op would hold, by the lines that hold it.
struct ScratchMemory {
    MemoryResource* from;
    bool is_planned = false;
};

}  // namespace plumecast::cpu
