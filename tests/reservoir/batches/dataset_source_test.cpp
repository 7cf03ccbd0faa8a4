#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using testing::ScratchFolder;

TEST(DatasetSource, GroupsChannelsByWhatTheyVaryOver) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const auto source = dataset_source(dataset, published_channels(), published_fields());
    const std::vector<std::int64_t> cases = {1, 2};
    const Batch batch = source->load(cases);
    ASSERT_EQ(batch.inputs.size(), 3U);
    EXPECT_EQ(batch.inputs[0].values.shape(), (Shape{2, 4, 5, 1, 6}));
    EXPECT_EQ(batch.inputs[1].values.shape(), (Shape{2, 1, 1, 1, 5}));
    EXPECT_EQ(batch.inputs[2].values.shape(), (Shape{1, 1, 1, 3, 1}));
    EXPECT_EQ(batch.targets.shape(), (Shape{2, 4, 5, 3, 2}));
    EXPECT_EQ(batch.active.shape(), (Shape{2, 4, 5}));
    EXPECT_EQ(source->extents(), (Shape{4, 5, 3}));
    EXPECT_EQ(source->channels().size(), 12U);
}

TEST(DatasetSource, AddsAnAxisForACartesianGrid) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_cartesian_sample(folder));
    const std::vector<Channel> channels = {make_channel("width", "cell_width_x"), make_channel("y", "center_y"),
                                           make_channel("rate", "cell_injection_rate"),
                                           make_channel("temperature", "temperature"), make_channel("time", "time")};
    const auto source = dataset_source(dataset, channels, {{"pressure_buildup", "bar"}});
    EXPECT_EQ(source->extents(), (Shape{2, 3, 4, 2}));
    const std::vector<std::int64_t> cases = {1};
    const Batch batch = source->load(cases);
    EXPECT_EQ(batch.active.shape(), (Shape{1, 2, 3, 4}));
    ASSERT_EQ(batch.inputs.at(0).values.shape(), (Shape{1, 2, 3, 4, 1, 3}));
    EXPECT_EQ(batch.inputs.at(1).values.shape(), (Shape{1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(batch.inputs.at(2).values.shape(), (Shape{1, 1, 1, 1, 2, 1}));
    const auto maps = batch.inputs[0].values.values<float>();
    const std::size_t well = 12 + 7;  // cell [1, 1, 3]
    EXPECT_EQ(maps[well * 3], 400.0F);
    EXPECT_EQ(maps[well * 3 + 1], 75.0F);
    EXPECT_EQ(maps[well * 3 + 2], 1.0F);
    EXPECT_EQ(maps[8 * 3], 0.0F) << "inactive line";
    const auto targets = batch.targets.values<float>();
    EXPECT_FLOAT_EQ(targets[well * 2 + 1], -1.0F + 0.1F * static_cast<float>(48 + 24 + well));
}

TEST(DatasetSource, TakesCentresThatCellsHave) {
    const ScratchFolder folder;
    DatasetContent content = testing::cartesian_content();
    content.arrays["cell_centre_z"].assign(24, 3.0F);
    content.arrays["cell_centre_z"][13] = 4.5F;
    write_dataset(folder.file("a.h5"), content);
    const Dataset dataset(folder.file("a.h5"));
    const std::int64_t which = 0;
    const Batch batch = dataset_source(dataset, {make_channel("z", "center_z")}, {})->load({&which, 1});
    EXPECT_EQ(batch.inputs.at(0).values.values<float>()[13], 4.5F);
    EXPECT_EQ(batch.inputs.at(0).values.values<float>()[0], 3.0F);
}

TEST(DatasetSource, RefusesSourcesOfAnotherKindOfGrid) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_cartesian_sample(folder));
    const std::int64_t which = 0;
    EXPECT_THROW(dataset_source(dataset, {make_channel("r", "center_r")}, {}), InvalidData);
    EXPECT_THROW(dataset_source(dataset, {make_channel("k", "permeability_r")}, {})->load({&which, 1}), InvalidData);
    EXPECT_THROW(dataset_source(dataset, {make_channel("share", "inflow_share")}, {})->load({&which, 1}), InvalidData);
}

TEST(DatasetSource, TransformsScalesAndMasks) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const auto source = dataset_source(dataset, published_channels(), published_fields());
    const std::int64_t which = 1;
    const Batch batch = source->load({&which, 1});
    const auto maps = batch.inputs[0].values.values<float>();
    EXPECT_FLOAT_EQ(maps[7 * 6 + 0], static_cast<float>(std::log(37.0) / 15.0));  // cell [1, 2] of case 1
    EXPECT_FLOAT_EQ(maps[7 * 6 + 4], 7.0F);                                       // cell_width_r
    for (std::size_t i = 15 * 6; i < 20 * 6; ++i) {
        EXPECT_EQ(maps[i], 0.0F) << "inactive row";
    }
    const auto scalars = batch.inputs[1].values.values<float>();
    EXPECT_FLOAT_EQ(scalars[1], (60.0F - 30.0F) / 150.0F);
    const auto targets = batch.targets.values<float>();
    const float stored = -1.0F + 0.1F * static_cast<float>((3 + 2) * 20 + 7);  // case 1, time 2, cell 7
    EXPECT_NEAR(targets[(7 * 3 + 2) * 2 + 1], (stored - 4.172939172F) / 18.772821433F, 1e-6);
    EXPECT_EQ(targets[(15 * 3 + 2) * 2 + 1], 0.0F);
}

