#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "backend/cuda/kernels/conv/products.hpp"
#include "backend/cuda/kernels/conv/tile/ops.hpp"
#include "support/blocks/tiles_on_host.hpp"
#include "support/comparison.hpp"

namespace plumecast::testing {
namespace {

using cuda::tile::BFloat16Product;

TEST(GatherAxis, PairsTheSameCellsAndTapsAsTheConvolution) {
    for (const cuda::tile::Axis axis :
         {cuda::tile::Axis{5, 5, 3, 1, 1}, {3, 5, 3, 2, 1}, {3, 6, 4, 2, 1}, {4, 7, 1, 2, 0}}) {
        const cuda::kernel::ConvAxis truth{axis.coarse, axis.fine, axis.taps, axis.stride, axis.padding};
        std::multiset<std::vector<std::int64_t>> expected, down, up;
        for (int q = 0; q < axis.coarse; ++q) {
            for (int tap = 0; tap < axis.taps; ++tap) {
                if (truth.fine_cell(q, tap) >= 0) {
                    expected.insert({q, truth.fine_cell(q, tap), tap});
                }
            }
        }
        const auto collect = [](const cuda::tile::GatherAxis& gather, const auto& use) {
            for (int i = 0; i < gather.outputs; ++i) {
                for (int j = 0; j < gather.taps; ++j) {
                    const int input = i * gather.step + gather.lowest + j;
                    if (input >= 0 && input < gather.inputs) {
                        use(gather.out_first + i * gather.out_step, input, gather.tap(j));
                    }
                }
            }
        };
        collect(to_coarse(axis), [&](int q, int p, int tap) { down.insert({q, p, tap}); });
        for (int r = 0; r < axis.stride; ++r) {
            collect(to_fine(axis, r), [&](int p, int q, int tap) { up.insert({q, p, tap}); });
        }
        EXPECT_EQ(down, expected);
        EXPECT_EQ(up, expected);
    }
}

/// A convolution of bfloat16 fields without padding, whose output is so many whole tiles; what its blocks did.
BlockCounts counts_of(const ConvGeometry& geometry, const Shape& fine, std::vector<std::int64_t> inputs,
                      std::int64_t outputs) {
    BlockExecutor executor;
    std::vector<Tensor> fields;
    std::vector<ConstView> views;
    std::int64_t channels = 0;
    for (const std::int64_t own : inputs) {
        fields.emplace_back(executor.memory(), fine.append(own), DType::bfloat16);
        std::fill_n(fields.back().view().as<bfloat16>(), fields.back().shape().count(), bfloat16(1.0f));
        channels += own;
    }
    for (const Tensor& field : fields) {
        views.emplace_back(field.view());
    }
    const auto& k = geometry.kernel;
    const Tensor weight = random_tensor({outputs, k[0], k[1], k[2], channels}, DType::float32, "w");
    const auto e = geometry.output_extents(views.front().shape);
    Tensor y(executor.memory(), {fine[0], e[0], e[1], e[2], outputs}, DType::bfloat16);
    EXPECT_TRUE(cuda::tile::conv(executor, Precision::bf16, geometry, views, weight.view(), {}, {y.view()},
                                 Activation::identity()));
    return executor.counts();
}

TEST(TileSchedule, ReadsEveryInputOfATileOnceAndItsWeightsOnce) {
    const ConvGeometry bare{.padding_low = {0, 0, 0}, .padding_high = {0, 0, 0}};
    const BlockCounts counts = counts_of(bare, {1, 6, 10, 10}, {36, 36}, 36);  // one tile of 4 x 8 x 8
    const std::int64_t halo = 6 * 10 * 10 * 72 * 2, steps = (27 * 9 + 1) / 2, weights = steps * 5 * 32 * 8;
    EXPECT_EQ(counts.read, halo + weights);
    EXPECT_EQ(counts.written, 256 * 36 * 2);
    EXPECT_EQ(counts.bfloat16_products, steps * 16 * 5);
}

TEST(TileSchedule, HasNoConflictsOfBanksInStridesOneAndTwo) {
    const ConvGeometry bare{.padding_low = {0, 0, 0}, .padding_high = {0, 0, 0}};
    const BlockCounts plain = counts_of(bare, {1, 6, 10, 10}, {36, 36}, 36);
    EXPECT_EQ(plain.wavefronts, plain.least_wavefronts);
    const ConvGeometry strided{.stride = {2, 2, 2}, .padding_low = {0, 0, 0}, .padding_high = {0, 0, 0}};
    const BlockCounts second = counts_of(strided, {1, 9, 17, 17}, {36}, 36);
    EXPECT_GT(second.least_wavefronts, 0);
    EXPECT_EQ(second.wavefronts, second.least_wavefronts);
}

TEST(TileSchedule, TakesAsFewWindowsAsSharedMemoryAllowsAndNoneWhereNothingFits) {
    const cuda::ConvPart part({}, {1, 104, 208, 32, 72}, {1, 104, 208, 32, 36}, {36, 3, 3, 3, 72}, 0);
    const cuda::tile::Gather gather(part, false);
    int windows = 0;
    for (const int kilobytes : {227, 100, 60, 30}) {
        const auto schedule = cuda::tile::make_schedule<BFloat16Product, 5>(gather, kilobytes << 10);
        if (kilobytes == 30) {
            EXPECT_FALSE(schedule.has_value());
            break;
        }
        ASSERT_TRUE(schedule.has_value());
        EXPECT_LE(schedule->shared_bytes, kilobytes << 10);
        EXPECT_GE(schedule->windows(), windows);
        windows = schedule->windows();
        EXPECT_EQ(schedule->blocks(1, 1), 104 / 4 * (208 / 8) * (32 / 8));
    }
    EXPECT_GT(windows, 1);
}

TEST(WeightSchedule, WastesFewRowsAndLoadsAheadWhereItCan) {
    const cuda::ConvPart part({}, {1, 104, 208, 32, 72}, {1, 104, 208, 32, 36}, {36, 3, 3, 3, 72}, 0);
    const cuda::tile::Gather gather(part, false);
    const auto narrow = cuda::tile::make_weight_schedule<BFloat16Product, 5>(gather, 227 << 10, 132);
    const auto wide = cuda::tile::make_weight_schedule<cuda::tile::TenBitProduct<true>, 5>(gather, 227 << 10, 132);
    const auto small = cuda::tile::make_weight_schedule<BFloat16Product, 5>(gather, 48 << 10, 132);
    ASSERT_TRUE(narrow && wide && small);
    EXPECT_EQ(narrow->parts(), 4);  // 1944 rows in parts of 512
    EXPECT_EQ(narrow->buffers, 2);
    EXPECT_EQ(narrow->pieces, 33);
    EXPECT_EQ(wide->parts(), 5);
    EXPECT_EQ(small->buffers, 1);
    EXPECT_FALSE((cuda::tile::make_weight_schedule<BFloat16Product, 5>(gather, 16 << 10, 132)));
}

TEST(WeightSchedule, ReadsEveryBoxOnceForEachPartAndWritesEverySumOnce) {
    BlockExecutor executor;
    const ConvGeometry bare{.padding_low = {0, 0, 0}, .padding_high = {0, 0, 0}};
    const Tensor x = random_tensor({1, 6, 10, 10, 72}, DType::bfloat16, "x"),
                 g = random_tensor({1, 4, 8, 8, 36}, DType::bfloat16, "g");
    Tensor gradient(executor.memory(), {36, 3, 3, 3, 72}, DType::float32);
    ASSERT_TRUE(cuda::tile::conv_weight_gradient(executor, Precision::bf16, bare, std::array{ConstView(x.view())},
                                                 g.view(), {gradient.view(), 0.0}));
    const std::int64_t parts = 4, steps = 256 / 16;
    EXPECT_EQ(executor.counts().read, parts * (x.shape().count() + g.shape().count()) * 2);
    EXPECT_EQ(executor.counts().written, gradient.shape().count() * 4);
    EXPECT_EQ(executor.counts().bfloat16_products, parts * steps * 32 * 5);
    EXPECT_EQ(executor.counts().wavefronts, executor.counts().least_wavefronts);
}

}  // namespace
}  // namespace plumecast::testing
