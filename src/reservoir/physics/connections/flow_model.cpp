#include "reservoir/physics/connections/flow_model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast::connections {
namespace {

void require(bool is_met, const std::string& name, const std::string& problem) {
    if (!is_met) {
        throw InvalidInput(name + ": " + problem + "; correct the list");
    }
}

bool are_positive(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return value > 0.0 && std::isfinite(value); });
}

void check_connections(const FlowModel& model, const std::string& name) {
    for (std::size_t i = 0; i < model.connections.size(); ++i) {
        const auto& [from, to, transmissibility] = model.connections[i];
        require(from != to && std::max(from, to) < model.cells(), name,
                fmt::format("connection {} joins cells {} and {} (two of {} cells are needed)", i, from, to,
                            model.cells()));
        require(
            transmissibility >= 0.0 && std::isfinite(transmissibility), name,
            fmt::format("the transmissibility of connection {} is {:g} (it must be 0 or more)", i, transmissibility));
    }
}

void check_wells(const FlowModel& model, const std::string& name) {
    for (std::size_t i = 0; i < model.wells.size(); ++i) {
        const Well& well = model.wells[i];
        require(
            well.rates.size() == model.period_ends.size(), name,
            fmt::format("well {} has {} rates (there are {} periods)", i, well.rates.size(), model.period_ends.size()));
        require(!well.perforations.empty(), name,
                fmt::format("well {} opens to no active cell (it could not inject)", i));
        for (const Perforation& one : well.perforations) {
            require(one.cell < model.cells() && one.factor > 0.0 && std::isfinite(one.factor), name,
                    fmt::format("well {} opens to cell {} with a factor of {:g} (one of {} cells and a factor above 0 "
                                "are needed)",
                                i, one.cell, one.factor, model.cells()));
        }
    }
}

}  // namespace

InjectionSchedule FlowModel::injection() const {
    InjectionSchedule schedule{period_ends, std::vector<double>(period_ends.size(), 0.0)};
    for (const Well& well : wells) {
        for (std::size_t period = 0; period < period_ends.size(); ++period) {
            schedule.rates[period] += well.rates[period];
        }
    }
    return schedule;
}

void FlowModel::check(const std::string& name) const {
    require(cells() > 0 && depth.size() == cells() && capillary.size() == cells() && initial_pressure.size() == cells(),
            name, "the cells have no values, or not all values of each (a list of cells has one of each kind)");
    require(are_positive(pore_volume), name, "a pore volume is not above 0 (cells without pores are left out)");
    require(are_positive(initial_pressure), name, "an initial pressure is not above 0");
    require(column_starts.size() > 1 && column_starts.front() == 0 && column_starts.back() == cells() &&
                std::ranges::is_sorted(column_starts),
            name, "the columns do not divide the cells");
    require(saturation_tables.empty() ? table.empty()
                                      : table.size() == cells() && std::ranges::max(table) < saturation_tables.size(),
            name, "the cells have no saturation table, or one that does not exist");
    require(temperatures.empty() ? warmth.empty()
                                 : warmth.size() == cells() && std::ranges::max(warmth) < temperatures.size(),
            name, "the cells have no temperature");
    check_connections(*this, name);
    check_wells(*this, name);
}

}  // namespace plumecast::connections
