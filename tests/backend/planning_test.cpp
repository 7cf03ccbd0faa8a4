#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/environment.hpp"
#include "support/kernels_on_host.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

/// Some steps of a computation that allocates, computes and releases.
void compute(Backend& backend) {
    const Shape shape{100, 33};
    Tensor x(backend.memory(), shape, backend.compute_type());
    backend.fill(x, 1.0);
    {
        Tensor y(backend.memory(), shape, backend.compute_type());
        Tensor z(backend.memory(), {7}, DType::float64);
        backend.add(1.0, x, {y, 0.0});
    }
    Tensor w(backend.memory(), {5, 5}, backend.compute_type());
    backend.squared_norm(x);
}

TEST(Planning, CountsWhatTheCpuWouldUse) {
    const auto plan = make_planning_backend(), cpu = make_cpu_backend({.threads = 1});
    compute(*plan);
    compute(*cpu);
    EXPECT_GT(plan->peak_bytes(), 2u * 100 * 33 * sizeof(float));
    EXPECT_EQ(plan->peak_bytes(), cpu->peak_bytes());
}

TEST(Planning, PlansMoreThanAnyMachineHolds) {
    const auto plan = make_planning_backend();
    const Tensor huge(plan->memory(), {1 << 20, 1 << 20}, DType::float32);
    plan->fill({huge.shape(), huge.type(), const_cast<void*>(huge.view().data)}, 0.0);
    EXPECT_GE(plan->peak_bytes(), std::size_t{1} << 42);
}

TEST(Planning, ResetForgetsWhatWasReleased) {
    const auto plan = make_planning_backend();
    compute(*plan);
    plan->reset_peak_bytes();
    EXPECT_EQ(plan->peak_bytes(), 0u);
}

TEST(Planning, CountsFieldsInTheTypeOfThePrecision) {
    const auto plan = make_planning_backend(Precision::bf16), cpu = make_cpu_backend({.precision = Precision::bf16});
    for (Backend* backend : {plan.get(), cpu.get()}) {
        EXPECT_EQ(backend->field_type(), DType::bfloat16);
        EXPECT_EQ(backend->compute_type(), DType::float32);
    }
    EXPECT_EQ(make_planning_backend()->field_type(), DType::float32);
}

/// A convolution of two fields of 5 and 3 channels and the gradients of its weights.
void convolve(Backend& backend, DType fields) {
    const ConvGeometry geometry{{3, 3, 3}, {1, 1, 1}, {1, 1, 1}};
    const Shape grid{2, 6, 8, 4, 1};
    const auto field = [&](std::int64_t channels) { return Tensor(backend.memory(), grid.with(4, channels), fields); };
    const Tensor first = field(5), second = field(3);
    Tensor y = field(7);
    const Tensor weight(backend.memory(), {7, 3, 3, 3, 8}, DType::float32);
    Tensor slope(backend.memory(), weight.shape(), DType::float32);
    const std::array<ConstView, 2> inputs{first.view(), second.view()};
    backend.conv(geometry, inputs, weight.view(), {}, {y}, {});
    backend.conv_weight_gradient(geometry, inputs, std::as_const(y).view(), {slope});
}

TEST(Planning, CountsWhatKernelsOfADeviceHoldForAWhile) {
    const auto plan = make_planning_backend(Precision::fp32, PlannedDevice::cuda);
    const auto kernels = make_kernels_on_host();
    compute(*plan);
    compute(*kernels);
    EXPECT_GE(plan->peak_bytes(), kernels->peak_bytes());
    EXPECT_FALSE(plan->shares_host_memory());
}

TEST(Planning, CountsTheWorkspaceOfConvolutionsOnADevice) {
    for (const auto& [precision, type] : {std::pair{Precision::fp32, DType::float32},
                                          {Precision::tf32, DType::float32},
                                          {Precision::bf16, DType::bfloat16}}) {
        const auto plan = make_planning_backend(precision, PlannedDevice::cuda), cpu = make_planning_backend(precision);
        convolve(*plan, type);
        convolve(*cpu, type);
        constexpr std::size_t cells = 2 * 6 * 8 * 4,
                              bound = (cells * (3 + 7) + 7 * 27 * 3) * 4 + (std::size_t{32} << 20);
        EXPECT_GE(plan->peak_bytes(), cpu->peak_bytes() + bound) << static_cast<int>(precision);
        EXPECT_LE(plan->peak_bytes(), cpu->peak_bytes() + 4 * bound) << static_cast<int>(precision);
    }
}

TEST(CpuBackend, ThrowsForANegativeThreadCount) { EXPECT_THROW(make_cpu_backend({.threads = -1}), InvalidInput); }

TEST(CpuBackend, ThrowsForAPrecisionItLacks) {
    EXPECT_THROW(make_cpu_backend({.precision = Precision::tf32}), InvalidInput);
}

TEST(CpuBackend, SaysWhatBfloat16LacksOnALowerInstructionSet) {
    const EnvironmentScope forced("PLUMECAST_SIMD", "baseline");
    EXPECT_EQ(cpu_bfloat16_obstacle(), "PLUMECAST_SIMD is baseline");
}

TEST(OracleBackend, CountsBytesInUse) {
    const auto oracle = make_oracle_backend();
    compute(*oracle);
    EXPECT_EQ(oracle->peak_bytes(), (2u * 100 * 33 + 7) * sizeof(double));
    oracle->reset_peak_bytes();
    EXPECT_EQ(oracle->peak_bytes(), 0u);
}

}  // namespace
}  // namespace plumecast::testing
