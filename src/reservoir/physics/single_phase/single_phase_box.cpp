#include "reservoir/physics/single_phase/single_phase_box.hpp"

#include <plumecast/core/error.hpp>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/single_phase/box_network.hpp"
#include "reservoir/physics/single_phase/pressure_steps.hpp"
#include "reservoir/physics/single_phase/single_phase.hpp"
#include "reservoir/physics/time_steps.hpp"

namespace plumecast {

BoxFlow single_phase_box(const BoxCase& box, int substeps, const std::string& name) {
    BoxFlow flow;
    flow.wells = box_wells(box);
    for (const BoxCaseWell& well : flow.wells) {
        const double pressure = hydrostatic_pressure(box.initial_pressure, box.temperature, box.salinity, well.depth);
        flow.volume_rates.push_back(
            injection_fluids(pressure, box.temperature, box.salinity, well.injection_rate).volume_rate);
    }
    flow.viscosity = brine_viscosity(box.temperature, box.salinity);
    flow.compressibility = box.rock_fluid.rock_compressibility +
                           brine_compressibility(box.initial_pressure, box.temperature, box.salinity);
    flow.pressure_buildup.resize(box.times.size() * box.cells());
    std::vector<double> capacity = box_pore_volumes(box);
    for (double& value : capacity) {
        value = value > 0.0 ? value * flow.compressibility : 1.0;
    }
    PressureSteps steps(box_network(box, flow.wells), flow.viscosity, std::move(capacity));
    try {
        double start = 0.0;
        for (std::size_t snapshot = 0; snapshot < box.times.size(); ++snapshot) {
            for (const double time : step_ends(start, box.times[snapshot], substeps)) {
                flow.iterations += steps.advance(time, flow.volume_rates);
            }
            start = box.times[snapshot];
            const std::vector<double>& wells = steps.pressure().wells;
            flow.well_buildup.insert(flow.well_buildup.end(), wells.begin(), wells.end());
            steps.write(flow.pressure_buildup.data() + snapshot * box.cells());
        }
    } catch (const NotConverged& error) {
        throw NotConverged(name + ": " + error.what());
    }
    return flow;
}

}  // namespace plumecast
