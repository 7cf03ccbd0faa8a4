#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/inference/recording.hpp>

#include "core/random.hpp"
#include "reservoir/metrics/case_series.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/recorded_model.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t series_cases = 3, series_times = 3;
const std::map<std::string, std::vector<double>> series_weights = {
    {"bottom_hole_pressure", {0.01, -0.02, 0.03, 0.01, 0.02, 0.01, -0.01, 0.03, 0.02}},
    {"mass_free", {1e-4, 3e-4, -1e-4, 2e-4, 1e-4, 1e-4, 3e-4, -2e-4, 1e-4}},
    {"mass_trapped", {2e-4, -1e-4, 4e-4, 1e-4, 2e-4, 2e-4, 1e-4, 1e-4, -3e-4}}};

/// In two batches.
PredictionOptions without_limits() {
    PredictionOptions options;
    options.limits = Limits::leave_out;
    options.batch = 2;
    return options;
}

/// The weighted sum of the series of recorded cases.
double series_sum(Recording& recording) {
    double sum = 0.0;
    for (const auto& [name, weights] : series_weights) {
        const std::vector<double> values = recording.series(name);
        for (std::size_t i = 0; i < values.size(); ++i) {
            sum += weights[i] * values[i];
        }
    }
    return sum;
}

FieldCotangents cotangents_of_series() {
    FieldCotangents cotangents;
    for (const auto& [name, weights] : series_weights) {
        cotangents.emplace(name, view_of(weights.data(), {series_cases, series_times}, ""));
    }
    return cotangents;
}

using MakeModel = RecordedModel (*)();

class RecordedSeries : public ::testing::TestWithParam<MakeModel> {
   protected:
    Recording record(const DatasetContent& content) const {
        return predictor_.record(views_of(content), without_limits());
    }
    /// Derivatives by an input of the sum with cotangents.
    std::vector<double> gradient(const std::string& input, const FieldCotangents& cotangents) const {
        std::map<std::string, std::vector<double>> values;
        Recording recording = record(model_.content());
        recording.pull_back(cotangents, gradient_arrays(model_, {input}, values));
        return values.at(input);
    }
    /// Compares the derivatives along a change that each of them makes the sum larger by with differences.
    void expect_slope(const std::string& input, double step) const {
        const std::vector<double> slopes = gradient(input, cotangents_of_series());
        DatasetContent content = model_.content();
        const std::vector<float> values = content.arrays.at(input);
        const RandomStream stream(11, "direction of " + input);
        const auto moved = [&](double by) {
            std::vector<float>& changed = content.arrays.at(input);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double part = std::copysign(std::tanh(stream.normal(i)), slopes[i]);
                changed[i] = static_cast<float>(static_cast<double>(values[i]) * (1.0 + by * part));
            }
            return changed;
        };
        const std::vector<float> high = moved(step);
        Recording more = record(content);
        const double above = series_sum(more);
        const std::vector<float> low = moved(-step);
        Recording less = record(content);
        const double below = series_sum(less);
        double along = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            along += slopes[i] * (static_cast<double>(high[i]) - static_cast<double>(low[i]));
        }
        EXPECT_GT(along, 0.0) << input;
        EXPECT_NEAR(along, above - below, 5e-3 * along) << input;
    }

    RecordedModel model_ = GetParam()();
    std::unique_ptr<Backend> oracle_ = make_oracle_backend();
    Predictor predictor_{model_.path(), *oracle_};
};

TEST_P(RecordedSeries, AreThoseOfAReportOnTheFields) {
    std::vector<float> gas(180), buildup(180);
    Recording recording =
        predictor_.record(views_of(model_.content()), without_limits(),
                          PredictedArrays{{{"gas_saturation", output_to(gas.data(), model_.extents())},
                                           {"pressure_buildup", output_to(buildup.data(), model_.extents())}}});
    EXPECT_THAT(recording.series(), ElementsAre("bottom_hole_pressure", "mass_free", "mass_trapped"));
    const Dataset dataset(views_of(model_.content()));
    for (std::int64_t which = 0; which < series_cases; ++which) {
        CaseFields one = case_with_wells(dataset, which);
        one.gas_saturation.assign(gas.begin() + which * 60, gas.begin() + (which + 1) * 60);
        one.pressure_buildup.assign(buildup.begin() + which * 60, buildup.begin() + (which + 1) * 60);
        const std::vector<NamedSeries> all = case_series(one, dataset.times(), {});
        for (const std::string& name : recording.series()) {
            const std::vector<double> recorded = recording.series(name);
            const std::vector<double>& expected = find_series(all, name)->values;
            ASSERT_EQ(recorded.size(), 9U);
            for (std::size_t t = 0; t < 3; ++t) {
                EXPECT_DOUBLE_EQ(recorded[static_cast<std::size_t>(which) * 3 + t], expected[t]) << name;
            }
        }
    }
}

