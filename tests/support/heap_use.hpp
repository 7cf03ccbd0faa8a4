#pragma once

#include <cstddef>
#include <cstdint>

namespace plumecast::testing {

/// What was taken from the heap by operator new and aligned_alloc, of all threads, in executables with heap_use.cpp
/// among their sources. What C libraries take with malloc, and memory maps, are not seen.
struct HeapUse {
    std::int64_t pieces = 0;
    std::size_t bytes = 0;
    std::size_t largest = 0;  ///< piece
};

/// Since the last call.
HeapUse heap_use();

}  // namespace plumecast::testing
