#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {

/// A well of a case over its times.
struct WellCurve {
    std::size_t column = 0;           ///< of the map [Y, X], or ring
    std::vector<double> rates;        ///< [T] [Mt/year]; where a period ends, of that period
    std::vector<double> bottom_hole;  ///< [T] as WellPressures has it [bar]
};

/// The wells of a case with build-up, in the order of CaseFields::wells.
std::vector<WellCurve> well_curves(const CaseFields& fields, std::span<const double> times);

}  // namespace plumecast
