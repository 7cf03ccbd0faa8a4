#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "backend/conv/conv_cases.hpp"
#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/processor/simd_levels.hpp"
#include "backend/cpu/simd.hpp"
#include "support/comparison.hpp"
#include "support/environment.hpp"

namespace plumecast::testing {
namespace {

/// Channel counts below, at and beyond the vectors of every instruction set, each with two geometries and other cells.
std::vector<ConvCase> wide_cases() {
    const std::vector<ConvCase> shapes = conv_cases();
    const std::vector<Shape> cells{{1, 2, 3, 9}, {2, 1, 2, 8}, {1, 3, 2, 5}, {1, 2, 8, 2}, {2, 3, 1, 1}};
    const std::vector<std::pair<std::vector<std::int64_t>, std::int64_t>> channels{
        {{1}, 64},  {{3}, 17},  {{5}, 36},     {{8}, 8},       {{16}, 16},      {{17}, 24},
        {{24}, 40}, {{32}, 32}, {{36, 36}, 5}, {{40, 16}, 32}, {{64, 3, 8}, 1}, {{1, 17, 36}, 36}};
    std::vector<ConvCase> cases;
    std::size_t next = 0;
    for (const auto& [inputs, outputs] : channels) {
        for (int repeat = 0; repeat < 2; ++next) {
            ConvCase c{"", shapes[next % shapes.size()].geometry, cells[next % cells.size()], inputs, outputs};
            try {
                c.name = c.part(0).text() + " -> " + c.output().text() + " " + shapes[next % shapes.size()].name;
            } catch (const InvalidInput&) {
                continue;  // this geometry has no output on these cells
            }
            cases.push_back(c);
            ++repeat;
        }
    }
    return cases;
}

/// The direct kernels of one instruction set on three threads; skipped where the processor lacks it.
class DirectConv : public ::testing::TestWithParam<const char*> {
   protected:
    void SetUp() override {
        try {
            direct_.emplace(*cpu::simd_kernels(GetParam()).conv, 3, cpu::ScratchMemory{&backend_->memory()});
        } catch (const InvalidInput& missing) {
            GTEST_SKIP() << missing.what();
        }
    }
    /// Compares with the oracle; `op` gets the direct kernels, or nullptr when the oracle is to work.
    void expect_right(const std::vector<std::string>& results, double tolerance, const std::string& what,
                      const std::function<void(Arrays&, const cpu::DirectConv*)>& op) {
        expect_like_oracle(
            *backend_, results, [&](Arrays& a) { op(a, &a.backend() == backend_.get() ? &*direct_ : nullptr); },
            tolerance, what);
    }
    const cpu::DirectConv& direct() const { return *direct_; }
    Backend& backend() { return *backend_; }

   private:
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    std::optional<cpu::DirectConv> direct_;
};
INSTANTIATE_TEST_SUITE_P(Levels, DirectConv, ::testing::Values("baseline", "avx2", "avx512"),
                         [](const auto& level) { return std::string(level.param); });

TEST_P(DirectConv, MatchesTheOracleForwardWithBiasBetaAndActivation) {
    int turn = 0;
    for (const ConvCase& c : wide_cases()) {
        const double beta = turn % 2, slope = turn % 3 * 0.5;
        const bool with_bias = ++turn % 4 < 2;
        expect_right({"y"}, 2e-6, c.name, [&](Arrays& a, const cpu::DirectConv* kernels) {
            const auto inputs = c.random_inputs(a);
            const View w = a.random("w", c.weight()), bias = a.random("bias", {c.outputs});
            const OutputRef y = a.target("y", c.output(), beta);
            const ConstView b = with_bias ? ConstView(bias) : ConstView();
            if (kernels != nullptr) {
                kernels->forward(c.geometry, inputs, w, b, y, static_cast<float>(slope));
            } else {
                a.backend().conv(c.geometry, inputs, w, b, y, Activation::leaky_relu(slope));
            }
        });
    }
}

TEST_P(DirectConv, MatchesTheOracleInTheDataGradientAndAccumulates) {
    for (const ConvCase& c : wide_cases()) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < c.inputs.size(); ++i) {
            names.push_back("gx" + std::to_string(i));
        }
        expect_right(names, 2e-6, c.name, [&](Arrays& a, const cpu::DirectConv* kernels) {
            const View g = a.random("g", c.output()), w = a.random("w", c.weight());
            std::vector<OutputRef> gradients;
            for (std::size_t i = 0; i < names.size(); ++i) {
                gradients.push_back(a.target(names[i], c.part(i), i % 2 == 0 ? 0.0 : 1.0));
            }
            if (kernels != nullptr) {
                kernels->data_gradient(c.geometry, g, w, gradients);
            } else {
                a.backend().conv_data_gradient(c.geometry, g, w, gradients);
            }
        });
    }
}

