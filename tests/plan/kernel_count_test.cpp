#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "backend/cuda/planning.hpp"
#include "passes/narrow_fields.hpp"

namespace plumecast::testing {
namespace {

/// Memory for the weights of a graph, by name.
std::map<std::string, Tensor> room_for_weights(Backend& backend, const Graph& graph) {
    std::map<std::string, Tensor> weights;
    for (const WeightOp& weight : graph.weights()) {
        weights.emplace(weight.of, Tensor(backend.memory(), weight.shape, backend.compute_type()));
    }
    return weights;
}

/// Kernels of one pass of the published size.
std::int64_t kernels_of_plan(const std::string& architecture, Precision precision) {
    std::int64_t kernels = 0;
    const std::unique_ptr<Backend> planner =
        cuda::make_cuda_planner(precision, [&](const cuda::PlannedKernel& /*kernel*/) { ++kernels; });
    Backend& backend = *planner;
    const NetworkConfig config = NetworkConfig::published(architecture);
    const NetworkShapes shapes = whole_input(config, 1, {96, 200, 24});
    Graph described = describe(config, shapes, ExecutionMode::evaluation);
    described = precision == Precision::bf16 ? narrow_fields(described) : described;
    const std::map<std::string, Tensor> memory = room_for_weights(backend, described);
    const Feed weights = [&](const std::string& name) { return memory.at(name).view(); };
    const Plan plan(backend, for_prediction(backend, described, weights), weights);
    Tensor workspace = plan.make_workspace();
    const Tensor input(backend.memory(), shapes.groups.front().values, DType::float32);
    Tensor output(backend.memory(), {1, 96, 200, 24, 1}, DType::float32);
    kernels = 0;
    plan.run(
        workspace, [&](const std::string&) { return input.view(); }, std::array{output.view()});
    return kernels;
}

// A product, transform or convolution counts as one, which libraries may make two of.
TEST(KernelCount, OfAPublishedPassIsAtMost150) {
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        for (const char* architecture : {"fno", "conv_fno", "ufno", "cnn"}) {
            const std::int64_t kernels = kernels_of_plan(architecture, precision);
            RecordProperty(std::string(architecture) + (precision == Precision::bf16 ? "_bf16" : "_fp32"),
                           std::to_string(kernels));
            EXPECT_GT(kernels, 20) << architecture;
            EXPECT_LE(kernels, 150) << architecture;
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
