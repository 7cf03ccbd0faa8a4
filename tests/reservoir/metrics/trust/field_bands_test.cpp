#include "reservoir/metrics/trust/field_bands.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/axis_order.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

constexpr std::int64_t band_rows = 4, band_columns = 5, band_times = 3, band_cells = band_rows * band_columns;

/// Data sets of as many cases of 4 x 5 cells at 3 times, which differ in `field` alone: [N, T, cells].
std::string written(const std::string& path, const std::string& field, const std::vector<float>& values) {
    const std::size_t count = values.size() / (band_cells * band_times);
    DatasetContent content = testing::guided_content();
    for (auto& [name, array] : content.arrays) {
        const std::vector<float> first(array.begin(), array.begin() + static_cast<std::ptrdiff_t>(array.size() / 3));
        array.clear();
        for (std::size_t i = 0; i < count; ++i) {
            array.insert(array.end(), first.begin(), first.end());
        }
    }
    for (const char* output : {"gas_saturation", "pressure_buildup", "dissolved_co2"}) {
        content.arrays.erase(output);
    }
    content.arrays[field] = values;
    write_dataset(path, content);
    return path;
}

/// What stands in for a model of known error: `relative` of what it corrected, `absolute` beside, and as much more in
/// cases that are harder than others, as it corrects more in them too.
struct StandIn {
    std::vector<float> predicted, physics, simulated;

    StandIn(std::mt19937_64& random, int cases, double relative, double absolute) {
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> uniform;
        for (int which = 0; which < cases; ++which) {
            const double hardness = std::exp(normal(random));
            for (std::int64_t i = 0; i < band_cells * band_times; ++i) {
                const bool is_active = i % band_cells < (band_rows - 1) * band_columns;  // the last row is not
                const double value = 30.0 * uniform(random), correction = hardness * uniform(random);
                predicted.push_back(is_active ? static_cast<float>(value) : 0.0F);
                physics.push_back(is_active ? static_cast<float>(value - correction) : 0.0F);
                const double error = normal(random) * (relative * correction + absolute);
                simulated.push_back(is_active ? static_cast<float>(value + error) : 0.0F);
            }
        }
    }
    /// A case of a field [N, T, cells] as [cells, T].
    static std::vector<float> of(const std::vector<float>& field, int which) {
        return times_last(std::span(field).subspan(static_cast<std::size_t>(which * band_cells * band_times),
                                                   band_cells * band_times),
                          band_cells);
    }
};

const std::vector<float>& mask() {
    static const std::vector<float> active = [] {
        std::vector<float> all(band_cells, 1.0F);
        std::fill(all.end() - band_columns, all.end(), 0.0F);
        return all;
    }();
    return active;
}

/// Bands of a stand-in for build-up.
FieldBands fitted(const ScratchFolder& folder, const StandIn& of) {
    const Dataset predicted(written(folder.file("predicted.h5"), "pressure_buildup", of.predicted));
    const Dataset physics(written(folder.file("physics.h5"), "pressure_buildup", of.physics));
    const Dataset simulated(written(folder.file("simulated.h5"), "pressure_buildup", of.simulated));
    return FieldBands::fit({{predicted, simulated, &physics}});
}

/// How many cases have nine tenths of their cells and times inside, and the mean width of their bands.
std::pair<int, double> judged(const FieldBand& band, const StandIn& of, int cases) {
    int held = 0;
    double width = 0.0;
    for (int which = 0; which < cases; ++which) {
        const std::vector<float> predicted = StandIn::of(of.predicted, which), physics = StandIn::of(of.physics, which),
                                 simulated = StandIn::of(of.simulated, which);
        const auto [low, high] = band.ends({Shape{band_rows, band_columns}, predicted, physics, mask()});
        int inside = 0, all = 0;
        for (std::size_t i = 0; i < simulated.size(); ++i) {
            if (mask()[i / band_times] != 0.0F) {
                inside += simulated[i] >= low[i] && simulated[i] <= high[i] ? 1 : 0;
                width += static_cast<double>(high[i]) - static_cast<double>(low[i]);
                ++all;
            }
        }
        held += inside >= 0.9 * all ? 1 : 0;
    }
    return {held, width};
}

TEST(FieldBands, HoldTheShareOfCellsInAsManyCasesAsTheirLevelSays) {
    std::mt19937_64 random(21);
    const ScratchFolder folder;
    int held = 0, all = 0;
    for (int repeat = 0; repeat < 40; ++repeat) {
        const FieldBands bands = fitted(folder, StandIn(random, 120, 0.3, 0.1));
        ASSERT_EQ(bands.fields.size(), 1U);
        held += judged(bands.fields[0], StandIn(random, 50, 0.3, 0.1), 50).first;
        all += 50;
    }
    EXPECT_NEAR(static_cast<double>(held) / all, 0.9, 0.02);
}

