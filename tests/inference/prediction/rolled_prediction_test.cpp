#include "inference/prediction/rolled_prediction.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using testing::ScratchFolder;

constexpr std::int64_t cases = 3, times = 7, points = 5;

/// A wave of the cases' own shape that moves by a point each time, on a circle: u_t = -u_x exactly.
float wave(std::int64_t n, std::int64_t t, std::int64_t x) {
    return static_cast<float>((n + 1) * ((x - t + points * times) % points));
}

std::string advection(const ScratchFolder& folder) {
    const std::string path = folder.file("advection.h5");
    h5::File file = h5::File::create(path);
    file.set_text("/", "format", "plumecast-dataset");
    file.set_integer("/", "format_version", 3);
    file.set_text("/", "geometry", "generic");
    file.set_text("/", "axes", "x");
    std::vector<double> all_times;
    std::vector<float> start, later;
    for (std::int64_t t = 1; t <= times; ++t) {
        all_times.push_back(static_cast<double>(t));
    }
    for (std::int64_t n = 0; n < cases; ++n) {
        for (std::int64_t t = 0; t <= times; ++t) {
            for (std::int64_t x = 0; x < points; ++x) {
                (t == 0 ? start : later).push_back(wave(n, t, x));
            }
        }
    }
    file.create_array<double>("/grid/times", {{times}, false, std::nullopt});
    file.write_rows<double>("/grid/times", 0, times, all_times);
    file.set_text("/grid/times", "units", "s");
    file.create_array<float>("/inputs/u0", {{cases, points}, false, std::nullopt});
    file.write_rows<float>("/inputs/u0", 0, cases, start);
    file.set_text("/inputs/u0", "units", "1");
    file.create_array<float>("/outputs/u", {{cases, times, points}, false, std::nullopt});
    file.write_rows<float>("/outputs/u", 0, cases, later);
    file.set_text("/outputs/u", "units", "1");
    file.close();
    return path;
}

/// Solves the equation exactly over the times of a window.
RolledOutputs advected(const Dataset& window) {
    RolledOutputs found;
    std::vector<float> state(static_cast<std::size_t>(points));
    for (std::int64_t n = 0; n < window.cases(); ++n) {
        window.read_map("/inputs/u0", {&n, 1}, state);
        for (std::int64_t t = 1; t <= window.snapshots(); ++t) {
            for (std::int64_t x = 0; x < points; ++x) {
                found["u"].push_back(state[static_cast<std::size_t>((x - t + points * times) % points)]);
            }
        }
    }
    return found;
}

TEST(RolledPrediction, OfExactAdvectionIsExactAtAllTimes) {
    const ScratchFolder folder;
    const Dataset dataset(advection(folder));
    for (const std::int64_t steps : {1, 2, 3, 7}) {  // 2 and 3 do not divide 7 times
        int windows = 0;
        const RolloutOptions rollout{steps, {{"u", {"u0"}}}};
        const RolledOutputs rolled = rolled_outputs(dataset, rollout, [&](Dataset window) {
            ++windows;
            EXPECT_EQ(window.snapshots(), steps);
            return advected(window);
        });
        EXPECT_EQ(windows, (times + steps - 1) / steps);
        for (std::int64_t n = 0; n < cases; ++n) {
            for (std::int64_t t = 0; t < times; ++t) {
                for (std::int64_t x = 0; x < points; ++x) {
                    ASSERT_EQ(rolled.at("u")[static_cast<std::size_t>((n * times + t) * points + x)], wave(n, t + 1, x))
                        << steps << " at once, case " << n << ", time " << t << ", point " << x;
                }
            }
        }
        NetworkDescription network;
        network.fields = {{"u", "1"}};
        const Evaluation evaluation = rolled_evaluation(network, dataset, rolled, {{1, "it failed"}});
        EXPECT_EQ(evaluation.loss, 0.0);
        EXPECT_THAT(evaluation.cases, ::testing::ElementsAre(0, 2));
        EXPECT_EQ(evaluation.fields.front().errors.mean().rmse, 0.0);
        EXPECT_EQ(evaluation.left_out.at(1), "it failed");
    }
}

TEST(RolledPrediction, ComparesWithTheOutputsOfEachTime) {
    const ScratchFolder folder;
    const Dataset dataset(advection(folder));
    RolledOutputs rolled;
    rolled["u"].assign(static_cast<std::size_t>(cases * times * points), 0.0F);
    NetworkDescription network;
    network.fields = {{"u", "1"}};
    const Evaluation evaluation = rolled_evaluation(network, dataset, rolled, {});
    EXPECT_EQ(evaluation.loss, 1.0);
    EXPECT_EQ(evaluation.fields.front().errors.mean().relative_l2, 1.0);
}

}  // namespace
}  // namespace plumecast
