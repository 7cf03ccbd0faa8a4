#include <gtest/gtest.h>

#include "reservoir/dataset/cases/start_dates.hpp"

namespace plumecast::testing {
namespace {

TEST(DateText, IsEmptyBeyondTheCalendar) {
    EXPECT_EQ(date_text(days_after(assumed_start, 366.0)), "2021-01-01");
    EXPECT_EQ(date_text(days_after(end_of_calendar, -1.0)), "32767-12-31");
    EXPECT_EQ(date_text(end_of_calendar), "");
    EXPECT_EQ(date_text(days_after(assumed_start, 1e8)), "");
}

}  // namespace
}  // namespace plumecast::testing