TEST(FieldBands, TakeTheirWidthFromCasesThatDidNotChooseTheScale) {
    constexpr int cases = 120;
    std::vector<float> predicted, simulated;
    for (int which = 0; which < cases; ++which) {
        for (std::int64_t i = 0; i < band_cells * band_times; ++i) {
            const bool is_active = i % band_cells < (band_rows - 1) * band_columns;
            const float error = which < cases / 3 ? 10.0F : 1.0F;  // larger where the scale is chosen
            predicted.push_back(is_active ? 5.0F : 0.0F);
            simulated.push_back(is_active ? 5.0F + error : 0.0F);
        }
    }
    const ScratchFolder folder;
    const Dataset said(written(folder.file("predicted.h5"), "pressure_buildup", predicted));
    const Dataset found(written(folder.file("simulated.h5"), "pressure_buildup", simulated));
    const std::vector<float> first = StandIn::of(predicted, 0);
    const auto ends =
        FieldBands::fit({{said, found}}).fields.at(0).ends({Shape{band_rows, band_columns}, first, {}, mask()});
    EXPECT_NEAR(ends.second[0] - first[0], 1.0F, 1e-5F);
}

TEST(FieldBands, HoldInEachOfSeveralSets) {
    std::mt19937_64 random(24);
    const ScratchFolder folder;
    const auto file = [&](const std::string& name, const std::vector<float>& values) {
        return Dataset(written(folder.file(name), "pressure_buildup", values));
    };
    const StandIn easy(random, 300, 0.1, 0.05), hard(random, 120, 0.5, 0.25), test(random, 200, 0.5, 0.25);
    const Dataset said = file("e.h5", easy.predicted), alone = file("p.h5", easy.physics),
                  found = file("f.h5", easy.simulated), hard_said = file("he.h5", hard.predicted),
                  hard_alone = file("hp.h5", hard.physics), hard_found = file("hf.h5", hard.simulated);
    const FieldBands bands = FieldBands::fit({{said, found, &alone}, {hard_said, hard_found, &hard_alone}});
    EXPECT_EQ(bands.cases, 420);
    EXPECT_NEAR(judged(bands.fields.at(0), test, 200).first, 180, 14);
    const FieldBands of_easy = FieldBands::fit({{said, found, &alone}});
    EXPECT_LT(judged(of_easy.fields.at(0), test, 200).first, 20);
}

TEST(FieldBands, AreNarrowerThanAConstantOneWhereErrorsGrowWithTheCorrection) {
    std::mt19937_64 random(22);
    const ScratchFolder folder;
    const StandIn test(random, 200, 0.3, 0.05);
    const FieldBands bands = fitted(folder, StandIn(random, 300, 0.3, 0.05));
    EXPECT_GT(bands.fields[0].scale.growth[2] + bands.fields[0].scale.growth[6], 0.0);
    const auto [held, width] = judged(bands.fields[0], test, 200);
    FieldBand constant{"pressure_buildup", {}, 0.0};
    for (constant.width = 0.05; judged(constant, test, 200).first < held;) {
        constant.width += 0.05;
    }
    EXPECT_LT(width, 0.8 * judged(constant, test, 200).second);
}

TEST(FieldBand, EndsWithinWhatTheFormatAdmits) {
    const std::vector<float> saturations = {0.9F, 0.2F}, active = {1.0F, 1.0F};
    const auto [low, high] = FieldBand{"gas_saturation", {}, 0.5}.ends({Shape{1, 2}, saturations, {}, active});
    EXPECT_EQ(high[0], 1.0F);
    EXPECT_FLOAT_EQ(high[1], 0.7F);
    EXPECT_FLOAT_EQ(low[0], 0.4F);
    EXPECT_EQ(low[1], 0.0F);
}

TEST(FieldBands, CountSaturationOnlyWhereThereIsSome) {
    // Nothing but the first active cell has gas, and only there is the prediction wrong.
    constexpr int cases = 100;
    std::vector<float> predicted(cases * band_cells * band_times), simulated = predicted;
    for (int i = 0; i < cases * band_times; ++i) {
        predicted[static_cast<std::size_t>(i * band_cells)] = 0.5F;
        simulated[static_cast<std::size_t>(i * band_cells)] = 0.3F;
    }
    const ScratchFolder folder;
    const Dataset said(written(folder.file("predicted.h5"), "gas_saturation", predicted));
    const Dataset found(written(folder.file("simulated.h5"), "gas_saturation", simulated));
    const FieldBands bands = FieldBands::fit({{said, found}});
    ASSERT_EQ(bands.fields.size(), 1U);
    const std::vector<float> one = times_last(std::span(predicted).first(band_cells * band_times), band_cells);
    const auto [low, high] = bands.fields[0].ends({Shape{band_rows, band_columns}, one, {}, mask()});
    EXPECT_NEAR(low[0], 0.3F, 1e-5F);
    EXPECT_NEAR(high[0], 0.7F, 1e-5F);
    const std::vector<float> none(one.size(), NAN);
    EXPECT_TRUE(std::isnan(bands.fields[0].ends({Shape{band_rows, band_columns}, none, {}, mask()}).first[0]));
    EXPECT_EQ(*std::min_element(low.begin(), low.end()), 0.0F);  // of no saturation less than none
}

