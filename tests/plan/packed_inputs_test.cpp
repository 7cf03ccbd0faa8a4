#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "backend/cuda/kernels/adam.hpp"
#include "backend/cuda/kernels/box.hpp"
#include "backend/cuda/kernels/conv/ops.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "backend/cuda/kernels/error.hpp"
#include "backend/cuda/kernels/gemm.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/norm.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/cuda/kernels/replay.hpp"
#include "backend/cuda/kernels/transform.hpp"
#include "passes/fold_constants.hpp"
#include "passes/for_training.hpp"
#include "passes/narrow_fields.hpp"
#include "support/comparison.hpp"
#include "support/kernels_on_host.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

/// The kernels of the CUDA backend on the host, which count the operands that a device would have to pack, of which no
/// form is kept: weights of convolutions, and factors and biases in float32 beside bfloat16 fields.
class PackingKernels final : public cuda::KernelBackend<HostExecutor> {
    using Kernels = cuda::KernelBackend<HostExecutor>;

   public:
    PackingKernels() : Kernels(Precision::bf16, std::make_unique<CountedMemory>()) {}
    std::string description() const override { return "counts operands that are not packed"; }

    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
              Activation f) override {
        if (a.type == DType::bfloat16) {
            count(b);
            count(c.view.type == DType::bfloat16 ? bias : ConstView());
        }
        Kernels::gemm(transpose_a, transpose_b, a, b, c, bias, f);
    }
    void transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) override {
        if (x.type == DType::bfloat16 || y.view.type == DType::bfloat16) {
            count(matrix);
        }
        Kernels::transform_axis(matrix, x, y, f);
    }
    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override {
        count(weight);
        Kernels::conv(geometry, inputs, weight, bias, y, f);
    }
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override {
        count(weight);
        Kernels::conv_data_gradient(geometry, gradient_y, weight, gradient_inputs);
    }
    PackedForms pack_factor(ConstView factor) override { return copied(factor); }
    PackedForms pack_axis_matrix(ConstView matrix, bool narrow) override {
        return narrow ? copied(matrix) : PackedForms();
    }
    PackedForms pack_conv_weight(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                                 View y, WeightReader /*reader*/) override {
        EXPECT_EQ(geometry.output_shape(inputs.front().shape, y.shape[-1]), y.shape);
        return copied(weight);
    }

    int operands = 0, unpacked = 0;

   private:
    /// The form of an operand has its numbers, so that a form of another operand is found out.
    PackedForms copied(ConstView x) {
        Tensor copy(memory(), x.shape, x.type);
        add(1.0, x, {copy});
        PackedForms forms;
        forms.add("copy", std::move(copy));
        return forms;
    }
    void count(ConstView x) {
        if (x.data == nullptr) {
            return;
        }
        ++operands;
        const ConstView kept = x.packed != nullptr ? x.packed->find("copy") : ConstView();
        unpacked += kept.data == nullptr ? 1 : 0;
        if (kept.data != nullptr) {
            ASSERT_EQ(kept.shape.count(), x.shape.count());
            for (std::int64_t i = 0; i < x.shape.count(); ++i) {
                ASSERT_EQ(kept.as<float>()[i], x.as<float>()[i]);
            }
        }
    }
};

/// A network on these kernels, and how often its plan met operands.
struct Counts {
    int operands = 0, unpacked = 0;
    std::size_t constant_bytes = 0;
};

/// The gradients of a prediction with respect to its inputs.
Graph with_input_gradients(Backend& backend, Graph graph, const NetworkShapes& shapes) {
    graph = before_gradients(backend, graph);
    const Value prediction = graph.output("prediction");
    std::vector<Value> inputs;
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        if (graph.nodes()[node].op.is<InputOp>()) {
            inputs.emplace_back(graph, static_cast<int>(node));
        }
    }
    const std::vector<Value> found = gradients(prediction, graph.input("weights", prediction.type()), inputs);
    graph.output("gradient", found.front());
    EXPECT_EQ(found.size(), shapes.groups.size());
    return after_gradients(pruned(graph));
}

/// Runs a plan with random inputs.
void run(Backend& backend, const Plan& plan) {
    std::map<std::string, Tensor> given;
    for (const Node& node : plan.graph().nodes()) {
        if (const auto* input = node.op.as<InputOp>()) {
            const Tensor values = random_tensor(node.type.shape, DType::float32, input->of);
            Tensor& copy = given[input->of] =
                Tensor(backend.memory(), node.type.shape, on_backend(backend, node.type.type));
            backend.upload(values.view(), copy);
        }
    }
    std::vector<Tensor> outputs;
    std::vector<View> views;
    for (const auto& [name, node] : plan.graph().outputs()) {
        const ValueType& type = plan.graph().nodes()[static_cast<std::size_t>(node)].type;
        outputs.emplace_back(backend.memory(), type.shape, on_backend(backend, type.type));
        views.push_back(outputs.back().view());
    }
    Tensor workspace = plan.make_workspace();
    plan.run(
        workspace, [&](const std::string& name) { return std::as_const(given.at(name)).view(); }, views);
}

/// What a plan of a prediction, or of that and its gradients, meets.
Counts counts_of(const NetworkConfig& config, PlannedWeights weights_do, bool with_gradients) {
    PackingKernels backend;
    const auto network = small_network(backend, config);
    const Shape extents = config.space_axes() == 3 ? Shape{3, 4, 5, 2} : Shape{5, 7, 3};
    const NetworkShapes shapes = whole_input(config, 2, extents);
    const Feed weights = [&](const std::string& name) { return network->parameters().at(name).weight.value(); };
    const Graph described = narrow_fields(describe(config, shapes, ExecutionMode::evaluation));
    const Graph graph =
        with_gradients ? with_input_gradients(backend, described, shapes) : for_prediction(backend, described, weights);
    const Plan plan(backend, with_gradients ? fold_constants(backend, graph, weights) : graph, weights, weights_do);
    backend.operands = backend.unpacked = 0;
    run(backend, plan);
    return {backend.operands, backend.unpacked, plan.constant_bytes()};
}

void expect_packed(const NetworkConfig& config, bool with_gradients) {
    const Counts changing = counts_of(config, PlannedWeights::change, with_gradients);
    const Counts staying = counts_of(config, PlannedWeights::stay, with_gradients);
    EXPECT_GT(staying.operands, 5);
    EXPECT_EQ(staying.unpacked, 0);
    EXPECT_EQ(changing.operands, staying.operands);
    EXPECT_GT(changing.unpacked, 0) << "weights that change are packed in each pass";
    EXPECT_LT(changing.constant_bytes, staying.constant_bytes);
}

class PackedInputs : public ::testing::TestWithParam<std::string> {};

TEST_P(PackedInputs, AreKeptForEveryOperandThatADeviceWouldPackInAPass) {
    expect_packed(small_config(GetParam()), false);
}

TEST_P(PackedInputs, AreKeptOfEachTapOfConvolutionsOverFourAxes) { expect_packed(small_config_3d(GetParam()), false); }

TEST_P(PackedInputs, AreKeptForGradientsOfInputsToo) {
    expect_packed(small_config(GetParam()), true);
    expect_packed(small_config_3d(GetParam()), true);
}

INSTANTIATE_TEST_SUITE_P(Architectures, PackedInputs, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace plumecast::testing
