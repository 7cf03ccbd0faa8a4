#include "reservoir/import/runs/connection_notes.hpp"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace plumecast {
namespace {

constexpr double told_move = 0.1;        // of the gas, that enters other cells than the means say
constexpr double told_back_flow = 0.01;  // of a well's gas

void note_well(const ConnectionRates& rates, const WellInjection& well, std::vector<std::string>& notes) {
    const auto is_any = [](std::int64_t) { return true; };
    const double moved = rates.moved({well.name}, well.cells, is_any);
    if (rates.changes_connections({well.name}, is_any)) {
        notes.push_back(
            fmt::format("connections of {} open or close (cells take the mean share of all times); choose times before",
                        well.name));
    } else if (rates.has_rates() && moved > told_move) {
        notes.push_back(fmt::format(
            "the gas of {} moves between its connections (cells take the mean share of all times: up to {:.2g} % of it "
            "enters other cells at a time); choose times before",
            well.name, 100.0 * moved));
    }
    if (const double share = rates.back_flow(well.name); share > told_back_flow) {
        notes.push_back(fmt::format(
            "up to {:.2g} % of the gas of {} comes back into the well through other connections (cells take what it "
            "injects on balance); leave the case out where that matters",
            100.0 * share, well.name));
    }
}

/// Wells in one column of the grid, and what entered its cells.
struct SharedColumn {
    std::vector<std::string> wells;
    std::map<std::int64_t, double> cells;
};

std::map<std::int64_t, SharedColumn> shared_columns(const std::vector<WellInjection>& wells, std::int64_t columns) {
    std::map<std::int64_t, SharedColumn> found;
    for (const WellInjection& well : wells) {
        for (const auto& [cell, volume] : well.cells) {
            SharedColumn& column = found[cell % columns];
            column.cells[cell] += volume;
            if (column.wells.empty() || column.wells.back() != well.name) {
                column.wells.push_back(well.name);
            }
        }
    }
    return found;
}

}  // namespace

void note_connections(const ConnectionRates& rates, std::int64_t columns, InjectionHistory& history) {
    for (const WellInjection& well : history.wells) {
        note_well(rates, well, history.notes);
    }
    for (const auto& entry : shared_columns(history.wells, columns)) {
        const SharedColumn& column = entry.second;
        const auto is_inside = [&](std::int64_t cell) { return cell % columns == entry.first; };
        if (column.wells.size() > 1 &&
            (rates.changes_connections(column.wells, is_inside) ||
             (rates.has_rates() && rates.moved(column.wells, column.cells, is_inside) > told_move))) {
            history.notes.push_back(fmt::format(
                "the wells {} share a column of the grid, and the gas moves between their connections (the column has "
                "one schedule, and its cells take the mean share of all times); choose times before",
                fmt::join(column.wells, ", ")));
        }
    }
}

}  // namespace plumecast
