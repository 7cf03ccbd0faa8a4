#pragma once

#include <cstddef>
#include <vector>

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

namespace plumecast {

struct CaseFields;
class Dataset;

/// Derivatives of a number by what CaseFields holds, each in that number's unit per that of the quantity.
struct CaseFieldsCotangents {
    /// All 0, of a case at so many times.
    CaseFieldsCotangents(const CaseFields& fields, std::size_t times);

    std::vector<double> pressure_buildup, gas_saturation;  ///< [T, cells]
    std::vector<double> initial_pressures, pore_volumes;   ///< [cells]
    std::vector<double> factors, capillary;                ///< [cells] of the connections in them
    std::vector<double> rates;                             ///< [T] [day/kg]
    double temperature = 0.0, salinity = 0.0, irreducible_water = 0.0, lambda = 0.0;
    double limit = 0.0;          ///< of the pressure in the wells
    double land_constant = 0.0;  ///< of `trapping`
};

/// Throws InvalidInput for boxes, whose wells and masses have no derivatives.
void require_well_derivatives(const Dataset& dataset);

/// Adjoint of case_with_wells() on rings: derivatives by the inputs of a case from those by what follows from them. By
/// the perforation of cells that are closed there are none. Throws as require_well_derivatives().
RadialCaseGradient case_fields_gradient(const Dataset& dataset, const CaseFields& fields,
                                        const CaseFieldsCotangents& cotangents);

}  // namespace plumecast
