#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/passes/narrow_fields.hpp>
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
    PackedForms pack_factor(ConstView factor) override { return copied(factor); }
    PackedForms pack_axis_matrix(ConstView matrix) override { return copied(matrix); }
    PackedForms pack_conv_weight(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                                 View y) override {
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

Counts counts_of(const std::string& architecture, PlannedWeights weights_do) {
    PackingKernels backend;
    const auto network = small_network(backend, small_config(architecture));
    const NetworkShapes shapes = whole_input(network->config(), 2, {5, 7, 3});
    const Feed weights = [&](const std::string& name) { return network->parameters().at(name).weight.value(); };
    const Graph described = narrow_fields(describe(network->config(), shapes, ExecutionMode::evaluation));
    const Plan plan(backend, for_prediction(backend, described, weights), weights, weights_do);
    Tensor workspace = plan.make_workspace();
    const Tensor channels = random_tensor(shapes.groups.front().values, DType::float32, "channels");
    Tensor input(backend.memory(), channels.shape(), DType::float32);
    backend.upload(channels.view(), input);
    const auto prediction = static_cast<std::size_t>(plan.graph().outputs().front().second);
    Tensor output(backend.memory(), plan.graph().nodes()[prediction].type.shape, DType::float32);
    backend.operands = backend.unpacked = 0;
    plan.run(
        workspace, [&](const std::string&) { return std::as_const(input).view(); }, std::array{output.view()});
    return {backend.operands, backend.unpacked, plan.constant_bytes()};
}

class PackedInputs : public ::testing::TestWithParam<std::string> {};

TEST_P(PackedInputs, AreKeptForEveryOperandThatADeviceWouldPackInAPass) {
    const Counts changing = counts_of(GetParam(), PlannedWeights::change);
    const Counts staying = counts_of(GetParam(), PlannedWeights::stay);
    EXPECT_GT(staying.operands, 5);
    EXPECT_EQ(staying.unpacked, 0);
    EXPECT_EQ(changing.operands, staying.operands);
    EXPECT_GT(changing.unpacked, 0) << "weights that change are packed in each pass";
    EXPECT_LT(changing.constant_bytes, staying.constant_bytes);
}

INSTANTIATE_TEST_SUITE_P(Architectures, PackedInputs, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace plumecast::testing
