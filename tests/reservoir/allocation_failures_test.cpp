#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "io/abandoned.hpp"
#include "io/atomic_file.hpp"
#include "io/folders.hpp"
#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/h5/file.hpp"
#include "support/limits/failing_heap.hpp"

namespace plumecast {
namespace {

class IoAllocationFailures : public testing::TemporaryFolder {
   protected:
    /// Repeats an action with one allocation after the other failing, until none does: each throws, and nothing else
    /// happens, in particular no end of the program. How many failed.
    static int failures_of(const std::function<void()>& action) {
        action();  // fills what is kept between calls
        int failures = 0;
        for (std::int64_t n = 0;; ++n) {
            testing::fail_allocation_after(n);
            try {
                action();
            } catch (const std::bad_alloc&) {
                ++failures;
            } catch (const Error&) {  // of a library that could not go on
                ++failures;
            }
            if (!testing::stop_failing()) {
                return failures;
            }
        }
    }
};

TEST_F(IoAllocationFailures, OfFoldersAreThrown) {
    for (const char* name : {"a name too long to be kept without memory", "another one, as long as the first", "c"}) {
        write(folder_ / name, "");
    }
    EXPECT_GT(failures_of([this] { names_in(folder_); }), 3);
    EXPECT_GT(failures_of([this] { remove_abandoned_in(folder_); }), 3);
    const auto tree = folder_ / "tree";
    EXPECT_GT(failures_of([&] {
                  create_folders(tree / "inner");
                  remove_tree(tree);
              }),
              0);
    EXPECT_GT(failures_of([&] {
                  AtomicFolder written(tree);
                  write(written.path() / "file", "");
                  written.commit();
              }),
              3);
    remove_tree(tree);
}

TEST_F(IoAllocationFailures, DoNotPassThroughHdf5) {
    const std::string path = folder_ / "a.h5", absent = folder_ / "absent.h5";
    const auto write_file = [&] {
        h5::File file = h5::File::create(path);
        file.create_array<float>("/a group/with an array", {{4}, false, std::nullopt});
        file.set_text("/a group/with an array", "units of these values", "bar");
        file.close();
    };
    EXPECT_GT(failures_of(write_file), 3);
    write_file();
    const h5::File file = h5::File::open(path);
    EXPECT_GT(failures_of([&] { file.arrays(); }), 1);
    EXPECT_GT(failures_of([&] { file.attributes("/a group/with an array"); }), 1);
    const auto open_absent = [&] {
        try {
            h5::File::open(absent);
        } catch (const IoError&) {  // its message takes memory
        }
    };
    EXPECT_GT(failures_of(open_absent), 1);
    // What passed through the library left it locked to all threads but this one.
    std::size_t found = 0;
    std::jthread([&] { found = file.arrays().size(); }).join();
    EXPECT_EQ(found, 1U);
}

}  // namespace
}  // namespace plumecast
