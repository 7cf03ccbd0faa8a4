#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/physics/reduced_physics.hpp>
#include <plumecast/reservoir/physics/single_phase/single_phase.hpp>
#include <plumecast/reservoir/physics/single_phase/single_phase_gradient.hpp>

namespace plumecast {

/// Throws InvalidInput that begins with `name` for a weight of another name or count than the physics of a kind has.
void check_weights(PhysicsKind kind, const RadialCase& radial, const PhysicsWeights& weights, const std::string& name);

/// The weights of a field, or nothing.
const std::vector<double>* weights_of(const PhysicsWeights& weights, std::string_view field);
double scalar_weight(const PhysicsWeights& weights, std::string_view scalar);

/// Weights of a build-up [T, Z, R] [bar] that is 0 in inactive cells: its own and those of physics_buildup_rms.
std::vector<double> buildup_weights(const RadialCase& radial, const PhysicsWeights& weights,
                                    const std::vector<double>& buildup);

/// A gradient of a case with its maps, all 0.
RadialCaseGradient zero_gradient(const RadialCase& radial);

/// Weights of InjectionFluids and of what follows from them.
struct InjectionFluidWeights {
    double co2_density = 0.0, viscosity_ratio = 0.0, volume_rate = 0.0;
};

/// Adds what they ask of rate, pressure, temperature and perforation.
void add_injection_fluid_weights(const RadialCase& radial, const InjectionFluids& fluids,
                                 const InjectionFluidWeights& weights, RadialCaseGradient& gradient);

}  // namespace plumecast
