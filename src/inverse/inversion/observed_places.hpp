#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

#include "inverse/inversion/observations.hpp"

namespace plumecast {

class Dataset;

/// Values [T, space...] of the fields of a case by name, in physical units.
using ObservedFields = std::map<std::string, std::span<const float>, std::less<>>;

/// Cotangents [T, space...] of these fields.
using FieldSums = std::map<std::string, std::vector<double>, std::less<>>;

/// Where observations lie on a grid: a cell or a well each, and linear between the two times around theirs; at day 0
/// all fields are 0, but they do not grow linearly from there to the first time. Cells are those between the edges of
/// the grid; of a corner-point grid those of the nearest centre in the plane, and of true depths in its column.
class ObservedPlaces {
   public:
    /// Throws InvalidData naming file and row of an observation outside grid or times, which is between day 0 and the
    /// first time too.
    ObservedPlaces(const std::vector<Observation>& observations, const Dataset& grid, const std::string& path);

    /// Names of the fields that tell of the observations, each once.
    const std::vector<std::string>& fields() const { return fields_; }
    std::int64_t count() const { return static_cast<std::int64_t>(places_.size()); }
    /// Index of the cell of an observation in a map; -1 of a well's.
    std::int64_t cell(std::int64_t which) const { return places_[static_cast<std::size_t>(which)].cell; }
    /// Whether a bottom-hole pressure is among them.
    bool has_wells() const { return has_wells_; }

    /// What a case says at all observations, of its fields(); it is case `which` of `inputs`. Bottom-hole pressures are
    /// those of the report (WellPressures); NaN outside 0 to 1000 bar.
    void sample(const Dataset& inputs, std::int64_t which, const ObservedFields& fields, std::span<double> out) const;
    /// What a case says at the observations in cells of one field, of its values [T, space...]; of `out` [D] writes
    /// only those.
    void sample(std::string_view field, std::span<const float> values, std::span<double> out) const;
    /// The way back: adds cotangents [D] of the observations in cells of one field to those of its values [T,
    /// space...].
    void spread(std::string_view field, std::span<const double> cotangents, std::span<double> of_values) const;
    /// The way back of bottom-hole pressures of a case on rings with these fields: adds cotangents [D] of them to those
    /// of its fields() [T, space...], and gives the derivatives by the inputs that they follow from beside the fields.
    /// Throws InvalidInput for boxes.
    RadialCaseGradient spread_wells(const Dataset& inputs, std::int64_t which, const ObservedFields& fields,
                                    std::span<const double> cotangents, FieldSums& of_values) const;
    /// Throws InvalidData naming the row of a bottom-hole pressure of a well that case `which` of `inputs` lacks, or of
    /// none by name where it has several.
    void require_wells(const Dataset& inputs, std::int64_t which) const;
    /// Throws InvalidData naming the row of a pressure between two times of case `which` of `inputs` from the first of
    /// which, or from a day between them, on a well has another rate: no line leads across that.
    void require_steady_rates(const Dataset& inputs, std::int64_t which) const;

   private:
    struct Place {
        std::string field;
        std::int64_t cell = -1;
        int well = 0;
        bool names_well = false;
        std::string called;      ///< in messages
        double time = 0.0;       ///< [day]
        std::int64_t later = 0;  ///< the snapshot at or after the time
        double share = 1.0;      ///< of the later one; the rest is of the one before
    };
    void add_field(std::string_view name);
    /// Finds the snapshots around the time of a place.
    static void set_snapshots(const std::vector<double>& times, Place& place);
    void sample_wells(const Dataset& inputs, std::int64_t which, const ObservedFields& fields,
                      std::span<double> out) const;

    std::vector<std::string> fields_;
    std::vector<Place> places_;
    std::int64_t cells_ = 0;
    bool has_wells_ = false;
};

}  // namespace plumecast
