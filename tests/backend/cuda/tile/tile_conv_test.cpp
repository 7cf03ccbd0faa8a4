#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <plumecast/core/bfloat16.hpp>

#include "backend/conv/conv_cases.hpp"
#include "support/blocks/tiles_on_host.hpp"
#include "support/comparison.hpp"

/// Convolutions by tiles, on emulated tensor cores, against the float64 oracle. Tolerances, as relative L2 errors:
/// - bfloat16 fields and weights that bfloat16 holds: products are exact and sums of float32, so what remains is that
///   the result is rounded once, at most 2^-9 of each element. A result that is not rounded, the gradient of the
///   weight, is off by the sums alone, as in float32.
/// - float32 in three products of ten-bit parts: a product is off by 2^-21, 4.8e-7, at most, and each step of 8
///   channels rounds the sum by 2^-24 and cuts its own off by 2^-23 of a step's size. Errors of different products are
///   independent, so the norm of the whole is below 1e-6 where nothing cancels; 2e-6 is what other backends are held
///   to.
namespace plumecast::testing {
namespace {

struct TileChoice {
    std::string name;
    Precision precision;
    int shared_bytes;
    friend void PrintTo(const TileChoice& choice, std::ostream* out) { *out << choice.name; }
};

class TileConv : public ::testing::TestWithParam<TileChoice> {
   protected:
    Backend& backend() { return *backend_; }
    /// Weights that fields can hold.
    View weight(Arrays& a, const Shape& shape) const {
        Tensor values = random_tensor(shape, DType::float32, "w");
        for (std::int64_t i = 0; i < shape.count() && GetParam().precision == Precision::bf16; ++i) {
            float& value = values.view().as<float>()[i];
            value = static_cast<float>(bfloat16(value));
        }
        return a.upload("w", values);
    }
    void expect_right(const std::vector<std::string>& results, const std::string& what,
                      const std::function<void(Arrays&)>& ops, double tolerance = 2e-6) {
        expect_like_oracle(backend(), results, ops, tolerance, what);
    }

   private:
    std::unique_ptr<Backend> backend_ = make_tiles_on_host(GetParam().precision, GetParam().shared_bytes);
};
INSTANTIATE_TEST_SUITE_P(Products, TileConv,
                         ::testing::Values(TileChoice{"bf16", Precision::bf16, 224 << 10},
                                           TileChoice{"bf16_in_windows", Precision::bf16, 160 << 10},
                                           TileChoice{"fp32", Precision::fp32, 224 << 10},
                                           TileChoice{"fp32_in_windows", Precision::fp32, 160 << 10}),
                         [](const auto& choice) { return choice.param.name; });

/// Those of all backends, and this project's own widths.
std::vector<ConvCase> tile_cases() {
    std::vector<ConvCase> cases = conv_cases();
    const ConvGeometry s2{.stride = {2, 2, 2}}, up{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true};
    cases.push_back({"72 to 36", {}, {1, 5, 3, 9}, {36, 36}, 36});
    cases.push_back({"40 to 40", {}, {1, 2, 3, 9}, {40}, 40});
    cases.push_back({"36 to 36, s2", s2, {1, 5, 3, 9}, {36}, 36});
    cases.push_back({"72 to 36, up", up, {1, 2, 1, 5}, {72}, 36});
    cases.push_back({"22 to 90", {}, {1, 1, 2, 9}, {22}, 90});
    return cases;
}

TEST_P(TileConv, MatchesTheOracleWithBiasBetaAndActivation) {
    int turn = 0;
    for (const ConvCase& c : tile_cases()) {
        const double beta = turn % 2;
        const bool with_bias = ++turn % 4 < 2;
        expect_right({"y", "plain"}, c.name, [&](Arrays& a) {
            const auto inputs = c.random_inputs(a);
            const View w = weight(a, c.weight()), bias = a.random("bias", {c.outputs});
            a.backend().conv(c.geometry, inputs, w, with_bias ? ConstView(bias) : ConstView(),
                             a.field_target("y", c.output(), beta), Activation::leaky_relu(0.1));
            a.backend().conv(c.geometry, inputs, w, {}, a.field_target("plain", c.output(), 0.0),
                             Activation::identity());
        });
    }
}

TEST_P(TileConv, MatchesTheOracleInTheDataGradientOfEveryInput) {
    for (const ConvCase& c : tile_cases()) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < c.inputs.size(); ++i) {
            names.push_back("gx" + std::to_string(i));
        }
        expect_right(names, c.name, [&](Arrays& a) {
            std::vector<OutputRef> gradients;
            for (std::size_t i = 0; i < names.size(); ++i) {
                gradients.push_back(a.field_target(names[i], c.part(i), i % 2 == 0 ? 1.0 : 0.0));
            }
            a.backend().conv_data_gradient(c.geometry, a.field("g", c.output()), weight(a, c.weight()), gradients);
        });
    }
}

TEST_P(TileConv, MatchesTheOracleInTheWeightGradient) {
    double beta = 0.0;
    for (const ConvCase& c : tile_cases()) {
        beta = 1.0 - beta;
        expect_right(
            {"gw"}, c.name,
            [&](Arrays& a) {
                const auto inputs = c.random_inputs(a);
                a.backend().conv_weight_gradient(c.geometry, inputs, a.field("g", c.output()),
                                                 a.target("gw", c.weight(), beta));
            },
            4e-6);
    }
}

TEST_P(TileConv, GivesTheSameBitsInEveryRun) {
    const ConvCase c{"", {}, {2, 4, 9, 9}, {17}, 19};
    Arrays a(backend());
    const auto inputs = c.random_inputs(a);
    const View g = a.field("g", c.output());
    for (const char* name : {"first", "second"}) {
        a.backend().conv_weight_gradient(c.geometry, inputs, g, a.target(name, c.weight(), 0.0));
    }
    EXPECT_EQ(as_double(a.download("first")), as_double(a.download("second")));
}

}  // namespace
}  // namespace plumecast::testing
