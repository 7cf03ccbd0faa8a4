#include "reservoir/batches/guided_batch.hpp"
#include "reservoir/batches/box_source.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <plumecast/core/error.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t cells = 20, times = 3;

class GuidedBatchTest : public ::testing::Test {
   protected:
    std::shared_ptr<CasePhysics> physics() const { return std::make_shared<CasePhysics>(dataset_, PhysicsSettings{2}); }
    Batch load(const std::vector<Channel>& channels, const std::vector<Field>& fields,
               const std::vector<std::int64_t>& cases) const {
        return dataset_source(dataset_, channels, fields, Targets::read, physics())->load(cases);
    }
    ScratchFolder folder_;
    Dataset dataset_{write_guided_sample(folder_)};
};

/// Element [n, cell, t, last] of [B, Z, R, T, C].
float at(const Tensor& values, std::size_t n, std::size_t cell, std::size_t t, std::size_t last) {
    const auto count = static_cast<std::size_t>(values.shape()[-1]);
    return values.values<float>()[((n * cells + cell) * times + t) * count + last];
}

TEST(NearPlume, MarksTheCellsAroundInEveryDirectionAtTheSameTime) {
    const Shape extents{2, 4, 5};
    std::vector<float> saturation(40, 0.0F);
    saturation[1 * 5 + 1] = 0.01F;        // row 1, column 1 at the first time
    saturation[20 + 3 * 5 + 4] = 0.003F;  // the corner at the second
    saturation[20 + 0 * 5 + 0] = 0.002F;  // not above the threshold
    const std::vector<float> here = near_plume(saturation, extents, 0.002F, 0);
    const std::vector<float> one = near_plume(saturation, extents, 0.002F, 1);
    for (std::size_t i = 0; i < 40; ++i) {
        const int t = static_cast<int>(i / 20), z = static_cast<int>(i % 20 / 5), r = static_cast<int>(i % 5);
        const int away =
            t == 0 ? std::max(std::abs(z - 1), std::abs(r - 1)) : std::max(std::abs(z - 3), std::abs(r - 4));
        EXPECT_EQ(here[i], away == 0 ? 1.0F : 0.0F) << i;
        EXPECT_EQ(one[i], away <= 1 ? 1.0F : 0.0F) << i;
    }
    EXPECT_EQ(near_plume(std::vector<float>(40, 0.0F), extents, 0.002F, 3), std::vector<float>(40, 0.0F));
}

TEST(NearPlume, MarksTheCellsOfABoxInAllThreeDirections) {
    const Shape extents{2, 3, 4, 5};
    std::vector<float> saturation(120, 0.0F);
    saturation[60 + (1 * 4 + 2) * 5 + 3] = 0.01F;  // row 1, line 2, column 3 at the second time
    const std::vector<float> one = near_plume(saturation, extents, 0.002F, 1);
    for (int i = 0; i < 120; ++i) {
        const int z = i % 60 / 20, y = i % 20 / 5, x = i % 5;
        const bool is_near = i >= 60 && std::abs(z - 1) <= 1 && std::abs(y - 2) <= 1 && std::abs(x - 3) <= 1;
        EXPECT_EQ(one[static_cast<std::size_t>(i)], is_near ? 1.0F : 0.0F) << i;
    }
}

TEST_F(GuidedBatchTest, HasChannelsThatVaryInSpaceAndTime) {
    Channel scaled = make_channel("p", "physics_pressure_buildup", Transform::identity, 0.5, 2.0);
    scaled.factors = {{"physics_buildup_rms", 1.0}};
    const std::vector<Channel> channels{scaled, make_channel("porosity", "porosity"),
                                        make_channel("s", "physics_gas_saturation"),
                                        make_channel("rms", "physics_buildup_rms", Transform::log, 1.0, 2.0)};
    const Batch batch = load(channels, {}, {2, 0});
    const auto fields = physics()->load(std::vector<std::int64_t>{2, 0});
    ASSERT_EQ(batch.inputs.size(), 3U);  // maps, scalars, fields
    const InputGroup& group = batch.inputs[2];
    EXPECT_EQ(group.channels, (std::vector<std::string>{"p", "s"}));
    ASSERT_EQ(group.values.shape(), Shape({2, 4, 5, 3, 2}));
    for (std::size_t n = 0; n < 2; ++n) {
        const double rms = fields[n]->scalars.at("physics_buildup_rms");
        EXPECT_FLOAT_EQ(batch.inputs[1].values.values<float>()[n], static_cast<float>((std::log(rms) - 1.0) / 2.0));
        for (std::size_t i = 0; i < cells * times; ++i) {
            const std::size_t cell = i / times, t = i % times;
            const bool is_active = cell < 15;
            const double p = static_cast<double>(fields[n]->fields.at("physics_pressure_buildup")[t * cells + cell]);
            const float s = fields[n]->fields.at("physics_gas_saturation")[t * cells + cell];
            EXPECT_FLOAT_EQ(at(group.values, n, cell, t, 0),
                            is_active ? static_cast<float>((p / rms - 0.5) / 2.0) : 0.0F);
            EXPECT_EQ(at(group.values, n, cell, t, 1), is_active ? s : 0.0F);
        }
    }
}

