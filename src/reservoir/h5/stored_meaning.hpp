#pragma once

#include <span>
#include <string>
#include <vector>

#include "reservoir/h5/file.hpp"

namespace plumecast::h5 {

/// What attributes say about the numbers of an array, as netCDF-4 tools write them: value = scale * stored + offset
/// (`scale_factor`, `add_offset`), and which stored numbers stand for no value (`_FillValue`, `missing_value`,
/// `valid_min`, `valid_max`, `valid_range`, and the number with which netCDF fills what nobody writes: of integers
/// where the file states it as fill value, as netCDF-4 does, since others may hold it as a value). `_Unsigned` says
/// that negative integers are large ones. Attributes may be double precision where the array is single; a range of the
/// type of `scale_factor` that is wider than the stored integers is one of values. After the CF conventions,
/// section 8.1, and the NetCDF attribute conventions.
class StoredMeaning {
   public:
    /// Reads the attributes of an array. Throws InvalidData where one is no number.
    StoredMeaning(const File& file, const std::string& array);

    /// True where stored numbers are not the values.
    bool is_packed() const { return scale_ != 1.0 || offset_ != 0.0 || wraps_at_ != 0.0; }
    /// True where a number stands for the same value, or for none, by both; NaN stands for none in any case.
    bool agrees_with(const StoredMeaning& other) const;
    /// The attributes of packing with their numbers, "scale_factor 0.1, add_offset 3".
    std::string packing_text() const;
    /// Turns stored numbers into values, those that stand for none into NaN.
    void apply(std::span<double> stored) const;
    /// NaN for stored numbers that stand for no value; the others stay.
    void mark_missing(std::span<float> stored) const;
    void mark_missing(std::span<double> stored) const;

    /// Throws InvalidData naming the array where parts of it were never written, unless the number that HDF5 gives for
    /// them stands for no value, or is a 0 that the file states as fill value.
    void require_written(const File& file, const std::string& array) const;

   private:
    template <class T>
    void mark(std::span<T> stored, bool in_single) const;
    double unsigned_value(double stored) const { return stored < 0.0 ? stored + wraps_at_ : stored; }

    bool is_single_ = false;  // real numbers of 4 bytes or less
    double wraps_at_ = 0.0;   // numbers of the type, where negative ones stand for large ones; 0 otherwise
    double scale_ = 1.0;
    double offset_ = 0.0;
    double low_;
    double high_;
    bool is_range_of_values_ = false;  // low_ and high_, not of stored numbers
    std::vector<double> missing_;
};

/// True where the attribute `positive` says that the numbers of an array count upwards.
bool counts_upwards(const File& file, const std::string& array);

}  // namespace plumecast::h5
