#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

namespace plumecast {

/// Fields of two phases that masses of CO2 follow from, [T, Z, R]; no trapped gas without hysteresis, where it is what
/// drainage leaves.
struct LedgerFields {
    std::vector<double> buildup, saturation, trapped, dissolved;
};

/// Masses as carbon_ledger() has them. Throws InvalidInput for a pressure without known density.
std::map<std::string, std::vector<double>, std::less<>> ledger_series(const RadialCase& radial,
                                                                      const LedgerFields& fields);

/// Whether masses in place have cotangents.
bool has_ledger_cotangents(const PhysicsCotangents& cotangents);
/// Adjoint of ledger_series(): adds to the cotangents of the fields, and to `gradient` what porosity, temperature,
/// salinity and initial pressure do beside them. Throws InvalidInput, which names the case, for a pressure without
/// known density of CO2.
void add_ledger_cotangents(const RadialCase& radial, const LedgerFields& fields, PhysicsCotangents& cotangents,
                           RadialCaseGradient& gradient, const std::string& name);

}  // namespace plumecast
