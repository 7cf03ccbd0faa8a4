#pragma once

#include <string>
#include <vector>

#include <plumecast/reservoir/metrics/series_options.hpp>

#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/named_series.hpp"

namespace plumecast {

/// Series of one case, those that its fields allow: plume radius, area, thickness and footprint per threshold; largest
/// build-up with distance and depth, bottom-hole pressure, pressure front, mean pressure, margin to the fracture limit;
/// area of review where the front is known; rate and time since the stop where rates change; CO2
/// injected, free and dissolved. Critical build-up, front and review are NaN
/// where brine would rise without any build-up, masses of free CO2 where gas is at a pressure without known density.
/// Throws InvalidInput for a threshold outside [0, 1), a limit that does not cover the case or as front_of().
std::vector<NamedSeries> case_series(const CaseFields& fields, const std::vector<double>& times,
                                     const SeriesOptions& options);

/// Values [T] of "bottom_hole_pressure", "mass_free" or "mass_trapped" of a case with both fields, as case_series() has
/// them.
std::vector<double> series_of(const std::string& name, const CaseFields& fields, const std::vector<double>& times);

/// What a verdict on a case with saturation rests on, as case_series() has it.
struct CarbonBalance {
    std::vector<double> injected;  ///< [T] [Mt]
    std::vector<double> found;     ///< [T] free and, where the case has it, dissolved CO2 in place per CO2 injected
};
CarbonBalance carbon_balance(const CaseFields& fields, const std::vector<double>& times);

/// Mass of free CO2 in place [Mt] at each of the times of a case with saturation: sum of pore volume, saturation and
/// density at the pressure of the cell, the initial one where the case has no build-up. Throws InvalidInput for
/// pressures at which CO2 has no known density.
std::vector<double> free_co2_mass(const CaseFields& fields, const std::vector<double>& times);

/// Trapped part of the gas saturation [T, cells]: that of the file, else after the largest saturation at the times so
/// far.
std::vector<float> trapped_saturation(const CaseFields& fields);

/// The series of that name; nullptr when there is none.
const NamedSeries* find_series(const std::vector<NamedSeries>& series, const std::string& name);

}  // namespace plumecast
