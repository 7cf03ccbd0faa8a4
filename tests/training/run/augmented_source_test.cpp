#include "training/run/augmented_source.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "support/samples/generic_dataset.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ScratchFolder;

std::vector<float> numbers_of(const Tensor& tensor) {
    const auto values = tensor.values<float>();
    return {values.begin(), values.end()};
}

Tensor numbered(const Shape& shape, float first) {
    Tensor tensor = host_zeros(shape);
    float next = first;
    for (float& value : tensor.values<float>()) {
        value = next++;
    }
    return tensor;
}

/// Cases of 2 x 2 points: a map beside the coordinate x, a number, and an output at two times.
class SquareCases final : public BatchSource {
   public:
    std::int64_t cases() const override { return 64; }
    Shape extents() const override { return {2, 2, 2}; }
    std::vector<std::string> channels() const override { return {"map", "x", "number"}; }
    Batch load(std::span<const std::int64_t> cases) const override {
        const auto count = static_cast<std::int64_t>(cases.size());
        Batch batch;
        batch.cases.assign(cases.begin(), cases.end());
        batch.active = numbered({count, 2, 2}, 0.0F);
        for (float& value : batch.active.values<float>()) {
            value = 1.0F;
        }
        Tensor maps = host_zeros({count, 2, 2, 1, 2});
        for (std::size_t i = 0; i < maps.values<float>().size(); ++i) {
            maps.values<float>()[i] = static_cast<float>(i % 2 == 0 ? i % 8 / 2 : 10 + i % 4 / 2);
        }
        batch.inputs.push_back({{"map", "x"}, std::move(maps)});
        batch.inputs.push_back({{"number"}, numbered({count, 1, 1, 1, 1}, 5.0F)});
        batch.targets = host_zeros({count, 2, 2, 2, 1});
        for (std::size_t i = 0; i < batch.targets.values<float>().size(); ++i) {
            batch.targets.values<float>()[i] = static_cast<float>(i % 8);
        }
        return batch;
    }
};

std::unique_ptr<BatchSource> moved(const AugmentOptions& options, int epoch = 0) {
    const auto augmentation = std::make_shared<Augmentation>(options, 7);
    augmentation->epoch = epoch;
    return augmented_source(std::make_unique<SquareCases>(), augmentation,
                            {make_channel("map", "/inputs/map", Transform::identity, 1.0, 2.0),
                             make_channel("x", "/grid/x"), make_channel("number", "/inputs/number")},
                            {{"u", "1", 0.5, 0.25}}, "");
}

/// The map of each of the cases, moved, whose numbers say where each point came from.
std::set<std::vector<float>> maps_of(const AugmentOptions& options) {
    std::set<std::vector<float>> maps;
    const auto source = moved(options);
    for (std::int64_t which = 0; which < source->cases(); ++which) {
        const std::vector<float> both = numbers_of(source->load({&which, 1}).inputs[0].values);
        EXPECT_EQ(both[1], 10.0F) << "coordinates stay";
        EXPECT_EQ(both[3], 11.0F);
        maps.insert({both[0], both[2], both[4], both[6]});
    }
    return maps;
}

TEST(AugmentedSource, TurnsAxesRoundAndCasesByQuarters) {
    using Maps = std::set<std::vector<float>>;
    EXPECT_EQ(maps_of({.flip = {"x"}}), (Maps{{0, 1, 2, 3}, {1, 0, 3, 2}}));
    EXPECT_EQ(maps_of({.flip = {"y"}}), (Maps{{0, 1, 2, 3}, {2, 3, 0, 1}}));
    EXPECT_EQ(maps_of({.rotate = true}), (Maps{{0, 1, 2, 3}, {1, 3, 0, 2}, {3, 2, 1, 0}, {2, 0, 3, 1}}));
    EXPECT_EQ(maps_of({.flip = {"x", "y"}, .rotate = true}).size(), 8U);
}

TEST(AugmentedSource, AddsNoiseToTheValuesOfAChannelButNotWhereItIsMasked) {
    const auto augmentation =
        std::make_shared<Augmentation>(AugmentOptions(), 7, 0.1, std::set<std::string>{"/inputs/map"});
    Channel map = make_channel("map", "/inputs/map");
    map.mask_inactive = true;
    const auto source =
        augmented_source(std::make_unique<SquareCases>(), augmentation,
                         {map, make_channel("x", "/grid/x"), make_channel("number", "/inputs/number")}, {}, "");
    const Batch batch = source->load(std::vector<std::int64_t>{0});
    const std::vector<float> both = numbers_of(batch.inputs[0].values);
    EXPECT_EQ(both[0], 0.0F) << "masked, as its cell is inactive";
    for (const std::size_t point : {1U, 2U, 3U}) {
        const float noise = both[2 * point] - static_cast<float>(point);
        EXPECT_NE(noise, 0.0F);
        EXPECT_LT(std::abs(noise), 0.6F);
        EXPECT_EQ(both[2 * point + 1], 10.0F + static_cast<float>(point % 2)) << "a coordinate";
    }
    EXPECT_EQ(batch.inputs[1].values.values<float>()[0], 5.0F);
}

