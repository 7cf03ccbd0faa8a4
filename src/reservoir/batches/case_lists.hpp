#pragma once

#include <cstdint>
#include <vector>

namespace plumecast {

/// Cases from 0 to count - 1.
std::vector<std::int64_t> all_cases(std::int64_t count);

/// Consecutive pieces of at most `size` cases.
std::vector<std::vector<std::int64_t>> batches_of(const std::vector<std::int64_t>& cases, std::int64_t size);

}  // namespace plumecast
