#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// CO2 in place of a case with these fields of two phases, by the names that a report has for it: mass_free (pore
/// volume, saturation and the density of co2_density() at the pressure of the cell), mass_trapped of it, and
/// mass_dissolved, each [T] [Mt]. PhysicsCotangents::series takes cotangents of them. Throws InvalidInput where gas is
/// at a pressure without known density, or a field is missing or has other extents.
std::map<std::string, std::vector<double>, std::less<>> carbon_ledger(const RadialCase& radial,
                                                                      const PhysicsFields& fields);

}  // namespace plumecast