TEST(AugmentedSource, MovesOutputsAlikeAndDependsOnSeedEpochAndCaseAlone) {
    const AugmentOptions options{.flip = {"x"}};
    const std::vector<std::int64_t> all{0, 1, 2, 3, 4, 5, 6, 7}, some{5, 3};
    const Batch one = moved(options)->load(all), again = moved(options)->load(some),
                other = moved(options, 1)->load(all);
    for (std::size_t n = 0; n < all.size(); ++n) {
        const bool is_turned = one.inputs[0].values.values<float>()[n * 8] == 1.0F;
        EXPECT_EQ(one.targets.values<float>()[n * 8], is_turned ? 2.0F : 0.0F);
        EXPECT_EQ(one.targets.values<float>()[n * 8 + 1], is_turned ? 3.0F : 1.0F);
    }
    EXPECT_EQ(again.targets.values<float>()[0], one.targets.values<float>()[5 * 8]);
    EXPECT_EQ(again.targets.values<float>()[8], one.targets.values<float>()[3 * 8]);
    EXPECT_NE(numbers_of(one.targets), numbers_of(other.targets));
}

/// The sample of boxes, with cells that lie alike from both ends of x and y.
DatasetContent even_boxes() {
    DatasetContent content = testing::cartesian_content();
    content.x_edges = {0.0, 100.0, 300.0, 500.0, 600.0};
    content.y_edges = {0.0, 50.0, 100.0, 150.0};
    return content;
}

TEST(AugmentedSource, MovesWellsOfBoxesWithTheirRockAndFields) {
    const DatasetContent content = even_boxes();
    const Dataset dataset(views_of(content));
    const std::vector<Channel> channels = {make_channel("k", "permeability_x"), make_channel("open", "perforation"),
                                           make_channel("rate", "cell_injection_rate")};
    const std::vector<Field> fields = {{"pressure_buildup", "bar"}};
    const AugmentOptions options{.flip = {"x", "y"}};
    check_augmentation(options, dataset, channels, fields);
    const auto whole = dataset_source(dataset, channels, fields);
    const auto augmentation = std::make_shared<Augmentation>(options, 7);
    const auto source = augmented_source(dataset_source(dataset, channels, fields), augmentation, channels, fields, "");
    const auto rows = static_cast<std::size_t>(dataset.rows()), lines = std::size_t{3}, columns = std::size_t{4};
    const auto times = static_cast<std::size_t>(dataset.snapshots());
    std::set<int> seen;
    for (augmentation->epoch = 0; augmentation->epoch < 16; ++augmentation->epoch) {
        const std::int64_t which = 0;
        const std::vector<float> before = numbers_of(whole->load({&which, 1}).inputs[0].values),
                                 target = numbers_of(whole->load({&which, 1}).targets);
        const Batch batch = source->load({&which, 1});
        const std::vector<float> after = numbers_of(batch.inputs[0].values), moved_target = numbers_of(batch.targets);
        int turned = -1;
        for (int turn = 0; turn < 4; ++turn) {  // x, y
            bool is_same = true;
            for (std::size_t cell = 0; cell < rows * lines * columns; ++cell) {
                const std::size_t z = cell / (lines * columns), y = cell / columns % lines, x = cell % columns;
                const std::size_t from =
                    (z * lines + (turn / 2 == 1 ? lines - 1 - y : y)) * columns + (turn % 2 == 1 ? columns - 1 - x : x);
                for (std::size_t c = 0; c < 3; ++c) {
                    is_same = is_same && after[cell * 3 + c] == before[from * 3 + c];
                }
                for (std::size_t t = 0; t < times; ++t) {
                    is_same = is_same && moved_target[cell * times + t] == target[from * times + t];
                }
            }
            turned = is_same ? turn : turned;
        }
        EXPECT_GE(turned, 0) << "rock, wells and outputs move alike";
        seen.insert(turned);
    }
    EXPECT_EQ(seen.size(), 4U);
}

