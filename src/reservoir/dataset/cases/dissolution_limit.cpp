#include "reservoir/dataset/cases/dissolution_limit.hpp"

#include <limits>

namespace plumecast {

double dissolution_rate_limit(const Dataset& dataset, std::int64_t which) {
    constexpr double none = std::numeric_limits<double>::infinity();
    if (!dataset.has("dissolution_rate_limit")) {
        return none;
    }
    const auto limit = static_cast<double>(dataset.scalar("dissolution_rate_limit")[static_cast<std::size_t>(which)]);
    return limit < never_reached_dissolution_rate ? limit : none;
}

}  // namespace plumecast