TEST_P(RecordedSeries, HaveTheDifferencesByAllInputs) {
    for (const std::string& input : model_.inputs()) {
        if (input != "thickness") {  // of which the cells are what they are
            expect_slope(input, 2e-3);
        }
    }
}

TEST_P(RecordedSeries, CountBesideFields) {
    FieldCotangents both = cotangents_of_series();
    const FieldCotangents fields = model_.weights();
    both.insert(fields.begin(), fields.end());
    const std::vector<double> sum = gradient("permeability_r", both),
                              of_series = gradient("permeability_r", cotangents_of_series()),
                              of_fields = gradient("permeability_r", fields);
    for (std::size_t i = 0; i < sum.size(); ++i) {
        const double largest = std::abs(of_series[i]) + std::abs(of_fields[i]);
        EXPECT_NEAR(sum[i], of_series[i] + of_fields[i], 1e-5 * largest);  // cotangents of fields are float32
    }
}

TEST_P(RecordedSeries, AreRefusedWhereThereAreNone) {
    Recording recording = record(model_.content());
    EXPECT_THAT([&] { recording.series("mass_dissolved"); },
                ::testing::ThrowsMessage<InvalidInput>(HasSubstr("there are bottom_hole_pressure")));
    std::map<std::string, std::vector<double>> values;
    const GradientArrays gradients = gradient_arrays(model_, {"porosity"}, values);
    const std::vector<double> weights(3, 1.0);
    EXPECT_THAT(
        [&] {
            recording.pull_back({{"mass_free", view_of(weights.data(), {3}, "")}}, gradients);
        },
        ::testing::ThrowsMessage<InvalidInput>(HasSubstr("for each value of the series")));
    EXPECT_THAT(
        [&] {
            recording.pull_back({{"mass_fre", view_of(weights.data(), {3}, "")}}, gradients);
        },
        ::testing::ThrowsMessage<InvalidInput>(
            AllOf(HasSubstr("mass_trapped)"), HasSubstr("did you mean mass_free?"))));
    recording.pull_back(cotangents_of_series(), gradients);
    EXPECT_THROW(recording.series("mass_free"), InvalidInput);
}

INSTANTIATE_TEST_SUITE_P(Models, RecordedSeries,
                         ::testing::Values([] { return RecordedModel::radial(); }, RecordedModel::guided,
                                           RecordedModel::scheduled));

TEST(RecordedFields, HaveNoSeriesInBoxesAndOneByOne) {
    const auto oracle = make_oracle_backend();
    const RecordedModel rings = RecordedModel::radial({default_fields().front()});
    const Predictor one_field(rings.path(), *oracle);
    Recording of_field = one_field.record(views_of(rings.content()), without_limits());
    EXPECT_TRUE(of_field.series().empty());
    EXPECT_THAT([&] { of_field.series("mass_free"); },
                ::testing::ThrowsMessage<InvalidInput>(HasSubstr("with a model that has them, or give weights for")));
    const RecordedModel box = RecordedModel::cartesian();
    const Predictor predictor(box.path(), *oracle);
    Recording of_box = predictor.record(views_of(box.content()), without_limits());
    EXPECT_TRUE(of_box.series().empty());
    EXPECT_THAT([&] { of_box.series("mass_free"); },
                ::testing::ThrowsMessage<InvalidInput>(HasSubstr("those of cylinders); give weights for fields")));
}

TEST(RecordedFields, AreLeftAloneByWeightsOfSeriesWithoutAValue) {
    const auto oracle = make_oracle_backend();
    const RecordedModel model = RecordedModel::radial();
    const Predictor predictor(model.path(), *oracle);
    DatasetContent content = model.content();
    content.arrays.at("initial_pressure")[2] = 2000.0F;  // of the second batch
    Recording recording = predictor.record(views_of(content), without_limits());
    std::vector<double> weights(series_cases * series_times, 1.0);
    const FieldCotangents cotangents{
        {"bottom_hole_pressure", view_of(weights.data(), {series_cases, series_times}, "")}};
    EXPECT_TRUE(std::isnan(recording.series("bottom_hole_pressure")[8]));
    std::map<std::string, std::vector<double>> values;
    const GradientArrays gradients = gradient_arrays(model, {"permeability_r"}, values);
    EXPECT_THAT([&] { recording.pull_back(cotangents, gradients); },
                ::testing::ThrowsMessage<InvalidInput>(HasSubstr("case 2: the bottom-hole pressure on day")));
    EXPECT_THAT(values.at("permeability_r"), ::testing::Each(-7.0));
    std::fill(weights.begin() + 6, weights.end(), 0.0);
    recording.pull_back(cotangents, gradients);
    EXPECT_NE(values.at("permeability_r")[0], 0.0);
    EXPECT_THAT(std::vector<double>(values.at("permeability_r").begin() + 40, values.at("permeability_r").end()),
                ::testing::Each(0.0));
}

}  // namespace
}  // namespace plumecast::testing