TEST(AugmentedSource, RefusesTransmissibilitiesBetweenCells) {
    const DatasetContent content = even_boxes();
    const Dataset dataset(views_of(content));
    EXPECT_THAT([&] { check_augmentation({.flip = {"x"}}, dataset, {make_channel("t", "transmissibility_x")}, {}); },
                ::testing::ThrowsMessage<InvalidInput>(HasSubstr("stand with the cell before the face")));
}

TEST(AugmentedSource, ChangesTheSignOfPhysicalValues) {
    const auto source = moved({.flip = {"x"}, .odd_in_x = {"map", "number", "u"}});
    bool was_turned = false;
    for (std::int64_t which = 0; which < 8; ++which) {
        const Batch batch = source->load({&which, 1});
        if (numbers_of(batch.inputs[1].values) == std::vector<float>{5.0F}) {
            continue;
        }
        was_turned = true;
        EXPECT_THAT(numbers_of(batch.inputs[1].values), ElementsAre(-5.0F));
        // v = 2 c + 1 of 1, 0, 3, 2 is 3, 1, 7, 5, and -v is of -2, -1, -4, -3; u = c / 4 + 1 / 2
        EXPECT_THAT(numbers_of(batch.inputs[0].values), ElementsAre(-2, 10, -1, 11, -4, 10, -3, 11));
        EXPECT_THAT(numbers_of(batch.targets), ElementsAre(-6, -7, -4, -5, -10, -11, -8, -9));
    }
    EXPECT_TRUE(was_turned);
}

TEST(AugmentedSource, OfAVorticityKeepsTheSignWhereItTurnsByQuarters) {
    const auto source = moved({.rotate = true, .odd_in_x = {"number"}, .odd_in_y = {"number"}});
    for (std::int64_t which = 0; which < source->cases(); ++which) {
        EXPECT_THAT(numbers_of(source->load({&which, 1}).inputs[1].values), ElementsAre(5.0F));
    }
}

TEST(AugmentedSource, AddsNoiseToStatesAloneTheSameForTheSameEpoch) {
    const auto load = [](int epoch) {
        const auto augmentation =
            std::make_shared<Augmentation>(AugmentOptions{}, 7, 0.1, std::set<std::string>{"/inputs/map"});
        augmentation->epoch = epoch;
        const std::int64_t which = 3;
        return augmented_source(std::make_unique<SquareCases>(), augmentation,
                                {make_channel("map", "/inputs/map"), make_channel("x", "/grid/x"),
                                 make_channel("number", "/inputs/number")},
                                {{"u", "1"}}, "")
            ->load({&which, 1});
    };
    const Batch one = load(0), again = load(0), later = load(1);
    const std::vector<float> maps = numbers_of(one.inputs[0].values);
    for (std::size_t cell = 0; cell < 4; ++cell) {
        EXPECT_NE(maps[2 * cell], static_cast<float>(cell));
        EXPECT_NEAR(maps[2 * cell], static_cast<float>(cell), 0.5F);
        EXPECT_EQ(maps[2 * cell + 1], static_cast<float>(10 + cell % 2)) << "coordinates are no states";
    }
    EXPECT_THAT(numbers_of(one.inputs[1].values), ElementsAre(5.0F));
    EXPECT_EQ(numbers_of(again.inputs[0].values), maps);
    EXPECT_NE(numbers_of(later.inputs[0].values), maps);
}

std::string refusal_of(const AugmentOptions& options, const std::string& path) {
    const Dataset dataset(path);
    try {
        check_augmentation(options, dataset, {make_channel("map", "/inputs/map"), make_channel("x", "/grid/x")},
                           {{"u", "K"}});
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

TEST(AugmentedSource, IsRefusedWhereTheDataAreNotAlikeFromBothEnds) {
    const ScratchFolder folder;
    const std::string line = folder.file("generic.h5");
    testing::write_generic_data(line);
    EXPECT_EQ(refusal_of({.flip = {"x"}, .odd_in_x = {"u", "map"}}, line), "");
    EXPECT_THAT(refusal_of({.flip = {"y"}}, line), HasSubstr("no such axis"));
    EXPECT_THAT(refusal_of({.rotate = true}, line), HasSubstr("do not have the same points"));
    EXPECT_THAT(refusal_of({.flip = {"x"}, .odd_in_x = {"x"}}, line), HasSubstr("odd_in_x has x"));
    EXPECT_THAT(refusal_of({.flip = {"x"}}, testing::write_sample(folder)), HasSubstr("well of a radial grid"));
    EXPECT_EQ(refusal_of({}, line), "");
}

}  // namespace
}  // namespace plumecast