TEST(DatasetSource, MakesAMapOfAMaskedScalar) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    Channel channel = make_channel("temperature", "temperature");
    channel.mask_inactive = true;
    const std::int64_t which = 2;
    const Batch batch = dataset_source(dataset, {channel}, {})->load({&which, 1});
    EXPECT_EQ(batch.inputs.at(0).values.shape(), (Shape{1, 4, 5, 1, 1}));
    EXPECT_EQ(batch.inputs[0].values.values<float>()[0], 90.0F);
    EXPECT_EQ(batch.inputs[0].values.values<float>()[19], 0.0F);
    EXPECT_TRUE(batch.targets.empty());
}

TEST(DatasetSource, NamesTheCellAChannelCannotTake) {
    const ScratchFolder folder;
    DatasetContent content = testing::sample_content();
    content.arrays["permeability_r"][20 + 7] = 0.0F;
    write_dataset(folder.file("a.h5"), content);
    const Dataset dataset(folder.file("a.h5"));
    const std::int64_t which = 1;
    try {
        dataset_source(dataset, default_channels(), {})->load({&which, 1});
        FAIL() << "log 0 was accepted";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("case 1, cell [1, 2]"));
    }
}

TEST(DatasetSource, HasNoTargetsWithoutOutputs) {
    const ScratchFolder folder;
    DatasetContent content = testing::sample_content();
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    write_dataset(folder.file("a.h5"), content);
    const Dataset dataset(folder.file("a.h5"));
    const std::int64_t which = 0;
    EXPECT_TRUE(dataset_source(dataset, default_channels(), default_fields())->load({&which, 1}).targets.empty());
}

TEST(DatasetSource, ScalesTargetsCaseByCase) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const Field field{"pressure_buildup", "bar", 0.0, 2.0, 0.0, {{"injection_rate", 1.0}}};
    const std::vector<std::int64_t> cases = {2, 0};
    const Batch batch = dataset_source(dataset, {}, {field})->load(cases);
    EXPECT_THAT(batch.scales.values<float>(), ::testing::ElementsAre(3.0F, 1.0F));  // rates 1.5 and 0.5
    std::vector<float> stored(2 * 3 * 20);
    dataset.read_output("pressure_buildup", cases, stored);
    EXPECT_FLOAT_EQ(batch.targets.values<float>()[7 * 3 + 2], stored[2 * 20 + 7] / 3.0F);
    EXPECT_FLOAT_EQ(batch.targets.values<float>()[(20 + 7) * 3 + 2], stored[60 + 2 * 20 + 7]);
}

TEST(DatasetSource, SkipsTargetsButNotScales) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const std::int64_t which = 0;
    const Batch batch = dataset_source(dataset, {}, default_fields(), Targets::skip)->load({&which, 1});
    EXPECT_TRUE(batch.targets.empty());
    EXPECT_EQ(batch.scales.shape(), (Shape{1, 1, 2}));
}

TEST(DatasetSource, OffersInputsWorkedOutFromOthers) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    Channel masked = make_channel("masked", "perforated_transmissivity");
    masked.mask_inactive = true;
    const std::vector<Channel> channels = {make_channel("share", "inflow_share"), masked,
                                           make_channel("plain", "perforated_transmissivity")};
    const std::int64_t which = 1;
    const Batch batch = dataset_source(dataset, channels, {})->load({&which, 1});
    const auto maps = batch.inputs.at(0).values.values<float>();
    EXPECT_NEAR(maps[0] + maps[5 * 2] + maps[10 * 2], 1.0F, 1e-6F) << "shares of the active rows";
    EXPECT_EQ(maps[15 * 2], 0.0F);
    EXPECT_EQ(maps[1], batch.inputs.at(1).values.values<float>()[0]);
    EXPECT_GT(maps[1], 0.0F);
}

TEST(DatasetSource, RefusesFieldsTheFileLacksOrInAnotherUnit) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    EXPECT_THROW(dataset_source(dataset, {}, {{"temperature", "degC", 0.0, 1.0}}), InvalidData);
    EXPECT_THROW(dataset_source(dataset, {}, {{"pressure_buildup", "MPa", 0.0, 1.0}}), InvalidData);
}

}  // namespace
}  // namespace plumecast
