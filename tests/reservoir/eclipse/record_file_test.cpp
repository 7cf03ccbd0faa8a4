#include <numeric>

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

class RecordFileTest : public RecordReading {
   protected:
    RecordFileTest() : RecordReading("CASE.UNRST") {}
};

TEST_F(RecordFileTest, ReadsEveryType) {
    RecordFile file = open(integers("INTS", {1, -2}) + reals("REALS", {1.5F}) + doubles("DOUBLES", {-2.25}) +
                           record("FLAGS", "LOGI", {whole(0), whole(-1), whole(1)}, 1000) +
                           texts("NAMES", {"FGIT", "TIME"}) + record_header("ENDSOL", 0, "MESS"));
    EXPECT_THAT(file.numbers(*file.next()), ElementsAre(1.0, -2.0));
    EXPECT_THAT(file.numbers(*file.next()), ElementsAre(1.5));
    EXPECT_THAT(file.numbers(*file.next()), ElementsAre(-2.25));
    EXPECT_THAT(file.numbers(*file.next()), ElementsAre(0.0, 1.0, 1.0));
    EXPECT_THAT(file.texts(*file.next()), ElementsAre("FGIT", "TIME"));
    const auto message = file.next();
    EXPECT_EQ(message->keyword, "ENDSOL");
    EXPECT_EQ(message->type, RecordType::message);
    EXPECT_FALSE(file.next().has_value());
}

TEST_F(RecordFileTest, NamesTheOtherByteOrderArchivesAndPointers) {
    const auto refusal = [&](const std::string& bytes) -> std::string {
        try {
            open(bytes);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "accepted";
    };
    const std::string little = std::string("\x10\0\0\0INTS    \x01\0\0\0INTE\x10\0\0\0", 24);
    EXPECT_THAT(refusal(little), HasSubstr("CASE.UNRST: records in little-endian byte order"));
    EXPECT_THAT(refusal(std::string("\x1f\x8b\x08\0", 4) + integers("INTS", {1})),
                HasSubstr("CASE.UNRST: not the file itself (it is compressed with gzip); unpack it with 'gunzip'"));
    EXPECT_THAT(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"),
                HasSubstr("it is a pointer of Git LFS, not the file); fetch the file itself with 'git lfs pull'"));
    EXPECT_THAT(refusal("<!doctype html>"), HasSubstr("a web page"));
    EXPECT_EQ(refusal(integers("INTS", {1})), "accepted");
}

TEST_F(RecordFileTest, JoinsBlocksOfNumbersAndOfTexts) {
    std::vector<double> values(2500);
    std::iota(values.begin(), values.end(), 0.5);
    std::vector<std::string> names;
    for (int i = 0; i < 300; ++i) {
        names.push_back("W" + std::to_string(i));
    }
    RecordFile file = open(doubles("PRESSURE", values) + texts("WELLS", names) + texts("LONG", names, 16));
    EXPECT_EQ(file.numbers(*file.next()), values);
    EXPECT_EQ(file.texts(*file.next()), names);
    EXPECT_EQ(file.texts(*file.next()), names);
}

TEST_F(RecordFileTest, ReadsRepeatedKeywordsInOrderAndBackwards) {
    RecordFile file = open(doubles("SGAS", {0.1}) + doubles("SGAS", {0.2}));
    const Record first = *file.next();
    const Record second = *file.next();
    EXPECT_THAT(file.numbers(second), ElementsAre(0.2));
    EXPECT_THAT(file.numbers(first), ElementsAre(0.1));
    EXPECT_FALSE(file.next().has_value());
}

TEST_F(RecordFileTest, ReadsEmptyArraysAndAnEmptyFile) {
    RecordFile file = open(integers("NONE", {}) + integers("ONE", {7}));
    EXPECT_TRUE(file.numbers(*file.next()).empty());
    EXPECT_THAT(file.numbers(*file.next()), ElementsAre(7.0));
    EXPECT_FALSE(open("").next().has_value());
}

TEST_F(RecordFileTest, NamesFileAndByteOfDamage) {
    const std::string good = doubles("SGAS", {0.1, 0.2});
    const auto with = [&](std::size_t at, const std::string& bytes) {
        std::string text = good;
        return text.replace(at, bytes.size(), bytes);
    };
    EXPECT_THAT(error_of(with(0, whole(17))), HasSubstr("CASE.UNRST: byte 0: no array header"));
    EXPECT_THAT(error_of(with(16, "DUBL")), HasSubstr("byte 0: SGAS has type 'DUBL'"));
    EXPECT_THAT(error_of(with(12, whole(-5))), HasSubstr("SGAS declares -5 values"));
    EXPECT_THAT(error_of(with(24, whole(12))), HasSubstr("the mark at the end of a block"));
    EXPECT_THAT(error_of(with(24, whole(0))), HasSubstr("byte 24: a block of 0 bytes"));
    EXPECT_THAT(error_of(with(24, whole(-16))), HasSubstr("byte 24: a block of -16 bytes"));
    EXPECT_THAT(error_of(with(44, whole(15))), HasSubstr("byte 44: the mark at the end of a block is 15"));
}

TEST_F(RecordFileTest, RefusesWhatIsLargerThanTheFileBeforeAllocating) {
    EXPECT_THAT(error_of(record_header("SGAS", 2147483647, "DOUB")), HasSubstr("does not fit"));
    EXPECT_THAT(error_of(record_header("SGAS", -2147483648, "X231") + record_header("SGAS", 5, "DOUB")),
                HasSubstr("does not fit"));
}

TEST_F(RecordFileTest, RefusesNumbersOfTextsAndTheReverse) {
    RecordFile file = open(texts("NAMES", {"A"}) + integers("INTS", {1}));
    EXPECT_THROW(file.numbers(*file.next()), InvalidData);
    EXPECT_THROW(file.texts(*file.next()), InvalidData);
}

TEST_F(RecordFileTest, NamesAByteWhereverTheFileIsCut) {
    const std::string whole_file = integers("SEQNUM", {1}) + texts("NAMES", {"A", "B"}) + doubles("SGAS", {0.1, 0.2});
    for (std::size_t size = 1; size < whole_file.size(); ++size) {
        const std::string error = error_of(whole_file.substr(0, size));
        const bool between_arrays = size == integers("SEQNUM", {1}).size() ||
                                    size == (integers("SEQNUM", {1}) + texts("NAMES", {"A", "B"})).size();
        EXPECT_EQ(error.empty(), between_arrays) << size;
        EXPECT_TRUE(between_arrays || error.find("CASE.UNRST: byte ") != std::string::npos) << size << ": " << error;
    }
}

TEST_F(RecordFileTest, SurvivesDamagedBytesAnywhere) {
    const std::string good = integers("SEQNUM", {1}) + texts("NAMES", {"A", "B"}) + doubles("SGAS", {0.1, 0.2}) +
                             record_header("END", 0, "MESS");
    const RandomStream stream(3, "damage");
    for (std::uint64_t trial = 0; trial < 1000; ++trial) {
        std::string text = good;
        for (std::uint64_t change = 0; change < 1 + trial % 3; ++change) {
            const std::uint64_t bits = stream.bits(4 * trial + change);
            text[bits % text.size()] = static_cast<char>(bits >> 56);
        }
        EXPECT_NO_THROW(error_of(text)) << trial;  // an InvalidData at most
    }
}

TEST_F(RecordFileTest, ReportsAMissingFile) { EXPECT_THROW(RecordFile(folder_ / "no.UNRST"), IoError); }

}  // namespace
}  // namespace plumecast::testing
