#include <numeric>

#include <gtest/gtest.h>

#include "training/records/event_record.hpp"

namespace plumecast {
namespace {

// RFC 3720, section B.4; the last is the check value of the CRC catalogues.
TEST(Crc32c, GivesTheValuesOfTheStandard) {
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
    EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
    std::string rising(32, '\0');
    std::iota(rising.begin(), rising.end(), '\0');
    EXPECT_EQ(crc32c(rising), 0x46DD794EU);
    EXPECT_EQ(crc32c(std::string(rising.rbegin(), rising.rend())), 0x113FDB5CU);
    EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
    EXPECT_EQ(crc32c(""), 0U);
}

// The first bytes of every event file that TensorFlow writes: its message of the version has 24 bytes.
TEST(EventRecord, BeginsAFileAsTensorFlowDoes) {
    const std::string record = framed(version_event(1.5));
    EXPECT_EQ(record.substr(0, 12), std::string("\x18\0\0\0\0\0\0\0\xA3\x7F\x4B\x22", 12));
    EXPECT_EQ(record.substr(12, 9), std::string("\x09\0\0\0\0\0\0\xF8\x3F", 9));
    EXPECT_EQ(record.substr(21, 15),
              "\x1A\x0D"
              "brain.Event:2");
    EXPECT_EQ(record.size(), 40U);
    EXPECT_TRUE(is_version_event(version_event(1.5)));
    EXPECT_FALSE(is_version_event(scalar_event(1.5, 3, {})));
}

TEST(EventRecord, HoldsScalarsAsProtocolBuffersDo) {
    const std::string event = scalar_event(0.0, 300, {{"loss", 0.5}});
    const std::string value = std::string("\x0A\x04loss\x15\0\0\0\x3F", 11);
    EXPECT_EQ(event.substr(9), std::string("\x10\xAC\x02\x2A\x0D\x0A\x0B", 7) + value);
    EXPECT_EQ(step_of(event), 300);
    EXPECT_EQ(step_of(version_event(0.0)), 0);
    EXPECT_EQ(step_of(""), 0);
}

TEST(EventRecord, IsReadBackOnlyWholeAndUndamaged) {
    const std::string first = framed("one");
    std::string file = first + framed(scalar_event(7.0, 4, {{"a", 1.0}, {"b", 2.0}}));
    ASSERT_TRUE(message_at(file, 0).has_value());
    EXPECT_EQ(*message_at(file, 0), "one");
    ASSERT_TRUE(message_at(file, first.size()).has_value());
    EXPECT_EQ(step_of(*message_at(file, first.size())), 4);
    EXPECT_FALSE(message_at(file, file.size()).has_value());
    for (std::size_t size = first.size(); size < file.size(); ++size) {
        EXPECT_FALSE(message_at(std::string_view(file).substr(0, size), first.size()).has_value()) << size;
    }
    for (std::size_t at = first.size(); at < file.size(); ++at) {
        file[at] = static_cast<char>(file[at] ^ 1);
        EXPECT_FALSE(message_at(file, first.size()).has_value()) << at;
        file[at] = static_cast<char>(file[at] ^ 1);
    }
}

}  // namespace
}  // namespace plumecast
