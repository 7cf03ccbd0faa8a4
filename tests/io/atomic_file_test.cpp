#include <csignal>
#include <filesystem>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include <io/durable.hpp>

#include "io/atomic_file.hpp"
#include "reservoir/dataset/temporary_folder.hpp"

namespace plumecast {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class AtomicFileTest : public testing::TemporaryFolder {};
class AtomicFolderTest : public testing::TemporaryFolder {};

template <class Action>
std::string message_of(Action action) {
    try {
        action();
    } catch (const IoError& error) {
        return error.what();
    }
    return "no IoError";
}

/// Runs the action in a child whose files may not grow beyond 4 KiB, as on a full disk; true when it got an IoError
/// that says so.
template <class Action>
bool fails_on_full_disk(Action action) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        ::_exit(message_of(action).find("File too large") != std::string::npos ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(AtomicFileTest, KeepsTheOldContentUntilCommitted) {
    const fs::path path = folder_ / "a.txt";
    write(path, "old");
    AtomicFile file(path);
    write(file.path(), "new");
    EXPECT_EQ(read(path), "old");
    EXPECT_EQ(file.path().parent_path(), folder_);
    file.commit();
    EXPECT_EQ(read(path), "new");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, LeavesNothingBehindWhenNotCommitted) {
    {
        AtomicFile file(folder_ / "a.txt");
        write(file.path(), "half");
    }
    EXPECT_EQ(entries(), 0u);
}

TEST_F(AtomicFileTest, LetsTwoWritersFinishOneAfterTheOther) {
    AtomicFile first(folder_ / "a.txt");
    AtomicFile second(folder_ / "a.txt");
    write(first.path(), "first");
    write(second.path(), "second");
    second.commit();
    first.commit();
    EXPECT_EQ(read(folder_ / "a.txt"), "first");
}

TEST_F(AtomicFileTest, KeepsAFileThatCameMeanwhileWhereAsked) {
    const fs::path path = folder_ / "a.txt";
    for (const std::string before : {"", "old"}) {
        if (!before.empty()) {
            write(path, before);
        }
        AtomicFile file(path, AtomicFile::Newcomer::kept);
        write(file.path(), "computed");
        write(path, "of somebody else");
        EXPECT_THAT(message_of([&] { file.commit(); }),
                    AllOf(HasSubstr("somebody else has written it"), HasSubstr("kept as '" + path.string() + ".kept")));
        EXPECT_EQ(read(path), "of somebody else");
    }
    EXPECT_EQ(read(path.string() + ".kept"), "computed");
    EXPECT_EQ(read(path.string() + ".kept2"), "computed");
    AtomicFile file(path, AtomicFile::Newcomer::kept);
    write(file.path(), "new");
    file.commit();
    EXPECT_EQ(read(path), "new");
}

TEST_F(AtomicFileTest, KeepsWhatWasWrittenWhereThePlaceIsRefused) {
    AtomicFile file(folder_ / "a.txt");
    write(file.path(), "computed");
    fs::create_directory(folder_ / "a.txt");
    EXPECT_THAT(message_of([&] { file.commit(); }),
                AllOf(HasSubstr("in place (Is a directory)"), HasSubstr("a.txt.kept'")));
    EXPECT_EQ(read(folder_ / "a.txt.kept"), "computed");
}

TEST_F(AtomicFileTest, TakesThePermissionsOfTheFileItReplaces) {
    const auto permissions = [&] { return fs::status(folder_ / "a.txt").permissions(); };
    write(folder_ / "a.txt", "old");
    for (const fs::perms wanted : {fs::perms(0660), fs::perms(0444)}) {
        fs::permissions(folder_ / "a.txt", wanted);
        write_text_atomically(folder_ / "a.txt", "new");
        EXPECT_EQ(permissions(), wanted);
    }
}

TEST_F(AtomicFileTest, WritesThroughASymbolicLink) {
    write(folder_ / "target", "old");
    fs::create_symlink("target", folder_ / "link");
    fs::create_symlink(folder_ / "link", folder_ / "link to the link");
    fs::create_symlink("later", folder_ / "link to nothing");
    write_text_atomically(folder_ / "link to the link", "new");
    write_text_atomically(folder_ / "link to nothing", "first");
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link to the link"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link to nothing"));
    EXPECT_EQ(read(folder_ / "target"), "new");
    EXPECT_EQ(read(folder_ / "later"), "first");
}

TEST_F(AtomicFileTest, RefusesALinkToItself) {
    fs::create_symlink("loop", folder_ / "loop");
    EXPECT_THAT(message_of([&] { AtomicFile file(folder_ / "loop"); }), HasSubstr("leads back to itself"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "loop"));
}

TEST_F(AtomicFileTest, RefusesAMissingFolderAndWhatIsNoFile) {
    EXPECT_THAT(message_of([&] { AtomicFile file(folder_ / "none" / "a.txt"); }),
                HasSubstr("No such file or directory); create the folder first"));
    EXPECT_THAT(message_of([&] { AtomicFile file(folder_); }), HasSubstr("it names a folder"));
    EXPECT_THAT(message_of([&] { AtomicFile file(folder_ / "none" / ""); }), HasSubstr("it names a folder"));
    EXPECT_THAT(message_of([&] { AtomicFile file("/dev/full"); }), HasSubstr("not an ordinary file"));
    EXPECT_THAT(message_of([&] { AtomicFile file(""); }), HasSubstr("not an ordinary file"));
}

