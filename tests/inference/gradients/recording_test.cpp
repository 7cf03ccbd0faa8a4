#include <plumecast/inference/recording.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>

#include "support/oracle_backend.hpp"
#include "support/samples/recorded_model.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

/// |a - b| / |b| over all entries.
double relative_distance(const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0.0, size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return std::sqrt(difference / std::max(size, std::numeric_limits<double>::min()));
}

/// Distances and weights of differences f(d) - f(-d) whose weighted sum is the slope at 0 of the polynomial
/// a1 x + a3 x3 + ... of so many terms that lies nearest to half of them.
std::vector<std::pair<double, double>> smooth_stencil(int count, int terms, double reach) {
    const auto size = static_cast<std::size_t>(terms);
    std::vector<double> places;
    std::vector<std::vector<double>> system(size, std::vector<double>(size + 1, 0.0));  // its last column: the right
    for (int k = 1; k <= count; ++k) {
        places.push_back(std::sin(0.5 * std::numbers::pi * k / count));  // closer where polynomials swing more
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                system[i][j] += std::pow(places.back(), 2.0 * static_cast<double>(i + j) + 2.0);
            }
        }
    }
    system[0][size] = 1.0;
    for (std::size_t i = 0; i < size; ++i) {  // positive definite: needs no pivots
        for (std::size_t row = 0; row < size; ++row) {
            const double factor = row == i ? 0.0 : system[row][i] / system[i][i];
            for (std::size_t j = i; j <= size; ++j) {
                system[row][j] -= factor * system[i][j];
            }
        }
    }
    std::vector<std::pair<double, double>> stencil;
    for (const double place : places) {
        double weight = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
            weight += system[i][size] / system[i][i] * std::pow(place, 2.0 * static_cast<double>(i) + 1.0);
        }
        stencil.emplace_back(place * reach, 0.5 * weight / reach);
    }
    return stencil;
}

/// How a slope is taken from predictions.
struct Stencil {
    int pairs, terms;
    double reach;  ///< relative to the value of an input
};

/// A step from a value of few bits to either side, so that both ends are float32.
float exact_step(float value, double relative) {
    const int last = std::ilogb(value) - 20;
    return std::ldexp(static_cast<float>(std::round(std::ldexp(static_cast<double>(value) * relative, -last))), last);
}

/// Slopes along random directions, relative to the values of each input, by the gradient and by differences.
class Directions {
   public:
    /// `noise`: of the sums, relative.
    Directions(const RecordedModel& model, int count, const Stencil& stencil, double noise)
        : model_(model),
          count_(count),
          stencil_(smooth_stencil(stencil.pairs, stencil.terms, stencil.reach)),
          noise_(noise / stencil.reach),
          predictor_(model.path(), *oracle_),
          gradients_(model.gradients(predictor_, Limits::leave_out)) {}

    /// Largest difference of the two, relative to the size that slopes of an input have and to the noise of the
    /// differences; each case is a direction of its own.
    double largest_error(const std::string& input) {
        const std::vector<float> values = model_.content().arrays.at(input);
        std::vector<double> found, expected;
        for (int i = 0; i < count_; ++i) {
            std::vector<double> direction(values.size());
            for (double& one : direction) {
                one = uniform_(draw_);
            }
            differentiate(input, values, direction, found, expected);
        }
        double size = 0.0, largest = 0.0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            size += expected[i] * expected[i] / static_cast<double>(found.size());
            largest = std::max(largest, std::abs(found[i] - expected[i]));
        }
        return largest / (std::sqrt(size) + noise_ * largest_sum_);
    }

   private:
    /// Adds the slope of each case, of an odd polynomial through central differences or nearest to them, and what the
    /// gradient says of the same weighted sum of steps, which lie on one line but for rounding.
    void differentiate(const std::string& input, const std::vector<float>& values, const std::vector<double>& direction,
                       std::vector<double>& found, std::vector<double>& expected) {
        const std::vector<double>& gradient = gradients_.at(input);
        DatasetContent moved = model_.content();
        const std::size_t begin = expected.size();
        for (const auto& [distance, weight] : stencil_) {
            for (const double sign : {1.0, -1.0}) {
                std::vector<float>& changed = moved.arrays.at(input);
                for (std::size_t cell = 0; cell < values.size(); ++cell) {
                    const float step =
                        values[cell] == 0.0F ? 0.0F : exact_step(values[cell], distance * direction[cell]);
                    changed[cell] = sign > 0.0 ? values[cell] + step : values[cell] - step;
                }
                const std::vector<double> sums = model_.sums(*predictor_.bundle().networks.front().network, moved);
                expected.resize(begin + sums.size());
                found.resize(begin + sums.size());
                for (std::size_t n = 0; n < sums.size(); ++n) {
                    expected[begin + n] += sign * weight * sums[n];
                    largest_sum_ = std::max(largest_sum_, std::abs(sums[n]));
                }
                for (std::size_t cell = 0; cell < values.size(); ++cell) {
                    found[begin + cell * sums.size() / values.size()] +=
                        sign * weight * gradient[cell] * static_cast<double>(changed[cell]);
                }
            }
        }
    }

    const RecordedModel& model_;
    int count_;
    std::vector<std::pair<double, double>> stencil_;
    double noise_;
    double largest_sum_ = 0.0;
    std::unique_ptr<Backend> oracle_ = make_oracle_backend();
    Predictor predictor_;
    std::map<std::string, std::vector<double>> gradients_;
    std::mt19937 draw_{4};
    std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