TEST(BandMeasures, AreTheValueTheDifferenceBesideTheCorrectionAndTheSpread) {
    const std::vector<float> values = {1.0F, 2.0F, 6.0F, 100.0F}, physics = {1.5F, 2.0F, 5.0F, 0.0F},
                             spread = {0.25F, 0.0F, NAN, 0.0F};
    const std::vector<float> active = {1.0F, 1.0F, 1.0F, 0.0F};
    const BandMeasures of({Shape{2, 2}, values, physics, active, spread}, 1.0);
    const auto first = of.at(0), third = of.at(2);
    EXPECT_EQ(first[0], 1.0F);
    EXPECT_EQ(first[1], 5.0F);  // to the cell below; the one beside it is nearer
    EXPECT_EQ(first[2], 0.5F);
    EXPECT_EQ(third[1], 5.0F);  // not to the inactive cell
    EXPECT_EQ(third[4], 4.0F);  // in the mean over values above 1
    EXPECT_EQ(third[6], 0.5F);
    EXPECT_EQ(first[3], 0.25F);
}

TEST(LeastWidth, IsThatWhichHoldsTheShareOfTheCells) {
    const std::vector<float> predicted(10, 1.0F), active(10, 1.0F);
    std::vector<float> simulated;
    for (int i = 1; i <= 10; ++i) {
        simulated.push_back(1.0F + 0.5F * static_cast<float>(i));
    }
    const PredictedField field{Shape{2, 5}, predicted, {}, active};
    EXPECT_EQ(least_width({}, field, simulated, "pressure_buildup", 0.9), 4.5);
    BandScale twice;
    twice.growth[0] = 1.0;  // 1 + value
    EXPECT_EQ(least_width(twice, field, simulated, "pressure_buildup", 0.9), 2.25);
    simulated[3] = NAN;
    EXPECT_EQ(least_width({}, field, simulated, "pressure_buildup", 0.9), 5.0);
    const std::vector<float> none(10, 0.0F);
    EXPECT_EQ(least_width({}, {Shape{2, 5}, none, {}, active}, none, "gas_saturation", 0.9), 0.0);
}

TEST(FieldBands, KeepTheirNumbersInJson) {
    FieldBand band{"gas_saturation", {}, 0.02};
    band.scale.growth = {0.0, 2.0, 5.0, 0.0, 0.0, 0.0, 0.25, 0.0};
    const FieldBands bands{0.9, 0.8, 150, "abc", true, {band}};
    const Json json = Json::Object{{"field_bands", bands.to_json()}};
    JsonReader parent(json, "training");
    JsonReader object = parent.object("field_bands");
    const FieldBands back = FieldBands::read(object);
    EXPECT_EQ(back.share, 0.8);
    EXPECT_EQ(back.cases, 150);
    EXPECT_EQ(back.data_sha256, "abc");
    EXPECT_TRUE(back.resampled);
    EXPECT_EQ(back.of("gas_saturation")->scale.growth, band.scale.growth);
    EXPECT_EQ(back.of("pressure_buildup"), nullptr);
    EXPECT_EQ(back.to_json().dump(), bands.to_json().dump());
    EXPECT_EQ(band.text(), "0.02 + 0.04 contrast + 0.1 correction + 0.005 mean_correction");
    band.scale.growth[0] = -1.0;
    const Json wrong = Json::Object{{"band", band.to_json()}};
    JsonReader outer(wrong, "training");
    JsonReader inner = outer.object("band");
    EXPECT_THROW(FieldBand::read(inner), InvalidInput);
}

TEST(FieldBands, AreRefusedForFewAndForOtherCases) {
    const ScratchFolder folder;
    const Dataset sample(testing::write_guided_sample(folder));
    try {
        FieldBands::fit({{sample, sample}});
        FAIL() << "bands of three cases";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("holds 3 cases (intervals need 100 held-out ones"));
    }
    const std::vector<float> values(100 * band_cells * band_times, 1.0F);
    const Dataset many(written(folder.file("many.h5"), "pressure_buildup", values));
    EXPECT_THROW(FieldBands::fit({{sample, many}}), InvalidInput);
}

}  // namespace
}  // namespace plumecast
