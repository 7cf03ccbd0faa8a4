#include "service/utc_time.hpp"

#include <gtest/gtest.h>

namespace plumecast::service {
namespace {

TEST(UtcText, IsAnInternetDate) {
    EXPECT_EQ(utc_text(std::chrono::system_clock::from_time_t(0)), "1970-01-01T00:00:00Z");
    EXPECT_EQ(utc_text(std::chrono::system_clock::from_time_t(951868799)), "2000-02-29T23:59:59Z");
}

}  // namespace
}  // namespace plumecast::service
