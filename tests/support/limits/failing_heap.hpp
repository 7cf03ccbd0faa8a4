#pragma once

#include <cstdint>

namespace plumecast::testing {

/// In executables with failing_heap.cpp among their sources, the allocation by operator new after `count` further ones
/// fails, of whatever thread, once.
void fail_allocation_after(std::int64_t count);

/// No allocation fails any more; whether one did.
bool stop_failing();

/// Pieces of operator new that are not deleted.
std::int64_t live_pieces();

}  // namespace plumecast::testing
