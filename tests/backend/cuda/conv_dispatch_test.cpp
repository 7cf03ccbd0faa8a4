#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "backend/cuda/conv_dispatch.hpp"
#include "support/comparison.hpp"
#include "support/counted_memory.hpp"

namespace plumecast::testing {
namespace {

using cuda::conv_kind;
using cuda::ConvDispatch;
using cuda::ConvWay;

/// Stand-ins that add 1 (the library) or 2 (tiles) to beta times what is there, and take the times given.
class ConvDispatchChoice : public ::testing::Test {
   protected:
    ConvWay way(float value, double seconds, bool takes = true) {
        return [this, value, seconds, takes](std::span<const OutputRef> targets) {
            for (std::size_t i = 0; takes && i < targets.size(); ++i) {
                float& y = *targets[i].view.as<float>();
                y = value + (targets[i].beta != 0.0 ? static_cast<float>(targets[i].beta) * y : 0.0f);
            }
            spent_ += takes ? seconds : 0.0;
            return takes;
        };
    }
    /// What lies in the target, 10 before, after a run.
    float run(ConvDispatch& dispatch, const ConvWay& library, const ConvWay& tiles, bool may_time = true) {
        Tensor y(memory_, {1}, DType::float32);
        *y.view().as<float>() = 10.0f;
        const std::array targets{OutputRef{y.view(), 1.0}};
        const auto seconds = [&](const std::function<void()>& work) {
            ++timed_;
            const double before = spent_;
            work();
            return spent_ - before;
        };
        dispatch.run("k3", targets, library, tiles, {memory_, seconds, may_time});
        return *y.view().as<float>();
    }
    CountedMemory& memory() { return memory_; }
    int timed() const { return timed_; }
    static ConvDispatch fresh() { return ConvDispatch(cuda::TuningCache({}, "device", {})); }

   private:
    CountedMemory memory_;
    double spent_ = 0.0;
    int timed_ = 0;
};

TEST_F(ConvDispatchChoice, TakesTheFasterWayAfterTimingBothOnceWithoutTouchingTheTarget) {
    ConvDispatch dispatch = fresh();
    EXPECT_EQ(run(dispatch, way(1, 2.0), way(2, 1.0)), 12.0f);
    EXPECT_EQ(run(dispatch, way(1, 2.0), way(2, 1.0)), 12.0f);
    EXPECT_EQ(timed(), 2);
    ConvDispatch other = fresh();
    EXPECT_EQ(run(other, way(1, 1.0), way(2, 2.0)), 11.0f);
}

TEST_F(ConvDispatchChoice, TakesTheLibraryWhereTilesRefuse) {
    ConvDispatch dispatch = fresh();
    EXPECT_EQ(run(dispatch, way(1, 2.0), way(2, 1.0, false)), 11.0f);
    EXPECT_EQ(timed(), 1);
}

TEST_F(ConvDispatchChoice, TakesTheLibraryWhileNothingMayBeTimedAndChoosesLater) {
    ConvDispatch dispatch = fresh();
    EXPECT_EQ(run(dispatch, way(1, 2.0), way(2, 1.0), false), 11.0f);
    EXPECT_EQ(timed(), 0);
    EXPECT_EQ(run(dispatch, way(1, 2.0), way(2, 1.0)), 12.0f);
}

TEST_F(ConvDispatchChoice, TakesTheLibraryWhereThereIsNoRoomToTimeAndChoosesLater) {
    ConvDispatch dispatch = fresh();
    memory().fail_after(1);  // after the target
    EXPECT_EQ(run(dispatch, way(1, 2.0), way(2, 1.0)), 11.0f);
    memory().fail_after(-1);
    EXPECT_EQ(run(dispatch, way(1, 2.0), way(2, 1.0)), 12.0f);
}

TEST(ConvKind, TellsApartWhatTakesDifferentTimes) {
    const ConvGeometry plain{}, up{.transposed = true}, strided{.stride = {2, 2, 2}}, shifted{.padding_low = {0, 1, 1}};
    const std::vector<Shape> one{{1, 8, 8, 8, 72}}, two{{1, 8, 8, 8, 36}, {1, 8, 8, 8, 36}};
    const Shape y{1, 8, 8, 8, 36};
    const std::set<std::string> kinds{
        conv_kind("forward", "bf16", plain, one, y),   conv_kind("weight gradient", "bf16", plain, one, y),
        conv_kind("forward", "fp32", plain, one, y),   conv_kind("forward", "bf16", up, one, y),
        conv_kind("forward", "bf16", strided, one, y), conv_kind("forward", "bf16", shifted, one, y),
        conv_kind("forward", "bf16", plain, two, y),   conv_kind("forward", "bf16", plain, one, one.front())};
    EXPECT_EQ(kinds.size(), 8u);
}

}  // namespace
}  // namespace plumecast::testing
