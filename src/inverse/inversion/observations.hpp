#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumecast {

/// The pressure of a well [bar], which is no field.
inline constexpr std::string_view observed_well_pressure = "bottom_hole_pressure";

/// The unit that an observed field has.
const std::string& unit_of_observed(const std::string& field);

/// One measured number, as a row of the file states it.
struct Observation {
    std::string field;                ///< "gas_saturation" [1], "pressure_buildup" [bar], "bottom_hole_pressure" [bar]
    double x = 0.0, y = 0.0;          ///< [m]; of a radial grid x is r, and y stays 0
    double z = 0.0;                   ///< depth below the top of the formation [m]
    double time = 0.0;                ///< [day]
    double value = 0.0;               ///< in the unit of the field
    double standard_deviation = 0.0;  ///< of its error, likewise
    int row = 0;                      ///< of the file, the header is 1
    int well = 0;                     ///< of a bottom-hole pressure, which has no place: in the order of the case
    bool names_well = false;          ///< whether the row states it

    bool is_of_well() const { return field == observed_well_pressure; }
    /// "obs.csv: row 5": what messages call it.
    std::string place(std::string_view file) const;
};

/// Reads observations as CSV (RFC 4180 without quotes): a header with the columns field, r (or x and y), z, time,
/// value, unit and standard_deviation, and well where there are several, in any order, then a row each; blank rows are
/// skipped. `is_radial` tells which places the grid knows. Throws InvalidData naming file and row for the first row
/// that cannot be used, is no value of its field or repeats another, IoError.
std::vector<Observation> read_observations(const std::string& path, bool is_radial);
/// The same of a text that messages call `path`.
std::vector<Observation> observations_in(const std::string& text, const std::string& path, bool is_radial);

}  // namespace plumecast
