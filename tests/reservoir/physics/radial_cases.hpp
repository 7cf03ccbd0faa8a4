#pragma once

#include <cmath>

#include <plumecast/reservoir/physics/radial_case.hpp>

namespace plumecast {

/// A uniform formation of `rows` x `columns` cells, all active and perforated: rings growing from 0.1 m to 100 km, rows
/// of 5 m, 100 mD (10 mD upwards), porosity 0.2, 0.5 Mt/year into 200 bar and 60 degC, four snapshots up to 30 years.
inline RadialCase uniform_radial_case(std::size_t rows, std::size_t columns) {
    RadialCase radial;
    for (std::size_t i = 0; i <= columns; ++i) {
        radial.r_edges.push_back(0.1 * std::pow(1e6, static_cast<double>(i) / static_cast<double>(columns)));
    }
    for (std::size_t i = 0; i <= rows; ++i) {
        radial.z_edges.push_back(5.0 * static_cast<double>(i));
    }
    radial.times = {1.0, 30.0, 365.25, 10957.5};
    radial.permeability_r.assign(rows * columns, 100.0);
    radial.permeability_z.assign(rows * columns, 10.0);
    radial.porosity.assign(rows * columns, 0.2);
    radial.perforation.assign(rows * columns, 1.0);
    radial.active.assign(rows * columns, 1);
    radial.injection_rate = 0.5;
    radial.initial_pressure = 200.0;
    radial.temperature = 60.0;
    radial.irreducible_water_saturation = 0.2;
    radial.van_genuchten_lambda = 0.5;
    return radial;
}

}  // namespace plumecast
