#include "inference/stream/case_stream.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>

#include "inference/stream/field_pass.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CaseStreamTest : public ::testing::Test {
   protected:
    CaseStreamTest() {
        write_guided_sample(folder_);
        DatasetContent content = guided_content();
        content.times = {30.0, 300.0};
        for (const char* name : {"gas_saturation", "pressure_buildup"}) {
            content.arrays[name].resize(content.arrays[name].size() * 2 / 3);
        }
        write_dataset(folder_.file("two_times.h5"), content);
        known_.emplace(folder_.file("guided.h5"));
        other_.emplace(folder_.file("two_times.h5"));
    }
    CaseSet cases(const Dataset& data, const std::optional<GridAndTimes>& model_grid = std::nullopt) const {
        const NetworkDescription* network = &description_;
        return CaseSet(data, {&network, 1}, {}, model_grid);
    }
    GridAndTimes model_grid() const { return GridAndTimes::of(*known_); }

    ScratchFolder folder_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    NetworkDescription description_ = tiny_guided_network("fno");
    FieldNetwork network_{*backend_, description_, 3};
    std::optional<Dataset> known_, other_;
};

TEST_F(CaseStreamTest, BringsTheBatchesOfSeveralSetsInTheirOrder) {
    const CaseSet three_times = cases(*known_), two_times = cases(*other_);
    CaseStream stream(network_, {&three_times, &two_times}, {.targets = Targets::read});
    EXPECT_EQ(stream.extents(0), (Shape{4, 5, 3}));
    EXPECT_EQ(stream.extents(1), (Shape{4, 5, 2}));
    stream.start_mixed({{1, {2, 0}}, {0, {1}}, {1, {1}}});
    for (const auto& [set, numbers] : std::vector<SetCases>{{1, {2, 0}}, {0, {1}}, {1, {1}}}) {
        std::optional<CaseBatch> batch = stream.next();
        ASSERT_TRUE(batch.has_value());
        EXPECT_EQ(batch->whole.set, set);
        EXPECT_EQ(batch->whole.cases, numbers);
        EXPECT_EQ(batch->on_case_grid().cases, numbers);
        EXPECT_EQ(batch->on_model_grid.targets.shape(), (Shape{batch->count(), 4, 5, set == 0 ? 3 : 2, 2}));
        EXPECT_FALSE(batch->regridded.has_value());
    }
    EXPECT_FALSE(stream.next().has_value());
    EXPECT_FALSE(stream.next().has_value());
}

TEST_F(CaseStreamTest, StartsAnewWhereverItIs) {
    const CaseSet set = cases(*known_);
    CaseStream stream(network_, set);
    stream.start({{0}, {1}, {2}});
    EXPECT_THAT(stream.next()->whole.cases, ElementsAre(0));
    stream.start({{2, 1}});
    EXPECT_THAT(stream.next()->whole.cases, ElementsAre(2, 1));
    EXPECT_FALSE(stream.next().has_value());
    stream.start({{0}, {1}, {2}});
    stream.stop();
    EXPECT_FALSE(stream.next().has_value());
    EXPECT_THAT(stream.load({0, {1}}).on_model_grid.cases, ElementsAre(1)) << "out of turn";
}

TEST_F(CaseStreamTest, BringsRegriddedCasesOnBothGrids) {
    const CaseSet set = cases(*other_, model_grid());
    ASSERT_NE(set.regrid(), nullptr);
    CaseStream stream(network_, set, {.targets = Targets::read, .physics_fields = {"physics_dissolved_co2"}});
    EXPECT_EQ(stream.extents(), (Shape{4, 5, 3}));
    stream.start({{1, 2}});
    const std::optional<CaseBatch> batch = stream.next();
    ASSERT_TRUE(batch && batch->regridded);
    EXPECT_EQ(batch->on_model_grid.base.shape(), (Shape{2, 4, 5, 3, 2}));
    EXPECT_TRUE(batch->on_model_grid.targets.empty()) << "the simulator's fields are on the case grid";
    EXPECT_TRUE(batch->on_model_grid.physics_fields.empty());
    EXPECT_EQ(batch->regridded->base.shape(), (Shape{2, 4, 5, 2, 2}));
    EXPECT_EQ(batch->regridded->targets.shape(), (Shape{2, 4, 5, 2, 2}));
    EXPECT_EQ(batch->regridded->physics_fields.at("physics_dissolved_co2").shape(), (Shape{2, 4, 5, 2}));
    EXPECT_THAT(batch->regridded->cases, ElementsAre(1, 2));
}

