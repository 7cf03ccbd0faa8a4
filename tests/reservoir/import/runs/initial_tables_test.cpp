#include "reservoir/import/runs/initial_tables.hpp"

#include <limits>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double unused = 1e20;

/// Two regions with SGFN of up to three rows, then SWFN of up to two; columns of all tables follow each other.
std::vector<double> table_values() {
    return {
        0.0, 0.4, 0.8, 0.0, 0.5, unused,  // gas saturation
        0.0, 0.1, 0.9, 0.0, 0.6, unused,  // relative permeability
        9.0, 9.0, 9.0, 9.0, 9.0, unused,  // capillary pressure, which counts nowhere
        0.0, 0.0, 0.0, 0.0, 0.0, unused,  // slopes
        0.0, 0.0, 0.0, 0.0, 0.0, unused,  //
        0.2, 1.0, 0.5, 1.0,               // water saturation
        0.0, 1.0, 0.0, 1.0,               //
        2.1, 0.5, 0.2, 0.1,               // capillary pressure
        0.0, 0.0, 0.0, 0.0,               // slopes
        0.0, 0.0, 0.0, 0.0,
    };
}

std::vector<double> extents() {
    std::vector<double> all(30, 1.0);
    all[20] = 31.0;  // SWFN
    all[21] = 2.0;
    all[22] = 2.0;
    all[23] = 1.0;  // SGFN
    all[24] = 3.0;
    all[25] = 2.0;
    return all;
}

TEST(InitialTables, JoinWaterAndGasOfEachRegion) {
    const SaturationTables tables = saturation_tables_of(extents(), table_values(), 0.1, "RUN.INIT");
    ASSERT_THAT(tables, SizeIs(2));
    ASSERT_THAT(tables[0], SizeIs(3));
    EXPECT_DOUBLE_EQ(tables[0][1].gas_saturation, 0.4);
    EXPECT_DOUBLE_EQ(tables[0][1].gas_permeability, 0.1);
    EXPECT_NEAR(tables[0][1].water_permeability, 0.5, 1e-12);
    EXPECT_NEAR(tables[0][1].capillary_pressure, 0.13, 1e-12);
    EXPECT_NEAR(tables[0][0].capillary_pressure, 0.05, 1e-12) << "of rock without gas";
    EXPECT_NEAR(tables[0][2].water_permeability, 0.0, 1e-12);
    ASSERT_THAT(tables[1], SizeIs(2));
    EXPECT_DOUBLE_EQ(tables[1][1].gas_saturation, 0.5);
}

TEST(InitialTables, AreNoneWhereAKindIsMissing) {
    std::vector<double> lacking = extents();
    lacking[22] = 0.0;
    EXPECT_THAT(saturation_tables_of(lacking, table_values(), 1.0, "RUN.INIT"), IsEmpty());
    EXPECT_THAT(saturation_tables_of({1.0, 2.0}, table_values(), 1.0, "RUN.INIT"), IsEmpty());
}

TEST(InitialTables, RefuseAnArrayThatIsTooShort) {
    std::vector<double> values = table_values();
    values.pop_back();
    EXPECT_THROW(saturation_tables_of(extents(), values, 1.0, "RUN.INIT"), InvalidData);
    std::vector<double> beyond = extents();
    beyond[20] = 1e30;
    EXPECT_THROW(saturation_tables_of(beyond, table_values(), 1.0, "RUN.INIT"), InvalidData);
}

TEST(InitialTables, RefuseWhatIsNoNumber) {
    for (const std::size_t at : {1, 7, 35, 39}) {  // saturation, permeabilities, capillary pressure
        std::vector<double> values = table_values();
        values[at] = std::numeric_limits<double>::quiet_NaN();
        try {
            saturation_tables_of(extents(), values, 1.0, "RUN.INIT");
            ADD_FAILURE() << at;
        } catch (const InvalidData& error) {
            EXPECT_THAT(error.what(), HasSubstr("RUN.INIT: TAB has NaN in row "));
        }
    }
    std::vector<double> values = table_values();
    values[13] = std::numeric_limits<double>::quiet_NaN();  // of gas, which counts nowhere
    EXPECT_THROW(saturation_tables_of(extents(), values, 1.0, "RUN.INIT"), InvalidData);
}

}  // namespace
}  // namespace plumecast
