#include "reservoir/import/cell_flow.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/box_case.hpp"
#include "reservoir/physics/connections/box_transmissibilities.hpp"

namespace plumecast {
namespace {

constexpr double least_departure = 2e-3;                       // relative
constexpr std::int64_t most_numbered = std::int64_t{1} << 24;  // cells, in single precision

bool are_near(double one, double other) { return std::abs(one - other) <= least_departure * std::max(one, other); }

BoxCase rock_of(const StoredGrid& grid, const CaseArrays& inputs) {
    BoxCase box;
    box.x_edges = grid.x_edges;
    box.y_edges = grid.y_edges;
    box.z_edges = grid.z_edges;
    const auto map = [&](const char* name) {
        const std::vector<float>& values = inputs.at(name);
        return std::vector<double>(values.begin(), values.end());
    };
    box.permeability_x = map("permeability_x");
    box.permeability_y = map("permeability_y");
    box.permeability_z = map("permeability_z");
    for (const float mark : inputs.at("active")) {
        box.active.push_back(mark != 0.0F ? 1 : 0);
    }
    return box;
}

/// Those of active cells on the grid of a data set.
std::vector<float> over_active(const std::vector<double>& values, const std::vector<float>& active) {
    std::vector<float> map(active.size(), 0.0F);
    for (std::size_t cell = 0; cell < std::min(map.size(), values.size()); ++cell) {
        map[cell] = active[cell] != 0.0F ? static_cast<float>(values[cell]) : 0.0F;
    }
    return map;
}

}  // namespace

void connect_across_pinched(Transmissibilities& flow, const std::vector<std::uint8_t>& active, std::size_t plane) {
    for (std::size_t cell = 0; cell + plane < active.size(); ++cell) {
        if (active[cell] == 0 || active[cell + plane] != 0 || flow.z[cell] == 0.0) {
            continue;
        }
        std::size_t next = cell + plane;
        while (next < active.size() && active[next] == 0) {
            next += plane;
        }
        if (next < active.size()) {
            flow.apart.try_emplace({static_cast<std::int64_t>(cell), static_cast<std::int64_t>(next)}, flow.z[cell]);
        }
        flow.z[cell] = 0.0;
    }
}

bool departs_from_box(const Transmissibilities& flow, const StoredGrid& grid, const CaseArrays& inputs) {
    if (!flow.apart.empty() || !grid.is_plain_box()) {
        return true;
    }
    const BoxCase box = rock_of(grid, inputs);
    const CellConnections found = box_transmissibilities(box);
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const std::size_t column = cell % box.columns(), line = cell % box.plane() / box.columns();
        const bool differs = (column + 1 < box.columns() && !are_near(flow.x[cell], found.x[cell])) ||
                             (line + 1 < box.lines() && !are_near(flow.y[cell], found.y[cell])) ||
                             (cell + box.plane() < box.cells() && !are_near(flow.z[cell], found.z[cell]));
        if (differs) {
            return true;
        }
    }
    return false;
}

bool departs_from_peaceman(const std::map<std::int64_t, double>& factors, const StoredGrid& grid,
                           const CaseArrays& inputs) {
    constexpr double least = 0.02;  // relative
    const BoxCase box = rock_of(grid, inputs);
    const std::vector<float>& open = inputs.at("perforation");
    return std::ranges::any_of(factors, [&](const auto& connection) {
        const auto cell = static_cast<std::size_t>(connection.first);
        const std::size_t line = cell % box.plane() / box.columns(), column = cell % box.columns();
        const double dx = box.x_edges[column + 1] - box.x_edges[column];
        const double dy = box.y_edges[line + 1] - box.y_edges[line];
        const double x = box.permeability_x[cell], y = box.permeability_y[cell];
        if (box.active[cell] == 0 || !(open[cell] > 0.0F)) {
            return false;
        }
        return box_equivalent_radius(dx, dy, x, y) <= box.well_radius ||
               std::abs(connection.second / box_connection_factor(dx, dy, box.height(cell), x, y, box.well_radius) -
                        1.0) > least;
    });
}

void FlowOfCases::add_wells(const std::map<std::int64_t, double>& factors, const StoredGrid& grid,
                            const std::function<CaseArrays()>& inputs) {
    wells_depart_ = wells_depart_ || (!factors.empty() && departs_from_peaceman(factors, grid, inputs()));
}

void FlowOfCases::add(const std::string& name, const std::optional<Transmissibilities>& flow, const StoredGrid& grid,
                      const std::function<CaseArrays()>& inputs) {
    is_known_ = is_known_ && flow.has_value();
    if (!flow) {
        return;
    }
    departs_ = departs_ || departs_from_box(*flow, grid, inputs());
    for (const auto& [pair, value] : flow->apart) {
        pairs_.insert(pair);
    }
    if (!pairs_.empty() && grid.map_cells() > most_numbered) {
        throw InvalidData(fmt::format(
            "{}: connections between cells that are no neighbours in a grid of {} cells (a data set numbers "
            "up to {} in them); cut the grid",
            name, grid.map_cells(), most_numbered));
    }
}

std::vector<std::string> FlowOfCases::left_out() const {
    if (!departs_ || is_known_) {
        return {};
    }
    return {
        "transmissibilities are left out, since not all cases have TRANX, TRANY and TRANZ in INIT (those of a data set "
        "have the same arrays); import the others apart"};
}

CaseArrays FlowOfCases::pairs() const {
    CaseArrays arrays;
    for (const auto& [first, second] : is_stated() ? pairs_ : std::set<eclipse::CellPair>()) {
        arrays["connection_first"].push_back(static_cast<float>(first));
        arrays["connection_second"].push_back(static_cast<float>(second));
    }
    return arrays;
}

std::vector<std::string> FlowOfCases::array_names() const {
    std::vector<std::string> names;
    if (is_stated()) {
        names = {"transmissibility_x", "transmissibility_y", "transmissibility_z"};
    }
    if (states_wells()) {
        names.emplace_back("well_connection_factor");
    }
    if (is_stated() && !pairs_.empty()) {
        names.emplace_back("connection_transmissibility");
    }
    return names;
}

void FlowOfCases::add_to(CaseArrays& arrays, const Transmissibilities& flow) const {
    const std::vector<float>& active = arrays.at("active");
    arrays["transmissibility_x"] = over_active(flow.x, active);
    arrays["transmissibility_y"] = over_active(flow.y, active);
    arrays["transmissibility_z"] = over_active(flow.z, active);
    std::vector<float>& apart = arrays["connection_transmissibility"];
    for (const eclipse::CellPair& pair : pairs_) {
        const auto found = flow.apart.find(pair);
        apart.push_back(found == flow.apart.end() ? 0.0F : static_cast<float>(found->second));
    }
}

void FlowOfCases::add_wells_to(CaseArrays& arrays, const std::map<std::int64_t, double>& factors) {
    const std::vector<float>& active = arrays.at("active");
    std::vector<double> values(active.size(), 0.0);
    for (const auto& [cell, factor] : factors) {
        const bool is_open = arrays.at("perforation")[static_cast<std::size_t>(cell)] > 0.0F;
        values[static_cast<std::size_t>(cell)] = is_open ? factor : 0.0;
    }
    arrays["well_connection_factor"] = over_active(values, active);
}

}  // namespace plumecast
