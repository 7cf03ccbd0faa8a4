#include "reservoir/metrics/trust/field_bands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

#include "core/json_fields.hpp"
#include "reservoir/metrics/field_comparison.hpp"

namespace plumecast {
namespace {

constexpr std::size_t measure_count = 2 * BandScale::local;
constexpr std::size_t sampled_cells = 4096;  // of each case that fits the scale
constexpr double everywhere = -1.0;          // no value is as small

/// A measure, 0 where the file has no value of what it comes from.
float finite_or_none(float measure) { return std::isfinite(measure) ? measure : 0.0F; }

/// From what size on a value of a field counts.
double counted_from(const std::string& field) { return field == "gas_saturation" ? plume_threshold : everywhere; }

/// The error of a cell and what the scale may grow with there.
struct CellSample {
    double error = 0.0;
    std::array<float, measure_count> of{};
};

/// Arrays of a case of a file, [cells, T].
struct StoredCase {
    std::vector<float> predicted, physics, spread, simulated, active;
    Shape space;

    PredictedField field() const { return {space, predicted, physics, active, spread}; }
};

StoredCase read_case(const BandFiles& files, const std::string& field, std::int64_t which) {
    StoredCase one;
    one.space = files.simulated.space();
    one.predicted = read_times_last(files.predicted, field, which);
    one.simulated = read_times_last(files.simulated, field, which);
    one.active.resize(static_cast<std::size_t>(files.simulated.cells()));
    files.simulated.read_map("active", {&which, 1}, one.active);
    if (files.physics != nullptr && files.physics->has(field)) {
        one.physics = read_times_last(*files.physics, field, which);
    }
    if (files.spread != nullptr && files.spread->has(field)) {
        one.spread = read_times_last(*files.spread, field, which);
    }
    return one;
}

/// Places of the cells and times that count, in [cells, T].
std::vector<std::size_t> counted_places(const PredictedField& predicted, std::span<const float> simulated,
                                        double counted) {
    const std::size_t times = predicted.values.size() / predicted.active.size();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < simulated.size(); ++i) {
        const bool counts = std::abs(predicted.values[i]) > counted || std::abs(simulated[i]) > counted;
        if (predicted.active[i / times] != 0.0F && counts) {
            places.push_back(i);
        }
    }
    return places;
}

double error_at(const PredictedField& predicted, std::span<const float> simulated, std::size_t place) {
    const double error = std::abs(static_cast<double>(predicted.values[place]) - static_cast<double>(simulated[place]));
    return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

/// The ceil(share n)-th smallest of n values; 0 of none.
double share_of(std::vector<double>& values, double share) {
    if (values.empty()) {
        return 0.0;
    }
    const auto place = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(place, 1)) - 1;
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Some of the cells of a case that count, evenly spread over them.
std::vector<CellSample> sampled(const StoredCase& one, const std::string& field) {
    const PredictedField predicted = one.field();
    const double counted = counted_from(field);
    const BandMeasures of(predicted, counted);
    const std::vector<std::size_t> places = counted_places(predicted, one.simulated, counted);
    const std::size_t count = std::min(places.size(), sampled_cells);
    std::vector<CellSample> samples(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = places[i * places.size() / count];
        samples[i] = {error_at(predicted, one.simulated, place), of.at(place)};
    }
    return samples;
}

/// Mean width of the bands of some cases with such a scale.
double mean_width(const BandScale& scale, const std::vector<std::vector<CellSample>>& cases, double level,
                  double share) {
    std::vector<double> widths, ratios;
    double sum = 0.0;
    std::size_t count = 0;
    for (const std::vector<CellSample>& samples : cases) {
        ratios.clear();
        for (const CellSample& one : samples) {
            const double size = scale.of(one.of);
            ratios.push_back(one.error / size);
            sum += size;
        }
        count += samples.size();
        widths.push_back(share_of(ratios, share));
    }
    return conformal_quantile(std::move(widths), level) * sum / static_cast<double>(std::max<std::size_t>(count, 1));
}

/// Means of the measures over all samples.
std::array<double, measure_count> usual_measures(const std::vector<std::vector<CellSample>>& cases) {
    std::array<double, measure_count> usual{};
    double count = 0.0;
    for (const std::vector<CellSample>& samples : cases) {
        for (const CellSample& one : samples) {
            for (std::size_t k = 0; k < measure_count; ++k) {
                usual[k] += static_cast<double>(one.of[k]);
            }
        }
        count += static_cast<double>(samples.size());
    }
    for (double& one : usual) {
        one /= std::max(count, 1.0);
    }
    return usual;
}

/// The scale of those tried that makes the bands of some cases narrowest in the mean: one measure after the other, in
/// a few rounds.
BandScale narrowest_scale(const std::vector<std::vector<CellSample>>& cases, double level, double share) {
    constexpr int rounds = 3;
    const std::array<double, measure_count> usual = usual_measures(cases);
    BandScale best;
    double least = mean_width(best, cases, level, share);
    for (int round = 0; round < rounds; ++round) {
        const BandScale before = best;
        for (std::size_t k = 0; k < measure_count; ++k) {
            for (const double per_usual : {0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0}) {
                if (!(usual[k] > 0.0)) {
                    break;
                }
                BandScale tried = best;
                tried.growth[k] = per_usual / usual[k];
                const double width = mean_width(tried, cases, level, share);
                if (width < least) {
                    least = width;
                    best = tried;
                }
            }
        }
        if (best.growth == before.growth) {
            break;
        }
    }
    return best;
}

/// How many cases of a set fit the scale; the others set the width.
std::int64_t cases_for_scale(const BandFiles& set) { return set.simulated.cases() / 3; }

FieldBand fit_band(const std::string& field, const std::vector<BandFiles>& sets, double level, double share) {
    std::vector<std::vector<CellSample>> samples;
    for (const BandFiles& set : sets) {
        for (std::int64_t which = 0; which < cases_for_scale(set); ++which) {
            samples.push_back(sampled(read_case(set, field, which), field));
        }
    }
    FieldBand band{field, narrowest_scale(samples, level, share), 0.0};
    for (const BandFiles& set : sets) {
        std::vector<double> widths;
        for (std::int64_t which = cases_for_scale(set); which < set.simulated.cases(); ++which) {
            const StoredCase one = read_case(set, field, which);
            widths.push_back(least_width(band.scale, one.field(), one.simulated, field, share));
        }
        band.width = std::max(band.width, conformal_quantile(std::move(widths), level));
    }
    return band;
}

/// Throws InvalidInput for too few cases, and for files of other cases.
void require_sound(const BandFiles& set) {
    const Dataset& simulated = set.simulated;
    require_enough(simulated);
    for (const Dataset* one : {&set.predicted, set.physics, set.spread}) {
        if (one != nullptr && (one->times() != simulated.times() || one->cases() != simulated.cases() ||
                               one->space() != simulated.space())) {
            throw InvalidInput(one->path() + ": has other cases or times than " + simulated.path() +
                               "; predict those cases");
        }
    }
}

template <class Visitor, class Scale>
void visit_band_scale(Visitor& v, Scale& scale) {
    for (std::size_t k = 0; k < measure_count; ++k) {
        v.field_or(BandScale::names[k], scale.growth[k], 0.0);
    }
}

template <class Visitor, class Band>
void visit_field_band(Visitor& v, Band& band) {
    v.required("field", band.field);
    v.required_section("scale", [&](auto& inner) { visit_band_scale(inner, band.scale); });
    v.required("width", band.width);
}

template <class Visitor, class Bands>
void visit_field_bands(Visitor& v, Bands& bands) {
    v.required("level", bands.level);
    v.required("share", bands.share);
    v.required("cases", bands.cases);
    v.required("data_sha256", bands.data_sha256);
    v.field_or("resampled", bands.resampled, false);
    v.nested("fields", bands.fields);
}

}  // namespace

double BandScale::of(std::span<const float> at) const {
    double scale = 1.0;
    for (std::size_t k = 0; k < growth.size(); ++k) {
        scale += growth[k] * static_cast<double>(at[k]);
    }
    return scale;
}

BandMeasures::BandMeasures(const PredictedField& field, double counted) {
    const std::size_t cells = field.active.size(), times = field.values.size() / cells;
    values_.resize(field.values.size() * BandScale::local);
    std::array<double, BandScale::local> sums{};
    double count = 0.0;
    const auto add_contrast = [&](std::size_t cell, std::size_t beside) {
        if (field.active[beside] != 0.0F) {
            for (std::size_t t = 0; t < times; ++t) {
                float& most = values_[(cell * times + t) * BandScale::local + 1];
                most = std::max(most, std::abs(field.values[cell * times + t] - field.values[beside * times + t]));
            }
        }
    };
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (field.active[cell] == 0.0F) {
            continue;
        }
        std::size_t stride = 1;
        for (int axis = field.space.rank(); axis-- > 0;) {
            const auto extent = static_cast<std::size_t>(field.space[axis]);
            const std::size_t place = cell / stride % extent;
            if (place > 0) {
                add_contrast(cell, cell - stride);
            }
            if (place + 1 < extent) {
                add_contrast(cell, cell + stride);
            }
            stride *= extent;
        }
        for (std::size_t i = cell * times; i < (cell + 1) * times; ++i) {
            float* at = &values_[i * BandScale::local];
            at[0] = std::abs(field.values[i]);
            at[2] = field.physics.empty() ? 0.0F : finite_or_none(std::abs(field.values[i] - field.physics[i]));
            at[3] = field.spread.empty() ? 0.0F : finite_or_none(field.spread[i]);
            if (static_cast<double>(at[0]) > counted) {
                for (std::size_t k = 0; k < BandScale::local; ++k) {
                    sums[k] += static_cast<double>(at[k]);
                }
                count += 1.0;
            }
        }
    }
    for (std::size_t k = 0; k < BandScale::local; ++k) {
        means_[k] = static_cast<float>(sums[k] / std::max(count, 1.0));
    }
}