TEST_P(DirectConv, MatchesTheOracleInTheWeightGradient) {
    double beta = 0.0;
    for (const ConvCase& c : wide_cases()) {
        beta = 1.0 - beta;
        expect_right({"gw"}, 2e-6, c.name, [&](Arrays& a, const cpu::DirectConv* kernels) {
            const auto inputs = c.random_inputs(a);
            const View g = a.random("g", c.output());
            const OutputRef gw = a.target("gw", c.weight(), beta);
            if (kernels != nullptr) {
                kernels->weight_gradient(c.geometry, inputs, g, gw);
            } else {
                a.backend().conv_weight_gradient(c.geometry, inputs, g, gw);
            }
        });
    }
}

TEST_P(DirectConv, GivesTheSameBitsInEveryRun) {
    const ConvCase c{"", {}, {1, 4, 5, 6}, {17}, 19};
    Arrays a(backend());
    const auto inputs = c.random_inputs(a);
    const View g = a.random("g", c.output());
    for (const char* name : {"first", "second"}) {
        direct().weight_gradient(c.geometry, inputs, g, a.target(name, c.weight(), 0.0));
    }
    EXPECT_EQ(as_double(a.download("first")), as_double(a.download("second")));
}

/// All convolution ops, accumulating, with an activation.
void expect_right_convolutions(Backend& backend, double tolerance) {
    for (const ConvCase& c : conv_cases()) {
        const auto ops = [&](Arrays& a) {
            const auto inputs = c.random_inputs(a);
            const View w = a.random("w", c.weight()), g = a.field("g", c.output());
            std::vector<OutputRef> gradients;
            for (std::size_t i = 0; i < c.inputs.size(); ++i) {
                gradients.push_back(a.field_target("gx" + std::to_string(i), c.part(i), i % 2 == 0 ? 1.0 : 0.0));
            }
            a.backend().conv(c.geometry, inputs, w, a.random("b", {c.outputs}), a.field_target("y", c.output(), 1.0),
                             Activation::leaky_relu(0.1));
            a.backend().conv_data_gradient(c.geometry, g, w, gradients);
            a.backend().conv_weight_gradient(c.geometry, inputs, g, a.target("gw", c.weight(), 1.0));
        };
        expect_like_oracle(backend, {"y", "gx0", "gw"}, ops, tolerance, c.name);
    }
}

TEST(ConvChoice, GivesOneDnnWhenAskedAndAllOpsAgreeWithTheOracle) {
    const EnvironmentScope forced("PLUMECAST_CONV", "onednn");
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        expect_right_convolutions(*make_cpu_backend({.threads = 2, .precision = precision}),
                                  precision == Precision::bf16 ? bfloat16_tolerance : 1e-5);
    }
}

TEST(ConvChoice, ThrowsForAnUnknownWord) {
    const EnvironmentScope forced("PLUMECAST_CONV", "fft");
    EXPECT_THROW(make_cpu_backend({.threads = 1}), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
