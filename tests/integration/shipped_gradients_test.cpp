#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/inference/recording.hpp>

#include "support/long_tests.hpp"
#include "support/repository.hpp"
#include "support/samples/finite_changes.hpp"
#include "support/samples/first_cases.hpp"

namespace plumecast::testing {
namespace {

const std::string repository = repository_folder();
constexpr std::int64_t sample_size = 8;
constexpr std::size_t cells = 32 * 64, values_of_case = 24 * cells;
const std::vector<std::int64_t> all_values{sample_size, 24, 32, 64};

using Means = std::map<std::string, std::vector<double>>;

/// The derivatives of the mean of a field by the logarithms of the inputs, all cells of a map together, of each case.
Means derivatives(const Predictor& predictor, const DatasetContent& content, const std::string& field,
                  const std::vector<std::string>& inputs, std::vector<std::int64_t>& retaken) {
    std::map<std::string, std::vector<double>> slopes;
    GradientArrays arrays;
    for (const std::string& name : inputs) {
        const std::size_t count = content.arrays.at(name).size();
        slopes[name].resize(count);
        arrays[name] =
            output_to(slopes[name].data(), count == sample_size ? std::vector<std::int64_t>{sample_size}
                                                                : std::vector<std::int64_t>{sample_size, 32, 64});
    }
    const std::vector<float> ones(sample_size * values_of_case, 1.0F);
    PredictionOptions options;
    options.limits = Limits::leave_out;
    Recording recording = predictor.record(views_of(content), options);
    recording.pull_back({{field, view_of(ones.data(), all_values, "")}}, arrays);
    retaken = recording.retaken_steps();
    Means along;
    for (const std::string& name : inputs) {
        const std::vector<float>& values = content.arrays.at(name);
        for (std::size_t i = 0; i < values.size(); ++i) {
            along[name].resize(sample_size);
            along[name][i * sample_size / values.size()] += slopes[name][i] * static_cast<double>(values[i]);
        }
    }
    return along;
}

/// The sums of both fields of each case over active cells and times.
Means summed_fields(const Predictor& predictor, const DatasetContent& content) {
    std::vector<float> saturation(sample_size * values_of_case), buildup(saturation.size());
    PredictionOptions options;
    options.limits = Limits::leave_out;
    predictor.predict(views_of(content),
                      PredictedArrays{{{"gas_saturation", output_to(saturation.data(), all_values)},
                                       {"pressure_buildup", output_to(buildup.data(), all_values)}}},
                      options);
    Means sums;
    for (const auto& [name, values] : {std::pair{"gas_saturation", &saturation}, {"pressure_buildup", &buildup}}) {
        sums[name].resize(sample_size);
        for (std::size_t i = 0; i < values->size(); ++i) {
            const float value = (*values)[i];
            sums[name][i / values_of_case] += std::isnan(value) ? 0.0 : static_cast<double>(value);
        }
    }
    return sums;
}

DatasetContent with_input(DatasetContent content, const std::string& name, double factor) {
    for (float& value : content.arrays.at(name)) {
        value = static_cast<float>(static_cast<double>(value) * factor);
    }
    return content;
}

/// All inputs, or a sample of two, others of each model.
std::vector<std::string> changed_inputs(const std::string& model) {
    if (are_tests_long()) {
        return {"permeability_r",
                "permeability_z",
                "porosity",
                "injection_rate",
                "temperature",
                "initial_pressure",
                "van_genuchten_lambda",
                "irreducible_water_saturation"};
    }
    return model == "radial-co2" ? std::vector<std::string>{"permeability_r", "injection_rate"}
                                 : std::vector<std::string>{"porosity", "van_genuchten_lambda"};
}

class ShippedModelGradients : public ::testing::TestWithParam<std::string> {};

// The page docs/physics.md says what the gradient makes of kinks and jumps; here are all fields and cases of the
// sample, and in the label long all inputs.
TEST_P(ShippedModelGradients, PredictChangesOfPercents) {
    const DatasetContent given = first_cases(repository + "/data/radial_sample.h5", sample_size);
    const std::vector<std::string> inputs = changed_inputs(GetParam());
    const auto backend = make_cpu_backend({.threads = 2});
    const Predictor predictor(repository + "/models/" + GetParam(), *backend);
    std::map<std::string, Means> found;
    std::vector<std::int64_t> retaken;
    for (const std::string field : {"gas_saturation", "pressure_buildup"}) {
        found[field] = derivatives(predictor, given, field, inputs, retaken);
    }
    for (std::size_t n = 0; n < retaken.size(); ++n) {
        // Cases whose physics retakes steps; with the longer steps of the fast model two more.
        const bool is_fast = GetParam() == "radial-co2-fast";
        const bool is_rough = n == 0 || n == 4 || n == 5 || (is_fast && (n == 1 || n == 6));
        EXPECT_EQ(retaken[n] > 0, is_rough) << "case " << n << ": " << retaken[n];
    }
    FiniteChanges changes;
    for (const std::string& input : inputs) {
        std::map<std::string, std::array<std::array<double, 3>, sample_size>> differences;
        for (std::size_t k = 0; k < FiniteChanges::steps.size(); ++k) {
            const double step = FiniteChanges::steps[k];
            const Means high = summed_fields(predictor, with_input(given, input, 1.0 + step));
            const Means low = summed_fields(predictor, with_input(given, input, 1.0 - step));
            for (const auto& [field, sums] : high) {
                for (std::size_t n = 0; n < sums.size(); ++n) {
                    differences[field][n][k] = (sums[n] - low.at(field)[n]) / (2.0 * step);
                }
            }
        }
        for (const auto& [field, of_cases] : differences) {
            for (std::size_t n = 0; n < of_cases.size(); ++n) {
                changes.add("case " + std::to_string(n) + ", " + field + " by " + input, found.at(field).at(input)[n],
                            of_cases[n]);
            }
        }
    }
    EXPECT_GE(changes.stable(), are_tests_long() ? 48U : 9U);
    EXPECT_LT(changes.median(), 0.02);
    EXPECT_LT(changes.largest(), 0.1) << changes.worst();
    RecordProperty("stable", std::to_string(changes.stable()));
    RecordProperty("median", std::to_string(changes.median()));
    RecordProperty("worst", changes.worst());
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedModelGradients, ::testing::Values("radial-co2", "radial-co2-fast"),
                         [](const auto& model) { return model.param == "radial-co2" ? "usual" : "fast"; });

}  // namespace
}  // namespace plumecast::testing
