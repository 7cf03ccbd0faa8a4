#pragma once

#include "reservoir/case_model/reservoir.hpp"
#include "reservoir/simulation/deck.hpp"
#include "reservoir/simulation/flow_results.hpp"

namespace plumecast::testing {

/// A small heterogeneous case, three of four rows active.
inline Reservoir sample_reservoir(int rows = 4, int columns = 8) {
    GeneratorConfiguration configuration;
    configuration.lattice.rows = rows;
    configuration.lattice.columns = columns;
    configuration.lattice.height = 80.0;
    configuration.lattice.first_width = 4.0;
    configuration.lattice.width_growth = 3.0;
    const RadialGrid lattice = radial_grid(configuration.lattice, rows, columns);
    SampledCase sampled = sample_case(configuration, 12);
    sampled.medium = Medium::gaussian;
    sampled.log_mean = 5.0;
    sampled.log_deviation = 0.5;
    sampled.thickness = 65.0;
    sampled.perforation_top = 25.0;
    sampled.perforation_length = 20.0;
    sampled.injection_rate = 0.3;
    return make_reservoir(sampled, draw_geology(configuration, sampled, lattice), lattice, lattice);
}

/// Results in which the CO2 of a case lies free in its first column, in balance with what was injected.
inline FlowResults balanced_results(const Reservoir& reservoir, const std::vector<double>& times) {
    const std::size_t cells = reservoir.rock.porosity.size();
    FlowResults results;
    results.pore_volume.assign(cells, 1e9);
    results.initial_pressure.assign(cells, reservoir.inputs.initial_pressure);
    for (const double time : times) {
        Snapshot snapshot;
        snapshot.time = time;
        snapshot.pressure = results.initial_pressure;
        snapshot.gas_saturation.assign(cells, 0.0);
        snapshot.dissolved_ratio.assign(cells, 0.0);
        snapshot.inverse_gas_volume.assign(cells, 300.0);
        snapshot.inverse_brine_volume.assign(cells, 1.0);
        snapshot.injected = surface_rate(reservoir.inputs.injection_rate) * time;
        snapshot.gas_saturation[0] = snapshot.injected / (1e9 * 300.0);
        results.snapshots.push_back(std::move(snapshot));
    }
    return results;
}

}  // namespace plumecast::testing
