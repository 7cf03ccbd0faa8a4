#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "reservoir/h5/file.hpp"

namespace plumecast::h5 {

/// What attributes say about the numbers of an array, as netCDF-4 tools write them: value = scale * stored + offset
/// (`scale_factor`, `add_offset`), and which stored numbers stand for no value (`_FillValue`, `missing_value`,
/// `valid_min`, `valid_max`, `valid_range`, and the number with which netCDF fills what nobody writes: of integers
/// where the file states it as fill value, as netCDF-4 does, since others may hold it as a value). `_Unsigned` (true or
/// false in letters of any size, 1 or 0) says that negative integers are large ones, or that large ones of an unsigned
/// type are negative. Attributes may be double precision where the array is single; a range of real numbers, where
/// integers have a scale or an offset, is one of values. After the CF conventions, section 8.1, and the NetCDF
/// attribute conventions.
class StoredMeaning {
   public:
    /// Reads the attributes of an array. Throws InvalidData naming array and attribute where one is no number, a scale
    /// is 0 or not finite, an offset is not finite, or `_Unsigned` is neither true nor false.
    StoredMeaning(const File& file, const std::string& array);

    /// True where stored numbers are not the values.
    bool is_packed() const { return scale_ != 1.0 || offset_ != 0.0 || wraps_at_ != 0.0; }
    /// True where a number stands for the same value, or for none, by both; NaN stands for none in any case.
    bool agrees_with(const StoredMeaning& other) const;
    /// The attributes of packing with their numbers, "scale_factor 0.1, add_offset 3".
    std::string packing_text() const;
    /// The attributes by which stored numbers stand for no value, "_FillValue, valid_max"; without one what netCDF
    /// fills with.
    std::string missing_text() const;
    /// Turns stored numbers into values, those that stand for none into NaN.
    void apply(std::span<double> stored) const;
    /// NaN for stored numbers that stand for no value; the others stay.
    void mark_missing(std::span<float> stored) const;
    void mark_missing(std::span<double> stored) const;

    /// Throws InvalidData naming the array where parts of it were never written, unless the number that HDF5 gives for
    /// them stands for no value, or is a 0 that the file states as fill value.
    void require_written(const File& file, const std::string& array) const;

   private:
    struct Range {
        double low = -std::numeric_limits<double>::infinity();
        double high = std::numeric_limits<double>::infinity();

        bool excludes(double number) const { return number < low || number > high; }
    };

    void read_ranges(const File& file, const std::string& array, bool is_integer);
    template <class T>
    void mark(std::span<T> stored, bool in_single) const;
    /// A stored number with the sign that it is meant with.
    double meant(double stored) const;

    bool is_single_ = false;        // real numbers of 4 bytes or less
    double wraps_at_ = 0.0;         // numbers of the type, where they are meant with another sign; 0 otherwise
    bool is_meant_signed_ = false;  // of an unsigned type
    double scale_ = 1.0;
    double offset_ = 0.0;
    Range of_stored_, of_values_;
    std::vector<double> missing_;
    std::vector<std::string> missing_names_;
};

/// True where the attribute `positive` says that the numbers of an array count upwards.
bool counts_upwards(const File& file, const std::string& array);

}  // namespace plumecast::h5
