#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using testing::ScratchFolder;

const std::vector<Field> saturation = {{"gas_saturation", "1", 0.0, 1.0}};

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

TEST(WriteDataset, RefusesValuesThatDoNotFitTheGrid) {
    const ScratchFolder folder;
    DatasetContent content = testing::sample_content();
    content.arrays["porosity"].pop_back();
    EXPECT_THROW(write_dataset(folder.file("a.h5"), content), InvalidInput);
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.h5")));
}

}  // namespace
}  // namespace plumecast
