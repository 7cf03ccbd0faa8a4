#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/core/shape.hpp>

#include "reservoir/metrics/trust/figure_bands.hpp"

namespace plumecast {

/// A field of a case as it was predicted, [cells, T] each; cells are those of `space`.
struct PredictedField {
    Shape space;
    std::span<const float> values;
    std::span<const float> physics;      ///< what the network corrected; empty where it corrects nothing
    std::span<const float> active;       ///< [cells] 0 or 1
    std::span<const float> spread = {};  ///< how far several members are from their mean; empty of one
};

/// What the half width of a band grows with, cell by cell and in the mean over the cells that count: the size of the
/// value, the largest difference to a cell beside it, what the network changed in the physics, and how far its members
/// are from their mean.
struct BandScale {
    static constexpr std::size_t local = 4;
    static constexpr std::array<const char*, 2 * local> names = {
        "value", "contrast", "correction", "spread", "mean_value", "mean_contrast", "mean_correction", "mean_spread"};
    std::array<double, 2 * local> growth{};  ///< [1/unit of the field], in the order of the names

    /// `1 + growth . measures` for the measures of a cell.
    double of(std::span<const float> measures) const;
};

/// The measures of all cells and times of a case [cells, T, 4], and their means over the cells that count.
class BandMeasures {
   public:
    /// Cells with a value of more than `counted` count.
    BandMeasures(const PredictedField& field, double counted);

    /// The measures of a cell at a time, and the means of the case, in the order of BandScale.
    std::array<float, 2 * BandScale::local> at(std::size_t place) const;

   private:
    std::vector<float> values_;
    std::array<float, BandScale::local> means_{};
};

/// A band around a field, of half the width `width * scale` in each cell: with the probability of the calibration, the
/// share of cells and times that it states lies inside.
struct FieldBand {
    std::string field;
    BandScale scale;
    double width = 0.0;  ///< [unit of the field]

    /// Lower and upper ends [cells, T], within what the field can be; of inactive cells they mean nothing.
    std::pair<std::vector<float>, std::vector<float>> ends(const PredictedField& field) const;
    /// "0.01 + 0.1 value + 2 contrast", what half the width is made of.
    std::string text() const;
    Json to_json() const;
    /// Reads such an object strictly. Throws InvalidInput with the dotted path.
    static FieldBand read(JsonReader& object);
};

/// Bands of the fields of a model, which a bundle records. Split conformal prediction of functions (Ma, Azizzadenesheli
/// and Anandkumar 2024): the first third of the held-out cases of each set fits the scale so that bands are narrow in
/// the mean; the width is a quantile over the others of the least one that holds `share` of the cells of a case, the
/// largest of the sets'. Saturation counts only where more than 0.01 is predicted or simulated.
struct FieldBands {
    double level = 0.9;       ///< probability over cases
    double share = 0.9;       ///< of cells and times
    std::int64_t cases = 0;   ///< of the calibration
    std::string data_sha256;  ///< of its files, joined by spaces
    bool resampled = false;   ///< whether fields of its cases were brought over (Resampling::fields)
    std::vector<FieldBand> fields;

    bool empty() const { return fields.empty(); }
    /// The band of a field; nullptr where it has none.
    const FieldBand* of(const std::string& field) const;
    Json to_json() const;
    /// Reads such an object strictly. Throws InvalidInput with the dotted path.
    static FieldBands read(JsonReader& object);

    /// Of the fields that all sets have. Memory is that of a few thousand cells of each case. Throws InvalidInput for
    /// sets of fewer than FigureBands::least_cases, and for files of other cases.
    static FieldBands fit(const std::vector<BandFiles>& sets, double level = 0.9, double share = 0.9);
};

/// The least width with which a band of that scale holds the share of the cells and times of a case that count; 0 where
/// none does. Fields [cells, T]; those of the prediction and of the simulation.
double least_width(const BandScale& scale, const PredictedField& predicted, std::span<const float> simulated,
                   const std::string& name, double share);

}  // namespace plumecast
