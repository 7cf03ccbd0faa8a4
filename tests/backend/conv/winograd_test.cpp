#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "backend/conv/conv_cases.hpp"
#include "backend/cpu/conv/choice.hpp"
#include "backend/cpu/conv/winograd_conv.hpp"
#include "backend/cpu/processor/simd_levels.hpp"
#include "backend/cpu/simd.hpp"
#include "support/comparison.hpp"

namespace plumecast::testing {
namespace {

std::optional<cpu::TilePlan> plan_of(const ConvCase& c, bool backward, Winograd tiles) {
    return cpu::TilePlan::make(c.geometry, backward, backward ? c.part(0) : c.output(),
                               backward ? c.output() : c.part(0), tiles);
}

std::optional<cpu::TilePlan> gradient_plan_of(const ConvCase& c, Winograd tiles) {
    const bool up = c.geometry.transposed;
    return cpu::TilePlan::make_gradient(c.geometry, up ? c.output() : c.part(0), up ? c.part(0) : c.output(), tiles);
}

/// All that fits of: stride 1 and kernel 3 along two axes, doubling with kernel 4; even and odd grids, one cell, all
/// paddings, transposed, other kernels along the last axis, several inputs, channels below and beyond the vectors.
std::vector<ConvCase> tiled_cases(bool backward) {
    const ConvGeometry k3{};
    const ConvGeometry thin{.kernel = {3, 3, 1}, .padding_low = {1, 1, 0}, .padding_high = {1, 1, 0}};
    const ConvGeometry wide{.kernel = {3, 3, 5}, .padding_low = {0, 2, 1}, .padding_high = {3, 0, 2}};
    const ConvGeometry inner{.padding_low = {0, 0, 0}, .padding_high = {0, 0, 0}};
    const ConvGeometry far{.padding_low = {6, 5, 3}, .padding_high = {0, 1, 0}};
    const ConvGeometry up{.padding_low = {1, 0, 2}, .padding_high = {1, 2, 0}, .transposed = true};
    std::vector<ConvCase> cases{
        {"even", k3, {2, 4, 6, 5}, {17}, 36},        {"odd", k3, {1, 3, 5, 4}, {36, 36}, 24},
        {"one line", k3, {1, 1, 1, 9}, {3}, 2},      {"thin", thin, {2, 5, 4, 3}, {16, 5}, 40},
        {"wide", wide, {1, 4, 3, 6}, {8}, 70},       {"without padding", inner, {2, 5, 6, 3}, {20}, 16},
        {"far padding", far, {1, 3, 4, 2}, {4}, 33}, {"transposed", up, {2, 3, 4, 5}, {6, 2}, 18}};
    for (const ConvCase& c : conv_cases()) {
        cases.push_back(c);
    }
    std::erase_if(cases, [&](const ConvCase& c) { return !plan_of(c, backward, Winograd::f2); });
    return cases;
}

/// The kernels of one instruction set on three threads; skipped where the processor lacks it.
class WinogradConv : public ::testing::TestWithParam<const char*> {
   protected:
    void SetUp() override {
        try {
            kernels_ = cpu::simd_kernels(GetParam()).conv;
        } catch (const InvalidInput& missing) {
            GTEST_SKIP() << missing.what();
        }
    }
    cpu::WinogradConv on(int threads) const { return {*kernels_, threads, {&backend_->memory()}}; }
    Backend& backend() { return *backend_; }

