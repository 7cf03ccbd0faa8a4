#pragma once

#include <cstdint>
#include <vector>

#include "reservoir/case_model/case_sampling.hpp"
#include "reservoir/case_model/grid.hpp"

namespace plumecast {

/// Rock properties [Z, R] of a radial grid, or [Z, Y, X] of a box.
struct Geology {
    std::vector<double> permeability_r;  ///< horizontal, alike in all directions [mD]
    std::vector<double> permeability_z;  ///< [mD]
    std::vector<double> porosity;
};

/// Draws the rock of a case on the lattice.
Geology draw_geology(const GeneratorConfiguration& configuration, const SampledCase& sampled,
                     const RadialGrid& lattice);

/// Draws the rock of a case at the centres of the cells of a box.
Geology draw_geology(const GeneratorConfiguration& configuration, const SampledCase& sampled, const BoxGrid& grid);

/// Porosity whose permeability is `permeability` [mD]: k = 31 p + 7467 p^2 + 191 (10 p)^10 in nm2, the average
/// sandstone of Pape, Clauser and Iffland, "Permeability prediction based on fractal pore-space geometry", Geophysics
/// 64 (1999).
double porosity_of(double permeability);

}  // namespace plumecast
