#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "backend/cpu/processor/simd_levels.hpp"
#include "backend/cpu/simd.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

/// The loops of one instruction set; skipped where the processor lacks it.
class Simd : public ::testing::TestWithParam<const char*> {
   protected:
    void SetUp() override {
        try {
            kernels_ = &cpu::simd_kernels(GetParam());
        } catch (const InvalidInput& missing) {
            GTEST_SKIP() << missing.what();
        }
    }
    const cpu::SimdKernels& kernels() const { return *kernels_; }
    Arrays& right() { return right_; }

   private:
    const cpu::SimdKernels* kernels_ = nullptr;
    std::unique_ptr<Backend> oracle_ = make_oracle_backend();
    Arrays right_{*oracle_};
};
INSTANTIATE_TEST_SUITE_P(Levels, Simd, ::testing::Values("baseline", "avx2", "avx512", "avx512_bf16"),
                         [](const auto& level) { return std::string(level.param); });

TEST_P(Simd, RowsProductMatchesTheOracleAndLeavesOtherColumnsAlone) {
    for (const auto& s : {Shape{1, 1, 1, 1}, Shape{3, 5, 7, 7}, Shape{9, 4, 33, 40}, Shape{20, 17, 100, 100},
                          Shape{5, 0, 16, 16}, Shape{4, 3, 129, 200}, Shape{6, 2, 64, 64}}) {
        for (const auto& [beta, slope] : {std::pair{0.0, 1.0}, {1.0, 0.0}, {0.5, 0.1}}) {
            const std::int64_t rows = s[0], depth = s[1], columns = s[2], stride = s[3];
            const Tensor a = random_tensor({rows, depth}, DType::float32, "a");
            const Tensor x = random_tensor({1, depth, stride}, DType::float32, "x");
            Tensor y = random_tensor({1, rows, stride}, DType::float32, "y");
            Tensor expected = converted(y, DType::float64);
            right().backend().transform_axis(right().upload("a", a), right().upload("x", x),
                                             {right().upload("y", y), beta}, Activation::leaky_relu(slope));
            const Tensor product = right().download("y");
            for (std::int64_t i = 0; i < rows * stride; ++i) {
                if (i % stride < columns) {
                    expected.view().as<double>()[i] = product.view().as<double>()[i];
                }
            }
            kernels().rows_product(a.view().as<float>(), rows, depth, x.view().as<float>(), y.view().as<float>(),
                                   columns, stride, static_cast<float>(beta), static_cast<float>(slope));
            expect_close(y, expected, 1e-6, s.text());
        }
    }
}

TEST_P(Simd, ComplexLoopsMatchTheOracle) {
    for (const auto& s : {Shape{1, 1}, Shape{3, 5}, Shape{36, 36}, Shape{17, 33}, Shape{64, 16}}) {
        const std::int64_t in = s[0], out = s[1];
        const Shape x_shape{1, 1, 2, 1, in}, w_shape{1, 1, 2, in, out}, y_shape{1, 1, 2, 1, out};
        const Tensor x = random_tensor(x_shape, DType::float32, "x"), w = random_tensor(w_shape, DType::float32, "w"),
                     g = random_tensor(y_shape, DType::float32, "g");
        Tensor y = host_zeros(y_shape), gx = host_zeros(x_shape), gw = random_tensor(w_shape, DType::float32, "gw");
        Tensor anew = host_tensor<float>(w_shape, std::vector<float>(static_cast<std::size_t>(w_shape.count()), NAN));
        Backend& oracle = right().backend();
        const View rx = right().upload("x", x), rw = right().upload("w", w), rg = right().upload("g", g);
        oracle.complex_product(rx, rw, right().output("y", y_shape));
        oracle.complex_product_data_gradient(rg, rw, right().output("gx", x_shape));
        oracle.complex_product_weight_gradient(rx, rg, {right().upload("gw", gw), 0.5});
        oracle.complex_product_weight_gradient(rx, rg, {right().output("anew", w_shape), 0.0});
        const float *xs = x.view().as<float>(), *ws = w.view().as<float>(), *gs = g.view().as<float>();
        float *ys = y.view().as<float>(), *gxs = gx.view().as<float>(), *gws = gw.view().as<float>();
        kernels().complex_forward(xs, xs + in, ws, ws + in * out, ys, ys + out, in, out);
        kernels().complex_backward(gs, gs + out, ws, ws + in * out, gxs, gxs + in, in, out);
        kernels().complex_outer(xs, xs + in, gs, gs + out, gws, gws + in * out, in, out, 0.5f);
        float* overwritten = anew.view().as<float>();
        kernels().complex_outer(xs, xs + in, gs, gs + out, overwritten, overwritten + in * out, in, out, 0.0f);
        expect_close(anew, right().download("anew"), 1e-6, s.text());
        expect_close(y, right().download("y"), 1e-6, s.text());
        expect_close(gx, right().download("gx"), 1e-6, s.text());
        expect_close(gw, right().download("gw"), 1e-6, s.text());
    }
}

TEST(SimdLevels, ThrowForAnUnknownName) { EXPECT_THROW(cpu::simd_kernels("mmx"), InvalidInput); }

TEST(SimdLevels, ChooseOneWithoutAName) { EXPECT_NO_THROW(cpu::simd_kernels()); }

}  // namespace
}  // namespace plumecast::testing
