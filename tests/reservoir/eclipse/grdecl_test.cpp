
#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/eclipse/grdecl.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class GrdeclTest : public TemporaryFolder {
   protected:
    std::map<std::string, eclipse::ValueRuns> read(const std::string& text) {
        write(folder_ / "MODEL.GRDECL", text);
        return eclipse::read_grdecl_text(folder_ / "MODEL.GRDECL").arrays;
    }
    std::string error_of(const std::string& text) {
        try {
            read(text);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(GrdeclTest, ReadsValuesRepeatsAndComments) {
    auto arrays = read(
        "-- a model\nSPECGRID\n 2 1 3 1 F / of the grid\n\nPORO -- fractions\n 0.1 3*0.2 -- most\n 2*2.5D-1 / done\n"
        "ACTNUM\n6*1/\n");
    EXPECT_THAT(arrays.at("SPECGRID").expand(3, "SPECGRID"), ElementsAre(2.0, 1.0, 3.0));
    EXPECT_THAT(arrays.at("PORO").expand(6, "PORO"), ElementsAre(0.1, 0.2, 0.2, 0.2, 0.25, 0.25));
    EXPECT_THAT(arrays.at("ACTNUM").expand(6, "ACTNUM"), ElementsAre(1, 1, 1, 1, 1, 1));
    EXPECT_FALSE(arrays.contains("CYLINDRICAL"));
    EXPECT_THAT(read("PORO\n 1e-400 /\n").at("PORO").expand(1, "PORO"), ElementsAre(0.0));
}

TEST_F(GrdeclTest, KeepsRepeatsTogetherWhateverTheirNumber) {
    const auto arrays = read("PORO\n 1000000000000*0.2 /\n");
    EXPECT_EQ(arrays.at("PORO").count, 1000000000000);
    EXPECT_EQ(arrays.at("PORO").runs.size(), 1u);
}

TEST_F(GrdeclTest, FollowsIncludesAndSkipsOtherKeywords) {
    write(folder_ / "perm.inc", "PERMX\n 2*100 /\n");
    const auto arrays = read(
        "NOECHO\nMAPAXES\n 0 1 0 0 1 0 /\nFAULTS\n 'F1' 1 1 1 1 /\n/\nINCLUDE\n 'perm.inc' /\nporo\n 2*0.3 /\nECHO\n");
    EXPECT_EQ(arrays.size(), 3u);
    EXPECT_THAT(arrays.at("MAPAXES").expand(6, "MAPAXES"), ElementsAre(0.0, 1.0, 0.0, 0.0, 1.0, 0.0));
    EXPECT_THAT(arrays.at("PERMX").expand(2, "PERMX"), ElementsAre(100.0, 100.0));
    EXPECT_THAT(arrays.at("PORO").expand(2, "PORO"), ElementsAre(0.3, 0.3));
}

TEST_F(GrdeclTest, ReadsUnitAndKindOfCoordinates) {
    const auto arrays = read("SPECGRID\n 2 1 3 1 T /\nGRIDUNIT\n 'FEET    ' '        ' /\n");
    EXPECT_TRUE(arrays.contains("CYLINDRICAL"));
    EXPECT_THAT(arrays.at("GRIDUNIT").expand(1, "GRIDUNIT"), ElementsAre(0.3048));
}

TEST_F(GrdeclTest, NamesFileAndByteOfWhatCannotBeRead) {
    EXPECT_THAT(error_of("PORO\n 0.1 high /\n"), HasSubstr("MODEL.GRDECL: byte 10: 'high' (no number)"));
    EXPECT_THAT(error_of("PORO\n 12*1e400 /\n"), HasSubstr("byte 6: '12*1e400' (no number)"));
    EXPECT_THAT(error_of("PORO\n 0.1 0.2\n"), HasSubstr("byte 0: PORO has no end"));
    EXPECT_THAT(error_of("PORO\n 5* /\n"), HasSubstr("byte 6: '5*' asks for a default"));
    EXPECT_THAT(error_of("PORO\n x*2 /\n"), HasSubstr("a repeat count is a whole number"));
    EXPECT_THAT(error_of("PORO\n -3*2 /\n"), HasSubstr("a repeat count is a whole number"));
    EXPECT_THAT(error_of("PORO\n 2000000000000*2 /\n"), HasSubstr("more than 2^40 values"));
    EXPECT_THAT(error_of("PORO\n 1 /\nPORO\n 1 /\n"), HasSubstr("byte 10: PORO is given twice"));
    EXPECT_THAT(error_of("0.5\n"), HasSubstr("byte 0: '0.5' where a keyword should stand"));
    EXPECT_THAT(error_of("EQUALS\n PORO 0.2 /\n/\n"), HasSubstr("byte 0: EQUALS changes arrays"));
    EXPECT_THAT(error_of("INCLUDE\n 'open\n"), HasSubstr("a quote that nothing closes"));
    EXPECT_THAT(error_of("GRIDUNIT\n 'MILES' /\n"), HasSubstr("GRIDUNIT 'MILES'"));
    EXPECT_THAT(error_of("INCLUDE\n 'MODEL.GRDECL' /\n"), HasSubstr("INCLUDE within 8 others"));
}

TEST_F(GrdeclTest, SaysWhatToDoAboutTextThatIsWrongRatherThanDamaged) {
    EXPECT_THAT(error_of("FILEUNIT\n METRES /\n"),
                AllOf(HasSubstr("FILEUNIT 'METRES' (it is a system of units: METRIC, FIELD, LAB and PVT-M are known)"),
                      EndsWith("; name one of them")));
    EXPECT_THAT(error_of("GRIDUNIT\n 'MILES' /\n"), EndsWith("(METRES, FEET and CM are known); name one of them"));
    EXPECT_THAT(error_of("METRIC\nFIELD\n"), EndsWith("; correct the text there"));
    for (const char* cut : {"PORO\n 0.1 0.2\n", "SKIP\nPORO\n", "INCLUDE\n 'open\n"}) {
        EXPECT_THAT(error_of(cut), EndsWith("; add it, or copy the file again if it was cut short"));
    }
    EXPECT_THROW(read("INCLUDE\n 'missing.inc' /\n"), IoError);
}

TEST_F(GrdeclTest, SaysHowManyValuesAreMissing) {
    const auto arrays = read("PORO\n 3*0.2 /\n");
    try {
        arrays.at("PORO").expand(4, "PORO");
        FAIL() << "expanded";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("byte 0: PORO has 3 values (the grid needs 4); complete it"));
    }
    try {
        arrays.at("PORO").expand(2, "PORO");
        FAIL() << "expanded";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("PORO has 3 values (the grid needs 2); correct it"));
    }
}

}  // namespace
}  // namespace plumecast::testing
