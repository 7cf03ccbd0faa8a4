#include <plumecast/physics/single_phase.hpp>

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>
#include <plumecast/physics/brine.hpp>
#include <plumecast/physics/co2_density.hpp>
#include <plumecast/physics/co2_viscosity.hpp>
#include <plumecast/physics/radial_connections.hpp>

#include "physics/single_phase/pressure_steps.hpp"
#include "physics/single_phase/radial_network.hpp"
#include "physics/time_steps.hpp"

namespace plumecast {
namespace {

constexpr double kilograms_per_megatonne = 1e9;
constexpr double days_per_year = 365.25;

/// Pore volume within the middle of each ring, all rows together [R], and within its outer edge.
struct PoresWithin {
    std::vector<double> middle;
    std::vector<double> edge;

    PoresWithin(const RadialCase& radial, const RadialConnections& connections) {
        double sum = 0.0;
        for (std::size_t column = 0; column < radial.columns(); ++column) {
            double ring = 0.0;
            for (std::size_t row = 0; row < radial.rows(); ++row) {
                ring += connections.pore_volume[row * radial.columns() + column];
            }
            const double inner = radial.r_edges[column];
            const double outer = radial.r_edges[column + 1];
            const double half = 0.5 * (inner + outer);
            middle.push_back(sum + ring * (half - inner) * (half + inner) / ((outer - inner) * (outer + inner)));
            sum += ring;
            edge.push_back(sum);
        }
    }
};

/// Share of the height below the cap rock that the injected fluid has taken, where `filled` is the mobile pore volume
/// within the radius over the injected volume: Nordbotten and Celia (2006), gravity left out.
double front_height(double filled, double mobility_ratio) {
    if (filled <= 0.0) {
        return 1.0;
    }
    const double above = mobility_ratio - 1.0;
    if (std::abs(above) < 1e-9) {
        return filled < 1.0 ? 1.0 : 0.0;
    }
    return std::clamp((std::sqrt(mobility_ratio / filled) - 1.0) / above, 0.0, 1.0);
}

/// A field [T, Z, R] from rows(time, row, out), which writes the R values of a row; 0 in inactive cells.
template <class Rows>
std::vector<float> fill_field(const RadialCase& radial, Rows rows) {
    const std::size_t columns = radial.columns();
    std::vector<float> field(radial.times.size() * radial.cells());
    float* out = field.data();
    for (std::size_t time = 0; time < radial.times.size(); ++time) {
        for (std::size_t row = 0; row < radial.rows(); ++row, out += columns) {
            rows(time, row, out);
            for (std::size_t column = 0; column < columns; ++column) {
                out[column] = radial.active[row * columns + column] != 0 ? out[column] : 0.0f;
            }
        }
    }
    return field;
}

/// A field that is the same in all rows, from value(time, column).
template <class Value>
std::vector<float> fill_columns(const RadialCase& radial, Value value) {
    std::vector<float> values(radial.columns());
    return fill_field(radial, [&](std::size_t time, std::size_t row, float* out) {
        for (std::size_t column = 0; row == 0 && column < values.size(); ++column) {
            values[column] = static_cast<float>(value(time, column));
        }
        std::copy(values.begin(), values.end(), out);
    });
}

std::vector<float> buildup_field(const RadialCase& radial, const SinglePhaseFlow& flow) {
    return fill_field(radial, [&](std::size_t time, std::size_t row, float* out) {
        const double* pressure = flow.pressure_buildup.data() + time * radial.cells() + row * radial.columns();
        for (std::size_t column = 0; column < radial.columns(); ++column) {
            out[column] = static_cast<float>(pressure[column]);
        }
    });
}

std::vector<float> time_over_arrival_field(const RadialCase& radial, const SinglePhaseFlow& flow) {
    constexpr double smallest = 1e-3;
    constexpr double largest = 1e3;
    std::vector<double> per_day = arrival_times(radial, flow);
    for (double& value : per_day) {
        value = value > 0.0 ? 1.0 / value : 0.0;
    }
    return fill_field(radial, [&](std::size_t time, std::size_t row, float* out) {
        const double* inverse = per_day.data() + row * radial.columns();
        for (std::size_t column = 0; column < radial.columns(); ++column) {
            out[column] = static_cast<float>(std::clamp(radial.times[time] * inverse[column], smallest, largest));
        }
    });
}

}  // namespace

InjectionFluids injection_fluids(double pressure, double temperature, double rate) {
    InjectionFluids fluids;
    fluids.pressure = pressure;
    fluids.co2_density = co2_density(pressure, temperature);
    fluids.co2_viscosity = co2_viscosity(fluids.co2_density, temperature);
    fluids.brine_viscosity = water_viscosity(temperature);
    fluids.volume_rate = rate * kilograms_per_megatonne / days_per_year / fluids.co2_density;
    return fluids;
}

InjectionFluids injection_fluids(const RadialCase& radial) {
    return injection_fluids(
        hydrostatic_pressure(radial.initial_pressure, radial.temperature, perforation_depth(radial)),
        radial.temperature, radial.injection_rate);
}

std::map<std::string, double, std::less<>> physics_scalars(const RadialCase& radial,
                                                           const std::vector<float>& pressure_buildup) {
    // Inactive cells hold 0.
    const auto active = static_cast<std::size_t>(
        std::count_if(radial.active.begin(), radial.active.end(), [](char cell) { return cell != 0; }));
    double sum = 0.0;
    for (const float value : pressure_buildup) {
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    const InjectionFluids fluids = injection_fluids(radial);
    return {{"physics_buildup_rms", std::sqrt(sum / static_cast<double>(active * radial.times.size()))},
            {"physics_viscosity_ratio", fluids.viscosity_ratio()},
            {"physics_co2_density", fluids.co2_density}};
}

SinglePhaseFlow single_phase_flow(const RadialCase& radial, int substeps, const std::string& name) {
    SinglePhaseFlow flow;
    flow.connections = RadialConnections(radial);
    flow.volume_rate = injection_fluids(radial).volume_rate;
    flow.viscosity = water_viscosity(radial.temperature);
    flow.compressibility =
        radial.rock_fluid.rock_compressibility + water_compressibility(radial.initial_pressure, radial.temperature);
    flow.pressure_buildup.resize(radial.times.size() * radial.cells());
    PressureSteps steps(radial_network(radial, flow.connections), flow.viscosity,
                        radial_capacity(radial, flow.connections, flow.compressibility));
    try {
        double start = 0.0;
        for (std::size_t snapshot = 0; snapshot < radial.times.size(); ++snapshot) {
            for (const double time : step_ends(start, radial.times[snapshot], substeps)) {
                flow.iterations += steps.advance(time, {flow.volume_rate});
            }
            start = radial.times[snapshot];
            flow.well_buildup.push_back(steps.pressure().wells[0]);
            steps.write(flow.pressure_buildup.data() + snapshot * radial.cells());
        }
    } catch (const NotConverged& error) {
        throw NotConverged(name + ": " + error.what());
    }
    return flow;
}

std::vector<double> arrival_times(const RadialCase& radial, const SinglePhaseFlow& flow) {
    constexpr double never = 1e9;  // [day]
    const RadialConnections& connections = flow.connections;
    const std::size_t columns = radial.columns();
    const double* pressure = flow.pressure_buildup.data() + (radial.times.size() - 1) * radial.cells();
    std::vector<std::size_t> downstream;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        if (radial.active[cell] != 0) {
            downstream.push_back(cell);
        }
    }
    std::stable_sort(downstream.begin(), downstream.end(),
                     [&](std::size_t a, std::size_t b) { return pressure[a] > pressure[b]; });
    std::vector<double> arrival(radial.cells());
    for (const std::size_t cell : downstream) {
        const std::size_t row = cell / columns;
        const std::size_t column = cell % columns;
        double inflow = 0.0;
        double weighted = 0.0;
        const auto take = [&](double transmissibility, double upstream_pressure, double upstream_arrival) {
            const double rate = transmissibility / flow.viscosity * std::max(0.0, upstream_pressure - pressure[cell]);
            inflow += rate;
            weighted += rate > 0.0 ? rate * upstream_arrival : 0.0;
        };
        const auto take_from = [&](double transmissibility, std::size_t next) {
            take(transmissibility, pressure[next], arrival[next]);
        };
        if (column == 0) {
            take(connections.well[row], flow.well_buildup.back(), 0.0);
        } else {
            take_from(connections.radial[row * (columns - 1) + column - 1], cell - 1);
        }
        if (column + 1 < columns) {
            take_from(connections.radial[row * (columns - 1) + column], cell + 1);
        }
        if (row > 0) {
            take_from(connections.vertical[cell - columns], cell - columns);
        }
        if (row + 1 < radial.rows()) {
            take_from(connections.vertical[cell], cell + columns);
        }
        arrival[cell] = inflow > 0.0 ? std::min(never, (weighted + connections.pore_volume[cell]) / inflow) : never;
    }
    return arrival;
}

PhysicsFields single_phase(const RadialCase& radial, int substeps, const std::string& name) {
    const SinglePhaseFlow flow = single_phase_flow(radial, substeps, name);
    const PoresWithin pores(radial, flow.connections);
    const double mobility_ratio = injection_fluids(radial).viscosity_ratio();
    const double mobile = 1.0 - radial.irreducible_water_saturation;

    PhysicsFields result;
    auto& fields = result.fields;
    fields["physics_pressure_buildup"] = buildup_field(radial, flow);
    fields["physics_time_over_arrival"] = time_over_arrival_field(radial, flow);
    fields["physics_injected_over_pore_volume"] = fill_columns(radial, [&](std::size_t time, std::size_t column) {
        return flow.volume_rate * radial.times[time] / pores.edge[column];
    });
    fields["physics_front_height"] = fill_columns(radial, [&](std::size_t time, std::size_t column) {
        const double injected = flow.volume_rate * radial.times[time];
        return injected > 0.0 ? front_height(mobile * pores.middle[column] / injected, mobility_ratio) : 0.0;
    });
    result.scalars = physics_scalars(radial, fields["physics_pressure_buildup"]);
    return result;
}

}  // namespace plumecast
