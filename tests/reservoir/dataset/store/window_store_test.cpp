#include "reservoir/dataset/store/window_store.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ScratchFolder;
using ::testing::ThrowsMessage;

/// Two cases on a line of two points: states w0 and w1, then w at four times, each number 100 n + 10 t + x with t
/// counted from the first state; a force that varies in time, and a number.
std::string waves(const ScratchFolder& folder, std::vector<double> times = {2.0, 3.0, 4.0, 5.0}) {
    const std::string path = folder.file(times[2] == 4.0 ? "waves.h5" : "uneven.h5");
    h5::File file = h5::File::create(path);
    file.set_text("/", "format", "plumecast-dataset");
    file.set_integer("/", "format_version", 3);
    file.set_text("/", "geometry", "generic");
    file.set_text("/", "axes", "x");
    file.create_array<double>("/grid/times", {{4}, false, std::nullopt});
    file.write_rows<double>("/grid/times", 0, 4, times);
    file.set_text("/grid/times", "units", "s");
    const auto add = [&](const std::string& name, std::vector<std::int64_t> extents, const std::vector<float>& values) {
        file.create_array<float>(name, {extents, false, std::nullopt});
        file.write_rows<float>(name, 0, extents[0], values);
        file.set_text(name, "units", "1");
    };
    const auto states = [](std::int64_t first, std::int64_t count) {
        std::vector<float> values;
        for (std::int64_t n = 0; n < 2; ++n) {
            for (std::int64_t t = first; t < first + count; ++t) {
                for (std::int64_t x = 0; x < 2; ++x) {
                    values.push_back(static_cast<float>(100 * n + 10 * t + x));
                }
            }
        }
        return values;
    };
    add("/inputs/w0", {2, 2}, states(0, 1));
    add("/inputs/w1", {2, 2}, states(1, 1));
    add("/inputs/force", {2, 4, 2}, states(2, 4));
    add("/inputs/number", {2}, {7, 8});
    add("/outputs/w", {2, 4, 2}, states(2, 4));
    file.close();
    return path;
}

const RolloutOptions rollout{2, {{"w", {"w0", "w1"}}}};

std::vector<float> map_of(const Dataset& dataset, const std::string& name, std::int64_t which) {
    std::vector<float> values(2);
    dataset.read_map(name, {&which, 1}, values);
    return values;
}

TEST(Windows, AreCasesWithTheOutputsBeforeThemAsStates) {
    const ScratchFolder folder;
    const Dataset windows = Dataset(waves(folder)).windows(rollout);
    EXPECT_EQ(windows.cases(), 2 * 3);
    EXPECT_THAT(windows.times(), ElementsAre(2.0, 3.0));
    EXPECT_THAT(map_of(windows, "/inputs/w0", 0), ElementsAre(0, 1));
    EXPECT_THAT(map_of(windows, "/inputs/w1", 0), ElementsAre(10, 11));
    EXPECT_THAT(map_of(windows, "/inputs/w0", 1), ElementsAre(10, 11));
    EXPECT_THAT(map_of(windows, "/inputs/w1", 1), ElementsAre(20, 21));
    EXPECT_THAT(map_of(windows, "/inputs/w0", 5), ElementsAre(120, 121)) << "the last window of the second case";
    std::vector<float> values(4);
    const std::int64_t last = 5;
    windows.read_output("w", {&last, 1}, values);
    EXPECT_THAT(values, ElementsAre(140, 141, 150, 151));
    windows.read_varying("/inputs/force", {&last, 1}, values);
    EXPECT_THAT(values, ElementsAre(140, 141, 150, 151));
    EXPECT_THAT(windows.scalar("/inputs/number"), ElementsAre(7, 7, 7, 8, 8, 8));
}

TEST(Windows, OfARollOutReadWhatItHasCome) {
    const ScratchFolder folder;
    const Dataset whole(waves(folder));
    RolledOutputs rolled;
    rolled["w"].assign(2 * 4 * 2, 0.0F);
    rolled["w"][2 * 4 + 2] = 5.0F;  // the second time of the second case
    const Dataset window = whole.window(rollout, 2, rolled);
    EXPECT_EQ(window.cases(), 2);
    EXPECT_THAT(map_of(window, "/inputs/w1", 1), ElementsAre(5, 0));
    EXPECT_THAT(map_of(window, "/inputs/w1", 0), ElementsAre(0, 0));
    const Dataset second = whole.window(rollout, 1, rolled);
    EXPECT_THAT(map_of(second, "/inputs/w0", 1), ElementsAre(110, 111)) << "a state that the data give";
}

TEST(Windows, RefuseTimesAndStatesThatTheDataDoNotHave) {
    const ScratchFolder folder;
    const Dataset whole(waves(folder));
    const auto refuses = [&](const RolloutOptions& wrong, const std::string& says) {
        EXPECT_THAT([&] { whole.windows(wrong); }, ThrowsMessage<InvalidData>(HasSubstr(says)));
    };
    refuses({5, rollout.states}, "has 4 times");
    refuses({1, {{"v", {"w0"}}}}, "no output v");
    refuses({1, {{"w", {"number"}}}}, "no input number of the axes of space alone");
    const Dataset uneven(waves(folder, {2.0, 3.0, 5.0, 6.0}));
    EXPECT_THAT([&] { uneven.windows(rollout); }, ThrowsMessage<InvalidData>(HasSubstr("different distances")));
    EXPECT_THAT([&] { Dataset(testing::write_sample(folder)).windows(rollout); },
                ThrowsMessage<InvalidInput>(HasSubstr("describes reservoirs")));
}

}  // namespace
}  // namespace plumecast
