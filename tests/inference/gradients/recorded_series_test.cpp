#include <gmock/gmock.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
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

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t series_cases = 3, series_times = 3;
const std::map<std::string, std::vector<double>> series_weights = {
    {"bottom_hole_pressure", {0.01, -0.02, 0.03, 0.01, 0.02, 0.01, -0.01, 0.03, 0.02}},
    {"mass_free", {1e-4, 3e-4, -1e-4, 2e-4, 1e-4, 1e-4, 3e-4, -2e-4, 1e-4}},
    {"mass_trapped", {2e-4, -1e-4, 4e-4, 1e-4, 2e-4, 2e-4, 1e-4, 1e-4, -3e-4}}};

PredictionOptions without_limits() {
    PredictionOptions options;
    options.limits = Limits::leave_out;
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

class RecordedSeries : public ::testing::Test {
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
    /// Compares the derivatives along a random direction with differences.
    void expect_slope(const std::string& input, double step) const {
        const std::vector<double> slopes = gradient(input, cotangents_of_series());
        DatasetContent content = model_.content();
        const std::vector<float> values = content.arrays.at(input);
        const RandomStream stream(11, "direction of " + input);
        const auto moved = [&](double by) {
            std::vector<float>& changed = content.arrays.at(input);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double part = std::tanh(stream.normal(i));
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
        double along = 0.0, size = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double change = static_cast<double>(high[i]) - static_cast<double>(low[i]);
            along += slopes[i] * change;
            size += std::abs(slopes[i] * change);
        }
        EXPECT_GT(size, 0.0) << input;
        EXPECT_NEAR(along, above - below, 0.01 * size) << input;
    }

    RecordedModel model_ = RecordedModel::radial();
    std::unique_ptr<Backend> oracle_ = make_oracle_backend();
    Predictor predictor_{model_.path(), *oracle_};
};

TEST_F(RecordedSeries, AreThoseOfAReportOnTheFields) {
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

TEST_F(RecordedSeries, HaveTheDifferencesByAllInputs) {
    for (const std::string& input : model_.inputs()) {
        if (input != "thickness") {  // of which the cells are what they are
            expect_slope(input, 2e-3);
        }
    }
}

TEST_F(RecordedSeries, CountBesideFields) {
    FieldCotangents both = cotangents_of_series();
    const FieldCotangents fields = model_.weights();
    both.insert(fields.begin(), fields.end());
    const std::vector<double> sum = gradient("permeability_r", both),
                              of_series = gradient("permeability_r", cotangents_of_series()),
                              of_fields = gradient("permeability_r", fields);
    for (std::size_t i = 0; i < sum.size(); ++i) {
        EXPECT_NEAR(sum[i], of_series[i] + of_fields[i], 1e-6 * (std::abs(of_series[i]) + std::abs(of_fields[i])));
    }
}

TEST_F(RecordedSeries, AreRefusedWhereThereAreNone) {
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
    recording.pull_back(cotangents_of_series(), gradients);
    EXPECT_THROW(recording.series("mass_free"), InvalidInput);
    const RecordedModel box = RecordedModel::cartesian();
    const Predictor predictor(box.path(), *oracle_);
    Recording of_box = predictor.record(views_of(box.content()), without_limits());
    EXPECT_TRUE(of_box.series().empty());
    EXPECT_THAT([&] { of_box.series("mass_free"); },
                ::testing::ThrowsMessage<InvalidInput>(HasSubstr("those of cylinders")));
}

}  // namespace
}  // namespace plumecast::testing
