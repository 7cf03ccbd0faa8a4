#include <gtest/gtest.h>

#include "backend/cuda/vendor/dnn_version.hpp"

namespace plumecast::cuda {
namespace {

TEST(DnnVersion, ConvolvesNoBfloat16BetweenTheVersionsThatAreWrong) {
    for (const std::size_t right : {90000U, 90701U, 91500U, 91600U, 100000U}) {
        EXPECT_TRUE(DnnVersion{right}.convolves_bfloat16()) << right;
    }
    for (const std::size_t wrong : {90800U, 91002U, 91400U, 91499U}) {
        EXPECT_FALSE(DnnVersion{wrong}.convolves_bfloat16()) << wrong;
    }
}

TEST(DnnVersion, ConvolvesNoTf32BetweenTheVersionsThatAreWrong) {
    for (const std::size_t right : {90800U, 91001U, 91600U, 91900U}) {
        EXPECT_TRUE(DnnVersion{right}.convolves_tf32()) << right;
    }
    for (const std::size_t wrong : {91002U, 91400U, 91500U, 91501U}) {
        EXPECT_FALSE(DnnVersion{wrong}.convolves_tf32()) << wrong;
    }
}

TEST(DnnVersion, SaysWhatIsNotUsed) {
    EXPECT_EQ(DnnVersion{91900}.text(), "cuDNN 9.19.0");
    EXPECT_EQ(DnnVersion{91002}.text(),
              "cuDNN 9.10.2 (not for bfloat16, which it convolves wrongly; install 9.16 or newer)");
    EXPECT_EQ(DnnVersion{91500}.text(),
              "cuDNN 9.15.0 (not in TF32, which it convolves wrongly; install 9.16 or newer)");
}

}  // namespace
}  // namespace plumecast::cuda