std::array<float, 2 * BandScale::local> BandMeasures::at(std::size_t place) const {
    std::array<float, measure_count> all{};
    const auto own = values_.begin() + static_cast<std::ptrdiff_t>(place * BandScale::local);
    std::copy_n(own, BandScale::local, all.begin());
    std::ranges::copy(means_, all.begin() + BandScale::local);
    return all;
}

double least_width(const BandScale& scale, const PredictedField& predicted, std::span<const float> simulated,
                   const std::string& name, double share) {
    const double counted = counted_from(name);
    const BandMeasures of(predicted, counted);
    std::vector<double> ratios;
    for (const std::size_t place : counted_places(predicted, simulated, counted)) {
        ratios.push_back(error_at(predicted, simulated, place) / scale.of(of.at(place)));
    }
    return share_of(ratios, share);
}

std::pair<std::vector<float>, std::vector<float>> FieldBand::ends(const PredictedField& predicted) const {
    const ArraySpec* spec = find_array(field);
    const double least = spec == nullptr ? std::numeric_limits<double>::lowest() : spec->low;
    const double most = spec == nullptr ? std::numeric_limits<double>::max() : spec->high;
    const BandMeasures of(predicted, counted_from(field));
    std::vector<float> low(predicted.values.size()), high(low.size());
    for (std::size_t i = 0; i < low.size(); ++i) {
        const double half = width * scale.of(of.at(i)), value = predicted.values[i];
        const double below = value - half, above = value + half;  // NaN stays NaN
        low[i] = static_cast<float>(below < least ? least : below);
        high[i] = static_cast<float>(above > most ? most : above);
    }
    return {std::move(low), std::move(high)};
}

