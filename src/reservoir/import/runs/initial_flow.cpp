#include "reservoir/import/runs/initial_flow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/import/cell_flow.hpp"

namespace plumecast {

std::optional<Transmissibilities> transmissibilities_of(
    eclipse::StepFiles& initial, const eclipse::CornerPointGrid& grid, double unit,
    const std::function<std::vector<double>(std::string_view keyword)>& over_cells) {
    const std::vector<eclipse::CellPair>& pairs = grid.distant_connections();
    const bool is_told = initial.has(0, "TRANX") && initial.has(0, "TRANY") && initial.has(0, "TRANZ") &&
                         (pairs.empty() || initial.has(0, "TRANNNC"));
    if (!is_told) {
        return std::nullopt;
    }
    const auto amount = [&](double value, std::string_view keyword) {
        if (!std::isfinite(value) || value < 0.0) {
            throw InvalidData(
                fmt::format("{}: {} holds {} (a transmissibility is finite and not negative); run the case "
                            "again",
                            initial.path(0), keyword, value));
        }
        return value * unit;
    };
    Transmissibilities flow;
    for (const auto& [keyword, values] :
         {std::pair("TRANX", &flow.x), std::pair("TRANY", &flow.y), std::pair("TRANZ", &flow.z)}) {
        *values = over_cells(keyword);
        std::ranges::transform(*values, values->begin(), [&](double value) { return amount(value, keyword); });
    }
    const std::vector<double> apart = pairs.empty() ? std::vector<double>() : initial.numbers(0, "TRANNNC");
    if (apart.size() != pairs.size()) {
        initial.incomplete(
            0, fmt::format("TRANNNC with {} values for {} pairs of cells (NNC1, NNC2)", apart.size(), pairs.size()),
            "give files of one run");
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [first, second] = std::minmax(pairs[i].first, pairs[i].second);
        const auto is_active = [&](std::int64_t cell) { return grid.active()[static_cast<std::size_t>(cell)] != 0; };
        if (first != second && is_active(first) && is_active(second)) {
            flow.apart[{first, second}] += amount(apart[i], "TRANNNC");
        }
    }
    connect_across_pinched(flow, grid.active(), static_cast<std::size_t>(grid.nx() * grid.ny()));
    return flow;
}

}  // namespace plumecast