TEST_F(GuidedBatchTest, DividesMapsAndScalarsByTheirFactors) {
    Channel map = make_channel("map", "porosity"), scalar = make_channel("scalar", "temperature");
    map.factors = {{"temperature", 1.0}};
    scalar.factors = {{"initial_pressure", 2.0}};
    const std::int64_t which = 1;
    const Batch batch = dataset_source(dataset_, {map, scalar}, {})->load({&which, 1});
    const DatasetContent content = guided_content();
    EXPECT_FLOAT_EQ(batch.inputs[0].values.values<float>()[3], content.arrays.at("porosity")[cells + 3] / 60.0F);
    EXPECT_FLOAT_EQ(batch.inputs[1].values.values<float>()[0], 60.0F / 150.0F / 150.0F);
}

TEST_F(GuidedBatchTest, HasTheBaseNormalisedLikeTheTargets) {
    std::vector<Field> fields = guided_fields();
    fields[0].offset = 0.25;
    const Batch batch = load(default_channels(), fields, {1, 2});
    const auto known = physics()->load(std::vector<std::int64_t>{1, 2});
    ASSERT_EQ(batch.base.shape(), batch.targets.shape());
    for (std::size_t n = 0; n < 2; ++n) {
        const double rms = known[n]->scalars.at("physics_buildup_rms");
        EXPECT_FLOAT_EQ(batch.scales.values<float>()[2 * n + 1], static_cast<float>(rms));
        for (std::size_t i = 0; i < 15 * times; ++i) {
            const std::size_t cell = i / times, t = i % times;
            const float s = known[n]->fields.at("physics_gas_saturation")[t * cells + cell];
            const float p = known[n]->fields.at("physics_pressure_buildup")[t * cells + cell];
            EXPECT_FLOAT_EQ(at(batch.base, n, cell, t, 0), s - 0.25F);
            EXPECT_NEAR(at(batch.base, n, cell, t, 1), static_cast<double>(p) / rms, 1e-6);
        }
    }
}

TEST_F(GuidedBatchTest, CorrectsSaturationNearThePlumeAndBuildUpEverywhereActive) {
    std::vector<Field> fields = guided_fields();
    fields[0].confined = 1;
    const Batch batch = load(default_channels(), fields, {0});
    const auto known = physics()->load(std::vector<std::int64_t>{0})[0];
    const auto near = near_plume(known->fields.at("physics_gas_saturation"), {3, 4, 5}, plume_saturation, 1);
    int inside = 0;
    for (std::size_t i = 0; i < cells * times; ++i) {
        const std::size_t cell = i / times, t = i % times;
        const bool is_active = cell < 15;
        EXPECT_EQ(at(batch.correction, 0, cell, t, 0), is_active ? 0.1F * near[t * cells + cell] : 0.0F);
        EXPECT_EQ(at(batch.correction, 0, cell, t, 1), is_active ? 0.1F : 0.0F);
        inside += is_active && near[t * cells + cell] > 0.0F ? 1 : 0;
    }
    EXPECT_GT(inside, 0);
    EXPECT_LT(inside, 45) << "some cells are far from the plume";
}

TEST_F(GuidedBatchTest, HasNoBaseInInactiveCellsAndWhereAFieldHasNone) {
    std::vector<Field> fields = guided_fields();
    fields[0] = {"gas_saturation", "1"};
    const Batch batch = load(default_channels(), fields, {0});
    for (std::size_t i = 0; i < cells * times; ++i) {
        const std::size_t cell = i / times, t = i % times;
        EXPECT_EQ(at(batch.base, 0, cell, t, 0), 0.0F);
        EXPECT_EQ(at(batch.correction, 0, cell, t, 0), cell < 15 ? 1.0F : 0.0F);
        if (cell >= 15) {
            EXPECT_EQ(at(batch.base, 0, cell, t, 1), 0.0F);
        }
    }
    EXPECT_EQ(load(default_channels(), default_fields(), {0}).base.shape().rank(), 0);
}