/// So many that each input is moved in 6 directions, or in 50 with PLUMECAST_MANY_DIRECTIONS, one per draw and case;
/// one draw where sanitizers slow it down.
int draws_of(int cases) {
#ifdef NDEBUG
    const int directions = std::getenv("PLUMECAST_MANY_DIRECTIONS") == nullptr ? 6 : 50;
    return (directions + cases - 1) / cases;
#else
    return cases > 0 ? 1 : 0;
#endif
}

void expect_differences(const RecordedModel& model, int count, const Stencil& stencil, double noise, double tolerance) {
    Directions directions(model, count, stencil, noise);
    double largest = 0.0;
    for (const std::string& input : model.inputs()) {
        const double error = directions.largest_error(input);
        largest = std::max(largest, error);
        EXPECT_LT(error, tolerance) << input;
    }
    ::testing::Test::RecordProperty("largest_error", std::to_string(1e9 * largest) + "e-9");
}

constexpr Stencil sixth_order{3, 3, 0.02};

TEST(Recording, GivesTheDifferencesOfARadialModelInRandomDirections) {
    expect_differences(RecordedModel::radial(), draws_of(3), sixth_order, 0.0, 1e-6);
}

TEST(Recording, GivesTheDifferencesOfTheMeanOfMembers) {
    expect_differences(RecordedModel::radial(default_fields(), 2), draws_of(2), sixth_order, 0.0, 1e-6);
}

// The mean rate that networks know is float32.
TEST(Recording, GivesTheDifferencesByTheRatesOfASchedule) {
    const RecordedModel model = RecordedModel::scheduled();
    EXPECT_THAT(model.inputs(), ::testing::Not(::testing::Contains("injection_rate")));
    expect_differences(model, draws_of(3), sixth_order, 0.0, 1e-4);
}

TEST(Recording, GivesTheDifferencesOfACartesianModelInRandomDirections) {
    expect_differences(RecordedModel::cartesian(), draws_of(2), sixth_order, 0.0, 1e-6);
}

// The physics is float32, which the nearest polynomial of a wide stencil averages out.
TEST(Recording, GivesTheDifferencesOfAGuidedModelInRandomDirections) {
    expect_differences(RecordedModel::guided(), 1, {8, 5, 0.5}, 1e-6, 5e-4);
}

void expect_oracle(const RecordedModel& model, Limits limits) {
    const auto oracle = make_oracle_backend();
    const auto cpu = make_cpu_backend({.threads = 1});
    const auto expected = model.gradients(Predictor(model.path(), *oracle), limits);
    for (const auto& [name, values] : model.gradients(Predictor(model.path(), *cpu), limits)) {
        EXPECT_LT(relative_distance(values, expected.at(name)), 1e-4) << name;
    }
}

TEST(Recording, OfTheCpuGivesTheGradientsOfTheOracle) {
    for (const Limits limits : {Limits::apply, Limits::leave_out}) {
        expect_oracle(RecordedModel::radial(), limits);
        expect_oracle(RecordedModel::cartesian(), limits);
        expect_oracle(RecordedModel::guided(), limits);
    }
}

