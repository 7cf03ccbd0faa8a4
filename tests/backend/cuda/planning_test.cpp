#include "backend/cuda/planning.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "backend/conv/conv_cases.hpp"
#include "backend/cuda/kernels/elementwise.hpp"

namespace plumecast::testing {
namespace {

/// The arrays of a convolution in the memory of a planner.
struct PlannedConv {
    PlannedConv(Backend& backend, const ConvCase& of)
        : y(backend.memory(), of.output(), backend.field_type()),
          weight(backend.memory(), of.weight(), DType::float32) {
        for (std::size_t i = 0; i < of.inputs.size(); ++i) {
            fields.emplace_back(backend.memory(), of.part(i), backend.field_type());
            inputs.emplace_back(fields.back().view());
        }
    }

    Tensor y, weight;
    std::vector<Tensor> fields;
    std::vector<ConstView> inputs;
};

void expect_packed_weights_counted(Precision precision, const ConvCase& one, WeightReader reader) {
    const std::unique_ptr<Backend> plan = cuda::make_cuda_planner(precision);
    PlannedConv a(*plan, one);
    plan->reset_peak_bytes();
    const std::size_t before = plan->peak_bytes();
    const PackedForms kept = plan->pack_conv_weight(one.geometry, a.inputs, a.weight.view(), a.y.view(), reader);
    EXPECT_GE(kept.bytes(), static_cast<std::size_t>(one.weight().count()) * size_of(plan->field_type())) << one.name;
    EXPECT_GE(plan->peak_bytes(), before + kept.bytes()) << one.name;
}

TEST(CudaPlanner, CountsWeightsThatAPlanKeepsPacked) {
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        for (const ConvCase& one : conv_cases()) {
            expect_packed_weights_counted(precision, one, WeightReader::conv);
            expect_packed_weights_counted(precision, one, WeightReader::data_gradient);
        }
    }
}

TEST(CudaPlanner, NamesEachKernelThatIsStarted) {
    std::vector<cuda::PlannedKernel> heard;
    const auto plan = cuda::make_cuda_planner(Precision::fp32, [&](const cuda::PlannedKernel& kernel) {
        EXPECT_GT(kernel.indices, 0);
        heard.push_back(kernel);
    });
    const Tensor x(plan->memory(), {3, 5}, DType::float32), none(plan->memory(), {0, 5}, DType::float32);
    Tensor y(plan->memory(), {3, 5}, DType::float32), nothing(plan->memory(), {0, 5}, DType::float32);
    plan->add(1.0, none, {nothing});
    EXPECT_TRUE(heard.empty()) << "nothing to add";
    plan->add(1.0, x, {y});
    ASSERT_EQ(heard.size(), 1u);
    using Copy = cuda::kernel::Elementwise<4, cuda::kernel::Convert<float>, float, float>;
    EXPECT_EQ(heard.front().type, typeid(Copy));
    EXPECT_EQ(heard.front().indices, 4) << "15 elements, four at a time";
    EXPECT_TRUE(heard.front().is_narrow);
}

TEST(CudaPlanner, TakesAsManyRowsAtOnceAsADevice) {
    const auto plan = cuda::make_cuda_planner(Precision::fp32);
    EXPECT_EQ(plan->rows_at_once(std::size_t{1} << 10), std::int64_t{1} << 16) << "64 MiB of rows";
    EXPECT_EQ(plan->rows_at_once(std::size_t{1} << 30), 1);
}

}  // namespace
}  // namespace plumecast::testing
