#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "support/samples/generic_dataset.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ScratchFolder;

std::vector<float> values_of(const Tensor& tensor) {
    const auto values = tensor.values<float>();
    return {values.begin(), values.end()};
}

/// Of the data set of support/samples/generic_dataset.hpp.
class GenericBatches : public ::testing::Test {
   protected:
    GenericBatches() : path_(folder_.file("generic.h5")) { testing::write_generic_data(path_); }

    const ScratchFolder folder_;
    const std::string path_;
};

TEST_F(GenericBatches, AreNormalisedByTheConstantsOfEachPoint) {
    const Dataset dataset(path_);
    Channel map = make_channel("map", "/inputs/map");
    map.points = {{1, 3}, {10.0, 1.0, 7.0}, {2.0, 5.0, 1.0}};
    map.mask_inactive = true;
    Field field{"u", "K", 10.0, 2.0};
    field.points = {{1, 3}, {-20.0, -11.0, 0.0}, {4.0, 8.0, 1.0}};
    const std::vector<std::int64_t> cases = {1};
    const Batch batch = dataset_source(dataset, {map}, {field})->load(cases);
    EXPECT_THAT(values_of(batch.inputs[0].values), ElementsAre(0.0F, 2.0F, 0.0F));
    // by the field's own offset and scale: (-20 - 10) / 2 and 4 / 2, at two times; the third point does not count
    EXPECT_THAT(values_of(batch.base), ElementsAre(-15.0F, -15.0F, -10.5F, -10.5F, 0.0F, 0.0F));
    EXPECT_THAT(values_of(batch.correction), ElementsAre(2.0F, 2.0F, 4.0F, 4.0F, 0.0F, 0.0F));
    field.points.extents = {3, 1};
    EXPECT_THAT([&] { dataset_source(dataset, {map}, {field}); },
                ::testing::ThrowsMessage<InvalidData>(HasSubstr("constants of the points [3, 1] of its training")));
    Channel number = make_channel("number", "/inputs/number");
    number.points = map.points;
    EXPECT_THAT([&] { dataset_source(dataset, {number}, {}); },
                ::testing::ThrowsMessage<InvalidInput>(HasSubstr("the same at all of them")));
}

TEST_F(GenericBatches, KnowTheExtentsOfCasesAlongWhichNoInputVaries) {
    const Dataset dataset(path_);
    const std::vector<std::int64_t> cases = {0, 1};
    for (const char* source : {"/inputs/map", "/inputs/number"}) {
        Channel one = make_channel("one", source);
        one.mask_inactive = source == std::string("/inputs/map");
        const Batch batch = dataset_source(dataset, {one}, {Field{"u", "K"}})->load(cases);
        EXPECT_EQ(batch.extents.text(), "[1, 3, 2]") << source;
        EXPECT_EQ(batch.inputs[0].values.shape()[3], 1) << source;
        EXPECT_EQ(batch.targets.shape().text(), "[2, 1, 3, 2, 1]") << source;
    }
}

TEST_F(GenericBatches, AreGroupedByWhatTheDataSayThatInputsVaryOver) {
    EXPECT_THAT(validate(path_), IsEmpty());
    const Dataset dataset(path_);
    Channel map = make_channel("map", "/inputs/map", Transform::identity, 1.0, 2.0);
    Channel field = make_channel("field", "/inputs/field");
    map.mask_inactive = field.mask_inactive = true;
    const std::vector<Channel> channels = {map,
                                           make_channel("x", "/grid/x"),
                                           make_channel("number", "/inputs/number", Transform::identity, 0.0, 0.5),
                                           make_channel("time", "/grid/times"),
                                           make_channel("series", "/inputs/series"),
                                           field};
    const auto source = dataset_source(dataset, channels, {{"u", "K", 10.0, 2.0}});
    EXPECT_EQ(source->extents(), (Shape{1, 3, 2}));
    EXPECT_THAT(source->channels(), ElementsAre("map", "x", "number", "time", "series", "field"));
    const std::vector<std::int64_t> cases = {1};
    const Batch batch = source->load(cases);
    ASSERT_EQ(batch.inputs.size(), 4U);
    EXPECT_EQ(batch.inputs[0].values.shape(), (Shape{1, 1, 3, 1, 2}));
    EXPECT_THAT(values_of(batch.inputs[0].values), ElementsAreArray({4.5F, 0.0F, 5.0F, 0.5F, 0.0F, 1.0F}));
    EXPECT_THAT(values_of(batch.inputs[1].values), ElementsAre(4.0F));
    EXPECT_THAT(values_of(batch.inputs[2].values), ElementsAre(1.0F, 3.0F));
    EXPECT_EQ(batch.inputs[3].values.shape(), (Shape{1, 1, 3, 2, 2}));
    EXPECT_THAT(values_of(batch.inputs[3].values), ElementsAre(100.0F, 100.0F, 101.0F, 110.0F, 100.0F, 101.0F, 101.0F,
                                                               111.0F, 100.0F, 0.0F, 101.0F, 0.0F));
    EXPECT_THAT(values_of(batch.active), ElementsAre(1.0F, 1.0F, 0.0F));
    EXPECT_THAT(values_of(batch.targets), ElementsAre(-55.0F, -60.0F, -55.5F, -60.5F, 0.0F, 0.0F));
}

TEST_F(GenericBatches, NameWhatTheDataLack) {
    const Dataset dataset(path_);
    const auto refusal = [&](const Channel& channel, const Field& field) -> std::string {
        try {
            dataset_source(dataset, {channel}, {field})->load(std::vector<std::int64_t>{0});
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    };
    const Field field{"u", "K"};
    EXPECT_THAT(refusal(make_channel("a", "/inputs/a"), field), HasSubstr("no input /inputs/a"));
    Channel missing = make_channel("a", "/inputs/a");
    missing.unit = "m";
    EXPECT_THAT(refusal(missing, field), HasSubstr("no input /inputs/a")) << "and not one in another unit";
    EXPECT_THAT(refusal(make_channel("z", "/grid/z"), field), HasSubstr("no /grid/z"));
    EXPECT_THAT(refusal(make_channel("k", "permeability_r"), field), HasSubstr("no input map permeability_r"));
    EXPECT_THAT(refusal(make_channel("map", "/inputs/map"), {"v", "K"}), HasSubstr("no output v"));
    Channel other_unit = make_channel("map", "/inputs/map");
    other_unit.unit = "bar";
    EXPECT_THAT(refusal(other_unit, field), HasSubstr("(the network has it in bar); convert the values"));
    EXPECT_THAT(refusal(make_channel("map", "/inputs/map"), {"u", "degC"}), HasSubstr("output u is in K"));
}

TEST_F(GenericBatches, DescribeNoReservoirs) {
    const Dataset dataset(path_);
    EXPECT_THROW(dataset.require_reservoir("a test"), InvalidData);
    const ScratchFolder folder;
    EXPECT_NO_THROW(Dataset(testing::write_sample(folder)).require_reservoir("a test"));
}

}  // namespace
}  // namespace plumecast
