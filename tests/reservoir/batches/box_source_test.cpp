
#include <algorithm>

#include <gtest/gtest.h>

#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/batches/box_source.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

class BoxSourceTest : public ::testing::Test {
   protected:
    std::unique_ptr<BatchSource> whole() const {
        return dataset_source(dataset_, default_channels(), default_fields());
    }
    ScratchFolder folder_;
    Dataset dataset_{write_sample(folder_)};
};

/// Element [b, z, r, ...] of a host array as its rows of `inner` numbers.
std::vector<float> cell(const Tensor& array, std::int64_t b, std::int64_t z, std::int64_t r) {
    const Shape& shape = array.shape();
    const std::int64_t inner = shape.count(3, shape.rank());
    const float* begin = array.view().as<float>() + ((b * shape[1] + z) * shape[2] + r) * inner;
    return {begin, begin + inner};
}

TEST_F(BoxSourceTest, GivesTheCellsOfItsBoxes) {
    const std::vector<std::int64_t> cases{2, 0};
    const Batch all = whole()->load(cases);
    const Box inputs({0, 2}, {4, 5}), targets({0, 1}, {4, 4}), own({0, 2}, {4, 3});
    const auto source = box_source(whole(), {inputs, targets, own});
    const Batch part = source->load(cases);
    EXPECT_EQ(part.extents, Shape({4, 5, 3}));
    EXPECT_EQ(source->extents(), Shape({4, 5, 3}));
    ASSERT_EQ(part.inputs.size(), all.inputs.size());
    EXPECT_EQ(part.inputs[0].values.shape().slice(0, 3), Shape({2, 4, 3}));
    EXPECT_EQ(part.inputs[1].values.shape(), all.inputs[1].values.shape());  // constant in space
    EXPECT_EQ(part.targets.shape(), Shape({2, 4, 3, 3, 2}));
    for (std::int64_t b = 0; b < 2; ++b) {
        for (std::int64_t z = 0; z < 4; ++z) {
            for (std::int64_t r = 0; r < 3; ++r) {
                EXPECT_EQ(cell(part.inputs[0].values, b, z, r), cell(all.inputs[0].values, b, z, r + 2));
                EXPECT_EQ(cell(part.targets, b, z, r), cell(all.targets, b, z, r + 1));
            }
        }
    }
}

TEST_F(BoxSourceTest, CutsWhatIsCorrectedToItsOwnCells) {
    const Dataset guided(write_guided_sample(folder_));
    const auto physics = std::make_shared<CasePhysics>(guided, PhysicsSettings{});
    const auto source = [&] {
        return dataset_source(guided, guided_channels(), guided_fields(), Targets::read, physics);
    };
    const std::vector<std::int64_t> cases{2, 0};
    const Batch all = source()->load(cases);
    const Box inputs({0, 0}, {4, 5}), targets({0, 1}, {4, 4}), own({0, 2}, {4, 3});
    const Batch part = box_source(source(), {inputs, targets, own})->load(cases);
    EXPECT_EQ(part.base.shape(), Shape({2, 4, 1, 3, 2}));
    EXPECT_EQ(part.correction.shape(), part.base.shape());
    for (std::int64_t b = 0; b < 2; ++b) {
        for (std::int64_t z = 0; z < 4; ++z) {
            EXPECT_EQ(cell(part.base, b, z, 0), cell(all.base, b, z, 2));
            EXPECT_EQ(cell(part.correction, b, z, 0), cell(all.correction, b, z, 2));
            EXPECT_EQ(cell(part.inputs.back().values, b, z, 1), cell(all.inputs.back().values, b, z, 1));
        }
    }
    EXPECT_TRUE(std::ranges::equal(part.limits.values<float>(), all.limits.values<float>()));
    EXPECT_EQ(box_source(source(), {inputs, targets, own})->load({}).base.shape(), Shape({0, 4, 1, 3, 2}));
}

TEST_F(BoxSourceTest, CountsTheCellsOfItsNeighboursAsInactive) {
    const std::vector<std::int64_t> cases{0};
    const Batch all = whole()->load(cases);
    const Box cells({0, 1}, {4, 4}), own({0, 2}, {4, 3});
    const Batch part = box_source(whole(), {cells, cells, own})->load(cases);
    for (std::int64_t z = 0; z < 4; ++z) {
        EXPECT_EQ(cell(part.active, 0, z, 0), std::vector<float>{0.0F});
        EXPECT_EQ(cell(part.active, 0, z, 1), cell(all.active, 0, z, 2));
        EXPECT_EQ(cell(part.active, 0, z, 2), std::vector<float>{0.0F});
    }
}

/// Notes how many cases are asked for at once.
class NotedSource final : public BatchSource {
   public:
    NotedSource(std::unique_ptr<BatchSource> source, std::size_t& most) : source_(std::move(source)), most_(&most) {}
    std::int64_t cases() const override { return source_->cases(); }
    Shape extents() const override { return source_->extents(); }
    std::vector<std::string> channels() const override { return source_->channels(); }
    Batch load(std::span<const std::int64_t> cases) const override {
        *most_ = std::max(*most_, cases.size());
        return source_->load(cases);
    }

   private:
    std::unique_ptr<BatchSource> source_;
    std::size_t* most_;
};

TEST_F(BoxSourceTest, HoldsOneWholeCaseAtATime) {
    const std::vector<std::int64_t> cases{1, 2, 0};
    const Batch all = whole()->load(cases);
    const Box box({0, 3}, {1, 4});
    std::size_t most = 0;
    const Batch part = box_source(std::make_unique<NotedSource>(whole(), most), {box, box, box})->load(cases);
    EXPECT_EQ(most, 1u);
    EXPECT_EQ(part.cases, cases);
    ASSERT_EQ(part.inputs.size(), all.inputs.size());
    for (std::size_t group = 0; group < part.inputs.size(); ++group) {
        EXPECT_EQ(part.inputs[group].values.shape()[0], all.inputs[group].values.shape()[0]) << group;
        EXPECT_EQ(part.inputs[group].channels, all.inputs[group].channels);
    }
    for (std::int64_t b = 0; b < 3; ++b) {
        EXPECT_EQ(cell(part.inputs[0].values, b, 0, 0), cell(all.inputs[0].values, b, 0, 3));
        EXPECT_EQ(cell(part.targets, b, 0, 0), cell(all.targets, b, 0, 3));
    }
    const std::span<const float> scales = part.scales.values<float>(), expected = all.scales.values<float>();
    EXPECT_TRUE(std::ranges::equal(scales, expected));
}

TEST_F(BoxSourceTest, LoadsNoCasesAndNoCells) {
    const Box some({0, 1}, {4, 4}), none({0, 5}, {4, 5});
    const Batch none_of_all = box_source(whole(), {some, some, some})->load({});
    EXPECT_EQ(none_of_all.active.shape(), Shape({0, 4, 3}));
    EXPECT_EQ(none_of_all.targets.shape(), Shape({0, 4, 3, 3, 2}));
    const std::vector<std::int64_t> cases{1};
    const Batch empty = box_source(whole(), {some, none, none})->load(cases);
    EXPECT_EQ(empty.active.shape(), Shape({1, 4, 0}));
    EXPECT_EQ(empty.targets.shape(), Shape({1, 4, 0, 3, 2}));
    const std::vector<std::int64_t> several{1, 0};
    EXPECT_EQ(box_source(whole(), {some, none, none})->load(several).targets.shape(), Shape({2, 4, 0, 3, 2}));
}

}  // namespace
}  // namespace plumecast::testing
