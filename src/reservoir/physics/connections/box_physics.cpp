#include "reservoir/physics/connections/box_physics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/connections/box_model.hpp"
#include "reservoir/physics/connections/connection_flow.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast {
namespace {

void check_box(const BoxCase& box, const PhysicsSettings& settings, const std::string& name) {
    require_known_physics(settings.version, name + ": physics.version");
    BoxCase checked = box;
    if (checked.times.size() > 1 && checked.times.front() == 0.0) {
        checked.times.erase(checked.times.begin());
    }
    checked.check(name);
}

/// Highest of the wells that inject [bar]; NaN where none does.
double highest(const std::vector<double>& pressures) {
    double most = std::numeric_limits<double>::quiet_NaN();
    for (const double pressure : pressures) {
        most = std::fmax(most, pressure);
    }
    return most;
}

/// At the uppermost well.
InjectionFluids fluids_of(const BoxCase& box) {
    double depth = std::numeric_limits<double>::infinity();
    for (const BoxCaseWell& well : box_wells(box)) {
        depth = std::min(depth, well.depth);
    }
    const double pressure = hydrostatic_pressure(box.initial_pressure, box.temperature, box.salinity, depth);
    return injection_fluids(pressure, box.temperature, box.salinity, 0.0);
}

PhysicsFields box_fields(const BoxCase& box, const connections::BoxModel& model, const PhysicsSettings& settings,
                         const std::string& name, const connections::FlowIterations& iterations) {
    PhysicsFields physics;
    const auto field = [&](std::string_view of) -> std::vector<float>& {
        std::vector<float>& values = physics.fields[std::string(of)];
        values.assign(box.times.size() * box.cells(), 0.0F);
        return values;
    };
    auto& buildup = field("physics_pressure_buildup");
    auto& saturation = field("physics_gas_saturation");
    auto& dissolved = field("physics_dissolved_co2");
    std::vector<float>* trapped = box.residual_gas_saturation ? &field(trapped_gas_field) : nullptr;
    physics.bottom_hole_pressure.assign(box.times.size(), std::numeric_limits<float>::quiet_NaN());
    const auto add = [&](const connections::FlowSimulation& simulation, std::size_t snapshot, double share) {
        for (std::size_t cell = 0; cell < model.places.size(); ++cell) {
            const std::size_t place = snapshot * box.cells() + model.places[cell];
            buildup[place] +=
                static_cast<float>(share * (simulation.pressure()[cell] - model.flow.initial_pressure[cell]));
            saturation[place] += static_cast<float>(share * simulation.saturation(cell));
            dissolved[place] += static_cast<float>(share * simulation.dissolved(cell));
            if (trapped != nullptr) {
                (*trapped)[place] += static_cast<float>(share * simulation.trapped(cell));
            }
        }
        float& pressure = physics.bottom_hole_pressure[snapshot];
        pressure = two_phase::joined_pressure(pressure, highest(simulation.bottom_hole_pressure()), share);
    };
    connections::run(model.flow, box.times, {.substeps = settings.substeps}, name, add, iterations);
    physics.scalars = physics_scalars(fluids_of(box), box.active, buildup);
    return physics;
}

}  // namespace

PhysicsFields box_physics(const BoxCase& box, const PhysicsSettings& settings, const std::string& name) {
    check_box(box, settings, name);
    const connections::BoxModel model = connections::box_model(box);
    try {
        return box_fields(box, model, settings, name, {});
    } catch (const NotConverged&) {
        // The last step that was taken may be one that no further step can follow.
        return box_fields(box, model, settings, name, {.leaves_room = true});
    }
}

}  // namespace plumecast
