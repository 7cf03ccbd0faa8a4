#include "backend/cpu/bfloat16/widened_conv.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backend/conv/conv_cases.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

/// Rows [low, high) along axis 1 of one case.
template <class AnyView>
AnyView rows_of(const AnyView& field, std::int64_t which, std::int64_t low, std::int64_t high) {
    const Shape& s = field.shape;
    return field.reshaped({s[0] * s[1], s[2], s[3], s[4]})
        .rows(which * s[1] + low, which * s[1] + high)
        .reshaped({1, high - low, s[2], s[3], s[4]});
}

class ConvSlabs : public ::testing::Test {
   protected:
    std::unique_ptr<Backend> oracle_ = make_oracle_backend();
};

TEST_F(ConvSlabs, OfAnyHeightGiveTheWholeResult) {
    for (const ConvCase& c : conv_cases()) {
        for (const std::int64_t height : {1, 2, 3}) {
            Arrays a(*oracle_);
            const auto inputs = c.random_inputs(a);
            const View w = a.random("w", c.weight()), y = a.output("y", c.output());
            oracle_->conv(c.geometry, inputs, w, {}, {a.output("whole", c.output())}, Activation::identity());
            const auto slabs = cpu::conv_slabs(c.geometry, !c.geometry.transposed, c.output()[1], c.part(0)[1], height);
            for (std::int64_t b = 0; b < c.cells[0]; ++b) {
                for (const cpu::ConvSlab& s : slabs) {
                    std::vector<ConstView> parts;
                    for (const ConstView& input : inputs) {
                        parts.push_back(rows_of(input, b, s.source_low, s.source_high));
                    }
                    oracle_->conv(s.geometry, parts, w, {}, {rows_of(y, b, s.low, s.high)}, Activation::identity());
                }
            }
            expect_close(a.download("y"), a.download("whole"), 1e-14, c.name + ", height " + std::to_string(height));
        }
    }
}

TEST_F(ConvSlabs, OfAnyHeightGiveTheWholeDataGradient) {
    for (const ConvCase& c : conv_cases()) {
        for (const std::int64_t height : {1, 2, 3}) {
            Arrays a(*oracle_);
            const Shape whole_input = c.cells.append(c.input_channels());
            const View w = a.random("w", c.weight()), g = a.random("g", c.output()), x = a.output("gx", whole_input);
            oracle_->conv_data_gradient(c.geometry, g, w, std::vector<OutputRef>{{a.output("whole", whole_input)}});
            const auto slabs = cpu::conv_slabs(c.geometry, c.geometry.transposed, c.cells[1], c.output()[1], height);
            for (std::int64_t b = 0; b < c.cells[0]; ++b) {
                for (const cpu::ConvSlab& s : slabs) {
                    oracle_->conv_data_gradient(s.geometry, rows_of(g, b, s.source_low, s.source_high), w,
                                                std::vector<OutputRef>{{rows_of(x, b, s.low, s.high)}});
                }
            }
            expect_close(a.download("gx"), a.download("whole"), 1e-14, c.name + ", height " + std::to_string(height));
        }
    }
}

TEST_F(ConvSlabs, CutWhereverEveryRowMeetsTheSource) {
    const ConvGeometry k3{}, k4_up{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true};
    EXPECT_EQ(cpu::conv_slabs(k3, true, 104, 104, 8).size(), 13u);
    EXPECT_EQ(cpu::conv_slabs(k4_up, false, 104, 52, 8).size(), 13u);
    EXPECT_EQ(cpu::conv_slabs(k3, true, 3, 3, 8).size(), 1u);
    // Between the weights of a stride wider than the kernel lie rows without a source.
    const ConvGeometry gaps{.kernel = {1, 1, 1}, .stride = {3, 3, 3}, .padding_low = {0, 0, 0}, .transposed = true};
    EXPECT_EQ(cpu::conv_slabs(gaps, false, 7, 3, 1).size(), 1u);
}

/// A field of more numbers than one slab takes, on the backend itself.
TEST(WidenedConv, AgreesWithTheOracleOverSeveralSlabs) {
    const ConvGeometry down{.stride = {2, 2, 2}}, up{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true};
    const auto backend = make_cpu_backend({.threads = 2, .precision = Precision::bf16});
    for (const ConvCase& c :
         {ConvCase{"k3", {}, {1, 19, 66, 66}, {20}, 12}, ConvCase{"s2", down, {1, 19, 66, 66}, {20}, 4},
          ConvCase{"up", up, {1, 10, 33, 34}, {6}, 24}}) {
        const auto exact = make_cpu_backend({.threads = 2});
        std::vector<Tensor> results;
        for (Backend* one : {exact.get(), backend.get()}) {
            Arrays a(*one, DType::bfloat16);
            const auto inputs = c.random_inputs(a);
            const View w = a.random("w", c.weight()), g = a.field("g", c.output());
            one->conv(c.geometry, inputs, w, {}, a.field_target("y", c.output(), 1.0), Activation::relu());
            one->conv_data_gradient(c.geometry, g, w, std::vector<OutputRef>{a.field_target("gx", c.part(0), 1.0)});
            one->conv_weight_gradient(c.geometry, inputs, g, a.target("gw", c.weight(), 1.0));
            for (const char* name : {"y", "gx", "gw"}) {
                results.push_back(a.download(name));
            }
        }
        expect_close(results[3], results[0], bfloat16_tolerance, c.name + ", y");
        expect_close(results[4], results[1], bfloat16_tolerance, c.name + ", gx");
        expect_close(results[5], results[2], 5e-5, c.name + ", gw");
    }
}

}  // namespace
}  // namespace plumecast::testing
