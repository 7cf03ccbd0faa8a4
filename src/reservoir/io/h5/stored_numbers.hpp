#pragma once

#include <span>
#include <string>
#include <vector>

namespace plumecast::h5 {

/// What attributes say of the numbers that an array stores, as programs that write netCDF-4 use them (NetCDF Users
/// Guide, appendix "Attribute Conventions"; CF conventions, "Packed Data" and "Missing Data"): the value is
/// scale * stored + offset, and none where the stored number is one of `missing`.
struct StoredNumbers {
    double scale = 1.0;           ///< scale_factor
    double offset = 0.0;          ///< add_offset
    std::vector<double> missing;  ///< _FillValue and missing_value, but NaN

    /// True where the stored numbers are the values.
    bool are_values() const { return scale == 1.0 && offset == 0.0 && missing.empty(); }
    /// Values of stored numbers, in place; NaN where there is none.
    void unpack(std::span<double> numbers) const;

    bool operator==(const StoredNumbers&) const = default;
};

}  // namespace plumecast::h5
