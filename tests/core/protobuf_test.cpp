#include <gtest/gtest.h>

#include "core/protobuf.hpp"

namespace plumecast::testing {
namespace {

// The examples of protobuf.dev/programming-guides/encoding.
TEST(ProtobufMessage, EncodesAsTheSpecificationShows) {
    ProtobufMessage number, text, nested;
    number.integer(1, 150);
    EXPECT_EQ(number.encoded(), std::string("\x08\x96\x01", 3));
    text.bytes(2, "testing");
    EXPECT_EQ(text.encoded(), "\x12\x07testing");
    nested.message(3, number);
    EXPECT_EQ(nested.encoded(), std::string("\x1a\x03\x08\x96\x01", 5));
}

TEST(ProtobufMessage, EncodesNegativeNumbersInTenBytesAndRealsInFourOrEight) {
    ProtobufMessage negative, real, precise;
    negative.integer(1, -2);
    EXPECT_EQ(negative.encoded(), std::string("\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11));
    real.number(2, 1.0F);
    EXPECT_EQ(real.encoded(), std::string("\x15\x00\x00\x80\x3f", 5));
    precise.number(1, 1.0);
    EXPECT_EQ(precise.encoded(), std::string("\x09\x00\x00\x00\x00\x00\x00\xf0\x3f", 9));
}

}  // namespace
}  // namespace plumecast::testing
