#include <plumecast/physics/radial_case.hpp>

#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/physics/brine.hpp>

namespace plumecast {
namespace {

constexpr double lowest_temperature = 12.0;    // [degC]
constexpr double highest_temperature = 170.0;  // [degC]
constexpr double lowest_pressure = 1.0;        // [bar]
constexpr double highest_pressure = 1000.0;    // [bar]

void check_size(const std::string& name, const char* what, std::size_t found, std::size_t expected) {
    if (found != expected) {
        throw InvalidInput(fmt::format("{}: {} has {} values (the grid has {}); give one value for each cell", name,
                                       what, found, expected));
    }
}

/// Finite, not negative and increasing.
void check_increasing(const std::string& name, const char* what, const std::vector<double>& values,
                      std::size_t fewest) {
    if (values.size() < fewest) {
        throw InvalidInput(
            fmt::format("{}: {} has {} values (at least {} are needed); give more", name, what, values.size(), fewest));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(values[i] >= 0.0 && std::isfinite(values[i]) && (i == 0 || values[i] > values[i - 1]))) {
            throw InvalidInput(fmt::format(
                "{}: value {} of {} is {:g} (values must be finite, not negative and increase); correct the grid", name,
                i, what, values[i]));
        }
    }
}

void check_range(const std::string& name, const char* what, double value, double low, double high,
                 const std::string& why) {
    if (!(value >= low && value <= high)) {
        throw InvalidInput(fmt::format("{}: {} is {:g} ({}, from {:g} to {:g}); correct the case or leave it out", name,
                                       what, value, why, low, high));
    }
}

/// Every active cell holds a finite value above 0 and not above `high`.
void check_rock(const std::string& name, const char* what, const RadialCase& radial, const std::vector<double>& values,
                double high) {
    check_size(name, what, values.size(), radial.cells());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (radial.active[i] != 0 && !(values[i] > 0.0 && values[i] <= high)) {
            throw InvalidInput(fmt::format(
                "{}: {} of the active cell in row {}, column {} is {:g} (nothing flows or is stored without a value "
                "above 0 and up to {:g}); correct it or mark the cell as inactive",
                name, what, i / radial.columns(), i % radial.columns(), values[i], high));
        }
    }
}

void check_perforation(const std::string& name, const RadialCase& radial) {
    check_size(name, "perforation", radial.perforation.size(), radial.cells());
    bool open = false;
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        const std::size_t cell = row * radial.columns();
        if (radial.active[cell] != 0) {
            check_range(name, "perforation of a cell", radial.perforation[cell], 0.0, 1.0,
                        "it is a share of its height");
            open = open || radial.perforation[cell] > 0.0;
        }
    }
    if (!open) {
        throw InvalidInput(
            fmt::format("{}: no active cell of the first column is perforated (the well could not "
                        "inject); set perforation in at least one of them",
                        name));
    }
}

void check_fluids(const std::string& name, const RadialCase& radial) {
    check_range(name, "injection_rate [Mt/year]", radial.injection_rate, 0.0, 1e6, "CO2 is injected at a known rate");
    check_range(name, "temperature [degC]", radial.temperature, lowest_temperature, highest_temperature,
                "the properties of CO2 and brine are known there");
    check_range(name, "initial_pressure [bar]", radial.initial_pressure, lowest_pressure, highest_pressure,
                "the properties of CO2 and brine are known there");
    check_range(name, "the initial pressure at the bottom [bar]",
                hydrostatic_pressure(radial.initial_pressure, radial.temperature, radial.z_edges.back()),
                lowest_pressure, highest_pressure, "the properties of CO2 and brine are known there");
    const RockFluidSettings& rock = radial.rock_fluid;
    check_range(name, "residual_gas_saturation", rock.residual_gas_saturation, 0.0, 0.95, "it is a share of the pores");
    check_range(name, "irreducible_water_saturation", radial.irreducible_water_saturation, 0.0,
                0.99 - rock.residual_gas_saturation, "gas needs room beside water and residual gas");
    check_range(name, "van_genuchten_lambda", radial.van_genuchten_lambda, 0.01, 0.99,
                "the exponent lies between 0 and 1");
    check_range(name, "entry_pressure [bar]", rock.entry_pressure, 0.0, 1e3, "a capillary pressure is not negative");
    check_range(name, "rock_compressibility [1/bar]", rock.rock_compressibility, 0.0, 0.1,
                "pores grow a little with pressure");
}

}  // namespace

void RadialCase::check(const std::string& name) const {
    check_increasing(name, "r_edges [m]", r_edges, 2);
    check_range(name, "the well's radius, first of r_edges [m],", r_edges.front(), 1e-3, 1e3,
                "the flow into a point has no finite pressure");
    check_increasing(name, "z_edges [m]", z_edges, 2);
    check_increasing(name, "times [day]", times, 1);
    check_range(name, "the first of times [day]", times.front(), 1e-6, 1e9, "injection starts at 0");
    check_size(name, "active", active.size(), cells());
    check_rock(name, "permeability_r [mD]", *this, permeability_r, 1e9);
    check_rock(name, "permeability_z [mD]", *this, permeability_z, 1e9);
    check_rock(name, "porosity", *this, porosity, 1.0);
    check_perforation(name, *this);
    check_fluids(name, *this);
}

}  // namespace plumecast
