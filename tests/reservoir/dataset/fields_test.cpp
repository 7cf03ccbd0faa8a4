#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using testing::ScratchFolder;

const std::vector<Field> saturation = {{"gas_saturation", "1", 0.0, 1.0}};

/// Two cases of generic data in memory, with an input of each kind; no two values are the same, and one point of the
/// first case does not count.
struct PointData {
    std::map<std::string, std::vector<float>> values = {};
    std::vector<double> times = {1.0, 3.0}, x = {};
    std::vector<std::uint8_t> active = {};
    MemoryCases cases = {};

    PointData(const std::string& axes, const std::vector<std::int64_t>& space, bool has_times) {
        cases.attributes = {{"geometry", "generic"}, {"axes", axes}, {"title", "points"}};
        add("/inputs/number", "Pa", {2});
        add("/inputs/map", "m2", joined({2}, space));
        add("/outputs/u", "K",
            joined(has_times ? std::vector<std::int64_t>{2, 2} : std::vector<std::int64_t>{2}, space));
        if (has_times) {
            add("/inputs/field", "", joined({2, 2}, space));
            cases.arrays["times"] = view_of(times.data(), {2}, "s");
            if (space.size() > 1) {  // on a line it would be a map
                add("/inputs/series", "m/s", {2, 2});
            }
        }
        for (std::int64_t i = 0; i < space.back(); ++i) {
            x.push_back(static_cast<double>(i * i) + 0.1);
        }
        cases.arrays["/grid/x"] = view_of(x.data(), {space.back()}, "km");
        active.assign(values.at("/inputs/map").size(), 1);
        active[1] = 0;
        cases.arrays["active"] = view_of(active.data(), joined({2}, space), "1");
    }

    static std::vector<std::int64_t> joined(std::vector<std::int64_t> first, const std::vector<std::int64_t>& then) {
        first.insert(first.end(), then.begin(), then.end());
        return first;
    }
    void add(const std::string& name, const std::string& unit, const std::vector<std::int64_t>& extents) {
        std::size_t count = 1;
        for (const std::int64_t extent : extents) {
            count *= static_cast<std::size_t>(extent);
        }
        std::vector<float>& array = values[name];
        for (std::size_t i = 0; i < count; ++i) {
            array.push_back(static_cast<float>(100 * values.size() + i) - 250.5F);
        }
        cases.arrays[name] = view_of(array.data(), extents, unit);
    }
};

std::vector<float> values_in(const Dataset& dataset, const ArraySpec& spec, std::size_t count) {
    const std::vector<std::int64_t> both = {0, 1};
    std::vector<float> values(count);
    switch (spec.role) {
        case Role::scalar:
            return dataset.scalar(spec.name());
        case Role::map:
            dataset.read_map(spec.name(), both, values);
            break;
        case Role::output:
            dataset.read_output(spec.name(), both, values);
            break;
        default:
            dataset.read_varying(spec.name(), both, values);
    }
    return values;
}

// Leaves the process with 7 when the writer throws IoError.
[[noreturn]] void write_on_a_full_disk(const std::string& path) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2000, 2000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
        write_dataset(path, testing::sample_content());
    } catch (const IoError&) {
        std::exit(7);
    }
    std::exit(1);
}

TEST(FieldsWriter, WritesAValidFileWithFillInInactiveCells) {
    const ScratchFolder folder;
    const std::string input = testing::write_sample(folder);
    const std::string path = folder.file("out.h5");
    const Dataset dataset(input);
    const auto source = dataset_source(dataset, default_channels(), saturation);
    {
        FieldsWriter writer(path, input, {"gas_saturation"}, {{"title", "fields"}, {"model_hash", "abc"}});
        for (std::int64_t which = 0; which < 3; ++which) {
            const Batch batch = source->load({&which, 1});
            writer.write("gas_saturation", batch.cases, batch.targets, batch.active);
        }
        EXPECT_FALSE(std::filesystem::exists(path)) << "the final name must wait for commit()";
        writer.commit();
    }
    EXPECT_TRUE(validate(path).empty());
    const Dataset result(path);
    EXPECT_EQ(result.attribute("model_hash"), "abc");
    const std::vector<std::int64_t> cases = {0, 1, 2};
    std::vector<float> values(180);
    result.read_output("gas_saturation", cases, values);
    const auto expected = testing::sample_content().arrays.at("gas_saturation");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_active = i / 5 % 4 != 3;
        EXPECT_TRUE(is_active ? values[i] == expected[i] : std::isnan(values[i])) << i;
    }
}

TEST(FieldsWriter, WritesFieldsOfACartesianGrid) {
    const ScratchFolder folder;
    const std::string input = testing::write_cartesian_sample(folder);
    const Dataset dataset(input);
    const auto source = dataset_source(dataset, default_channels_3d(), saturation);
    FieldsWriter writer(folder.file("out.h5"), input, {"gas_saturation"}, {{"model_hash", "abc"}});
    const std::vector<std::int64_t> cases = {1, 0};
    const Batch batch = source->load(cases);
    writer.write("gas_saturation", batch.cases, batch.targets, batch.active);
    writer.commit();
    EXPECT_TRUE(validate(folder.file("out.h5")).empty());
    const Dataset result(folder.file("out.h5"));
    EXPECT_EQ(result.space(), (Shape{2, 3, 4}));
    std::vector<float> values(96);
    const std::vector<std::int64_t> all = {0, 1};
    result.read_output("gas_saturation", all, values);
    const auto expected = testing::cartesian_content().arrays.at("gas_saturation");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_active = i / 4 % 3 != 2;
        EXPECT_TRUE(is_active ? values[i] == expected[i] : std::isnan(values[i])) << i;
    }
}

