#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumecast {

class Dataset;

/// One measured number, as a row of the file states it.
struct Observation {
    std::string field;                ///< "gas_saturation" [1], "pressure_buildup" [bar]
    double x = 0.0, y = 0.0;          ///< [m]; of a radial grid x is r, and y stays 0
    double z = 0.0;                   ///< depth below the top of the formation [m]
    double time = 0.0;                ///< [day]
    double value = 0.0;               ///< in the unit of the field
    double standard_deviation = 0.0;  ///< of its error, likewise
    int row = 0;                      ///< of the file, the header is 1

    /// "obs.csv: row 5": what messages call it.
    std::string place(std::string_view file) const;
};

/// Reads observations as CSV (RFC 4180 without quotes): a header with the columns field, r (or x and y), z, time,
/// value, unit and standard_deviation in any order, then a row each; blank rows are skipped. `is_radial` tells which
/// places the grid knows. Throws InvalidData naming file and row for the first row that cannot be used, IoError.
std::vector<Observation> read_observations(const std::string& path, bool is_radial);
/// The same of a text that messages call `path`.
std::vector<Observation> observations_in(const std::string& text, const std::string& path, bool is_radial);

/// Where observations lie on a grid: a cell each, and linear between the two times around theirs; at time 0 all fields
/// are 0.
class ObservedPlaces {
   public:
    /// Throws InvalidData naming file and row of an observation outside grid or times.
    ObservedPlaces(const std::vector<Observation>& observations, const Dataset& grid, const std::string& path);

    /// Names of the fields observed, each once.
    const std::vector<std::string>& fields() const { return fields_; }
    std::int64_t count() const { return static_cast<std::int64_t>(places_.size()); }
    /// Index of the cell of an observation in a map.
    std::int64_t cell(std::int64_t which) const { return places_[static_cast<std::size_t>(which)].cell; }
    /// What a case says at the observations of one field, of its values [T, space...]; of `out` [D] writes only those.
    void sample(std::string_view field, std::span<const float> values, std::span<double> out) const;

   private:
    struct Place {
        std::size_t field = 0;
        std::int64_t cell = 0;
        std::int64_t later = 0;  ///< the snapshot at or after the time
        double share = 1.0;      ///< of the later one; the rest is of the one before
    };

    std::vector<std::string> fields_;
    std::vector<Place> places_;
    std::int64_t cells_ = 0;
};

}  // namespace plumecast
