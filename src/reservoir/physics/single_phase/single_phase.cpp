#include "reservoir/physics/single_phase/single_phase.hpp"

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_viscosity.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/single_phase/front.hpp"
#include "reservoir/physics/single_phase/pressure_steps.hpp"
#include "reservoir/physics/single_phase/radial_network.hpp"
#include "reservoir/physics/single_phase/single_phase_flow.hpp"
#include "reservoir/physics/time_steps.hpp"

namespace plumecast {
namespace {

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
    std::vector<double> per_day = arrival_times(radial, flow);
    for (double& value : per_day) {
        value = value > 0.0 ? 1.0 / value : 0.0;
    }
    return fill_field(radial, [&](std::size_t time, std::size_t row, float* out) {
        const double* inverse = per_day.data() + row * radial.columns();
        for (std::size_t column = 0; column < radial.columns(); ++column) {
            out[column] = static_cast<float>(
                std::clamp(radial.times[time] * inverse[column], least_time_over_arrival, most_time_over_arrival));
        }
    });
}

}  // namespace

SinglePhaseFlow single_phase_flow(const RadialCase& radial, int substeps, const std::string& name) {
    return single_phase_flow(radial, substeps, name, usual_tolerance, {});
}

SinglePhaseFlow single_phase_flow(const RadialCase& radial, int substeps, const std::string& name, double tolerance,
                                  const StepObserver& observer) {
    if (radial.has_pressure_limit()) {
        throw InvalidInput(
            name +
            ": a limit of the bottom-hole pressure (the single-phase physics injects what is asked for); "
            "use the two-phase physics, or leave bottom_hole_pressure_limit out");
    }
    if (radial.has_dissolution_limit()) {
        throw InvalidInput(
            name +
            ": a limit of the rate of dissolution (the single-phase physics dissolves nothing); use the two-phase "
            "physics, or leave dissolution_rate_limit out");
    }
    const InjectionSchedule injection = radial.injection();
    const bool is_constant = injection.ends.size() == 1 && injection.ends[0] >= radial.times.back();
    if (!is_constant && !injection.ends.empty()) {
        throw InvalidInput(name +
                           ": a schedule of injection rates (the single-phase physics has fronts of a constant rate "
                           "alone); use the two-phase physics, or give one injection_rate instead");
    }
    SinglePhaseFlow flow;
    flow.connections = RadialConnections(radial);
    flow.volume_rate = injection_fluids(radial).volume_rate;
    flow.viscosity = brine_viscosity(radial.temperature, radial.salinity);
    flow.compressibility = radial.rock_fluid.rock_compressibility +
                           brine_compressibility(radial.initial_pressure, radial.temperature, radial.salinity);
    flow.pressure_buildup.resize(radial.times.size() * radial.cells());
    PressureSteps steps(radial_network(radial, flow.connections), flow.viscosity,
                        radial_capacity(radial, flow.connections, flow.compressibility), tolerance);
    try {
        double start = 0.0;
        for (std::size_t snapshot = 0; snapshot < radial.times.size(); ++snapshot) {
            for (const double time : step_ends(start, radial.times[snapshot], substeps)) {
                flow.iterations += steps.advance(time, {flow.volume_rate});
                if (observer) {
                    observer(time, steps.pressure());
                }
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
