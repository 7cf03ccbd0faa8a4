#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/eclipse/output/result_files.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

TEST(RestartWriter, RefusesATimeThatNoDateTells) {
    const ScratchFolder folder;
    const std::vector<eclipse::CellProperty> solution = {{"SGAS", {0.5F}}};
    eclipse::RestartWriter writer(folder.file("CASE.UNRST"),
                                  {1, 1, 1, 1, std::chrono::sys_days(std::chrono::year(2020) / 1 / 1)});
    writer.add(0, 1e6, solution);
    try {
        writer.add(1, 2e7, solution);
        FAIL() << "written";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("the time of 2e+07 days lies beyond the year 32767"));
    }
}

}  // namespace
}  // namespace plumecast::testing
