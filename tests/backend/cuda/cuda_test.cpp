#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/version.hpp>

#include "backend/conv/conv_cases.hpp"
#include "support/comparison.hpp"
#include "support/environment.hpp"
#include "support/kernels_on_host.hpp"
#include "support/op_check.hpp"

namespace plumecast::testing {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Tests that need a CUDA device; skipped, with the reason, where none can be used.
class Cuda : public ::testing::Test {
   protected:
    void SetUp() override {
        const std::string obstacle = cuda_obstacle();
        if (!obstacle.empty()) {
            GTEST_SKIP() << obstacle;
        }
    }
    static std::unique_ptr<Backend> make(Precision precision = Precision::fp32, std::size_t bytes = 256 * mebibyte) {
        return make_cuda_backend({.precision = precision, .memory_bytes = bytes});
    }
};

TEST_F(Cuda, SaysWhatItComputesWith) {
    EXPECT_THAT(make()->description(), ::testing::MatchesRegex("cuda: .+, fp32, cuBLASLt [0-9.]+, cuDNN [0-9.]+"));
    EXPECT_THAT(make(Precision::tf32)->description(), ::testing::HasSubstr(", tf32, "));
    EXPECT_THAT(build_info().backends, ::testing::Contains("cuda"));
}

TEST_F(Cuda, ThrowsWhenItsMemoryIsUsedUpAndGoesOnAfterwards) {
    const auto backend = make(Precision::fp32, 4 * mebibyte);
    const Tensor half(backend->memory(), {2, mebibyte / 4}, DType::float32);
    EXPECT_THROW(Tensor(backend->memory(), {3, mebibyte / 4}, DType::float32), DeviceError);
    EXPECT_NO_THROW(Tensor(backend->memory(), {2, mebibyte / 4}, DType::float32));
}

TEST_F(Cuda, ThrowsForMoreMemoryThanTheDeviceHas) {
    EXPECT_THROW(make(Precision::fp32, std::size_t{1} << 44), OutOfMemory);
    const auto backend = make();
    Tensor one(backend->memory(), {1}, DType::float32);
    EXPECT_NO_THROW(backend->fill(one, 1.0)) << "the first kernel after it reports what was refused before";
}

TEST_F(Cuda, SumsAreTheSameBitsAsOnTheHost) {
    const auto device = make(), host = make_kernels_on_host();
    Arrays first(*device), second(*host);
    const auto run = [](Arrays& a) {
        const View x = a.random("x", {70001, 3});
        a.backend().column_sums(x, a.target("sums", {3}, 0.0));
        return a.backend().squared_norm(x);
    };
    EXPECT_EQ(run(first), run(second));
    EXPECT_EQ(as_double(first.download("sums")), as_double(second.download("sums")));
}

TEST_F(Cuda, RepeatsEveryBit) {
    const auto backend = make();
    const ConvCase c{"", {}, {1, 8, 9, 10}, {17}, 19};
    const auto run = [&](const std::string& name) {
        Arrays a(*backend);
        const auto inputs = c.random_inputs(a);
        const View w = a.random("w", c.weight()), g = a.random("g", c.output());
        a.backend().conv(c.geometry, inputs, w, {}, a.target("y", c.output(), 0.0), Activation::identity());
        a.backend().conv_weight_gradient(c.geometry, inputs, g, a.target("gw", c.weight(), 0.0));
        a.backend().gemm(true, false, a.random("a", {5000, 33}), a.random("b", {5000, 17}),
                         a.target("product", {33, 17}, 0.0), {}, Activation::identity());
        return as_double(a.download(name));
    };
    for (const char* name : {"y", "gw", "product"}) {
        EXPECT_EQ(run(name), run(name)) << name;
    }
}

/// All three products of every convolution, against the oracle.
void expect_convolutions(Backend& backend, const std::vector<ConvCase>& cases, double tolerance) {
    for (const ConvCase& c : cases) {
        const auto ops = [&](Arrays& a) {
            const auto inputs = c.random_inputs(a);
            const View w = a.random("w", c.weight()), g = a.random("g", c.output());
            std::vector<OutputRef> gradients;
            for (std::size_t i = 0; i < c.inputs.size(); ++i) {
                gradients.push_back(a.target("gx" + std::to_string(i), c.part(i), i % 2 == 0 ? 1.0 : 0.0));
            }
            a.backend().conv(c.geometry, inputs, w, a.random("b", {c.outputs}), a.target("y", c.output(), 1.0),
                             Activation::leaky_relu(0.1));
            a.backend().conv_data_gradient(c.geometry, g, w, gradients);
            a.backend().conv_weight_gradient(c.geometry, inputs, g, a.target("gw", c.weight(), 1.0));
        };
        expect_like_oracle(backend, {"y", "gx0", "gw"}, ops, tolerance, c.name);
    }
}

TEST_F(Cuda, ConvolvesWithKernelsAloneWhenAsked) {
    const EnvironmentScope forced("PLUMECAST_CUDA_CONV", "direct");
    expect_convolutions(*make(), conv_cases(), 1e-5);
}

TEST_F(Cuda, ConvolvesRightlyWhatCudnnTakesAndNamesWhatItRefuses) {
    const EnvironmentScope forced("PLUMECAST_CUDA_CONV", "cudnn");
    std::string refused;
    std::size_t taken = 0;
    for (const ConvCase& c : conv_cases()) {
        try {
            expect_convolutions(*make(), {c}, 1e-5);
            ++taken;
        } catch (const DeviceError& refusal) {
            refused += c.name + ": " + refusal.what() + "\n";
        }
    }
    RecordProperty("refused", refused);
    EXPECT_GT(taken, 0U) << refused;
}

TEST_F(Cuda, ConvolvesEveryCaseByTheFirstWayThatTakesIt) {
    for (const Precision precision : {Precision::fp32, Precision::tf32}) {
        std::string log;
        const auto backend = make_cuda_backend(
            {.precision = precision, .memory_bytes = 256 * mebibyte, .log = [&](Severity, std::string_view text) {
                 log += std::string(text) + "\n";
             }});
        expect_convolutions(*backend, conv_cases(), precision == Precision::fp32 ? 1e-5 : 2e-3);
        RecordProperty(precision == Precision::fp32 ? "instead_in_fp32" : "instead_in_tf32", log);
    }
}

TEST_F(Cuda, ThrowsForAnUnknownWayToConvolve) {
    const EnvironmentScope forced("PLUMECAST_CUDA_CONV", "winograd");
    EXPECT_THROW(make(), InvalidInput);
}

TEST_F(Cuda, RoundsToTenBitsInTf32Only) {
    const auto ops = [](Arrays& a) {
        a.backend().gemm(false, false, a.random("a", {128, 256}), a.random("b", {256, 64}),
                         a.target("c", {128, 64}, 0.0), {}, Activation::identity());
    };
    expect_like_oracle(*make(Precision::fp32), {"c"}, ops, 2e-6);
    expect_like_oracle(*make(Precision::tf32), {"c"}, ops, 2e-3);
    expect_convolutions(*make(Precision::tf32), conv_cases(), 2e-3);
}

TEST_F(Cuda, SplitProductsAreAsExactAsPlainOnes) {
    for (const char* route : {"split", "fastest"}) {
        const EnvironmentScope forced("PLUMECAST_CUDA_AXIS", route);
        const auto backend = make();
        for (const double beta : {0.0, 1.0, 0.5}) {
            const auto ops = [&](Arrays& a) {
                a.backend().transform_axis(a.random("m", {22, 208}), a.random("x", {3, 208, 36}),
                                           a.target("y", {3, 22, 36}, beta), Activation::relu());
            };
            expect_like_oracle(*backend, {"y"}, ops, 1e-6, route);
        }
    }
    const EnvironmentScope unknown("PLUMECAST_CUDA_AXIS", "fft");
    EXPECT_THROW(make(), InvalidInput);
}

TEST_F(Cuda, RecordsRepeatedWork) {
    std::vector<std::string> log;
    const auto backend = make_cuda_backend(
        {.memory_bytes = 256 * mebibyte, .log = [&](Severity, std::string_view text) { log.emplace_back(text); }});
    Tensor x(backend->memory(), {1000, 3}, DType::float32), y(backend->memory(), {3}, DType::float32);
    const auto replay = backend->make_replay();
    for (int round = 1; round < 6; ++round) {
        backend->fill(x, round);
        replay->run([&] { backend->column_sums(x, {y}); });
        Tensor sums = host_zeros({3});
        backend->download(y, sums);
        EXPECT_EQ(sums.values<float>()[2], 1000.0f * static_cast<float>(round));
    }
    EXPECT_TRUE(log.empty()) << log.front();
}

}  // namespace
}  // namespace plumecast::testing
