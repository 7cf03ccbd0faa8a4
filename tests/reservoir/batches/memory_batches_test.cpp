#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <limits>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "reservoir/metrics/case_fields.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

void expect_same_bits(const Tensor& a, const Tensor& b, const std::string& what) {
    ASSERT_EQ(a.shape(), b.shape()) << what;
    const auto one = a.values<float>(), other = b.values<float>();
    EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size_bytes()), 0) << what;
}

void expect_same_batch(const Batch& a, const Batch& b) {
    EXPECT_EQ(a.cases, b.cases);
    ASSERT_EQ(a.inputs.size(), b.inputs.size());
    for (std::size_t i = 0; i < a.inputs.size(); ++i) {
        EXPECT_EQ(a.inputs[i].channels, b.inputs[i].channels);
        expect_same_bits(a.inputs[i].values, b.inputs[i].values, a.inputs[i].channels.front());
    }
    const std::pair<const char*, Tensor Batch::*> parts[] = {
        {"scales", &Batch::scales}, {"base", &Batch::base},       {"correction", &Batch::correction},
        {"limits", &Batch::limits}, {"targets", &Batch::targets}, {"active", &Batch::active}};
    for (const auto& [name, part] : parts) {
        ASSERT_EQ((a.*part).empty(), (b.*part).empty()) << name;
        if (!(a.*part).empty()) {
            expect_same_bits(a.*part, b.*part, name);
        }
    }
    ASSERT_EQ(a.physics_fields.size(), b.physics_fields.size());
    for (const auto& [name, values] : a.physics_fields) {
        expect_same_bits(values, b.physics_fields.at(name), name);
    }
}

std::string written(const ScratchFolder& folder, const DatasetContent& content) {
    write_dataset(folder.file("a.h5"), content);
    return folder.file("a.h5");
}

/// A data set as a file and in memory.
struct FileAndMemory {
    explicit FileAndMemory(DatasetContent all) : content(std::move(all)) {}
    DatasetContent content;
    ScratchFolder folder;
    std::string path = written(folder, content);
    Dataset file{path};
    Dataset memory{views_of(content)};
};

const std::vector<std::int64_t> two_cases{1, 0};

void expect_same_batches(const FileAndMemory& both, const std::vector<Channel>& channels,
                         const std::vector<Field>& fields) {
    for (const Targets targets : {Targets::read, Targets::skip}) {
        expect_same_batch(dataset_source(both.file, channels, fields, targets)->load(two_cases),
                          dataset_source(both.memory, channels, fields, targets)->load(two_cases));
    }
}

TEST(MemoryBatches, AreTheBitsOfAFilesForRadialGrids) {
    const FileAndMemory both(guided_content());
    expect_same_batches(both, published_channels(), published_fields());
    std::vector<Channel> channels = default_channels();
    channels.push_back(make_channel("reach", "transmissivity", Transform::log));
    channels.push_back(make_channel("well", "perforated_transmissivity", Transform::log));
    channels.push_back(make_channel("share", "inflow_share"));
    expect_same_batches(both, channels, default_fields());
}

TEST(MemoryBatches, AreTheBitsOfAFilesForCartesianGrids) {
    const FileAndMemory both(cartesian_content());
    std::vector<Channel> channels = default_channels_3d();
    channels.push_back(make_channel("reach", "transmissivity", Transform::log));
    channels.push_back(make_channel("y", "center_y"));
    expect_same_batches(both, channels, default_fields_3d());
}

TEST(MemoryBatches, AreTheBitsOfAFilesWithReducedPhysics) {
    const FileAndMemory both(guided_content());
    const auto load = [&](const Dataset& dataset) {
        auto physics = std::make_shared<CasePhysics>(dataset, PhysicsSettings{2});
        return dataset_source(dataset, guided_channels(), guided_fields(), Targets::read, physics,
                              {"physics_pressure_buildup"})
            ->load(two_cases);
    };
    expect_same_batch(load(both.file), load(both.memory));
}

TEST(MemoryBatches, ComeFromViewsOfOtherElementsAndRepeatedGeology) {
    DatasetContent repeated = guided_content();
    MemoryCases cases = views_of(repeated);
    std::map<std::string, std::vector<double>> wide;
    for (auto& [name, values] : repeated.arrays) {
        const ArraySpec& spec = *find_array(name);
        if (spec.role == Role::map) {
            wide[name].assign(values.begin(), values.begin() + 20);
            cases.arrays[name] = view_of(wide[name].data(), {3, 4, 5}, spec.unit, {0, 5, 1});
            for (std::size_t i = 20; i < values.size(); ++i) {
                values[i] = values[i % 20];
            }
        }
    }
    const FileAndMemory both(repeated);
    const Dataset memory(cases);
    expect_same_batch(dataset_source(both.file, default_channels(), default_fields())->load(two_cases),
                      dataset_source(memory, default_channels(), default_fields())->load(two_cases));
}

TEST(MemoryBatches, NameInputCaseAndCellOfAValueThatIsNotFinite) {
    DatasetContent content = guided_content();
    content.arrays["porosity"][20 + 7] = std::numeric_limits<float>::quiet_NaN();
    const Dataset dataset(views_of(content));
    try {
        dataset_source(dataset, default_channels(), default_fields(), Targets::skip)->load(two_cases);
        FAIL() << "nothing was thrown";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("cases in memory: porosity is NaN 1 in case 1, cell [1, 2]"));
    }
}

TEST(MemoryPhysics, IsComputedAndKeptNowhereButInMemory) {
    const FileAndMemory both(guided_content());
    PhysicsOptions options;
    options.kept_bytes = std::size_t{1} << 20;
    CasePhysics physics(both.memory, {2}, options);
    EXPECT_EQ(physics.path(), "");
    EXPECT_TRUE(physics.store(two_cases));
    EXPECT_EQ(physics.computed(), 0);
    const auto first = physics.load(two_cases);
    physics.load(two_cases);
    EXPECT_EQ(physics.computed(), 2);
    const auto known = CasePhysics(both.file, {2}).load(two_cases);
    EXPECT_EQ(first[0]->fields, known[0]->fields);
    EXPECT_EQ(first[1]->scalars, known[1]->scalars);
    EXPECT_FALSE(std::filesystem::exists("cases in memory.physics-two_phase-2_substeps.h5"));
}

TEST(MemoryMetrics, ReadTheFieldsOfCasesInMemory) {
    const FileAndMemory both(guided_content());
    const CaseFields one = CaseReader(both.path).read(1), other = CaseReader(Dataset(views_of(both.content))).read(1);
    EXPECT_EQ(one.gas_saturation, other.gas_saturation);
    EXPECT_EQ(one.pressure_buildup, other.pressure_buildup);
    EXPECT_EQ(one.active, other.active);
    EXPECT_EQ(one.top_depth, other.top_depth);
    EXPECT_EQ(one.injection_rate, other.injection_rate);
}

}  // namespace
}  // namespace plumecast::testing
