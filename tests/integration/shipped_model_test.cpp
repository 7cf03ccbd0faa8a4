#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "support/backends.hpp"
#include "support/samples/first_cases.hpp"

namespace plumecast::testing {
namespace {

const std::string root = std::string(PLUMECAST_REFERENCE_FOLDER) + "/../..";

/// The means that docs/numerics.md lists, of a field over the sample's cases.
std::vector<double> scores(Backend& backend, const std::string& field) {
    const Predictor predictor(root + "/models/radial-co2", backend);
    const Dataset sample(root + "/data/radial_sample.h5");
    for (const Evaluation& evaluation : predictor.evaluate(sample, {})) {
        for (const FieldEvaluation& one : evaluation.fields) {
            if (one.field.name == field) {
                const CaseErrors mean = one.errors.mean();
                return {mean.mpe, mean.mre, mean.relative_l2, mean.mae, one.errors.pooled_r2()};
            }
        }
    }
    return {};
}

class ShippedModel : public BackendTest {};

/// Without the CUDA kernels on the host, which take minutes for so much.
std::vector<BackendChoice> fast_backends() {
    std::vector<BackendChoice> all = bfloat16_backends();
    std::erase_if(all, [](const BackendChoice& choice) { return choice.name == "cuda_kernels_bf16"; });
    return all;
}
INSTANTIATE_TEST_SUITE_P(Backends, ShippedModel, ::testing::ValuesIn(fast_backends()), choice_name);

TEST_P(ShippedModel, ScoresInBfloat16WhatItScoresInFloat32ToOnePercent) {
    const auto exact = make_cpu_backend({.threads = 2});
    for (const std::string field : {"gas_saturation", "pressure_buildup"}) {
        const std::vector<double> right = scores(*exact, field), tried = scores(backend(), field);
        ASSERT_EQ(tried.size(), right.size());
        ASSERT_FALSE(right.empty());
        EXPECT_NE(tried, right) << "bfloat16 was not used";
        for (std::size_t k = 0; k < right.size(); ++k) {
            if (!std::isnan(right[k])) {
                EXPECT_NEAR(tried[k], right[k], 0.01 * std::abs(right[k])) << field << ", score " << k;
            }
        }
    }
}

/// The sum of the build-up of a case over active cells and times, by a shipped model.
double summed_buildup(const Predictor& predictor, const DatasetContent& content,
                      const std::vector<std::int64_t>& extents) {
    std::vector<float> values(24 * 32 * 64);
    PredictionOptions options;
    options.limits = Limits::leave_out;
    predictor.predict(views_of(content), PredictedArrays{{{"pressure_buildup", output_to(values.data(), extents)}}},
                      options);
    double sum = 0.0;
    for (const float value : values) {
        sum += std::isnan(value) ? 0.0 : static_cast<double>(value);
    }
    return sum;
}

// Kinks and jumps of the physics are in the differences alone (docs/physics.md): the bound sees a part of the way that
// is missing, not the digits, which the tests of the physics have.
TEST(ShippedModelGradients, AreThoseOfDifferencesThroughItsPhysics) {
    const DatasetContent given = first_cases(root + "/data/radial_sample.h5", 1);
    const std::vector<std::int64_t> extents{1, 24, 32, 64};
    const std::vector<float> ones(24 * 32 * 64, 1.0F);
    const auto backend = make_cpu_backend({.threads = 1});
    for (const char* model : {"/models/radial-co2", "/models/radial-co2-fast"}) {
        SCOPED_TRACE(model);
        const Predictor predictor(root + model, *backend);
        std::map<std::string, std::vector<double>> slopes;
        GradientArrays arrays;
        for (const char* map : {"permeability_r", "permeability_z", "porosity"}) {
            slopes[map].resize(32 * 64);
            arrays[map] = output_to(slopes[map].data(), {1, 32, 64});
        }
        for (const char* scalar : {"injection_rate", "temperature", "initial_pressure", "van_genuchten_lambda"}) {
            slopes[scalar].resize(1);
            arrays[scalar] = output_to(slopes[scalar].data(), {1});
        }
        PredictionOptions options;
        options.limits = Limits::leave_out;
        predictor.record(views_of(given), options)
            .pull_back({{"pressure_buildup", view_of(ones.data(), extents, "")}}, arrays);
        for (const auto& [name, found] : slopes) {
            constexpr double step = 0.01;
            double along = 0.0;
            DatasetContent high = given, low = given;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const double value = static_cast<double>(given.arrays.at(name)[i]);
                high.arrays.at(name)[i] = static_cast<float>(value * (1.0 + step));
                low.arrays.at(name)[i] = static_cast<float>(value * (1.0 - step));
                along += found[i] * value;
            }
            const double difference =
                (summed_buildup(predictor, high, extents) - summed_buildup(predictor, low, extents)) / (2.0 * step);
            EXPECT_NEAR(along, difference, 0.1 * std::abs(difference)) << name;
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
