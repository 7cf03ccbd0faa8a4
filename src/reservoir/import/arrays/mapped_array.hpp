#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/h5/file.hpp"
#include "reservoir/h5/stored_meaning.hpp"
#include "reservoir/import/unit_conversion.hpp"

namespace plumecast {

/// Letter of an axis in a map: n for cases, t, z, r, y, x. Edges have the letter of their axis.
char letter_of(Axis axis);

/// An array of the format as a map finds it in another file, or a constant.
class MappedArray {
   public:
    /// Reads one entry: a number, or {"array", "axes", "unit", "kind", "minus_first"}. Throws InvalidInput,
    /// InvalidData.
    MappedArray(const ArraySpec& spec, JsonReader& entries, const h5::File& file);

    const ArraySpec& spec() const { return *spec_; }
    bool is_constant() const { return path_.empty(); }
    /// True where the map gives an axis by the centres of its cells.
    bool holds_centres() const { return holds_centres_; }
    /// Extent along the axis of that letter; 0 when it does not vary along it.
    std::int64_t extent(char letter) const;
    /// Values of a case, or of an array of cells that all share, in the order of the format, in its unit; those that do
    /// not vary along an axis repeated over the `extents` of the axes behind the cases. Throws InvalidData for a shape
    /// that does not fit.
    std::vector<float> values(const h5::File& file, std::int64_t which, const std::vector<std::int64_t>& extents) const;
    /// How many numbers of a case stand for no value, in words, one text by kind: by attributes (`_FillValue`,
    /// `valid_max` ...), and in porosity and permeability as geological models write them (-999, 1e20). values() has
    /// NaN there.
    std::vector<std::string> notes_on_missing(const h5::File& file, std::int64_t which) const;
    /// What is to be said of how the attribute `units` was taken; empty for nothing.
    const std::string& note() const { return note_; }
    /// Values of an axis of the grid; cell centres become edges half-way between them.
    std::vector<double> edges(const h5::File& file) const;

   private:
    std::vector<double> numbers(const h5::File& file, std::int64_t which) const;
    std::vector<double> stored(const h5::File& file, std::int64_t which) const;
    bool may_be_undefined() const;

    const ArraySpec* spec_;
    double constant_ = 0.0;
    std::vector<double> list_;
    std::string path_;
    std::string axes_;  // letters in the order of the file
    std::vector<std::int64_t> extents_;
    std::size_t file_axis_of_cases_ = 0;
    std::optional<h5::StoredMeaning> meaning_;
    UnitConversion unit_;
    std::string note_;
    bool holds_centres_ = false;
    bool minus_first_ = false;
};

}  // namespace plumecast
