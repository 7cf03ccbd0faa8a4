#include "reservoir/generation/case_store.hpp"
#include "reservoir/generation/finished_case.hpp"

#include <optional>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/generation/case_run.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/simulation/box_sample.hpp"
#include "reservoir/simulation/sample_reservoir.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Former = CaseStore::Former;

const std::vector<double> times = {1.0, 10.0};

class CaseStoreTest : public TemporaryFolder {
   protected:
    std::filesystem::path output() const { return folder_ / "data.h5"; }
    std::unique_ptr<CaseStore> open(Former former, std::uint64_t seed = 1) const {
        GeneratorConfiguration configuration;
        configuration.seed = seed;
        auto store = std::make_unique<CaseStore>(output(), configuration, former);
        store->set_frame({{{"title", "test"}}, reservoir_.grid.r_edges, reservoir_.grid.z_edges, times, {}});
        return store;
    }
    FinishedCase finished(std::int64_t number) {
        reservoir_.inputs.number = number;
        reservoir_.inputs.temperature = 40.0 + static_cast<double>(number);
        FlowResults results = balanced_results(reservoir_, times);
        for (Snapshot& snapshot : results.snapshots) {
            snapshot.bottom_hole_pressure = 200.0 + static_cast<double>(number);
        }
        return finished_case(reservoir_, results, 12);
    }
    void save(CaseStore& store, std::int64_t number) { store.save(finished(number)); }
    std::optional<std::vector<float>> well_pressures() const {
        const h5::File file = h5::File::open(output());
        return file.has("/case/bottom_hole_pressure") ? std::optional(file.read<float>("/case/bottom_hole_pressure"))
                                                      : std::nullopt;
    }

    Reservoir reservoir_ = sample_reservoir();
};

TEST_F(CaseStoreTest, KeepsWhatWasInjectedBelowALimitOfThePressureInTheWell) {
    reservoir_.inputs.bottom_hole_pressure_limit = 250.0;
    const auto store = open(Former::refuse);
    DatasetContent frame{{{"title", "test"}}, reservoir_.grid.r_edges, reservoir_.grid.z_edges, times, {}};
    frame.arrays["bottom_hole_pressure_limit"] = {};
    store->set_frame(frame);
    save(*store, 2);
    save(*store, 5);
    store->assemble();
    EXPECT_THAT(validate(output().string()), IsEmpty());
    const h5::File file = h5::File::open(output());
    EXPECT_EQ(file.integer("/", "format_version"), 5);
    EXPECT_THAT(file.read<float>("/inputs/bottom_hole_pressure_limit"), ElementsAre(250.0F, 250.0F));
    const std::vector<float> injected = file.read<float>("/case/injected_mass");
    ASSERT_EQ(injected.size(), 4U);
    EXPECT_NEAR(injected[1], reservoir_.inputs.injection_rate * times[1] / 365.25, 1e-6);
    EXPECT_EQ(file.text("/case/injected_mass", "units"), "Mt");
}

TEST_F(CaseStoreTest, JoinsCasesInOrderOfTheirNumbersToAValidDataSet) {
    const auto store = open(Former::refuse);
    save(*store, 5);
    save(*store, 2);
    store->reject({3, Rejection::time_limit, "60 s"});
    store->assemble();
    EXPECT_THAT(validate(output().string()), IsEmpty());
    const Dataset dataset(output().string());
    EXPECT_THAT(dataset.scalar("temperature"), ElementsAre(42.0F, 45.0F));
    EXPECT_EQ(dataset.times(), times);
    EXPECT_EQ(entries(), 1u);
}

TEST_F(CaseStoreTest, KeepsBottomHolePressuresWhereAllCasesHaveThem) {
    auto store = open(Former::refuse);
    save(*store, 5);
    save(*store, 2);
    store->assemble();
    EXPECT_THAT(well_pressures(), ::testing::Optional(ElementsAre(202.0F, 202.0F, 205.0F, 205.0F)));
    store.reset();
    store = open(Former::resume);
    FinishedCase earlier = finished(7);  // of a release that did not keep them
    earlier.arrays.erase("bottom_hole_pressure");
    store->save(earlier);
    store->assemble();
    EXPECT_EQ(well_pressures(), std::nullopt);
    EXPECT_EQ(Dataset(output().string()).cases(), 3);
}

TEST_F(CaseStoreTest, HoldsSalinityWhereItIsDrawnAlone) {
    const auto fresh = open(Former::refuse);
    save(*fresh, 0);
    fresh->assemble();
    EXPECT_FALSE(Dataset(output().string()).has("salinity"));
    EXPECT_THAT(Dataset(output().string()).attribute("generator"), ::testing::Not(::testing::HasSubstr("salinity")));
    GeneratorConfiguration configuration;
    configuration.inputs.salinity = {0.0, 0.2};
    const std::filesystem::path path = folder_ / "salty.h5";
    CaseStore store(path, configuration, Former::refuse);
    DatasetContent frame{{{"title", "test"}}, reservoir_.grid.r_edges, reservoir_.grid.z_edges, times, {}};
    frame.arrays["salinity"] = {};
    store.set_frame(frame);
    reservoir_.inputs.salinity = 0.15;
    save(store, 1);
    store.assemble();
    EXPECT_THAT(validate(path.string()), IsEmpty());
    EXPECT_THAT(Dataset(path.string()).scalar("salinity"), ElementsAre(0.15F));
}