   private:
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    const cpu::ConvKernels* kernels_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(Levels, WinogradConv, ::testing::Values("baseline", "avx2", "avx512"),
                         [](const auto& level) { return std::string(level.param); });

/// Bounds of the relative error: direct sums stay below the first, the larger tiles below the second.
double bound(Winograd tiles) { return tiles == Winograd::f2 ? 2e-6 : 6e-6; }

TEST_P(WinogradConv, MatchesTheOracleForwardWithBiasBetaAndActivation) {
    int turn = 0;
    for (const Winograd tiles : {Winograd::f2, Winograd::f4}) {
        for (const ConvCase& c : tiled_cases(false)) {
            const double beta = turn % 2, slope = turn % 3 * 0.5;
            const bool with_bias = ++turn % 4 < 2;
            const auto op = [&](Arrays& a) {
                const auto inputs = c.random_inputs(a);
                const View w = a.random("w", c.weight()), bias = a.random("bias", {c.outputs});
                const OutputRef y = a.target("y", c.output(), beta);
                const ConstView b = with_bias ? ConstView(bias) : ConstView();
                if (&a.backend() == &backend()) {
                    on(3).forward(*plan_of(c, false, tiles), c.geometry, inputs, w, b, y, static_cast<float>(slope));
                } else {
                    a.backend().conv(c.geometry, inputs, w, b, y, Activation::leaky_relu(slope));
                }
            };
            expect_like_oracle(backend(), {"y"}, op, bound(tiles), c.name);
        }
    }
}

TEST_P(WinogradConv, MatchesTheOracleInTheDataGradient) {
    for (const Winograd tiles : {Winograd::f2, Winograd::f4}) {
        for (const ConvCase& c : tiled_cases(true)) {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < c.inputs.size(); ++i) {
                names.push_back("gx" + std::to_string(i));
            }
            const auto op = [&](Arrays& a) {
                const View w = a.random("w", c.weight()), g = a.random("g", c.output());
                std::vector<OutputRef> gradients;
                for (std::size_t i = 0; i < names.size(); ++i) {
                    gradients.push_back(a.target(names[i], c.part(i), i % 2 == 0 ? 1.0 : 0.0));
                }
                if (&a.backend() == &backend()) {
                    on(3).data_gradient(*plan_of(c, true, tiles), c.geometry, g, w, gradients);
                } else {
                    a.backend().conv_data_gradient(c.geometry, g, w, gradients);
                }
            };
            expect_like_oracle(backend(), names, op, bound(tiles), c.name);
        }
    }
}

TEST_P(WinogradConv, MatchesTheOracleInTheWeightGradient) {
    double beta = 0.0;
    int met = 0;
    for (const Winograd tiles : {Winograd::f2, Winograd::f4}) {
        for (const ConvCase& c : tiled_cases(false)) {
            const std::optional<cpu::TilePlan> plan = gradient_plan_of(c, tiles);
            if (!plan) {
                continue;
            }
            ++met;
            beta = 1.0 - beta;
            const auto op = [&](Arrays& a) {
                const auto inputs = c.random_inputs(a);
                const View g = a.random("g", c.output());
                const OutputRef gw = a.target("gw", c.weight(), beta);
                if (&a.backend() == &backend()) {
                    on(3).weight_gradient(*plan, c.geometry, inputs, g, gw);
                } else {
                    a.backend().conv_weight_gradient(c.geometry, inputs, g, gw);
                }
            };
            expect_like_oracle(backend(), {"gw"}, op, bound(tiles), c.name);
        }
    }
    EXPECT_GE(met, 20);
}

TEST_P(WinogradConv, GivesTheSameBitsWithAnyNumberOfThreads) {
    const ConvCase c{"", {}, {2, 7, 5, 6}, {17, 3}, 19};
    for (const Winograd tiles : {Winograd::f2, Winograd::f4}) {
        Arrays a(backend());
        const auto inputs = c.random_inputs(a);
        const View w = a.random("w", c.weight());
        for (const int threads : {1, 2, 5}) {
            on(threads).forward(*plan_of(c, false, tiles), c.geometry, inputs, w, {},
                                a.target(std::to_string(threads), c.output(), 0.0), 0.1f);
        }
        EXPECT_EQ(as_double(a.download("1")), as_double(a.download("2")));
        EXPECT_EQ(as_double(a.download("1")), as_double(a.download("5")));
    }
}

TEST(TilePlan, FitsWhereResultsMeetTwoOrThreeNeighboursOfEveryPhase) {
    const ConvGeometry k3{}, strided{.stride = {2, 2, 2}};
    const ConvGeometry k1{.kernel = {1, 1, 1}, .padding_low = {0, 0, 0}, .padding_high = {0, 0, 0}};
    const ConvGeometry k5{.kernel = {5, 3, 3}, .padding_low = {2, 1, 1}, .padding_high = {2, 1, 1}};
    const ConvGeometry doubling{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true};
    const Shape fine{1, 8, 8, 8, 4}, coarse{1, 4, 4, 4, 4}, shallow{1, 8, 8, 1, 4};
    const auto fits = [](const ConvGeometry& g, bool backward, const Shape& result, const Shape& source) {
        return cpu::TilePlan::make(g, backward, result, source, Winograd::f4).has_value();
    };
    const auto fits_gradient = [](const ConvGeometry& g, const Shape& wide, const Shape& narrow) {
        return cpu::TilePlan::make_gradient(g, wide, narrow, Winograd::f4).has_value();
    };
    for (const bool backward : {false, true}) {
        EXPECT_TRUE(fits(k3, backward, fine, fine));
        EXPECT_FALSE(fits(k1, backward, fine, fine));
        EXPECT_FALSE(fits(k5, backward, fine, fine));
    }
    EXPECT_TRUE(fits(doubling, false, fine, coarse));
    EXPECT_TRUE(fits(doubling, true, coarse, fine));
    EXPECT_TRUE(fits(strided, false, coarse, fine));
    EXPECT_TRUE(fits(strided, true, fine, coarse));
    EXPECT_TRUE(fits_gradient(k3, fine, fine));
    EXPECT_TRUE(fits_gradient(strided, fine, coarse));
    EXPECT_TRUE(fits_gradient(doubling, fine, coarse));
    EXPECT_FALSE(fits_gradient(k3, shallow, shallow)) << "two weights meet nothing along axis 3";
}

TEST(TilePlan, TakesLargeTilesOnlyWhereTheySaveProducts) {
    const auto tiles = [](std::int64_t rows, Winograd winograd) {
        const Shape shape{1, rows, 8, 8, 4};
        return cpu::TilePlan::make({}, false, shape, shape, winograd)->filter_1->tile;
    };
    EXPECT_EQ(tiles(8, Winograd::f4), 4);
    EXPECT_EQ(tiles(3, Winograd::f4), 4);
    EXPECT_EQ(tiles(2, Winograd::f4), 2);
    EXPECT_EQ(tiles(8, Winograd::f2), 2);
}

TEST(ConvChoice, TakesWinogradForManyDeepTilesOnly) {
    using Method = cpu::ConvChoice::Method;
    const cpu::ConvKernels avx512{.lanes = 16, .most_vectors = 3, .rows = nullptr, .outer = nullptr, .tiles = nullptr};
    const cpu::ConvChoice rule(nullptr, avx512, Winograd::f2), always("winograd", avx512, Winograd::f2),
        never("direct", avx512, Winograd::f2);
    const ConvGeometry doubling{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true};
    const Shape large{1, 40, 72, 32, 24}, half{1, 20, 36, 16, 24}, small{1, 5, 9, 3, 24};
    EXPECT_EQ(rule.forward({}, large, large, 48, 24).method, Method::winograd);
    EXPECT_EQ(rule.data_gradient({}, large, large, 24, 48).method, Method::winograd);
    EXPECT_EQ(rule.forward(doubling, large, half, 48, 24).method, Method::winograd);
    EXPECT_EQ(rule.data_gradient(doubling, half, large, 24, 48).method, Method::winograd);
    EXPECT_EQ(rule.forward({}, large, large, 1, 24).method, Method::direct);
    EXPECT_EQ(rule.forward({}, small, small, 48, 24).method, Method::direct);
    EXPECT_EQ(always.forward({}, small, small, 3, 24).method, Method::winograd);
    EXPECT_EQ(never.forward({}, large, large, 48, 24).method, Method::direct);
    EXPECT_EQ(rule.weight_gradient({}, large, large, 48, 24).method, Method::winograd);
    EXPECT_EQ(rule.weight_gradient(doubling, large, half, 48, 24).method, Method::winograd);
    EXPECT_EQ(rule.weight_gradient({}, small, small, 48, 24).method, Method::direct);
}

}  // namespace
}  // namespace plumecast::testing
