#include "reservoir/physics/box_case.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/case_checks.hpp"
#include "reservoir/physics/cylinder.hpp"

namespace plumecast {
namespace {

std::string place_in(const BoxCase& box, std::size_t cell) {
    return fmt::format("row {}, line {}, column {}", cell / box.plane(), cell % box.plane() / box.columns(),
                       cell % box.columns());
}

/// The height of a cell that is open to a well [m]; 0 in inactive cells.
double open_height(const BoxCase& box, std::size_t cell) {
    return box.active[cell] != 0 ? box.perforation[cell] * box.height(cell) : 0.0;
}

/// The factor of the connection of a well with a cell that is open over a height.
double connection_factor(const BoxCase& box, std::size_t cell, double open) {
    if (!box.well_connection_factor.empty() && box.well_connection_factor[cell] > 0.0) {
        return box.well_connection_factor[cell];
    }
    const std::size_t line = cell % box.plane() / box.columns(), column = cell % box.columns();
    return box_connection_factor(box.x_edges[column + 1] - box.x_edges[column],
                                 box.y_edges[line + 1] - box.y_edges[line], open, box.permeability_x[cell],
                                 box.permeability_y[cell], box.well_radius);
}

void check_wells(const CaseChecks& check, const std::string& name, const BoxCase& box) {
    check.size("perforation", box.perforation.size(), box.cells());
    check.size("cell_injection_rate", box.cell_injection_rate.size(), box.cells());
    check.range("the wells' radius [m]", box.well_radius, 1e-3, 1e3, "the flow into a point has no finite pressure");
    bool open = false;
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        check.range("perforation of a cell", box.perforation[cell], 0.0, 1.0, "it is a share of its height");
        check.range("cell_injection_rate [Mt/year]", box.cell_injection_rate[cell], 0.0, 1e6,
                    "CO2 is injected at a known rate");
        open = open || open_height(box, cell) > 0.0;
        if (box.cell_injection_rate[cell] > 0.0 && open_height(box, cell) == 0.0) {
            throw InvalidInput(fmt::format(
                "{}: cell_injection_rate of the cell in {} is {:g} (it is inactive or not perforated, so no well opens "
                "to it); correct perforation or the rate",
                name, place_in(box, cell), box.cell_injection_rate[cell]));
        }
    }
    if (!open) {
        throw InvalidInput(fmt::format(
            "{}: no active cell is perforated (no well could inject); set perforation in at least one of them", name));
    }
}

/// Each active cell has one of the tables.
void check_regions(const std::string& name, const BoxCase& box) {
    CaseChecks(name).size("saturation_region", box.saturation_region.size(), box.cells());
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const std::size_t region = box.saturation_region[cell];
        if (box.active[cell] != 0 && (region < 1 || region > box.saturation_tables.size())) {
            throw InvalidInput(
                fmt::format("{}: saturation_region of the cell in {} is {} (there are {} saturation tables); "
                            "correct it, or add a table",
                            name, place_in(box, cell), region, box.saturation_tables.size()));
        }
    }
}

/// What a corner-point grid has of its own.
void check_cells(const CaseChecks& check, const BoxCase& box) {
    const auto sized = [&](const char* what, const std::vector<double>& values) {
        if (!values.empty()) {
            check.size(what, values.size(), box.cells());
        }
    };
    const auto ranged = [&](const char* what, const std::vector<double>& values, const char* why) {
        sized(what, values);
        for (const double value : values) {
            check.range(what, value, 0.0, 1e15, why);
        }
    };
    sized("cell_depth [m]", box.cell_depth);
    ranged("cell_volume [m3]", box.cell_volume, "it is a volume");
    ranged("transmissibility_x [cP m3/(day bar)]", box.transmissibility_x, "it is a conductance");
    ranged("transmissibility_y [cP m3/(day bar)]", box.transmissibility_y, "it is a conductance");
    ranged("transmissibility_z [cP m3/(day bar)]", box.transmissibility_z, "it is a conductance");
    ranged("well_connection_factor [cP m3/(day bar)]", box.well_connection_factor, "it is a conductance");
    for (const BoxConnection& one : box.connections) {
        check.range("the second cell of a connection", static_cast<double>(std::max(one.first, one.second)), 0.0,
                    static_cast<double>(box.cells() - 1), "cells are counted from 0");
        check.range("transmissibility of a connection [cP m3/(day bar)]", one.transmissibility, 0.0, 1e15,
                    "it is a conductance");
    }
}

/// Each set of saturation functions leaves room for the gas that brine traps.
void check_trapping(const std::string& name, const BoxCase& box) {
    const double trapped = box.residual_gas_saturation.value_or(0.0);
    const CaseChecks check(name);
    const auto check_below = [&](double largest, const std::string& of) {
        check.range("residual_gas_saturation of hysteresis", trapped, 0.0, std::min(0.5, largest - 0.01),
                    "brine traps a share of the gas that " + of + " allows");
    };
    if (box.saturation_tables.empty()) {
        check_below(1.0 - box.irreducible_water_saturation, "the irreducible water");
    }
    for (std::size_t table = 0; table < box.saturation_tables.size(); ++table) {
        check_below(box.saturation_tables[table].back().gas_saturation, fmt::format("saturation table {}", table + 1));
    }
}

/// Whether anything is injected by wells that a case has not.
bool injects_beyond(const std::vector<std::vector<double>>& rates, std::size_t wells) {
    return std::any_of(rates.begin() + static_cast<std::ptrdiff_t>(std::min(wells, rates.size())), rates.end(),
                       [](const std::vector<double>& of_well) {
                           return std::ranges::any_of(of_well, [](double rate) { return rate != 0.0; });
                       });
}

