#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <plumecast/inference/evaluation.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/errors.hpp>

#include "support/backends.hpp"
#include "support/repository.hpp"

namespace plumecast::testing {
namespace {

const std::string root = repository_folder();

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

}  // namespace
}  // namespace plumecast::testing
