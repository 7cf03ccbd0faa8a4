#include "reservoir/dataset/cases/saturation_tables.hpp"

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string problem_in(const std::string& text) {
    try {
        tables_of_text(text, "data.h5");
    } catch (const InvalidData& error) {
        return error.what();
    }
    return "";
}

TEST(SaturationTables, ComeBackFromTheirText) {
    const SaturationTables tables = {{{0.0, 0.0, 1.0, 1.9353139}, {0.68, 1.0, 0.0, 100.0}},
                                     {{0.0, 0.0, 1.0, 0.0}, {0.1, 0.0, 0.7, 0.02}, {0.9, 1.0, 0.0, 5.0}}};
    const SaturationTables read = tables_of_text(text_of_tables(tables), "data.h5");
    ASSERT_THAT(read, SizeIs(2));
    ASSERT_THAT(read[1], SizeIs(3));
    EXPECT_DOUBLE_EQ(read[0][0].capillary_pressure, 1.9353139);
    EXPECT_DOUBLE_EQ(read[1][1].water_permeability, 0.7);
    EXPECT_DOUBLE_EQ(read[1][2].gas_saturation, 0.9);
    EXPECT_THAT(tables_of_text("", "data.h5"), IsEmpty());
}

TEST(SaturationTables, RefuseWhatNoRockHas) {
    EXPECT_THAT(problem_in("1 0 0 1 0\n1 0.5 x 0 1\n"), AllOf(HasSubstr("data.h5: line 2: no five numbers")));
    EXPECT_THAT(problem_in("1 0 0 1 0 7\n"), HasSubstr("no five numbers"));
    EXPECT_THAT(problem_in("2 0 0 1 0\n"), HasSubstr("regions count up from 1"));
    EXPECT_THAT(problem_in("1 0.1 0 1 0\n"), HasSubstr("saturations rise from 0"));
    EXPECT_THAT(problem_in("1 0 0 1 0\n1 0.5 1.2 0 1\n"), HasSubstr("between 0 and 1"));
    EXPECT_THAT(problem_in("1 0 0 1 2\n1 0.5 1 0 1\n"), HasSubstr("do not fall"));
    EXPECT_THAT(problem_in("1 0 0.2 1 0\n1 0.5 0.1 0 1\n"), HasSubstr("gas do not fall"));
    EXPECT_THAT(problem_in("1 0 0 0.5 0\n1 0.5 0.1 0.6 1\n"), HasSubstr("brine do not rise"));
    EXPECT_THAT(problem_in("1 0 0 1 0\n"), HasSubstr("one row alone"));
    EXPECT_THAT(problem_in("1 0 0 1 0\n2 0 0 1 0\n2 0.5 1 0 0\n"), HasSubstr("one row alone"));
    EXPECT_THAT(problem_in("1 0 0 1 nan\n1 0.5 1 0 1\n"), HasSubstr("capillary"));
}

}  // namespace
}  // namespace plumecast