TEST_F(AtomicFileTest, NamesAFolderItMayNotWriteTo) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "root may write everywhere";
    }
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_THAT(message_of([&] { AtomicFile file(folder_ / "a.txt"); }), HasSubstr("Permission denied"));
    fs::permissions(folder_, fs::perms::owner_all);
}

TEST(Sibling, CutsALongNameBetweenTwoCharacters) {
    std::string name = "x";
    for (int i = 0; i < 100; ++i) {
        name += "\u00e4";  // two bytes each, of which byte 170 is a second one
    }
    const std::string cut = sibling("folder/" + name, "partial").filename().string();
    EXPECT_EQ(cut.substr(0, cut.find('~')), "." + name.substr(0, 169));
    EXPECT_TRUE(cut.ends_with(".partial"));
}

TEST_F(AtomicFileTest, KeepsTheOldTextWhenTheDiskIsFull) {
    const fs::path path = folder_ / "a.txt";
    write_text_atomically(path, "old");
    EXPECT_TRUE(fails_on_full_disk([&] { write_text_atomically(path, std::string(10000, 'x')); }));
    EXPECT_EQ(read(path), "old");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFolderTest, SaysThatAFolderWithinCannotBeBroughtToDisk) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "root may read everywhere";
    }
    AtomicFolder target(folder_ / "model");
    fs::create_directory(target.path() / "sub");
    fs::permissions(target.path() / "sub", fs::perms::none);
    EXPECT_THAT(message_of([&] { target.commit(); }), HasSubstr("Permission denied"));
    fs::permissions(target.path() / "sub", fs::perms::owner_all);
    EXPECT_FALSE(fs::exists(folder_ / "model"));
}

TEST_F(AtomicFolderTest, ReplacesAWholeFolder) {
    const fs::path path = folder_ / "model";
    for (const std::string version : {"first", "second"}) {
        AtomicFolder target(path);
        fs::create_directory(target.path() / "sub");
        write(target.path() / "sub" / version, version);
        target.commit();
        EXPECT_EQ(read(path / "sub" / version), version);
    }
    EXPECT_FALSE(fs::exists(path / "sub" / "first"));
    EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFolderTest, KeepsTheOldFolderWhenNotCommitted) {
    fs::create_directory(folder_ / "model");
    write(folder_ / "model" / "a", "old");
    {
        AtomicFolder target(folder_ / "model/");
        write(target.path() / "a", "half");
    }
    EXPECT_EQ(read(folder_ / "model" / "a"), "old");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFolderTest, ClearsWhatAKilledWriterLeft) {
    const pid_t child = ::fork();
    if (child == 0) {
        AtomicFolder target(folder_ / "model");
        write(target.path() / "half", "x");
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(entries(), 1u);
    AtomicFolder target(folder_ / "model");
    EXPECT_TRUE(fs::is_empty(target.path()));
    target.commit();
    EXPECT_TRUE(fs::is_empty(folder_ / "model"));
}

TEST_F(AtomicFolderTest, RefusesASecondWriter) {
    AtomicFolder first(folder_ / "model");
    EXPECT_THAT(message_of([&] { AtomicFolder second(folder_ / "model"); }), HasSubstr("another process is writing"));
    first.commit();
    EXPECT_TRUE(fs::exists(folder_ / "model"));
}

TEST_F(AtomicFolderTest, RefusesTheNameOfAFileAndAMissingParent) {
    write(folder_ / "file", "x");
    EXPECT_THAT(message_of([&] { AtomicFolder target(folder_ / "file"); }), HasSubstr("it is a file"));
    EXPECT_THAT(message_of([&] { AtomicFolder target(folder_ / "no" / "model"); }), HasSubstr("create the folder"));
}

TEST_F(AtomicFolderTest, IsRecoveredForwardsWhenKilledBetweenTheRenames) {
    fs::create_directory(folder_ / ".model.old");
    fs::create_directory(folder_ / ".model.new");
    write(folder_ / ".model.new" / "a", "new");
    recover_folder(folder_ / "model");
    EXPECT_EQ(read(folder_ / "model" / "a"), "new");
}

TEST_F(AtomicFolderTest, IsRecoveredBackwardsWhenOnlyTheOldVersionIsLeft) {
    fs::create_directory(folder_ / ".model.old");
    write(folder_ / ".model.old" / "a", "old");
    recover_folder(folder_ / "model");
    EXPECT_EQ(read(folder_ / "model" / "a"), "old");
}

TEST_F(AtomicFolderTest, NeedsNoRecoveryBeforeTheFirstCommit) {
    fs::create_directory(folder_ / ".model.new");
    recover_folder(folder_ / "model");
    EXPECT_FALSE(fs::exists(folder_ / "model"));
}

TEST_F(AtomicFolderTest, IsReplacedByRenamesWhereFoldersCannotBeExchanged) {
    for (const char* name : {"model", ".model.new"}) {
        fs::create_directory(folder_ / name);
        write(folder_ / name / "a", name);
    }
    replace_by_renames(folder_ / ".model.new", folder_ / "model", folder_ / ".model.old");
    EXPECT_EQ(read(folder_ / "model" / "a"), ".model.new");
    EXPECT_EQ(read(folder_ / ".model.old" / "a"), "model");
}

}  // namespace
}  // namespace plumecast
