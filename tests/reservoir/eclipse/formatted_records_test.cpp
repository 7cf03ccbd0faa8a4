#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "core/random.hpp"
#include "reservoir/eclipse/record_bytes.hpp"
#include "reservoir/eclipse/record_reading.hpp"

namespace plumecast::testing {
namespace {

using eclipse::Record;
using eclipse::RecordFile;
using eclipse::RecordType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FormattedRecordsTest : public RecordReading {
   protected:
    FormattedRecordsTest() : RecordReading("CASE.FUNRST") {}
};

TEST_F(FormattedRecordsTest, ReadsEveryType) {
    RecordFile file = open(
        " 'INTS    '           2 'INTE'\n           1          -2\n"
        " 'REALS   '           1 'REAL'\n   0.15000000E+01\n"
        " 'DOUBLES '           2 'DOUB'\n  -0.22500000000000D+01   0.10000000000000-101\n"
        " 'FLAGS   '           3 'LOGI'\n  F  T  T\n"
        " 'NAMES   '           2 'CHAR'\n 'FGIT    ' 'IT''S   '\n"
        " 'LONG    '           1 'C012'\n 'TWELVE CHARS'\n"
        " 'ENDSOL  '           0 'MESS'\n");
    EXPECT_THAT(file.numbers(*file.next()), ElementsAre(1.0, -2.0));
    EXPECT_THAT(file.numbers(*file.next()), ElementsAre(1.5));
    EXPECT_THAT(file.numbers(*file.next()), ElementsAre(-2.25, 1e-102));
    EXPECT_THAT(file.numbers(*file.next()), ElementsAre(0.0, 1.0, 1.0));
    EXPECT_THAT(file.texts(*file.next()), ElementsAre("FGIT", "IT''S"));
    EXPECT_THAT(file.texts(*file.next()), ElementsAre("TWELVE CHARS"));
    EXPECT_EQ(file.next()->type, RecordType::message);
    EXPECT_FALSE(file.next().has_value());
}

TEST_F(FormattedRecordsTest, GoesBackToAnEarlierArray) {
    RecordFile file = open(" 'SGAS    ' 1 'REAL'\n 0.1\n 'SGAS    ' 1 'REAL'\n 0.2\n 'SGAS    ' 1 'REAL'\n 0.3\n");
    const Record first = *file.next();
    const Record second = *file.next();
    EXPECT_FLOAT_EQ(static_cast<float>(file.numbers(second)[0]), 0.2F);
    EXPECT_FLOAT_EQ(static_cast<float>(file.numbers(first)[0]), 0.1F);
    EXPECT_FLOAT_EQ(static_cast<float>(file.numbers(*file.next())[0]), 0.3F);
}

TEST_F(FormattedRecordsTest, NamesFileAndByteOfDamage) {
    EXPECT_THAT(error_of(" 'SGAS    ' 2 'REAL'\n 0.1\n"), HasSubstr("the file ends within an array"));
    EXPECT_THAT(error_of(" 'SGAS    ' 2 'DUBL'\n 0.1 0.2\n"), HasSubstr("byte 1: SGAS has type 'DUBL'"));
    EXPECT_THAT(error_of(" 'SGAS    ' -2 'REAL'\n 0.1 0.2\n"), HasSubstr("SGAS declares -2 values"));
    EXPECT_THAT(error_of(" 'SGAS    ' two 'REAL'\n 0.1 0.2\n"), HasSubstr("SGAS declares 'two' values"));
    EXPECT_THAT(error_of(" 'SGAS    ' 2 'REAL'\n 0.1 zero\n"), HasSubstr("FUNRST: byte 26: 'zero' in SGAS"));
    EXPECT_THAT(error_of(" 'SGAS    ' 1 'LOGI'\n 1.0\n"), HasSubstr("neither T nor F"));
    EXPECT_THAT(error_of(" 'SGAS  ' 1 'REAL'\n 1.0\n"), HasSubstr("byte 1: no text of 8 characters between quotes"));
    EXPECT_THAT(error_of(" 'NAMES   ' 1 'CHAR'\n 'A\n"), HasSubstr("does not fit"));
    EXPECT_THAT(error_of(" 'NAMES   ' 1 'CHAR'\n 'A\n             "), HasSubstr("no text of 8 characters"));
}

TEST_F(FormattedRecordsTest, RefusesWhatIsLargerThanTheFileBeforeAllocating) {
    EXPECT_THAT(error_of(" 'SGAS    ' 2147483647 'REAL'\n 0.1\n"), HasSubstr("does not fit"));
    EXPECT_THAT(error_of(" 'SGAS    ' 9223372036854775807 'REAL'\n 0.1\n"), HasSubstr("does not fit"));
    EXPECT_THAT(error_of(" 'SGAS    ' -2147483648 'X231'\n 'SGAS    ' 5 'REAL'\n 0.1\n"), HasSubstr("does not fit"));
}

TEST_F(FormattedRecordsTest, SurvivesDamagedBytesAnywhere) {
    const std::string good =
        " 'SEQNUM  ' 1 'INTE'\n 1\n 'NAMES   ' 2 'CHAR'\n 'A       ' 'B       '\n 'SGAS    ' 2 'DOUB'\n 0.1D+00 2\n";
    const RandomStream stream(4, "damage");
    for (std::uint64_t trial = 0; trial < 1000; ++trial) {
        std::string text = good;
        for (std::uint64_t change = 0; change < 1 + trial % 3; ++change) {
            const std::uint64_t bits = stream.bits(4 * trial + change);
            text[bits % text.size()] = static_cast<char>(bits >> 56);
        }
        EXPECT_NO_THROW(error_of(text)) << trial;  // an InvalidData at most
    }
}

}  // namespace
}  // namespace plumecast::testing
