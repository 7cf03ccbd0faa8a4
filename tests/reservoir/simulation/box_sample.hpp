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

/// sample_box() on layers that dip and rise, with two faults.
inline BoxReservoir sample_site() {
    GeneratorConfiguration configuration = box_configuration();
    TopographySettings topography;
    topography.dip = 4.0;
    topography.dip_direction = 30.0;
    topography.anticlines.push_back(
        {.height = 25.0, .x = 1000.0, .y = 900.0, .length = 900.0, .width = 500.0, .direction = 60.0});
    topography.faults.push_back({.at = 1500.0, .displacement = 31.0, .multiplier = {0.3, 0.6}});
    topography.faults.push_back(
        {.along = FaultAxis::x, .at = 1200.0, .displacement = -17.0, .ends = {{300.0, 2100.0}}});
    configuration.box->topography = topography;
    return draw_box(configuration, box_grid(*configuration.box), 2, 100.0);
}

}  // namespace plumecast::testing
