#include <numeric>

#include <sys/resource.h>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/eclipse/output/record_writer.hpp"
#include "reservoir/eclipse/record_bytes.hpp"
#include "reservoir/eclipse/record_file.hpp"

namespace plumecast::testing {
namespace {

using eclipse::RecordFile;
using eclipse::RecordFormat;
using eclipse::RecordWriter;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RecordWriterTest : public TemporaryFolder {
   protected:
    std::filesystem::path path() const { return folder_ / "CASE.UNRST"; }
};

TEST_F(RecordWriterTest, WritesTheBytesOfTheFormat) {
    RecordWriter file(path(), RecordFormat::unformatted);
    file.integers("NUMBERS", std::vector<std::int32_t>{1, -2});
    file.message("ENDSOL");
    file.commit();
    EXPECT_EQ(read(path()),
              record("NUMBERS", "INTE", {whole(1), whole(-2)}, 1000) + record_header("ENDSOL", 0, "MESS"));
}

TEST_F(RecordWriterTest, WritesWhatTheReaderReads) {
    std::vector<float> many(2500);
    std::iota(many.begin(), many.end(), -3.5F);
    RecordWriter file(path(), RecordFormat::unformatted);
    file.reals("PRESSURE", many);
    file.doubles("DOUBHEAD", std::vector<double>{0.1, 1e300});
    file.logicals("LOGIHEAD", {true, false, true});
    file.texts("KEYWORDS", std::vector<std::string>(200, "WBHP"));
    file.commit();
    RecordFile back(path());
    const auto pressure = back.next();
    EXPECT_EQ(back.numbers(*pressure), std::vector<double>(many.begin(), many.end()));
    EXPECT_THAT(back.numbers(*back.next()), ElementsAre(0.1, 1e300));
    EXPECT_THAT(back.numbers(*back.next()), ElementsAre(1.0, 0.0, 1.0));
    EXPECT_EQ(back.texts(*back.next()), std::vector<std::string>(200, "WBHP"));
    EXPECT_FALSE(back.next().has_value());
}

TEST_F(RecordWriterTest, WritesFormattedRecordsInTheColumnsOfTheSimulators) {
    RecordWriter file(path(), RecordFormat::formatted);
    file.integers("NUMBERS", std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7});
    file.reals("PRESSURE", std::vector<float>{150.25F});
    file.doubles("TIME", std::vector<double>{0.5});
    file.texts("NAMES", std::vector<std::string>{"FGIT", "TOOLONGNAME"});
    file.logicals("FLAGS", {true, false});
    file.commit();
    EXPECT_EQ(read(path()),
              " 'NUMBERS '           7 'INTE'\n"
              "           1           2           3           4           5           6\n"
              "           7\n"
              " 'PRESSURE'           1 'REAL'\n"
              "   1.50250000E+02\n"
              " 'TIME    '           1 'DOUB'\n"
              "   5.00000000000000D-01\n"
              " 'NAMES   '           2 'CHAR'\n"
              " 'FGIT    ' 'TOOLONGN'\n"
              " 'FLAGS   '           2 'LOGI'\n"
              "  T  F\n");
}

TEST_F(RecordWriterTest, LeavesNothingWhenItIsNotCompleted) {
    { RecordWriter(path(), RecordFormat::unformatted).integers("NUMBERS", std::vector<std::int32_t>{1}); }
    EXPECT_EQ(entries(), 0U);
}

TEST_F(RecordWriterTest, NamesTheFileThatTheDiskRefuses) {
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    RecordWriter file(path(), RecordFormat::unformatted);
    const rlimit small{4096, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    std::string message;
    try {
        file.doubles("PRESSURE", std::vector<double>(100000));
        file.commit();
    } catch (const IoError& error) {
        message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_THAT(message, HasSubstr("CASE.UNRST"));
}

}  // namespace
}  // namespace plumecast::testing