/// The least and the largest depth of what the grid holds below its top [m].
std::pair<double, double> depths_of(const BoxCase& box) {
    std::pair<double, double> range = {box.z_edges.front(), box.z_edges.back()};
    for (std::size_t cell = 0; cell < box.cell_depth.size(); ++cell) {
        if (box.active[cell] != 0) {
            range.first = std::min(range.first, box.cell_depth[cell]);
            range.second = std::max(range.second, box.cell_depth[cell]);
        }
    }
    return range;
}

}  // namespace

double BoxCase::depth(std::size_t cell) const {
    const std::size_t row = cell / plane();
    return cell_depth.empty() ? 0.5 * (z_edges[row] + z_edges[row + 1]) : cell_depth[cell];
}

double BoxCase::height(std::size_t cell) const {
    const std::size_t row = cell / plane(), line = cell % plane() / columns(), column = cell % columns();
    return cell_volume.empty()
               ? z_edges[row + 1] - z_edges[row]
               : cell_volume[cell] / ((x_edges[column + 1] - x_edges[column]) * (y_edges[line + 1] - y_edges[line]));
}

void BoxCase::check(const std::string& name) const {
    const CaseChecks check(name);
    check.increasing("x_edges [m]", x_edges, 2);
    check.increasing("y_edges [m]", y_edges, 2);
    check.increasing("z_edges [m]", z_edges, 2);
    check.range("the first of z_edges [m]", z_edges.front(), 0.0, 1e4, "the top of the formation is at 0");
    check.increasing("times [day]", times, 1);
    check.range("the first of times [day]", times.front(), 1e-6, 1e9, "injection starts at 0");
    check.size("active", active.size(), cells());
    const auto place = [this](std::size_t cell) { return place_in(*this, cell); };
    check.rock("permeability_x [mD]", permeability_x, 1e9, active, place);
    check.rock("permeability_y [mD]", permeability_y, 1e9, active, place);
    check.rock("permeability_z [mD]", permeability_z, 1e9, active, place);
    check.rock("porosity", porosity, 1.0, active, place);
    check_wells(check, name, *this);
    check_cells(check, *this);
    const auto [least, most] = depths_of(*this);
    check.state(initial_pressure, temperature_at(least), salinity, most);
    check.state(initial_pressure, temperature_at(most), salinity, most);
    check.compressibility(rock_fluid.rock_compressibility);
    check.range("aquifer", aquifer, 1.0, 1e9, "it multiplies a pore volume");
    if (!pore_volume.empty()) {
        check.rock("pore_volume [m3]", pore_volume, 1e15, active, place);
    }
    if (saturation_tables.empty()) {
        check.saturation_functions(irreducible_water_saturation, rock_fluid.residual_gas_saturation,
                                   van_genuchten_lambda, rock_fluid.entry_pressure);
    } else {
        check_regions(name, *this);
    }
    check_trapping(name, *this);
    const std::size_t wells = box_wells(*this).size();
    if (!schedule_ends.empty() && (schedule_rates.size() < wells || injects_beyond(schedule_rates, wells))) {
        throw InvalidInput(fmt::format(
            "{}: the schedule has rates of {} wells (the perforated cells are those of {}, one a column); give the "
            "rates of each, line by line, 0 of wells that never inject, and 0 beyond the wells of the case",
            name, schedule_rates.size(), wells));
    }
    for (const std::vector<double>& rates : schedule_rates) {
        check.schedule(schedule_ends, rates);
    }
}

std::vector<BoxCaseWell> box_wells(const BoxCase& box) {
    std::vector<BoxCaseWell> wells;
    for (std::size_t at = 0; at < box.plane(); ++at) {
        BoxCaseWell well{at / box.columns(), at % box.columns(), 0.0, 0.0, std::vector<double>(box.rows())};
        double height = 0.0;
        for (std::size_t row = 0; row < box.rows(); ++row) {
            const std::size_t cell = row * box.plane() + at;
            const double open = open_height(box, cell);
            if (open > 0.0) {
                well.injection_rate += box.cell_injection_rate[cell];
                well.depth += open * box.depth(cell);
                height += open;
                well.factors[row] = connection_factor(box, cell, open);
            }
        }
        if (height > 0.0) {
            well.depth /= height;
            wells.push_back(std::move(well));
        }
    }
    return wells;
}

double box_equivalent_radius(double dx, double dy, double permeability_x, double permeability_y) {
    const double ratio = std::sqrt(permeability_y / permeability_x);
    return 0.28 * std::sqrt(ratio * dx * dx + dy * dy / ratio) / (std::sqrt(ratio) + 1.0 / std::sqrt(ratio));
}

double box_connection_factor(double dx, double dy, double dz, double permeability_x, double permeability_y,
                             double well_radius) {
    const double radius = box_equivalent_radius(dx, dy, permeability_x, permeability_y);
    if (!(radius > well_radius)) {
        throw InvalidInput(
            fmt::format("a well of radius {:g} m stands in a cell of {:g} x {:g} m (its pressure would be felt at "
                        "{:g} m, inside the well); make the cell wider",
                        well_radius, dx, dy, radius));
    }
    return 2.0 * std::numbers::pi * cylinder::darcy * std::sqrt(permeability_x * permeability_y) * dz /
           std::log(radius / well_radius);
}

}  // namespace plumecast
