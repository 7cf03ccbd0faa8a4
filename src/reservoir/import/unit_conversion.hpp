#pragma once

#include <string>

namespace plumecast {

/// value in the format's unit = factor * value + offset.
struct UnitConversion {
    double factor = 1.0;
    double offset = 0.0;
};

/// From a unit of another program to one of the format: lengths m, km, ft, cm; pressures bar, Pa, hPa, kPa, MPa, psi,
/// atm; permeabilities mD, D, m2; temperatures degC, K, degF; times day, s, h, year; rates Mt/year, kg/s, t/day,
/// kg/day; fractions 1, %. Throws InvalidInput naming `where` and the units that are known for another pair.
UnitConversion conversion(const std::string& from, const std::string& to, const std::string& where);

}  // namespace plumecast
