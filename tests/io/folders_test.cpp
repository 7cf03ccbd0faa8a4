
#include <filesystem>
#include <string>
#include <system_error>

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "io/folders.hpp"
#include "reservoir/dataset/temporary_folder.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FoldersTest : public testing::TemporaryFolder {};

template <class Action>
std::string refusal(Action action) {
    try {
        action();
    } catch (const IoError& error) {
        return error.what();
    }
    return "";
}

TEST_F(FoldersTest, NamesWhatIsInAFolderSorted) {
    EXPECT_THAT(names_in(folder_), IsEmpty());
    write(folder_ / "b", "");
    write(folder_ / ".a", "");
    create_folders(folder_ / "c" / "inner");
    EXPECT_THAT(names_in(folder_), ElementsAre(".a", "b", "c"));
    EXPECT_THAT(refusal([&] { names_in(folder_ / "absent"); }), HasSubstr("absent' (No such file or directory)"));
    EXPECT_THAT(refusal([&] { names_in(folder_ / "b"); }), HasSubstr("Not a directory"));
    std::error_code error;
    EXPECT_THAT(names_in(folder_ / "absent", error), IsEmpty());
    EXPECT_EQ(error, std::errc::no_such_file_or_directory);
    EXPECT_THAT(names_in(folder_ / "c", error), ElementsAre("inner"));
    EXPECT_FALSE(error);
}

TEST_F(FoldersTest, RemovesATreeButNotWhatItsLinksLeadTo) {
    const fs::path tree = folder_ / "tree";
    create_folders(tree / "a" / "b");
    create_folders(folder_ / "kept");
    write(folder_ / "kept" / "file", "");
    write(tree / "a" / "b" / "file", "");
    fs::create_directory_symlink(folder_ / "kept", tree / "link");
    remove_tree(tree);
    EXPECT_THAT(names_in(folder_), ElementsAre("kept"));
    EXPECT_THAT(names_in(folder_ / "kept"), ElementsAre("file"));
    remove_tree(tree);  // nothing is there
    remove_tree(folder_ / "kept" / "file");
    EXPECT_THAT(names_in(folder_ / "kept"), IsEmpty());
}

TEST_F(FoldersTest, NamesATreeThatCannotBeRemoved) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "root may remove anything";
    }
    create_folders(folder_ / "tree" / "a");
    fs::permissions(folder_ / "tree", fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_THAT(refusal([&] { remove_tree(folder_ / "tree"); }), HasSubstr("tree' (Permission denied)"));
    std::error_code error;
    remove_tree(folder_ / "tree", error);
    EXPECT_EQ(error, std::errc::permission_denied);
    fs::permissions(folder_ / "tree", fs::perms::owner_all);
}

}  // namespace
}  // namespace plumecast
