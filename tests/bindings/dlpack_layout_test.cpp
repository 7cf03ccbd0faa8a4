#include <plumecast.h>

#include <gtest/gtest.h>

#include <cstddef>

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#endif

namespace {

TEST(DLPackLayout, IsThatOfTheArraysOfTheCFace) {
#if __has_include(<dlpack/dlpack.h>)
    EXPECT_EQ(sizeof(plumecast_array), sizeof(DLTensor));
    EXPECT_EQ(offsetof(plumecast_array, data), offsetof(DLTensor, data));
    EXPECT_EQ(offsetof(plumecast_array, device), offsetof(DLTensor, device));
    EXPECT_EQ(offsetof(plumecast_array, ndim), offsetof(DLTensor, ndim));
    EXPECT_EQ(offsetof(plumecast_array, dtype), offsetof(DLTensor, dtype));
    EXPECT_EQ(offsetof(plumecast_array, shape), offsetof(DLTensor, shape));
    EXPECT_EQ(offsetof(plumecast_array, strides), offsetof(DLTensor, strides));
    EXPECT_EQ(offsetof(plumecast_array, byte_offset), offsetof(DLTensor, byte_offset));
    EXPECT_EQ(sizeof(plumecast_array::device), sizeof(DLDevice));
    EXPECT_EQ(sizeof(plumecast_array::dtype), sizeof(DLDataType));
    EXPECT_EQ(static_cast<int>(PLUMECAST_HOST), static_cast<int>(kDLCPU));
    EXPECT_EQ(static_cast<int>(PLUMECAST_INT), static_cast<int>(kDLInt));
    EXPECT_EQ(static_cast<int>(PLUMECAST_UINT), static_cast<int>(kDLUInt));
    EXPECT_EQ(static_cast<int>(PLUMECAST_FLOAT), static_cast<int>(kDLFloat));
#else
    GTEST_SKIP() << "no header of DLPack (package libdlpack-dev); only the offsets were compared";
#endif
}

TEST(DLPackLayout, HasItsOffsetsOnMachinesOf64Bits) {
    static_assert(sizeof(void*) == 8);
    EXPECT_EQ(sizeof(plumecast_array), 48u);
    EXPECT_EQ(offsetof(plumecast_array, device), 8u);
    EXPECT_EQ(offsetof(plumecast_array, ndim), 16u);
    EXPECT_EQ(offsetof(plumecast_array, dtype), 20u);
    EXPECT_EQ(offsetof(plumecast_array, shape), 24u);
    EXPECT_EQ(offsetof(plumecast_array, strides), 32u);
    EXPECT_EQ(offsetof(plumecast_array, byte_offset), 40u);
}

}  // namespace
