#include <array>
#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/eclipse/case_files.hpp"
#include "reservoir/eclipse/record_bytes.hpp"
#include "reservoir/eclipse/restart.hpp"
#include "reservoir/eclipse/summary.hpp"
#include "reservoir/eclipse/units.hpp"

namespace plumecast::testing {
namespace {

using eclipse::CaseFiles;
using eclipse::StepFiles;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RunFilesTest : public TemporaryFolder {
   protected:
    void touch(const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            write(folder_ / name, "");
        }
    }
    std::string error_of(const std::filesystem::path& path) {
        try {
            eclipse::find_case(path);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(RunFilesTest, FindsARunByFolderNameOrAnyFile) {
    touch({"CASE.EGRID", "CASE.INIT", "CASE.UNRST", "CASE.SMSPEC", "CASE.UNSMRY", "CASE.DATA", "notes.txt"});
    for (const char* name : {"", "CASE", "CASE.DATA", "CASE.UNRST"}) {
        const CaseFiles files = eclipse::find_case(folder_ / name);
        EXPECT_EQ(files.grid.filename(), "CASE.EGRID") << name;
        EXPECT_EQ(files.restart.size(), 1u);
        EXPECT_EQ(files.specification.filename(), "CASE.SMSPEC");
        EXPECT_EQ(files.root.filename(), "CASE");
    }
}

TEST_F(RunFilesTest, NamesCompressedFilesOfARun) {
    touch({"CASE.EGRID", "CASE.INIT.gz", "CASE.UNRST", "OTHER.EGRID.zst", "OTHER.UNRST.zst"});
    EXPECT_THAT(error_of(folder_ / "CASE"), HasSubstr("no INIT file (the deck asks for one by INIT in section GRID) "
                                                      "(CASE.INIT.gz is compressed); unpack the files of the run"));
    EXPECT_THAT(error_of(folder_ / "OTHER"), HasSubstr("no EGRID or GRID file (OTHER.EGRID.zst is compressed)"));
    EXPECT_THAT(error_of(folder_ / "CASE.INIT.gz"), HasSubstr("CASE.INIT.gz: a compressed file of a run"));
}

TEST_F(RunFilesTest, CountsARunOnceHoweverManyOfItsFilesAreNamed) {
    touch({"A.EGRID", "A.INIT", "A.UNRST", "A.plumecast.json", "B.2.EGRID", "B.2.UNRST"});
    const auto in_folder = [&](const std::vector<std::string>& names) {
        std::vector<std::string> paths;
        for (const std::string& name : names) {
            paths.push_back((folder_ / name).string());
        }
        return paths;
    };
    const auto named = in_folder({"B.2.UNRST", "A.EGRID", "A.INIT", "A", "A.plumecast.json", "B.2.EGRID", "C", ""});
    EXPECT_EQ(eclipse::distinct_runs(named), in_folder({"B.2", "A", "C", ""}));
    EXPECT_THAT(eclipse::distinct_runs({"nowhere/A.EGRID", "nowhere/A.EGRID"}), ElementsAre("nowhere/A.EGRID"));
}

TEST_F(RunFilesTest, PutsNumberedFilesInOrderAndPrefersUnformattedOnes) {
    touch({"A.FEGRID", "A.GRID", "A.FINIT", "A.X0010", "A.X0002", "A.X10000", "A.F0001", "A.S0001"});
    const CaseFiles files = eclipse::find_case(folder_ / "A");
    EXPECT_EQ(files.grid.filename(), "A.FEGRID");
    EXPECT_EQ(files.init.filename(), "A.FINIT");
    ASSERT_EQ(files.restart.size(), 3u);
    EXPECT_EQ(files.restart[0].filename(), "A.X0002");
    EXPECT_EQ(files.restart[2].filename(), "A.X10000");
    EXPECT_EQ(files.summary.size(), 1u);
}

TEST_F(RunFilesTest, TellsNamesWithDotsApart) {
    touch({"A.1.EGRID", "A.1.INIT", "A.1.UNRST"});
    EXPECT_EQ(eclipse::find_case(folder_ / "A.1").grid.filename(), "A.1.EGRID");
    EXPECT_EQ(eclipse::find_case(folder_ / "A.1.INIT").grid.filename(), "A.1.EGRID");
}

TEST_F(RunFilesTest, SaysWhatIsMissing) {
    EXPECT_THAT(error_of(folder_), HasSubstr("no run"));
    EXPECT_THAT(error_of(folder_ / "A"), HasSubstr("A"));
    touch({"A.EGRID", "B.GRID"});
    EXPECT_THAT(error_of(folder_), HasSubstr("several runs"));
    EXPECT_THAT(error_of(folder_ / "A"), HasSubstr("no INIT file"));
    touch({"A.INIT"});
    EXPECT_THAT(error_of(folder_ / "A"), HasSubstr("no UNRST file"));
    EXPECT_THAT(error_of(folder_ / "missing" / "A"), HasSubstr("missing"));
}

TEST_F(RunFilesTest, NotesTheMainGridsArraysOfEveryStep) {
    write(folder_ / "A.UNRST", integers("SEQNUM", {0}) + doubles("PRESSURE", {1.0}) + doubles("PRESSURE", {9.0}) +
                                   texts("LGR", {"FINE"}) + doubles("SGAS", {0.5}) + integers("SEQNUM", {1}) +
                                   doubles("PRESSURE", {2.0}));
    const std::array<std::filesystem::path, 1> files = {folder_ / "A.UNRST"};
    const std::array<std::string_view, 2> keywords = {"PRESSURE", "SGAS"};
    StepFiles steps(files, keywords);
    ASSERT_EQ(steps.steps(), 2u);
    EXPECT_THAT(steps.numbers(1, "PRESSURE"), ElementsAre(2.0));
    EXPECT_THAT(steps.numbers(0, "PRESSURE"), ElementsAre(1.0));
    EXPECT_FALSE(steps.has(0, "SGAS"));
    EXPECT_THROW(steps.numbers(0, "SGAS"), InvalidData);
}

constexpr std::array<std::string_view, 2> wanted_vectors = {"FGIT", "WGIT"};

TEST_F(RunFilesTest, ReadsAVectorOfTheSummary) {
    touch({"A.EGRID", "A.INIT", "A.UNRST"});
    write(folder_ / "A.SMSPEC", texts("KEYWORDS", {"TIME", "FGIT"}) + texts("UNITS", {"HOURS", "SM3"}));
    write(folder_ / "A.S0001", integers("MINISTEP", {0}) + reals("PARAMS", {24.0F, 5.0F}));
    write(folder_ / "A.S0002", integers("MINISTEP", {1}) + reals("PARAMS", {48.0F, 7.0F}));
    const CaseFiles files = eclipse::find_case(folder_ / "A");
    const eclipse::Summary summary = eclipse::read_summary(files, wanted_vectors, eclipse::Units{});
    EXPECT_THAT(summary.days, ElementsAre(1.0, 2.0));
    EXPECT_THAT(*summary.find("FGIT"), ElementsAre(5.0, 7.0));
    EXPECT_EQ(summary.find("WGIT"), nullptr);
    EXPECT_FALSE(summary.start);
    write(folder_ / "A.S0002", reals("PARAMS", {48.0F}));
    EXPECT_THROW(eclipse::read_summary(files, wanted_vectors, eclipse::Units{}), InvalidData);
}

TEST_F(RunFilesTest, TellsVectorsOfWellsApartAndReadsTheStartDate) {
    touch({"A.EGRID", "A.INIT", "A.UNRST"});
    write(folder_ / "A.SMSPEC", texts("KEYWORDS", {"TIME", "WGIT", "WGIT", "FGIT"}) +
                                    texts("WGNAMES", {":+:+:+:+", "I1", "I2", ":+:+:+:+"}) +
                                    integers("STARTDAT", {31, 12, 2029, 6, 30, 0}));
    write(folder_ / "A.UNSMRY", reals("PARAMS", {1.0F, 2.0F, 3.0F, 5.0F}));
    const eclipse::Summary summary =
        eclipse::read_summary(eclipse::find_case(folder_ / "A"), wanted_vectors, eclipse::Units{});
    EXPECT_THAT(*summary.find("WGIT", "I2"), ElementsAre(3.0));
    EXPECT_THAT(*summary.find("FGIT"), ElementsAre(5.0));
    EXPECT_THAT(summary.names_of("WGIT"), ElementsAre("I1", "I2"));
    using namespace std::chrono;
    EXPECT_EQ(summary.start, sys_days(2029y / 12 / 31) + 6h + 30min);
}

TEST_F(RunFilesTest, PutsTheStepsOfTheRestartedRunBeforeThoseOfTheSummary) {
    touch({"B.EGRID", "B.INIT", "B.UNRST"});
    write(folder_ / "B.SMSPEC", texts("RESTART", {"A", "", ""}) + texts("KEYWORDS", {"TIME", "FGIT", "FGIR"}));
    write(folder_ / "B.UNSMRY", reals("PARAMS", {30.0F, 9.0F, 1.0F}));
    const CaseFiles files = eclipse::find_case(folder_ / "B");
    const std::array<std::string_view, 2> keywords = {"FGIT", "FGIR"};
    EXPECT_EQ(eclipse::read_summary(files, keywords, eclipse::Units{}).restarts, "A");
    write(folder_ / "A.SMSPEC", texts("KEYWORDS", {"TIME", "FGIT"}));
    write(folder_ / "A.UNSMRY", reals("PARAMS", {10.0F, 4.0F}) + reals("PARAMS", {40.0F, 8.0F}));
    const eclipse::Summary whole = eclipse::read_summary(files, keywords, eclipse::Units{});
    EXPECT_THAT(whole.days, ElementsAre(10.0, 30.0));  // the step on day 40 was simulated anew
    EXPECT_THAT(*whole.find("FGIT"), ElementsAre(4.0, 9.0));
    EXPECT_TRUE(std::isnan(whole.find("FGIR")->front()));
    EXPECT_EQ(whole.restarts, "");
    write(folder_ / "A.SMSPEC", texts("RESTART", {"B"}) + texts("KEYWORDS", {"TIME", "FGIT"}));
    EXPECT_EQ(eclipse::read_summary(files, keywords, eclipse::Units{}).days.back(),
              30.0);  // runs that name each other come to an end
}

TEST(EclipseUnits, AreThoseOfTheFilesSystem) {
    EXPECT_EQ(eclipse::units_of(1, "A").bar, 1.0);
    EXPECT_NEAR(1000.0 * eclipse::units_of(2, "A").bar, 68.9475729, 1e-6);
    EXPECT_EQ(eclipse::units_of(2, "A").celsius(212.0), 100.0);
    EXPECT_EQ(eclipse::units_of(4, "A").bar, 1.01325);
    EXPECT_EQ(eclipse::units_named("FIELD").metres, 0.3048);
    EXPECT_THROW(eclipse::units_of(5, "A"), InvalidData);
    EXPECT_THROW(eclipse::units_named("IMPERIAL"), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