TEST_F(CaseStoreTest, FindsWhatARunThatDiedHadFinished) {
    {
        const auto store = open(Former::refuse);
        save(*store, 0);
        store->reject({1, Rejection::mass_balance, "+0.2"});
        std::filesystem::create_directory(store->folder() / "work_case_00000002");
        write(store->folder() / ".case_00000002.h5.123.partial", "half a file");
    }
    const auto store = open(Former::resume);
    EXPECT_THAT(store->finished(), ElementsAre(0));
    EXPECT_EQ(store->rejected().at(1), Rejection::mass_balance);
    EXPECT_FALSE(std::filesystem::exists(store->folder() / "work_case_00000002"));
    EXPECT_FALSE(std::filesystem::exists(store->folder() / ".case_00000002.h5.123.partial"));
}

TEST_F(CaseStoreTest, ExtendsAFinishedDataSet) {
    {
        const auto store = open(Former::refuse);
        save(*store, 0);
        store->reject({1, Rejection::mass_balance, ""});
        store->assemble();
    }
    const auto store = open(Former::resume);
    EXPECT_THAT(store->finished(), ElementsAre(0));
    EXPECT_EQ(store->rejected().size(), 1u);
    save(*store, 2);
    store->assemble();
    EXPECT_THAT(Dataset(output().string()).scalar("temperature"), ElementsAre(40.0F, 42.0F));
}

TEST_F(CaseStoreTest, LeavesNoEmptyFolder) {
    open(Former::refuse);
    EXPECT_EQ(entries(), 0u);
}

TEST_F(CaseStoreTest, RefusesToOverwrite) {
    save(*open(Former::refuse), 0);
    EXPECT_THROW(open(Former::refuse), InvalidInput);
}

TEST_F(CaseStoreTest, BeginsAnewAndKeepsTheFormerDataSetUntilTheNewOneIsComplete) {
    {
        const auto store = open(Former::refuse);
        save(*store, 0);
        store->assemble();
    }
    {
        const auto store = open(Former::replace, 2);
        EXPECT_THAT(store->finished(), IsEmpty());
        save(*store, 1);
    }
    EXPECT_THAT(Dataset(output().string()).scalar("temperature"), ElementsAre(40.0F));
    const auto store = open(Former::resume, 2);
    EXPECT_THAT(store->finished(), ElementsAre(1));
    store->assemble();
    EXPECT_THAT(Dataset(output().string()).scalar("temperature"), ElementsAre(41.0F));
}

TEST_F(CaseStoreTest, BeginsAnewWithoutThePartsOfAnotherRun) {
    save(*open(Former::refuse), 0);
    EXPECT_THAT(open(Former::replace, 2)->finished(), IsEmpty());
}

TEST_F(CaseStoreTest, RefusesAFolderOfPartsThatHoldsAnythingElse) {
    std::filesystem::create_directory(output().string() + ".parts");
    write(output().string() + ".parts/photo.png", "a photo");
    EXPECT_THROW(open(Former::replace), InvalidInput);
    EXPECT_TRUE(std::filesystem::exists(output().string() + ".parts/photo.png"));
}

TEST_F(CaseStoreTest, RefusesToMixConfigurations) {
    save(*open(Former::refuse), 0);
    try {
        open(Former::resume, 2);
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("another configuration"));
    }
}

TEST_F(CaseStoreTest, AdmitsOneProcessAtATime) {
    const auto store = open(Former::refuse);
    EXPECT_THROW(open(Former::resume), InvalidInput);
}

/// Fields of brine at rest at all times.
FlowResults resting_results(std::size_t cells) {
    const std::vector<double> zero(cells, 0.0), one(cells, 1.0), pressure(cells, 150.0);
    FlowResults results{one, pressure, {}};
    for (const double time : times) {
        results.snapshots.push_back({time, pressure, zero, zero, zero, one, one, 0.0, 200.0});
    }
    return results;
}

TEST_F(CaseStoreTest, JoinsCasesOfASiteWithWhatFlowsAcrossItsFaults) {
    GeneratorConfiguration configuration = box_configuration();
    TopographySettings topography;
    topography.dip = 3.0;
    topography.faults.push_back({.at = 1200.0, .displacement = 27.0, .multiplier = {0.1, 1.0}});
    configuration.box->topography = topography;
    configuration.times = {.count = 2, .first = 1.0, .growth = 9.0};
    const BoxGrid grid = box_grid(*configuration.box);
    CaseStore store(output(), configuration, Former::refuse);
    DatasetContent frame = CaseRun(configuration, "flow", FlowRelease()).frame();
    frame.attributes = {{"title", "test"}};
    store.set_frame(frame);
    for (const std::int64_t number : {2, 3}) {
        const BoxReservoir reservoir = draw_box(configuration, grid, number, times.back());
        store.save(finished_case(reservoir, resting_results(reservoir.rock.porosity.size()), 12));
    }
    store.assemble();
    EXPECT_THAT(validate(output().string()), IsEmpty());
    const Dataset site(output().string());
    EXPECT_EQ(site.cell_values("pillars").size(), 6U * 7U * 9U);
    for (const std::int64_t which : {0, 1}) {
        const BoxReservoir reservoir = draw_box(configuration, grid, 2 + which, times.back());
        const std::vector<float> stored = site.connection_transmissibilities(which);
        std::size_t place = 0;
        for (const BoxConnection& one : reservoir.connections().apart) {
            const auto is_pair = [&](std::size_t at) {
                return site.cell_values("connection_first")[at] == static_cast<float>(one.first) &&
                       site.cell_values("connection_second")[at] == static_cast<float>(one.second);
            };
            while (place < stored.size() && !is_pair(place)) {
                EXPECT_EQ(stored[place++], 0.0F);  // of rows below the formation
            }
            ASSERT_LT(place, stored.size());
            EXPECT_FLOAT_EQ(stored[place++], static_cast<float>(one.transmissibility));
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