std::string FieldBand::text() const {
    std::string text = fmt::format("{:.3g}", width);
    for (std::size_t k = 0; k < measure_count; ++k) {
        if (scale.growth[k] > 0.0) {
            text += fmt::format(" + {:.3g} {}", width * scale.growth[k], BandScale::names[k]);
        }
    }
    return text;
}

Json FieldBand::to_json() const {
    return written([&](FieldWriter& v) { visit_field_band(v, *this); });
}

FieldBand FieldBand::read(JsonReader& object) {
    FieldBand band;
    read_whole(object, [&](FieldReader& v) { visit_field_band(v, band); });
    const bool is_sound =
        band.width >= 0.0 && std::ranges::all_of(band.scale.growth, [](double g) { return g >= 0.0; });
    if (!is_sound) {
        throw InvalidInput(object.path("width") + " and scale are not 0 or more; calibrate the model again");
    }
    return band;
}

const FieldBand* FieldBands::of(const std::string& field) const {
    const auto found = std::ranges::find(fields, field, &FieldBand::field);
    return found == fields.end() ? nullptr : &*found;
}

Json FieldBands::to_json() const {
    return written([&](FieldWriter& v) { visit_field_bands(v, *this); });
}

FieldBands FieldBands::read(JsonReader& object) {
    FieldBands bands;
    read_whole(object, [&](FieldReader& v) { visit_field_bands(v, bands); });
    const auto is_share = [](double value) { return value > 0.0 && value < 1.0; };
    if (!is_share(bands.level) || !is_share(bands.share)) {
        throw InvalidInput(object.path("level") + " and share are not between 0 and 1; calibrate the model again");
    }
    return bands;
}

FieldBands FieldBands::fit(const std::vector<BandFiles>& sets, double level, double share) {
    FieldBands bands{level, share, 0, {}, false, {}};
    for (const BandFiles& set : sets) {
        require_sound(set);
        bands.cases += set.simulated.cases();
    }
    for (const std::string& field : sets.at(0).predicted.outputs()) {
        const bool is_in_all = std::ranges::all_of(sets, [&](const BandFiles& set) {
            const bool has_ends = find_array(field + "_low", set.simulated.geometry()) != nullptr;
            return has_ends && set.predicted.has(field) && set.simulated.has(field);
        });
        if (is_in_all) {
            FieldBand band = fit_band(field, sets, level, share);
            if (std::isfinite(band.width)) {
                bands.fields.push_back(std::move(band));
            }
        }
    }
    return bands;
}

}  // namespace plumecast
