#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <plumecast/core/bfloat16.hpp>

#include "backend/conv/conv_cases.hpp"
#include "backend/cuda/kernels/conv/tile/ops.hpp"
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
#ifdef NDEBUG
    return cases;
#else  // under sanitizers every fourth, since lanes are slow there
    std::vector<ConvCase> some;
    for (std::size_t k = 0; k < cases.size(); k += 4) {
        some.push_back(cases[k]);
    }
    return some;
#endif
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

TEST_P(TileConv, GivesTheSameBitsFromAWeightPackedOnceAndReadsNoOther) {
    for (const ConvCase& c : tile_cases()) {
        Arrays a(backend());
        const auto inputs = c.random_inputs(a);
        const View w = weight(a, c.weight());
        const auto convolve = [&](const char* name, const PackedForms* packed) {
            ConstView factor = w;
            factor.packed = packed;
            a.backend().conv(c.geometry, inputs, factor, {}, a.field_target(name, c.output(), 0.0), {});
        };
        convolve("packed in the op", nullptr);
        std::vector<ConstView> extents = inputs;
        std::ranges::for_each(extents, [](ConstView& input) { input.data = nullptr; });
        const View y{c.output(), inputs.front().type, nullptr};
        const PackedForms forms = a.backend().pack_conv_weight(c.geometry, extents, w, y, WeightReader::conv);
        ASSERT_EQ(forms.empty(), c.output().count() == 0) << c.name;
        a.backend().fill(w, 0.0);
        convolve("packed before", &forms);
        EXPECT_EQ(as_double(a.download("packed before")), as_double(a.download("packed in the op"))) << c.name;
    }
}

TEST_P(TileConv, GivesTheSameDataGradientFromAWeightPackedOnceAndReadsNoOther) {
    for (const ConvCase& c : tile_cases()) {
        Arrays a(backend());
        const View w = weight(a, c.weight());
        const ConstView g = a.field("g", c.output());
        std::vector<ConstView> extents = c.random_inputs(a);
        const auto differentiate = [&](const std::string& name, const PackedForms* packed) {
            ConstView factor = w;
            factor.packed = packed;
            std::vector<OutputRef> targets;
            for (std::size_t i = 0; i < extents.size(); ++i) {
                targets.push_back(a.field_target(name + std::to_string(i), extents[i].shape, 0.0));
            }
            a.backend().conv_data_gradient(c.geometry, g, factor, targets);
        };
        differentiate("packed in the op", nullptr);
        std::ranges::for_each(extents, [](ConstView& input) { input.data = nullptr; });
        const View y{c.output(), extents.front().type, nullptr};
        const PackedForms forms = a.backend().pack_conv_weight(c.geometry, extents, w, y, WeightReader::data_gradient);
        ASSERT_EQ(forms.empty(), c.output().count() == 0) << c.name;
        a.backend().fill(w, 0.0);
        differentiate("packed before", &forms);
        for (std::size_t i = 0; i < extents.size(); ++i) {
            const std::string which = std::to_string(i);
            EXPECT_EQ(as_double(a.download("packed before" + which)), as_double(a.download("packed in the op" + which)))
                << c.name;
        }
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

TEST_P(TileConv, PassesNanToTheCellsThatTakeItAndToNoOther) {
    Arrays a(backend());
    const View x = a.field("x", {2, 6, 6, 6, 12}), w = weight(a, {20, 3, 3, 3, 12});
    const Tensor nan = host_tensor<float>({1, 1, 1, 1, 1}, std::vector<float>{std::nanf("")});
    a.backend().copy_box(a.upload("nan", nan, x.type), {0, 0, 0, 0, 0}, {x, 0.0}, {1, 2, 0, 3, 5}, {1, 1, 1, 1, 1});
    a.backend().conv({}, std::vector<ConstView>{x}, w, {}, a.field_target("y", {2, 6, 6, 6, 20}, 0.0),
                     Activation::relu());
    const std::vector<double> y = as_double(a.download("y"));
    EXPECT_EQ(std::ranges::count_if(y, [](double value) { return std::isnan(value); }), 3 * 2 * 3 * 20);
}

TEST(TileFinish, ScalesTheSumAndAddsBiasAddendAndWhatIsThereBeforeTheActivation) {
    BlockExecutor executor;
    const Shape cells{1, 2, 3, 9};
    const Tensor x = random_tensor(cells.append(6), DType::float32, "x"),
                 w = random_tensor({6, 3, 3, 3, 6}, DType::float32, "w"),
                 scale = random_tensor({6}, DType::float32, "scale"), bias = random_tensor({6}, DType::float32, "bias"),
                 addend = random_tensor(cells.append(6), DType::float32, "addend");
    Tensor plain(executor.memory(), cells.append(6), DType::float32),
        y = random_tensor(cells.append(6), DType::float32, "y");
    const Tensor before = converted(y.view(), DType::float32);
    const std::array inputs{ConstView(x.view())};
    const cuda::tile::Gather gather({ConvGeometry{}, x.shape(), y.shape(), w.shape(), 0}, false);
    const auto run = [&](View to, float beta, const cuda::tile::Finish<float>& finish) {
        cuda::tile::Targets<float> targets;
        targets.add(to.as<float>(), 6, beta);
        return cuda::tile::gather_by_tiles<cuda::tile::TenBitProduct<true>>(
            executor, gather, cuda::tile::fields_of<float>(inputs), w.view(), targets, finish);
    };
    ASSERT_TRUE(run(plain.view(), 0.0f, {}));
    ASSERT_TRUE(run(y.view(), 0.5f,
                    {scale.view().as<float>(), bias.view().as<float>(), addend.view().as<float>(),
                     cuda::Pointwise(Activation::leaky_relu(0.1))}));
    for (std::int64_t i = 0; i < y.shape().count(); ++i) {
        const std::int64_t c = i % 6;
        const float sum = scale.values<float>()[c] * plain.values<float>()[i] + bias.values<float>()[c] +
                          addend.values<float>()[i] + 0.5f * before.values<float>()[i];
        EXPECT_NEAR(y.values<float>()[i], sum < 0.0f ? 0.1f * sum : sum, 1e-5f);
    }
}

TEST(TileConvOps, RefuseMixedTypesTooManyFieldsAndTooLittleSharedMemory) {
    const auto takes = [](int shared_bytes, std::size_t fields, DType type_of_y) {
        BlockExecutor executor(std::make_unique<CountedMemory>(), shared_bytes);
        const Tensor x = random_tensor({1, 2, 2, 2, 1}, DType::float32, "x");
        const Tensor w = random_tensor({3, 3, 3, 3, static_cast<std::int64_t>(fields)}, DType::float32, "w");
        Tensor y(executor.memory(), {1, 2, 2, 2, 3}, type_of_y);
        const std::vector<ConstView> inputs(fields, x.view());
        return cuda::tile::conv(executor, Precision::fp32, {}, inputs, w.view(), {}, {y.view()}, {});
    };
    EXPECT_TRUE(takes(224 << 10, 4, DType::float32));
    EXPECT_FALSE(takes(224 << 10, 5, DType::float32));
    EXPECT_FALSE(takes(224 << 10, 4, DType::bfloat16));
    EXPECT_FALSE(takes(16 << 10, 4, DType::float32));
}

}  // namespace
}  // namespace plumecast::testing
