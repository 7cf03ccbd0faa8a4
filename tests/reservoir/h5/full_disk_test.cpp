#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::h5 {
namespace {

using testing::ScratchFolder;

/// Writes a file of many arrays, some of them copies out of another; where it cannot, says why.
std::string written(const std::string& path, const std::string& other) {
    try {
        const File from = File::open(other);
        File file = File::create(path, "known.h5");
        for (const char* array : {"/grid/r_edges", "/inputs/permeability_r", "/inputs/injection_rate"}) {
            file.copy_array(from, array);
            file.copy_attributes(from, array, {});
        }
        file.create_like(from, "/inputs/porosity", 2);
        file.copy_row(from, "/inputs/porosity", 1, 0);
        file.create_array<double>("/axis", {{5000}, false, std::nullopt});
        file.write_rows<double>("/axis", 0, 5000, std::vector<double>(5000, 2.0));
        const std::vector<float> row(5000, 1.5F);
        for (int array = 0; array < 12; ++array) {
            const std::string name = "/group" + std::to_string(array % 3) + "/a" + std::to_string(array);
            file.create_array<float>(name, {{4, 5000}, array % 2 == 0, std::nullopt});
            for (std::int64_t at = 0; at < 4; ++at) {
                file.write_rows<float>(name, at, 1, row);
            }
            file.set_text(name, "units", "bar");
            file.attach_scale(name, 1, "/axis", "place");
            file.label_axis(name, 0, "case");
        }
        file.write_texts("/texts", std::vector<std::string>(100, "a text"));
        file.close();
    } catch (const IoError& error) {
        return error.what();
    }
    return "written";
}

TEST(H5File, FailsByOneMessageWhereverTheDiskIsFullAndLetsTheProcessEnd) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    const std::string other = testing::write_sample(folder);
    ASSERT_EQ(written(path, other), "written");
    const auto whole = static_cast<rlim_t>(std::filesystem::file_size(path));
    const auto write_with_limits = [&] {
        std::signal(SIGXFSZ, SIG_IGN);
        int failures = 0;
        for (rlim_t limit = 0; limit < whole; limit += 3571) {
            const rlimit most{limit, RLIM_INFINITY};
            setrlimit(RLIMIT_FSIZE, &most);
            const std::string told = written(path, other);
            const bool is_clear =
                told.starts_with("known.h5: ") && told.find("(File too large); free space") != std::string::npos;
            failures += is_clear ? 0 : 1;
        }
        const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &none);
        failures += written(path, other) == "written" ? 0 : 1;
        std::filesystem::remove_all(std::filesystem::path(path).parent_path());
        std::exit(std::min(failures, 100));
    };
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_EXIT(write_with_limits(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace plumecast::h5
