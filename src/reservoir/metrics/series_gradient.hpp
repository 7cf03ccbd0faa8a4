#pragma once

#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

namespace plumecast {

struct CaseFields;
class Dataset;

/// Names of the series of case_series() that have derivatives by fields and inputs: bottom_hole_pressure, mass_free and
/// mass_trapped, of cases on rings with build-up and saturation.
const std::vector<std::string>& differentiable_series();

/// Numbers by name: cotangents of series [T], those of fields [T, cells].
using NamedCotangents = std::map<std::string, std::vector<double>, std::less<>>;

/// Derivatives of a weighted sum of series.
struct SeriesGradient {
    NamedCotangents fields;     ///< pressure_buildup and gas_saturation
    RadialCaseGradient inputs;  ///< that series follow from beside the fields
};

/// Goes back from the series of a case to its fields and to the inputs that are looked at beside them. The mass trapped
/// is after the largest saturation so far, and not by a field of its own. Throws InvalidInput for boxes, for a name
/// that is not among differentiable_series(), and naming case and day where a series without a value has a cotangent.
SeriesGradient series_gradient(const Dataset& dataset, const CaseFields& fields, const NamedCotangents& cotangents);

}  // namespace plumecast
