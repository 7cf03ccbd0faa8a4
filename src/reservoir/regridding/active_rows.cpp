#include "reservoir/regridding/active_rows.hpp"

#include <algorithm>

namespace plumecast {

std::vector<char> active_rows(const std::vector<double>& volumes, const std::vector<double>& wholes) {
    std::vector<char> active;
    for (std::size_t row = 0; row < volumes.size(); ++row) {
        active.push_back(volumes[row] >= (0.5 - 1e-9) * wholes[row] ? 1 : 0);
    }
    const auto largest = std::ranges::max_element(volumes);
    if (std::ranges::find(active, 1) == active.end() && *largest > 0.0) {
        active[static_cast<std::size_t>(largest - volumes.begin())] = 1;
    }
    return active;
}

std::size_t nearest_active_row(const std::vector<char>& active, std::size_t row) {
    for (std::size_t away = 0; away < active.size(); ++away) {
        if (row >= away && active[row - away] != 0) {
            return row - away;
        }
        if (row + away < active.size() && active[row + away] != 0) {
            return row + away;
        }
    }
    return no_row;
}

}  // namespace plumecast