TEST_F(CaseStreamTest, TakesAsManyCasesAtOnceAsBothGridsAdmit) {
    const std::vector<const NetworkDescription*> networks(2, &description_);  // which share their physics
    const auto set_with = [&](std::size_t kept_bytes) {
        PhysicsOptions options;
        options.kept_bytes = kept_bytes;
        return CaseSet(*other_, networks, std::move(options), model_grid());
    };
    const CaseSet any = set_with(1 << 20);
    const std::size_t on_case_grid = any.physics().of(description_)->bytes_per_case(),
                      on_model_grid = any.model_physics().of(description_)->bytes_per_case();
    ASSERT_LE(3 * on_case_grid, 2 * on_model_grid) << "two times, and three";
    EXPECT_EQ(set_with(2 * on_model_grid).cases_at_once(10), 2);
}

TEST_F(CaseStreamTest, FieldsHaveTheSpreadOfMembersWithoutAnOffset) {
    NetworkDescription shifted = description_;
    for (Field& field : shifted.fields) {
        field.offset = 7.0;
    }
    const FieldNetwork network(*backend_, shifted, 3);
    const NetworkDescription* description = &shifted;
    const CaseSet set(*known_, {&description, 1}, {});
    CaseStream stream(network, set);
    CaseBatch batch = stream.load({0, {1}});
    const Shape shape = batch.on_model_grid.base.shape();
    Tensor spread = host_zeros(shape);
    std::ranges::fill(spread.values<float>(), 0.5F);
    std::vector<double> scales;
    for (std::size_t f = 0; f < shifted.fields.size(); ++f) {
        scales.push_back(scale_at(batch.on_model_grid.scales, 0, 0, f));
    }
    const BatchFields fields = fields_of(stream, batch, host_zeros(shape), Limits::leave_out, spread);
    const std::span<const float> active = fields.active->values<float>();
    const auto cell = static_cast<std::size_t>(std::ranges::find(active, 1.0F) - active.begin());
    ASSERT_LT(cell, active.size());
    for (std::size_t f = 0; f < shifted.fields.size(); ++f) {
        const std::span<const float> found = fields.spread.at(shifted.fields[f].name)->values<float>();
        EXPECT_FLOAT_EQ(found[cell * found.size() / active.size()], static_cast<float>(0.5 * scales[f]));
    }
}

TEST_F(CaseStreamTest, GivesRanksTheirShardsAndTheFirstWhatFieldsBelongTo) {
    on_ranks(2, [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1});
        const ProcessGrid in_turn(world, GridShape{2, 1}), in_boxes(world, GridShape{1, 2});
        const CaseSet set = cases(*other_, model_grid());
        const FieldNetwork network(*backend, description_, 3, &in_turn), cut(*backend, description_, 3, &in_boxes);

        CaseStream each(network, set), first(network, set, {.fields_on = FieldsOn::first_rank});
        const CaseBatch apart = each.load({0, {2, 0}}), together = first.load({0, {2, 0}});
        const std::int64_t own = world.rank() == 0 ? 2 : 0;
        EXPECT_THAT(apart.on_model_grid.cases, ElementsAre(own));
        EXPECT_THAT(apart.regridded->cases, ElementsAre(own));
        EXPECT_THAT(together.on_model_grid.cases, ElementsAre(own));
        EXPECT_EQ(together.regridded.has_value(), world.rank() == 0);
        if (together.regridded) {
            EXPECT_THAT(together.regridded->cases, ElementsAre(2, 0));
        }
        try {
            CaseStream(cut, set);
            ADD_FAILURE() << "each would have its box of another grid";
        } catch (const InvalidInput& error) {
            EXPECT_THAT(error.what(), HasSubstr("has another grid or other times than the model (ranks that share"));
        }
    });
}

}  // namespace
}  // namespace plumecast::testing
