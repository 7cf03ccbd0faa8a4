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

/// Fields of a backend's type and all three products of a convolution of two fields of 24 channels to 36.
void convolve_all_ways(Backend& backend, const ConvGeometry& geometry) {
    const Shape grid{2, 18, 32, 16, 24};
    const Shape result = geometry.output_shape(grid.with(4, 48), 36);
    const auto zeros = [&](const Shape& shape, DType type) {
        Tensor tensor(backend.memory(), shape, type);
        backend.fill(tensor, 0.0);
        return tensor;
    };
    Tensor first = zeros(grid, backend.field_type()), second = zeros(grid, backend.field_type());
    Tensor y = zeros(result, backend.field_type());
    Tensor weight = zeros(geometry.weight_shape(48, 36), DType::float32);
    const std::array<ConstView, 2> inputs{std::as_const(first).view(), std::as_const(second).view()};
    backend.conv(geometry, inputs, std::as_const(weight).view(), {}, {y}, {});
    const std::array<OutputRef, 2> gradients{OutputRef{first, 0.0}, OutputRef{second, 1.0}};
    backend.conv_data_gradient(geometry, std::as_const(y).view(), std::as_const(weight).view(), gradients);
    backend.conv_weight_gradient(geometry, inputs, std::as_const(y).view(), {weight, 1.0});
}

TEST(CpuPlanning, CountsWhatConvolutionsHoldForAWhile) {
    ConvGeometry usual, halving, doubling, pointwise;
    halving.stride = doubling.stride = {2, 2, 2};
    doubling.kernel = {4, 4, 4};
    doubling.transposed = true;
    pointwise.kernel = {1, 1, 1};
    pointwise.padding_low = pointwise.padding_high = {0, 0, 0};
    for (const char* conv : {"", "direct", "winograd", "onednn"}) {
        const EnvironmentScope forced("PLUMECAST_CONV", conv);
        for (const Precision precision : {Precision::fp32, Precision::bf16}) {
            for (const int threads : {1, 3}) {
                const CpuOptions options{.threads = threads, .precision = precision};
                for (const ConvGeometry& geometry : {usual, halving, doubling, pointwise}) {
                    const auto plan = make_cpu_planner(options), cpu = make_cpu_backend(options);
                    convolve_all_ways(*plan, geometry);
                    convolve_all_ways(*cpu, geometry);
                    EXPECT_EQ(plan->peak_bytes(), cpu->peak_bytes())
                        << conv << " " << threads << " threads, kernel " << geometry.kernel[0];
                }
            }
        }
    }
}

/// The memory of a convolution's fields and weights is less than what is held while it is computed.
TEST(CpuPlanning, CountsMoreThanFieldsAndWeights) {
    const ConvGeometry geometry;
    const auto narrow = make_cpu_planner({.threads = 2, .precision = Precision::bf16});
    convolve_all_ways(*narrow, geometry);
    constexpr std::size_t cells = 2 * 18 * 32 * 16, numbers = cells * (48 + 36), weights = 36 * 27 * 48;
    EXPECT_GT(narrow->peak_bytes(), 2 * numbers + 4 * weights + (std::size_t{1} << 20));
    const auto one = make_cpu_planner({.threads = 1}), four = make_cpu_planner({.threads = 4});
    convolve_all_ways(*one, geometry);
    convolve_all_ways(*four, geometry);
    EXPECT_GT(four->peak_bytes(), one->peak_bytes());
}

/// A product of rows by a small factor, a sum over rows, and one that a library computes.
void multiply(Backend& backend, std::int64_t columns) {
    const auto field = [&](std::int64_t extent) {
        Tensor tensor(backend.memory(), {3000, extent}, backend.field_type());
        backend.fill(tensor, 0.0);
        return tensor;
    };
    const Tensor x = field(36);
    Tensor y = field(columns);
    Tensor weight(backend.memory(), {36, columns}, DType::float32);
    backend.fill(weight, 0.0);
    backend.gemm(false, false, x.view(), std::as_const(weight).view(), {y}, {}, {});
    backend.gemm(true, false, x.view(), std::as_const(y).view(), {weight, 1.0}, {}, {});
}

TEST(CpuPlanning, CountsWhatProductsHoldForAWhile) {
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        for (const std::int64_t columns : {1, 36, 40'000}) {
            const CpuOptions options{.threads = 2, .precision = precision};
            const auto plan = make_cpu_planner(options), cpu = make_cpu_backend(options);
            multiply(*plan, columns);
            multiply(*cpu, columns);
            EXPECT_EQ(plan->peak_bytes(), cpu->peak_bytes()) << columns;
        }
    }
}

TEST(CpuPlanning, RefusesWhatTheCpuRefuses) {
    EXPECT_THROW(make_cpu_planner({.threads = -1}), InvalidInput);
    EXPECT_THROW(make_cpu_planner({.precision = Precision::tf32}), InvalidInput);
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
        const auto plan = make_planning_backend(precision, PlannedDevice::cuda);
        convolve(*plan, type);
        constexpr std::size_t cells = 2 * 6 * 8 * 4, weights = 7 * 27 * 8,
                              bound = (cells * (3 + 7) + 7 * 27 * 3) * 4 + (std::size_t{32} << 20);
        const std::size_t held = cells * (5 + 3 + 7) * size_of(type) + 2 * weights * sizeof(float);
        EXPECT_GE(plan->peak_bytes(), held + bound) << static_cast<int>(precision);
        EXPECT_LE(plan->peak_bytes(), held + 4 * bound) << static_cast<int>(precision);
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