/// The message of a refusal.
template <class Call>
std::string gradient_refusal(const Call& call) {
    try {
        call();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

class RecordingTest : public ::testing::Test {
   protected:
    Recording record(const PredictionOptions& options = {}, const PredictedArrays& outputs = {}) {
        return predictor_.record(cases_, options, outputs);
    }
    Recording record_in_batches(std::int64_t size) {
        PredictionOptions options;
        options.batch = size;
        return record(options);
    }
    GradientArrays gradients(const std::vector<std::string>& inputs) {
        return gradient_arrays(model_, inputs, values_);
    }

    RecordedModel model_ = RecordedModel::radial();
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    Predictor predictor_{model_.path(), *backend_};
    MemoryCases cases_ = views_of(model_.content());
    std::map<std::string, std::vector<double>> values_;
};

TEST_F(RecordingTest, IsPulledBackOnce) {
    Recording recording = record();
    recording.pull_back(model_.weights(), gradients({"porosity"}));
    EXPECT_THAT(gradient_refusal([&] { recording.pull_back(model_.weights(), gradients({"porosity"})); }),
                HasSubstr("was pulled back before (its tape goes with that); record the cases again"));
}

TEST_F(RecordingTest, KeepsItsTapeAfterARefusal) {
    Recording recording = record();
    const FieldCotangents weights = model_.weights();
    EXPECT_THAT(gradient_refusal([&] { recording.pull_back({}, gradients({"porosity"})); }),
                HasSubstr("no weights are given"));
    EXPECT_THAT(gradient_refusal([&] { recording.pull_back(weights, {}); }), HasSubstr("no gradient is asked for"));
    EXPECT_THAT(gradient_refusal([&] {
                    recording.pull_back({{"saturation", weights.begin()->second}}, gradients({"porosity"}));
                }),
                HasSubstr("weights of 'saturation', which was not recorded (the recording has gas_saturation, "));
    EXPECT_THAT(gradient_refusal([&] {
                    GradientArrays arrays = gradients({"porosity"});
                    arrays["porosty"] = arrays.at("porosity");
                    arrays.erase("porosity");
                    recording.pull_back(weights, arrays);
                }),
                HasSubstr("did you mean porosity?"));
    EXPECT_THAT(gradient_refusal([&] {
                    GradientArrays arrays = gradients({"porosity", "permeability_r"});
                    arrays.at("porosity") = arrays.at("permeability_r");
                    recording.pull_back(weights, arrays);
                }),
                HasSubstr("share memory"));
    EXPECT_THAT(gradient_refusal([&] {
                    FieldCotangents wrong = weights;
                    wrong.begin()->second.extents.back() = 4;
                    recording.pull_back(wrong, gradients({"porosity"}));
                }),
                HasSubstr("one weight for each value of the field"));
    EXPECT_THAT(gradient_refusal([&] {
                    GradientArrays arrays = gradients({"porosity"});
                    arrays.at("porosity").extents[0] = 1;
                    recording.pull_back(weights, arrays);
                }),
                HasSubstr("gradient porosity has the shape [1, 4, 5] (cases and grid want [3, 4, 5])"));
    recording.pull_back(weights, gradients({"porosity"}));
    EXPECT_THAT(values_.at("porosity"), ::testing::Contains(::testing::Ne(0.0)));
}

TEST_F(RecordingTest, GivesTheSameThroughStridesAndInBatches) {
    Recording first = record_in_batches(3);
    first.pull_back(model_.weights(), gradients({"permeability_r"}));
    std::vector<float> spread(2 * 60, -7.0F);
    Recording second = record_in_batches(1);
    second.pull_back(model_.weights(), {{"permeability_r", output_to(spread.data(), {3, 4, 5}, {40, 10, 2})}});
    const std::vector<double>& expected = values_.at("permeability_r");
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_NEAR(static_cast<double>(spread[2 * i]), expected[i], 1e-5 * std::abs(expected[i]) + 1e-9);
        EXPECT_EQ(spread[2 * i + 1], -7.0F);
    }
}

TEST_F(RecordingTest, WritesTheFieldsOfAPrediction) {
    std::vector<float> recorded(180), predicted(180);
    const PredictedArrays outputs{{{"gas_saturation", output_to(recorded.data(), model_.extents())}}};
    EXPECT_THAT(record({}, outputs).fields(), ::testing::ElementsAre("gas_saturation", "pressure_buildup"));
    predictor_.predict(cases_, PredictedArrays{{{"gas_saturation", output_to(predicted.data(), model_.extents())}}},
                       {});
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        EXPECT_EQ(std::isnan(recorded[i]), std::isnan(predicted[i]));
        EXPECT_TRUE(std::isnan(recorded[i]) || std::abs(recorded[i] - predicted[i]) < 1e-5F) << i;
    }
}

TEST_F(RecordingTest, LeavesOutInactiveCells) {
    FieldCotangents weights = model_.weights();
    std::vector<float> own(180, 1.0F);
    for (std::size_t i = 0; i < own.size(); ++i) {
        own[i] = i / 5 % 4 == 3 ? std::numeric_limits<float>::quiet_NaN() : 1.0F;  // the last row is inactive
    }
    weights["gas_saturation"] = view_of(own.data(), model_.extents(), "");
    record().pull_back(weights, gradients({"permeability_r"}));
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_TRUE(std::isfinite(values_.at("permeability_r")[i]));
        EXPECT_EQ(values_.at("permeability_r")[i] == 0.0, i / 5 % 4 == 3) << i;
    }
}

