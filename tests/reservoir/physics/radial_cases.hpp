#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

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

/// What layers are drawn from: their least height [m] and permeability [mD], and by how much cells of one differ.
struct DrawnLayers {
    double height = 2.0, permeability = 10.0, contrast = 10.0;
};

/// Layers of different heights, permeabilities that differ from cell to cell, a well open in part, three snapshots.
inline RadialCase layered_radial_case(std::size_t rows, std::size_t columns, unsigned seed,
                                      const DrawnLayers& layers = {}) {
    RadialCase radial = uniform_radial_case(rows, columns);
    radial.times = {2.0, 40.0, 700.0};
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (std::size_t row = 0; row < rows; ++row) {
        radial.z_edges[row + 1] = radial.z_edges[row] + layers.height + 10.0 * uniform(random);
        const double layer = layers.permeability * std::pow(10.0, uniform(random));
        radial.perforation[row * columns] = row % 2 == 0 ? 0.7 : 0.2;
        for (std::size_t cell = row * columns; cell < (row + 1) * columns; ++cell) {
            radial.permeability_r[cell] = layer * std::pow(layers.contrast, uniform(random));
            radial.permeability_z[cell] = 0.1 * layer * std::pow(layers.contrast, uniform(random));
            radial.porosity[cell] = 0.1 + 0.2 * uniform(random);
        }
    }
    return radial;
}

/// Weights of some fields of the physics from a normal distribution.
inline PhysicsCotangents random_physics_weights(const RadialCase& radial, const std::vector<std::string>& names) {
    PhysicsCotangents weights;
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    for (const std::string& name : names) {
        std::vector<double>& values = weights.fields[name];
        for (std::size_t i = 0; i < radial.times.size() * radial.cells(); ++i) {
            values.push_back(normal(random));
        }
    }
    return weights;
}

}  // namespace plumecast
