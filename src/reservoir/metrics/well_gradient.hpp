#pragma once

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

namespace plumecast {

struct CaseFields;
struct WellPressureCotangents;
class Dataset;

/// Adjoint of case_with_wells() on rings: derivatives by the inputs of a case from those by what its bottom-hole
/// pressures follow from beside its fields. By the perforation of cells that are closed there are none. Throws
/// InvalidInput for boxes, whose wells have no such derivatives.
RadialCaseGradient well_gradient(const Dataset& dataset, const CaseFields& fields,
                                 const WellPressureCotangents& cotangents);

}  // namespace plumecast
