#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

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

}  // namespace
}  // namespace plumecast::cuda
