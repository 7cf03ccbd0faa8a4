#pragma once

namespace plumecast::cylinder {

/// Darcy's constant of the simulator's metric units [m3 cP / (day bar mD m)].
inline constexpr double darcy = 0.00852702;

/// Flow in a full ring between the radii `inner` and `outer` [m]; the pressure of a ring stands where its mean over the
/// volume is met in steady flow.
struct Ring {
    double inner = 0.0;
    double outer = 0.0;

    /// Horizontal area [m2].
    double area() const;
    /// Logarithmic distances from the inner edge to the pressure point and from there to the outer edge; their sum is
    /// ln(outer / inner).
    double inner_distance() const;
    double outer_distance() const;
};

/// Equation (1) in docs/physics.md: transmissibility between neighbouring rings of height `dz` [m] and permeabilities
/// [mD], in cP m3 / (day bar).
double radial_transmissibility(const Ring& ring, double permeability, const Ring& next, double next_permeability,
                               double dz);

/// Equation (2): transmissibility between two cells of one ring above each other, of heights [m] and permeabilities
/// [mD].
double vertical_transmissibility(const Ring& ring, double dz, double permeability, double dz_below,
                                 double permeability_below);

/// Equation (3): connection factor of a well whose wall is the ring's inner edge, over a height `dz` [m], in cP m3 /
/// (day bar).
double well_connection_factor(const Ring& ring, double permeability, double dz);

}  // namespace plumecast::cylinder
