#include "reservoir/batches/case_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <plumecast/core/error.hpp>

namespace plumecast {

std::vector<std::int64_t> all_cases(std::int64_t count) {
    std::vector<std::int64_t> cases(static_cast<std::size_t>(count));
    std::iota(cases.begin(), cases.end(), std::int64_t{0});
    return cases;
}

std::vector<std::vector<std::int64_t>> batches_of(const std::vector<std::int64_t>& cases, std::int64_t size) {
    expects(size > 0, "batches of a case or more");
    std::vector<std::vector<std::int64_t>> batches;
    for (std::size_t begin = 0; begin < cases.size(); begin += static_cast<std::size_t>(size)) {
        const std::size_t end = std::min(cases.size(), begin + static_cast<std::size_t>(size));
        batches.emplace_back(cases.begin() + static_cast<std::ptrdiff_t>(begin),
                             cases.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return batches;
}

}  // namespace plumecast