TEST_F(GuidedBatchTest, LimitsSaturationByTheIrreducibleWaterOfTheCase) {
    const Batch batch = load(default_channels(), guided_fields(), {2, 0});
    const float none = std::numeric_limits<float>::infinity();
    EXPECT_THAT(batch.limits.values<float>(), ::testing::ElementsAre(1.0F - 0.3F, none, 1.0F - 0.1F, none));
    EXPECT_EQ(load(default_channels(), default_fields(), {0}).limits.shape().rank(), 0);
}

/// What a network computes with.
std::vector<const Tensor*> computed_with(const Batch& batch) {
    std::vector<const Tensor*> arrays{&batch.scales, &batch.base, &batch.correction, &batch.limits};
    for (const InputGroup& group : batch.inputs) {
        arrays.push_back(&group.values);
    }
    return arrays;
}

TEST_F(GuidedBatchTest, IsTheSameInDoublePrecisionWithoutTheRounding) {
    const std::vector<std::int64_t> cases{2, 0};
    const Batch rounded = load(guided_channels(), guided_fields(), cases);
    const Batch batch =
        dataset_source(dataset_, guided_channels(), guided_fields(), Targets::read, physics(), {}, DType::float64)
            ->load(cases);
    EXPECT_EQ(batch.targets.type(), DType::float32);
    const auto arrays = computed_with(batch), floats = computed_with(rounded);
    ASSERT_EQ(arrays.size(), floats.size());
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        ASSERT_EQ(arrays[k]->type(), DType::float64) << k;
        ASSERT_EQ(arrays[k]->shape(), floats[k]->shape()) << k;
        int finer = 0;
        for (const double value : arrays[k]->values<double>()) {
            finer += value != static_cast<double>(static_cast<float>(value)) ? 1 : 0;
        }
        EXPECT_GT(finer, 0) << k;
        for (std::size_t i = 0; i < arrays[k]->values<double>().size(); ++i) {
            // The share of the inflow was rounded before its channel was.
            const double value = arrays[k]->number(i), tolerance = 2e-7 * std::max(std::abs(value), 1.0);
            EXPECT_TRUE(std::abs(floats[k]->number(i) - value) <= tolerance || floats[k]->number(i) == value);
        }
    }
}

TEST_F(GuidedBatchTest, CarriesFieldsAsTheyAre) {
    const std::vector<std::int64_t> cases{2, 1};
    const auto source = dataset_source(dataset_, default_channels(), default_fields(), Targets::skip, physics(),
                                       {"physics_dissolved_co2"});
    const Batch batch = source->load(cases);
    const auto known = physics()->load(cases);
    ASSERT_EQ(batch.physics_fields.size(), 1U);
    const Tensor& dissolved = batch.physics_fields.at("physics_dissolved_co2");
    ASSERT_EQ(dissolved.shape(), Shape({2, 4, 5, 3}));
    for (std::size_t i = 0; i < 2 * cells * times; ++i) {
        const std::size_t n = i / (cells * times), cell = i / times % cells, t = i % times;
        EXPECT_EQ(dissolved.values<float>()[i], known[n]->fields.at("physics_dissolved_co2")[t * cells + cell]);
    }
    const Box box({0, 1}, {4, 3});
    auto again = dataset_source(dataset_, default_channels(), default_fields(), Targets::skip, physics(),
                                {"physics_dissolved_co2"});
    const Batch part = box_source(std::move(again), {box, box, box})->load(cases);
    EXPECT_EQ(part.physics_fields.at("physics_dissolved_co2").shape(), Shape({2, 4, 2, 3}));
}

TEST_F(GuidedBatchTest, RefusesSourcesThatNobodyGives) {
    const auto refusal = [&](const std::vector<Channel>& channels, const std::vector<Field>& fields,
                             const std::shared_ptr<CasePhysics>& given) -> std::string {
        try {
            dataset_source(dataset_, channels, fields, Targets::read, given);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_THAT(refusal({make_channel("s", "physics_gas_saturation")}, {}, nullptr),
                HasSubstr("source physics_gas_saturation comes from the reduced physics"));
    EXPECT_THAT(refusal({}, guided_fields(), nullptr), HasSubstr("no physics was given"));
    EXPECT_EQ(refusal(default_channels(), default_fields(), physics()), "accepted");
}

}  // namespace
}  // namespace plumecast::testing
