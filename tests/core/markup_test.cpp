#include <gtest/gtest.h>

#include "core/markup.hpp"

namespace plumecast::testing {
namespace {

TEST(EscapeMarkup, LeavesNothingThatXmlOrHtmlWouldRead) {
    EXPECT_EQ(escape_markup("<a href=\"x\">R&D</a>"), "&lt;a href=&quot;x&quot;&gt;R&amp;D&lt;/a&gt;");
    EXPECT_EQ(escape_markup("30 \xC2\xB0"
                            "C, it's plain"),
              "30 \xC2\xB0"
              "C, it's plain");
    EXPECT_EQ(escape_markup("\x1b]0;title\x07 two\n\tlines"), "?]0;title? two\n\tlines");
    EXPECT_EQ(escape_markup(""), "");
}

}  // namespace
}  // namespace plumecast::testing
