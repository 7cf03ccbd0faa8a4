
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "core/machine/memory_limit.hpp"

namespace plumecast::testing {
namespace {

namespace fs = std::filesystem;

/// A file tree like that of a Linux system, removed at its end.
class FakeSystem {
   public:
    FakeSystem() {
        std::string name = (fs::temp_directory_path() / "plumecast-groups-XXXXXX").string();
        root_ = mkdtemp(name.data());
    }
    ~FakeSystem() { fs::remove_all(root_); }
    FakeSystem(const FakeSystem&) = delete;
    FakeSystem& operator=(const FakeSystem&) = delete;
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text << '\n';
    }
    std::optional<MemoryLimit> limit() const { return control_group_limit(root_); }

   private:
    fs::path root_;
};

constexpr const char* unified = "25 20 0:22 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate";

TEST(ControlGroupLimit, IsTheLeastAlongThePathInVersion2) {
    const FakeSystem system;
    system.write("proc/self/mountinfo", std::string("24 20 0:21 / /proc rw - proc proc rw\n") + unified);
    system.write("proc/self/cgroup", "0::/user.slice/job 7.scope");
    system.write("sys/fs/cgroup/user.slice/job 7.scope/memory.max", "max");
    system.write("sys/fs/cgroup/user.slice/memory.max", "3000000000");
    ASSERT_TRUE(system.limit());
    EXPECT_EQ(system.limit()->bytes, 3000000000U);
    EXPECT_EQ(system.limit()->source, "memory.max of the control group /user.slice");
    system.write("sys/fs/cgroup/user.slice/job 7.scope/memory.max", "2000000000");
    EXPECT_EQ(system.limit()->bytes, 2000000000U);
    EXPECT_EQ(system.limit()->source, "memory.max of the control group /user.slice/job 7.scope");
}

TEST(ControlGroupLimit, IsThatOfTheRootWhichAContainerSees) {
    const FakeSystem system;
    system.write("proc/self/mountinfo", unified);
    system.write("proc/self/cgroup", "0::/");
    EXPECT_FALSE(system.limit());
    system.write("sys/fs/cgroup/memory.max", "1073741824");
    ASSERT_TRUE(system.limit());
    EXPECT_EQ(system.limit()->bytes, std::size_t{1} << 30);
    EXPECT_EQ(system.limit()->source, "memory.max of the control group /");
}

TEST(ControlGroupLimit, IsFoundInVersion1BesideAnEmptyHierarchyOfVersion2) {
    const FakeSystem system;
    system.write("proc/self/mountinfo",
                 "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,cpu,memory\n"
                 "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                 "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
    system.write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/slurm/job_1/step_0\n1:cpuset:/other\n0::/");
    system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
    system.write("sys/fs/cgroup/memory/slurm/job_1/memory.limit_in_bytes", "8589934592");
    system.write("sys/fs/cgroup/memory/slurm/job_1/step_0/memory.limit_in_bytes", "9223372036854771712");
    system.write("sys/fs/cgroup/memory/other/memory.limit_in_bytes", "1");
    ASSERT_TRUE(system.limit());
    EXPECT_EQ(system.limit()->bytes, std::size_t{8} << 30);
    EXPECT_EQ(system.limit()->source, "memory.limit_in_bytes of the control group /slurm/job_1");
}

TEST(ControlGroupLimit, IsFoundWhereAContainerSeesTheNamesOfItsHost) {
    const FakeSystem system;
    system.write("proc/self/mountinfo",
                 "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro master:11 - cgroup cgroup rw,memory");
    system.write("proc/self/cgroup", "4:memory:/docker/abc/inner");
    system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000000");
    ASSERT_TRUE(system.limit());
    EXPECT_EQ(system.limit()->bytes, 500000000U);
    system.write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "400000000");
    EXPECT_EQ(system.limit()->bytes, 400000000U);
    system.write("proc/self/cgroup", "4:memory:/docker/other");
    EXPECT_EQ(system.limit()->bytes, 500000000U);
}

TEST(ControlGroupLimit, IsNothingWithoutGroupsOrInFilesOfAnotherKind) {
    const FakeSystem system;
    EXPECT_FALSE(system.limit());
    system.write("proc/self/mountinfo", "nonsense\n25 20\n- cgroup2\n\n25 20 0:22 / /sys/fs/cgroup");
    system.write("proc/self/cgroup", "0\n::\n0:");
    system.write("sys/fs/cgroup/memory.max", "unknown");
    EXPECT_FALSE(system.limit());
}

TEST(MemoryLimit, IsAtMostThatOfTheMachineAndHasASource) {
    const MemoryLimit limit = memory_limit();
    EXPECT_GT(limit.bytes, std::size_t{1} << 20);
    EXPECT_LE(limit.bytes,
              static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    EXPECT_FALSE(limit.source.empty());
}

TEST(MemoryLimit, KnowsTheLimitsOfTheProcess) {
    for (const auto& [which, source] : {std::pair{RLIMIT_AS, "ulimit -v"}, std::pair{RLIMIT_DATA, "ulimit -d"}}) {
        rlimit before{};
        ASSERT_EQ(getrlimit(which, &before), 0);
        // Above what sanitizers map; the machine's memory may be less.
        const rlimit lower{std::min<rlim_t>(before.rlim_cur, rlim_t{1} << 46), before.rlim_max};
        ASSERT_EQ(setrlimit(which, &lower), 0);
        const auto left = addresses_left();
        ASSERT_TRUE(left) << source;
        EXPECT_LT(*left, lower.rlim_cur);
        EXPECT_GT(*left, lower.rlim_cur / 2);
        EXPECT_LE(memory_limit().bytes, lower.rlim_cur);
        ASSERT_EQ(setrlimit(which, &before), 0);
    }
}

}  // namespace
}  // namespace plumecast::testing
