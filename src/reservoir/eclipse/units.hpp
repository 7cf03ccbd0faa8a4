#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plumecast::eclipse {

/// What the numbers of a file mean, by its unit system (METRIC, FIELD, LAB or PVT-M).
struct Units {
    std::string name;
    double bar = 1.0;               ///< in one unit of pressure
    double metres = 1.0;            ///< in one unit of length
    double surface_volume = 1.0;    ///< sm3 in one unit of gas volume at the surface
    double reservoir_volume = 1.0;  ///< m3 in one unit of volume in the reservoir
    bool is_fahrenheit = false;
    double liquid_volume = 1.0;  ///< sm3 in one unit of liquid volume at the surface

    double celsius(double temperature) const { return is_fahrenheit ? (temperature - 32.0) / 1.8 : temperature; }
};

/// The system of number 1 to 4 (INTEHEAD, third value). Throws InvalidData naming `path` for another number.
Units units_of(double number, const std::string& path);
/// What one unit of a vector of the summary comes to in sm3 of gas, in sm3 of gas a day or in bar; nothing for a unit
/// that is none of these.
struct VectorUnit {
    enum class Kind { gas, gas_rate, pressure } kind;
    double factor = 1.0;
};
std::optional<VectorUnit> vector_unit_named(std::string_view name);
/// The system called so. Throws InvalidInput for another name.
Units units_named(const std::string& name);

}  // namespace plumecast::eclipse
