#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

namespace plumecast {

/// Throws InvalidInput that begins with `name` for a cotangent of another name or count than the physics has.
void check_cotangents(const RadialCase& radial, const PhysicsCotangents& cotangents, const std::string& name);

/// The cotangents of a field, or nullptr where it has none; those of a series [T], empty where it has none; that of a
/// scalar, or 0.
const std::vector<double>* cotangents_of(const PhysicsCotangents& cotangents, std::string_view field);
std::span<const double> series_cotangents(const PhysicsCotangents& cotangents, std::string_view series);
double scalar_cotangent(const PhysicsCotangents& cotangents, std::string_view scalar);

/// Cotangents of a build-up [T, Z, R] [bar] that is 0 in inactive cells: its own and those of physics_buildup_rms.
std::vector<double> buildup_cotangents(const RadialCase& radial, const PhysicsCotangents& cotangents,
                                       const std::vector<double>& buildup);

/// A gradient of a case with its maps, all 0.
RadialCaseGradient zero_gradient(const RadialCase& radial);

/// Adds the derivatives of physics_co2_density and physics_viscosity_ratio by pressure, temperature, salinity and
/// perforation to `gradient`.
void add_injection_fluid_cotangents(const RadialCase& radial, const PhysicsCotangents& cotangents,
                                    RadialCaseGradient& gradient);

}  // namespace plumecast
