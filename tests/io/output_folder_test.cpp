#include "io/output_folder.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "reservoir/dataset/temporary_folder.hpp"

namespace plumecast::testing {
namespace {

namespace fs = std::filesystem;

class OutputFolderTest : public TemporaryFolder {
   protected:
    /// A run that writes `result`, while something else writes `other`.
    void run(const std::string& result, const std::string& other = "") const {
        const auto is_result = [](const fs::path& file) { return file.string().starts_with("result"); };
        OutputFolder folder(folder_, "input", is_result, false);
        folder.begin();
        write(folder_ / result, result);
        if (!other.empty()) {
            fs::create_directories((folder_ / other).parent_path());
            write(folder_ / other, other);
        }
        folder.finish(OutputFolder::Former::remove);
    }
};

TEST_F(OutputFolderTest, RemovesWhatAnEarlierRunWroteAndThisOneDoesNot) {
    run("result_1");
    run("result_2");
    EXPECT_FALSE(fs::exists(folder_ / "result_1"));
    EXPECT_TRUE(fs::exists(folder_ / "result_2"));
}

TEST_F(OutputFolderTest, KnowsWhatItWroteAgain) {
    run("result_1");
    run("result_1");
    EXPECT_NO_THROW(run("result_1"));
    EXPECT_TRUE(fs::exists(folder_ / "result_1"));
}

TEST_F(OutputFolderTest, LeavesFilesThatOthersWriteDuringARun) {
    run("result_1", "notes.txt");
    run("result_2", "mine/table.csv");
    run("result_3");
    EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
    EXPECT_TRUE(fs::exists(folder_ / "mine/table.csv"));
}

}  // namespace
}  // namespace plumecast::testing