TEST_F(RecordingTest, StopsWhenAskedTo) {
    PredictionOptions options;
    options.stop_requested = [] { return true; };
    EXPECT_THROW(record(options), Interrupted);
}

TEST(RecordingOfTwoPhases, GivesTheGradientsOfTheOracleByAllInputs) {
    const RecordedModel model(tiny_guided_network("fno"), guided_content());
    for (const Limits limits : {Limits::apply, Limits::leave_out}) {
        expect_oracle(model, limits);
    }
    const auto cpu = make_cpu_backend({.threads = 1});
    const auto gradients = model.gradients(Predictor(model.path(), *cpu), Limits::leave_out);
    for (const char* input : {"permeability_z", "perforation", "initial_pressure", "van_genuchten_lambda"}) {
        EXPECT_THAT(gradients.at(input), ::testing::Contains(::testing::Ne(0.0))) << input;
    }
}

TEST(RecordingOfTwoPhases, GivesTheGradientsOfTheOracleByTheRatesOfASchedule) {
    DatasetContent content = guided_content();
    content.arrays.erase("injection_rate");
    content.schedule_ends = {20.0, 60.0, 900.0};
    content.arrays["schedule_rate"] = {0.05F, 0.1F, 0.0F, 0.1F, 0.1F, 0.2F, 0.3F, 0.0F, 0.1F};
    const RecordedModel model(tiny_guided_network("fno"), std::move(content));
    expect_oracle(model, Limits::leave_out);
    const auto cpu = make_cpu_backend({.threads = 1});
    const auto by_rates = model.gradients(Predictor(model.path(), *cpu), Limits::leave_out).at("schedule_rate");
    EXPECT_THAT(by_rates, ::testing::SizeIs(9));
    EXPECT_THAT(by_rates, ::testing::Each(::testing::Ne(0.0)));
}

TEST(RecordingOfTwoPhases, WritesTheFieldsThatBasesOfDoublePrecisionGive) {
    const RecordedModel model(tiny_guided_network("fno"), guided_content());
    const std::string cases = model.file("cases.h5");
    write_dataset(cases, model.content());
    std::vector<float> recorded(180), predicted(180);
    const auto written_to = [&](std::vector<float>& values) {
        return PredictedArrays{{{"pressure_buildup", output_to(values.data(), model.extents())}}};
    };
    const auto oracle = make_oracle_backend(), cpu = make_cpu_backend({.threads = 1});
    Predictor(model.path(), *oracle).record(cases, {}, written_to(recorded));
    Predictor(model.path(), *cpu).predict(cases, written_to(predicted), {});
    const auto is_large = [](float value) { return std::abs(value) > 0.01F; };
    EXPECT_GT(std::ranges::count_if(predicted, is_large), 20);
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        EXPECT_EQ(std::isnan(recorded[i]), std::isnan(predicted[i])) << i;
        EXPECT_TRUE(std::isnan(recorded[i]) ||
                    std::abs(recorded[i] - predicted[i]) < 1e-4F + 1e-4F * std::abs(predicted[i]))
            << i;
    }
}

TEST(PredictionWithoutLimits, GivesWhatTheNetworkSays) {
    std::vector<Field> fields = default_fields();
    fields[0].scale = 30.0;  // beyond 0 and 1
    const RecordedModel model = RecordedModel::radial(fields);
    const auto backend = make_cpu_backend({.threads = 1});
    const Predictor predictor(model.path(), *backend);
    std::vector<float> limited(180), free(180);
    PredictionOptions options;
    predictor.predict(views_of(model.content()),
                      PredictedArrays{{{"gas_saturation", output_to(limited.data(), model.extents())}}}, options);
    options.limits = Limits::leave_out;
    predictor.predict(views_of(model.content()),
                      PredictedArrays{{{"gas_saturation", output_to(free.data(), model.extents())}}}, options);
    const float cutoff = 0.005F;
    int changed = 0;
    for (std::size_t i = 0; i < free.size(); ++i) {
        if (std::isnan(free[i])) {
            continue;
        }
        const float expected = std::clamp(free[i], 0.0F, 1.0F);
        EXPECT_EQ(limited[i], expected < cutoff ? 0.0F : expected);
        changed += limited[i] != free[i] ? 1 : 0;
    }
    EXPECT_GT(changed, 0);
}

}  // namespace
}  // namespace plumecast::testing
