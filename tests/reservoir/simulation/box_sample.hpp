#pragma once

#include "reservoir/case_model/box_reservoir.hpp"

namespace plumecast::testing {

/// Laws of small and permeable boxes: 4 x 6 x 8 cells, two wells.
inline GeneratorConfiguration box_configuration() {
    GeneratorConfiguration configuration = GeneratorConfiguration::cartesian();
    configuration.box =
        BoxSettings{.rows = 4, .lines = 6, .columns = 8, .height = 80.0, .length_y = 1800.0, .length_x = 2400.0};
    configuration.wells = {.count = {2, 2}, .margin = 400.0, .least_distance = 400.0};
    configuration.inputs.thickness = {60.0, 79.0};
    configuration.inputs.injection_rate = {0.1, 0.3};
    configuration.permeability.geometric_mean = {100.0, 300.0};
    configuration.permeability.log_deviation = {0.3, 0.6};
    return configuration;
}

/// A heterogeneous case of them, three of four rows active.
inline BoxReservoir sample_box() {
    const GeneratorConfiguration configuration = box_configuration();
    return draw_box(configuration, box_grid(*configuration.box), 2, 100.0);
}

}  // namespace plumecast::testing
