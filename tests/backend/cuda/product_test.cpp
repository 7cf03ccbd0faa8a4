#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/cuda/vendor/product.hpp"

namespace plumecast::cuda {
namespace {

/// An address that is never read.
const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

BatchedProduct product_at(std::uintptr_t a, std::uintptr_t b, std::uintptr_t c, std::uintptr_t bias) {
    return {.rows = 64,
            .columns = 36,
            .depth = 36,
            .a = at(a),
            .b = at(b),
            .bias = at(bias),
            .c = const_cast<void*>(at(c))};
}

TEST(BatchedProduct, LeavesActivationsToKernelsThatPassNanOn) {
    BatchedProduct product = product_at(256, 256, 256, 0);
    EXPECT_EQ(epilogue_of(product), Epilogue::none);
    product.bias = at(512);
    EXPECT_EQ(epilogue_of(product), Epilogue::bias);
}

TEST(BatchedProduct, RelyOnNoMoreAlignmentThanEveryMatrixAndTheBiasHave) {
    const ProductAlignment whole(product_at(256, 512, 1024, 4096));
    EXPECT_EQ(whole.a, 256U);
    EXPECT_EQ(whole.stored(), 256U);
    const ProductAlignment odd(product_at(256 + 8, 512 + 4, 1024 + 16, 4096 + 4));
    EXPECT_EQ(odd.a, 8U);
    EXPECT_EQ(odd.b, 4U);
    EXPECT_EQ(odd.c, 16U);
    EXPECT_EQ(odd.stored(), 4U);
    EXPECT_EQ(ProductAlignment(product_at(256, 256, 64, 0)).stored(), 64U);
    BatchedProduct steps = product_at(256, 256, 256, 0);
    steps.batch = 2;
    steps.stride_b = 6;
    EXPECT_EQ(ProductAlignment(steps).b, 8U);
    steps.factors = DType::bfloat16;
    EXPECT_EQ(ProductAlignment(steps).b, 4U);
}

TEST(BatchedProduct, HaveOneKeyWhereOneAlgorithmServes) {
    const ProductKey key = key_of(product_at(256, 256, 256, 256));
    EXPECT_EQ(key_of(product_at(512, 1024, 2048, 768)), key);
    for (const std::size_t moved : {0U, 1U, 2U, 3U}) {
        const auto address = [&](std::size_t which) { return std::uintptr_t{which == moved ? 256U + 16U : 256U}; };
        EXPECT_NE(key_of(product_at(address(0), address(1), address(2), address(3))), key) << moved;
    }
    EXPECT_NE(key_of(product_at(256, 256, 256, 0)), key);
    BatchedProduct other = product_at(256, 256, 256, 256);
    other.beta = 1.0f;
    EXPECT_NE(key_of(other), key);
    other.beta = 0.0f;
    other.ten_bits = true;
    EXPECT_NE(key_of(other), key);
}

/// A batch of products of two by two by two numbers that share their first factor, and its result.
struct SharedFactor {
    explicit SharedFactor(std::int64_t batch) : b(static_cast<std::size_t>(4 * batch)), c(b.size(), 1.0f) {
        for (std::size_t i = 0; i < b.size(); ++i) {
            b[i] = static_cast<float>(i % 1013);
        }
        product = {.rows = 2,
                   .columns = 2,
                   .depth = 2,
                   .batch = batch,
                   .a = a.data(),
                   .b = b.data(),
                   .c = c.data(),
                   .stride_b = 4,
                   .stride_c = 4,
                   .beta = 1.0f};
    }

    std::vector<float> a{1.0f, 2.0f, 3.0f, 4.0f}, b, c;
    BatchedProduct product{};
};

/// Multiplies as cuBLASLt does, which takes no more than 65,535 matrices.
bool multiply_by_definition(const BatchedProduct& p) {
    if (p.batch > 65535) {
        return false;
    }
    for (std::int64_t n = 0; n < p.batch; ++n) {
        const float *a = static_cast<const float*>(p.a) + n * p.stride_a,
                    *b = static_cast<const float*>(p.b) + n * p.stride_b;
        float* c = static_cast<float*>(p.c) + n * p.stride_c;
        for (std::int64_t i = 0; i < 4; ++i) {
            c[i] = p.beta * c[i] + a[i / 2 * 2] * b[i % 2] + a[i / 2 * 2 + 1] * b[2 + i % 2];
        }
    }
    return true;
}

TEST(ProductInBatches, GivesEveryMatrixOnceBeyondWhatTheLibraryTakesAtOnce) {
    for (const std::int64_t batch : {std::int64_t{1}, largest_batch, largest_batch + 1, 2 * largest_batch + 7}) {
        SharedFactor of(batch);
        std::vector<std::int64_t> batches;
        EXPECT_TRUE(in_batches(of.product, [&](const BatchedProduct& p) {
            batches.push_back(p.batch);
            return multiply_by_definition(p);
        }));
        EXPECT_EQ(batches.size(), static_cast<std::size_t>((batch + largest_batch - 1) / largest_batch));
        std::int64_t wrong = 0;
        for (std::size_t n = 0; n < of.c.size(); n += 4) {
            wrong += of.c[n] == 1.0f + of.b[n] + 2.0f * of.b[n + 2] ? 0 : 1;
            wrong += of.c[n + 3] == 1.0f + 3.0f * of.b[n + 1] + 4.0f * of.b[n + 3] ? 0 : 1;
        }
        EXPECT_EQ(wrong, 0) << batch;
    }
}

TEST(ProductInBatches, IsRefusedAsAWholeByItsFirstBatchAndFailsAtALaterOne) {
    const SharedFactor of(largest_batch + 1);
    std::vector<std::int64_t> asked;
    const auto refuse_from = [&](std::size_t call) {
        asked.clear();
        return in_batches(of.product, [&](const BatchedProduct& p) {
            asked.push_back(p.batch);
            return asked.size() < call;
        });
    };
    EXPECT_FALSE(refuse_from(1));
    EXPECT_EQ(asked.size(), 1U);
    EXPECT_THROW(refuse_from(2), DeviceError);
    EXPECT_EQ(asked.back(), 1);
}

}  // namespace
}  // namespace plumecast::cuda