TEST(FieldsWriter, LeavesNothingBehindWithoutCommit) {
    const ScratchFolder folder;
    const std::string input = testing::write_sample(folder);
    { const FieldsWriter writer(folder.file("out.h5"), input, {"gas_saturation"}, {}); }
    EXPECT_FALSE(std::filesystem::exists(folder.file("out.h5")));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(std::filesystem::path(input).parent_path()), {}), 1);
}

TEST(FieldsWriter, RefusesUnknownFields) {
    const ScratchFolder folder;
    const std::string input = testing::write_sample(folder);
    EXPECT_THROW(FieldsWriter(folder.file("out.h5"), input, {"porosity"}, {}), InvalidInput);
}

TEST(FieldsWriter, KeepsTheFinalNameUntouchedOnAFullDisk) {
    const ScratchFolder folder;
    const std::string path = folder.file("out.h5");
    testing::write_bytes(path, "before");
    // In a child, because the limit on file sizes that stands in for a full disk holds for the whole process.
    EXPECT_EXIT(write_on_a_full_disk(path), ::testing::ExitedWithCode(7), "");
    EXPECT_EQ(testing::bytes_of(path), "before");
}

void expect_written_whole(const PointData& data) {
    const ScratchFolder folder;
    const std::string path = folder.file("points.h5");
    write_dataset(path, Dataset(data.cases));
    EXPECT_TRUE(validate(path).empty());
    const Dataset file(path), memory(data.cases);
    EXPECT_EQ(file.attribute("title"), "points");
    EXPECT_EQ(file.cases(), 2);
    EXPECT_EQ(file.space(), memory.space());
    EXPECT_EQ(file.times(), memory.times());
    EXPECT_EQ(file.outputs(), memory.outputs());
    EXPECT_EQ(file.arrays().size(), data.cases.arrays.size());
    for (int axis = 0; axis < memory.space().rank(); ++axis) {
        EXPECT_EQ(file.coordinates(axis), memory.coordinates(axis)) << axis;
    }
    for (const ArraySpec& spec : memory.arrays()) {
        const ArraySpec* written = file.find(spec.name());
        ASSERT_NE(written, nullptr) << spec.path;
        EXPECT_EQ(written->unit, spec.unit) << spec.path;
        EXPECT_EQ(written->role, spec.role) << spec.path;
        EXPECT_EQ(written->axes, spec.axes) << spec.path;
        const auto known = data.values.find(spec.path);
        if (known == data.values.end()) {
            continue;  // of the grid, and the mask
        }
        const std::vector<float> found = values_in(file, spec, known->second.size());
        const std::size_t cells = data.active.size() / 2, per_case = found.size() / 2;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool is_active = spec.role != Role::output || data.active[i / per_case * cells + i % cells] != 0;
            EXPECT_TRUE(is_active ? found[i] == known->second[i] : std::isnan(found[i])) << spec.path << ' ' << i;
        }
    }
    std::vector<float> active(data.active.size());
    file.read_map("active", std::vector<std::int64_t>{0, 1}, active);
    EXPECT_TRUE(std::ranges::equal(active, data.active));
}

TEST(WriteDataset, WritesGenericDataInMemoryOfOneToThreeAxes) {
    expect_written_whole({"x", {5}, true});
    expect_written_whole({"y,x", {3, 5}, true});
    expect_written_whole({"z,y,x", {2, 3, 4}, true});
}

TEST(WriteDataset, WritesGenericDataInMemoryWithoutTimes) {
    expect_written_whole({"x", {5}, false});
    expect_written_whole({"y,x", {3, 5}, false});
    expect_written_whole({"z,y,x", {2, 3, 4}, false});
}

TEST(FieldsWriter, WritesFieldsOfGenericDataInMemoryInTheirUnits) {
    const ScratchFolder folder;
    const PointData data("y,x", {3, 5}, true);
    FieldsWriter writer(folder.file("out.h5"), Dataset(data.cases), {"u", "w", "v"}, {}, {{"w", "m"}});
    Tensor values(host_memory(), {2, 3, 5, 2}, DType::float32), active(host_memory(), {2, 3, 5}, DType::float32);
    std::ranges::fill(values.values<float>(), 1.0F);
    std::ranges::fill(active.values<float>(), 1.0F);
    for (const char* field : {"u", "w", "v"}) {
        writer.write(field, std::vector<std::int64_t>{0, 1}, values, active);
    }
    writer.commit();
    const Dataset result(folder.file("out.h5"));
    EXPECT_EQ(result.outputs(), (std::vector<std::string>{"u", "v", "w"}));
    EXPECT_EQ(result.find("u")->unit, "K") << "of the output of that name";
    EXPECT_EQ(result.find("v")->unit, "1");
    EXPECT_EQ(result.find("w")->unit, "m");
    EXPECT_EQ(result.find("w")->axes, (std::vector<Axis>{Axis::cases, Axis::times, Axis::y, Axis::x}));
}

TEST(WriteDataset, RefusesValuesThatDoNotFitTheGrid) {
    const ScratchFolder folder;
    DatasetContent content = testing::sample_content();
    content.arrays["porosity"].pop_back();
    EXPECT_THROW(write_dataset(folder.file("a.h5"), content), InvalidInput);
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.h5")));
}

}  // namespace
}  // namespace plumecast
