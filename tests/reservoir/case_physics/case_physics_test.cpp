#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include "reservoir/physics/carbon_ledger.hpp"

#include "io/hash.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/metrics/case_series.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/two_phase/two_phase_gradient.hpp"
#include "support/repository.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

constexpr PhysicsSettings two_phases{2};
const std::vector<std::int64_t> all{0, 1, 2};

class CasePhysicsTest : public ::testing::Test {
   protected:
    /// Options whose messages are kept.
    PhysicsOptions heard() {
        PhysicsOptions options;
        options.log = [this](Severity severity, std::string_view text) {
            messages_.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
        };
        return options;
    }
    std::string last() const { return messages_.empty() ? "nothing" : messages_.back(); }
    /// The sample with something changed, under its name.
    template <class Change>
    void rewrite(const Change& change) const {
        DatasetContent content = guided_content();
        change(content);
        write_dataset(path_, content);
    }

    ScratchFolder folder_;
    std::string path_ = write_guided_sample(folder_);
    std::vector<std::string> messages_;
};

void expect_same(const PhysicsFields& a, const PhysicsFields& b) {
    EXPECT_EQ(a.fields, b.fields);
    EXPECT_EQ(a.scalars, b.scalars);
}

TEST_F(CasePhysicsTest, TakesACaseAsTheDataSetHoldsIt) {
    const RadialCase radial = radial_case(Dataset(path_), 1);
    EXPECT_EQ(radial.rows(), 4U);
    EXPECT_EQ(radial.columns(), 5U);
    EXPECT_EQ(radial.times, (std::vector<double>{10.0, 100.0, 1000.0}));
    EXPECT_EQ(radial.permeability_r[0], 120.0);
    EXPECT_EQ(radial.perforation[5], 1.0);
    EXPECT_EQ(radial.perforation[6], 0.0);
    EXPECT_EQ(radial.active[14], 1);
    EXPECT_EQ(radial.active[15], 0);
    EXPECT_EQ(radial.temperature, 60.0);
    EXPECT_FLOAT_EQ(static_cast<float>(radial.irreducible_water_saturation), 0.2F);
    EXPECT_EQ(radial.rock_fluid.entry_pressure, RockFluidSettings{}.entry_pressure);
    EXPECT_EQ(radial.initial_brine_temperature(), 60.0);
}

TEST_F(CasePhysicsTest, TakesRockAndFluidsFromTheAttributesOfTheDataSet) {
    rewrite([](DatasetContent& content) {
        content.attributes["residual_gas_saturation"] = "0.1";
        content.attributes["entry_pressure"] = "0.25";
        content.attributes["initial_brine_temperature"] = "15.56";
    });
    const RockFluidSettings stated = radial_case(Dataset(path_), 0).rock_fluid;
    EXPECT_EQ(stated.residual_gas_saturation, 0.1);
    EXPECT_EQ(stated.entry_pressure, 0.25);
    EXPECT_EQ(stated.initial_brine_temperature, 15.56);
    EXPECT_EQ(stated.rock_compressibility, RockFluidSettings{}.rock_compressibility);
    rewrite([](DatasetContent& content) { content.attributes["entry_pressure"] = "0.25 bar"; });
    try {
        radial_case(Dataset(path_), 0);
        FAIL() << "a number with a unit was accepted";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("attribute entry_pressure is '0.25 bar'"));
    }
}

TEST_F(CasePhysicsTest, HasDerivativesOfRadialGridsAlone) {
    const Dataset box(repository_folder() + "/data/box_sample.h5");
    const CasePhysics physics(box, two_phases);
    try {
        physics.gradient(0, {});
        FAIL() << "a Cartesian grid was accepted";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("derivatives of the reduced physics need a radial grid"));
    }
}

TEST_F(CasePhysicsTest, GivesTrappedGasOfBoxes) {
    DatasetContent content = guided_cartesian_content();
    content.arrays["residual_gas_saturation"] = {0.03F, 0.3F};  // the first is not above what drainage leaves
    const std::string path = folder_.file("box.h5");
    write_dataset(path, content);
    const Dataset box(path);
    CasePhysics physics(box, two_phases);
    EXPECT_THAT(physics_fields_of(box), ::testing::Contains(trapped_gas_field));
    const auto found = physics.load(std::vector<std::int64_t>{0, 1});
    const auto largest = [&](std::size_t which) {
        return *std::ranges::max_element(found[which]->fields.at(std::string(trapped_gas_field)));
    };
    EXPECT_FLOAT_EQ(largest(0), 0.05F);
    EXPECT_GT(largest(1), 0.05F);
}

TEST_F(CasePhysicsTest, KeepsThePhysicsOfBoxesWithThePressuresInTheirWells) {
    const Dataset box(write_guided_cartesian_sample(folder_));
    const std::vector<std::int64_t> both{0, 1};
    const auto computed = CasePhysics(box, two_phases).load(both);
    ASSERT_TRUE(CasePhysics(box, two_phases).store(std::vector<std::int64_t>{1}));
    ASSERT_TRUE(CasePhysics(box, two_phases).store(both));  // adds the other
    CasePhysics later(box, two_phases, heard());
    const auto read = later.load(both);
    EXPECT_EQ(later.computed(), 0);
    for (std::size_t i = 0; i < 2; ++i) {
        expect_same(*read[i], *computed[i]);
        ASSERT_EQ(read[i]->bottom_hole_pressure.size(), 2U);
        EXPECT_EQ(read[i]->bottom_hole_pressure, computed[i]->bottom_hole_pressure);
        EXPECT_GT(read[i]->bottom_hole_pressure[0], 100.0F);
    }
}

TEST_F(CasePhysicsTest, ComputesAnewWhereAFileLacksThePressuresInTheWells) {
    const Dataset dataset(path_);
    const std::vector<std::int64_t> two{0, 1};
    const auto computed = CasePhysics(dataset, two_phases).load(two);
    ASSERT_TRUE(CasePhysics(dataset, two_phases).store(two));
    const auto read = CasePhysics(dataset, two_phases).load(two);
    EXPECT_EQ(read[1]->bottom_hole_pressure, computed[1]->bottom_hole_pressure);
    EXPECT_EQ(read[1]->bottom_hole_pressure.size(), static_cast<std::size_t>(dataset.snapshots()));
    const std::string path = CasePhysics(dataset, two_phases).path();
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(H5Ldelete(file, "/case/bottom_hole_pressure", H5P_DEFAULT), 0);  // as earlier builds wrote it
    ASSERT_GE(H5Fclose(file), 0);
    CasePhysics former(dataset, two_phases, heard());
    EXPECT_THAT(last(), HasSubstr("bottom_hole_pressure is missing or of another shape"));
    EXPECT_EQ(former.load(two)[1]->bottom_hole_pressure, computed[1]->bottom_hole_pressure);
    EXPECT_EQ(former.computed(), 2);
}

TEST_F(CasePhysicsTest, GivesTheSameBitsForAnyNumberOfThreadsAndAnyOrder) {
    const Dataset dataset(path_);
    PhysicsOptions one, three;
    one.threads = 1;
    three.threads = 3;
    const auto forwards = CasePhysics(dataset, two_phases, one).load(all);
    const auto backwards = CasePhysics(dataset, two_phases, three).load(std::vector<std::int64_t>{2, 1, 0});
    for (std::size_t i = 0; i < 3; ++i) {
        expect_same(*forwards[i], *backwards[2 - i]);
    }
    expect_same(*forwards[1], reduced_physics(radial_case(dataset, 1), two_phases, "case 1"));
    EXPECT_NE(forwards[0]->fields, forwards[1]->fields);
    EXPECT_FALSE(std::filesystem::exists(CasePhysics(dataset, two_phases).path()));
}

/// The same cases at other times, one of which is the same.
TEST_F(CasePhysicsTest, SharesItsStepsWithThatOfTheSameCasesAtOtherTimes) {
    const std::string other_path = folder_.file("others.h5");
    DatasetContent content = guided_content();
    content.times = {5.0, 100.0, 400.0, 3000.0};
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    write_dataset(other_path, content);
    const Dataset data(path_), others(other_path);
    auto physics = std::make_shared<CasePhysics>(data, two_phases);
    PhysicsOptions beside;
    beside.same_steps = physics;
    CasePhysics other(others, two_phases, beside);
    const auto other_found = other.load(all), found = physics->load(all);
    EXPECT_EQ(physics->computed(), 3);
    EXPECT_EQ(other.computed(), 0);
    const auto expected = CasePhysics(data, two_phases).load(all),
               other_expected = CasePhysics(others, two_phases).load(all);
    for (std::size_t n = 0; n < all.size(); ++n) {
        EXPECT_EQ(found[n]->fields, expected[n]->fields);
        EXPECT_EQ(other_found[n]->fields, other_expected[n]->fields);
        for (const auto& [name, value] : other_expected[n]->scalars) {
            EXPECT_NEAR(other_found[n]->scalars.at(name), value, 1e-12 * value) << name;
        }
        EXPECT_NEAR(found[n]->scalars.at("physics_buildup_rms") / expected[n]->scalars.at("physics_buildup_rms"), 1.0,
                    1e-12);
    }
}

TEST_F(CasePhysicsTest, SharesItsStepsWithOneSetOfOtherTimes) {
    const auto write_at = [&](const std::string& name, const std::vector<double>& times) {
        DatasetContent content = guided_content();
        content.times = times;
        content.arrays.erase("gas_saturation");
        content.arrays.erase("pressure_buildup");
        write_dataset(folder_.file(name), content);
        return folder_.file(name);
    };
    const Dataset data(path_), first(write_at("first.h5", {5.0, 400.0})), second(write_at("second.h5", {7.0, 300.0}));
    PhysicsOptions beside;
    beside.same_steps = std::make_shared<CasePhysics>(data, two_phases);
    CasePhysics of_first(first, two_phases, beside), of_second(second, two_phases, beside);
    EXPECT_EQ(of_second.load(all)[1]->fields, CasePhysics(second, two_phases).load(all)[1]->fields);
    EXPECT_EQ(of_second.computed(), 3);
    EXPECT_EQ(of_first.load(all)[1]->fields, CasePhysics(first, two_phases).load(all)[1]->fields);
    EXPECT_EQ(of_first.computed(), 0);
}

TEST_F(CasePhysicsTest, IsComputedOnceAndReadByLaterRuns) {
    const Dataset dataset(path_);
    CasePhysics first(dataset, two_phases, heard());
    const auto computed = CasePhysics(dataset, two_phases).load(all);
    ASSERT_TRUE(first.store(all));
    EXPECT_THAT(last(), HasSubstr("computing the physics of 3 of 3 cases, to be kept in " + first.path()));
    EXPECT_EQ(first.path(), path_ + ".physics-two_phase-2_substeps.h5");
    const std::string bytes = bytes_of(first.path());
    CasePhysics second(dataset, two_phases, heard());
    ASSERT_TRUE(second.store(all));
    EXPECT_THAT(last(), HasSubstr("reading the physics of 3 cases"));
    EXPECT_EQ(bytes_of(first.path()), bytes);
    for (CasePhysics* physics : {&first, &second}) {
        const auto loaded = physics->load(all);
        for (std::size_t i = 0; i < 3; ++i) {
            expect_same(*loaded[i], *computed[i]);
        }
    }
}

TEST_F(CasePhysicsTest, AddsTheCasesThatAreMissing) {
    const Dataset dataset(path_);
    CasePhysics(dataset, two_phases).store(std::vector<std::int64_t>{1});
    CasePhysics physics(dataset, two_phases, heard());
    ASSERT_TRUE(physics.store(all));
    EXPECT_THAT(last(), HasSubstr("computing the physics of 2 of 3 cases"));
    const auto computed = CasePhysics(dataset, {2}).load(all);
    for (std::size_t i = 0; i < 3; ++i) {
        expect_same(*physics.load(all)[i], *computed[i]);
    }
}

TEST_F(CasePhysicsTest, IsComputedAgainForACaseThatChanged) {
    CasePhysics(Dataset(path_), two_phases).store(all);
    rewrite([](DatasetContent& content) { content.arrays["temperature"][1] = 61.0F; });
    const Dataset changed(path_);
    CasePhysics physics(changed, two_phases, heard());
    const auto before = physics.load(all);
    ASSERT_TRUE(physics.store(all));
    EXPECT_THAT(last(), HasSubstr("computing the physics of 1 of 3 cases"));
    const PhysicsFields expected = reduced_physics(radial_case(changed, 1), two_phases, "case 1");
    expect_same(*before[1], expected);
    expect_same(*physics.load(all)[1], expected);
}

TEST_F(CasePhysicsTest, IsComputedAgainForOtherSettingsTimesAndRock) {
    const auto computed_for = [&](const PhysicsSettings& settings) {
        const Dataset dataset(path_);
        CasePhysics physics(dataset, settings, heard());
        EXPECT_TRUE(physics.store(all));
        return last();
    };
    computed_for(two_phases);
    EXPECT_THAT(computed_for({3}), HasSubstr("physics of 3 of 3 cases"));
    EXPECT_THAT(computed_for({3}), HasSubstr("reading the physics"));
    rewrite([](DatasetContent& content) { content.times[2] = 1001.0; });
    EXPECT_THAT(computed_for({3}), HasSubstr("physics of 3 of 3 cases"));
    rewrite([](DatasetContent& content) { content.attributes["rock_compressibility"] = "5e-5"; });
    EXPECT_THAT(computed_for({3}), HasSubstr("physics of 3 of 3 cases"));
}

std::string hash_of(const std::vector<double>& numbers) {
    return sha256({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
}

TEST_F(CasePhysicsTest, KeepsTheKeysOfFilesFromBeforeThereWereTemperatureGradients) {
    const Dataset dataset(path_);
    CasePhysics physics(dataset, two_phases);
    ASSERT_TRUE(physics.store(all));
    const RockFluidSettings rock;
    const std::string shared = "two_phase 2 " + std::to_string(physics_version) + '\n' + hash_of(dataset.r_edges()) +
                               hash_of(dataset.z_edges()) + hash_of(dataset.times()) +
                               hash_of({rock.residual_gas_saturation, rock.entry_pressure, rock.rock_compressibility,
                                        rock.initial_brine_temperature});
    const auto stored = h5::File::open(physics.path()).read<std::uint8_t>("/case/key");
    const std::string wanted = sha256(shared + case_fingerprint(dataset, 0));
    EXPECT_EQ(std::string(stored.begin(), stored.begin() + 64), wanted);
}

TEST_F(CasePhysicsTest, IsComputedWhenNeededWhereNoFileCanBeWritten) {
    const Dataset dataset(path_);
    CasePhysics physics(dataset, two_phases, heard());
    std::filesystem::create_directories(physics.path() + "/in the way");
    ASSERT_TRUE(physics.store(all));
    EXPECT_THAT(last(), AllOf(HasSubstr("warning: "), HasSubstr("not kept on the disk")));
    expect_same(*physics.load(all)[2], reduced_physics(radial_case(dataset, 2), two_phases, "case 2"));
}

TEST_F(CasePhysicsTest, IsComputedAnewWhereTheFileIsOfAnotherDataSet) {
    CasePhysics(Dataset(path_), two_phases).store(all);
    rewrite([](DatasetContent& content) { content.times[2] = 1001.0; });
    const Dataset dataset(path_);
    CasePhysics physics(dataset, two_phases);
    ASSERT_TRUE(physics.store(all));
    CasePhysics after(dataset, two_phases, heard());
    ASSERT_TRUE(after.store(all));
    EXPECT_THAT(last(), HasSubstr("reading the physics of 3 cases"));
}

TEST_F(CasePhysicsTest, DoesNotTakeThePlaceOfAFileThatIsNoPhysics) {
    const Dataset dataset(path_);
    const std::string path = path_ + ".physics-two_phase-2_substeps.h5";
    for (const std::string& content : {std::string("no HDF5"), bytes_of(path_)}) {
        write_bytes(path, content);
        CasePhysics physics(dataset, two_phases, heard());
        EXPECT_THAT(last(), AllOf(HasSubstr("warning: " + path), HasSubstr("the physics is computed anew")));
        try {
            physics.store(all);
            FAIL() << "a file that is no physics was replaced";
        } catch (const InvalidInput& error) {
            EXPECT_THAT(error.what(), AllOf(HasSubstr(path + ": is no file of reduced physics"), HasSubstr("move it")));
        }
        EXPECT_EQ(bytes_of(path), content);
        expect_same(*physics.load(all)[2], reduced_physics(radial_case(dataset, 2), two_phases, "case 2"));
    }
}

TEST_F(CasePhysicsTest, KeepsAFileForEveryNumberOfSubstepsSideBySide) {
    const Dataset dataset(path_);
    CasePhysics two(dataset, two_phases), three(dataset, {3});
    ASSERT_TRUE(two.store(all));
    ASSERT_TRUE(three.store(std::vector<std::int64_t>{1}));
    EXPECT_EQ(three.path(), path_ + ".physics-two_phase-3_substeps.h5");
    ASSERT_TRUE(CasePhysics(dataset, two_phases, heard()).store(all));
    EXPECT_THAT(last(), HasSubstr("reading the physics of 3 cases from " + two.path()));
    for (const std::int64_t which : all) {
        const std::string name = "case " + std::to_string(which);
        const RadialCase radial = radial_case(dataset, which);
        expect_same(*two.load({&which, 1})[0], reduced_physics(radial, two_phases, name));
        expect_same(*three.load({&which, 1})[0], reduced_physics(radial, {3}, name));
        expect_same(*CasePhysics(dataset, two_phases).load({&which, 1})[0], reduced_physics(radial, two_phases, name));
    }
}

TEST_F(CasePhysicsTest, KeepsWhatWasComputedWhenAskedToStop) {
    const Dataset dataset(path_);
    PhysicsOptions options = heard();
    options.threads = 1;
    std::vector<std::int64_t> done;
    options.progress = [&](std::int64_t cases, std::int64_t of) {
        done.push_back(cases);
        EXPECT_EQ(of, 3);
    };
    options.stop_requested = [&] { return done.size() == 2; };
    EXPECT_FALSE(CasePhysics(dataset, two_phases, options).store(all));
    EXPECT_EQ(done, (std::vector<std::int64_t>{1, 2}));
    EXPECT_TRUE(CasePhysics(dataset, two_phases, heard()).store(all));
    EXPECT_THAT(last(), HasSubstr("computing the physics of 1 of 3 cases"));
}

TEST_F(CasePhysicsTest, KeepsInMemoryAsMuchAsItMay) {
    const Dataset dataset(path_);
    PhysicsOptions options;
    const std::size_t one = 3 * sizeof(float) * 3 * 20;  // fields, times, cells
    options.kept_bytes = 2 * one;
    CasePhysics physics(dataset, two_phases, options);
    const auto first = physics.load(all), second = physics.load(all);
    int kept = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        kept += first[i] == second[i] ? 1 : 0;
        expect_same(*first[i], *second[i]);
    }
    EXPECT_EQ(kept, 2);
}

PhysicsCotangents weights_of_last(std::size_t times) {
    std::vector<double> weights(times * 20);
    for (std::size_t cell = 0; cell < 20; ++cell) {
        weights[weights.size() - 20 + cell] = 0.1 * static_cast<double>(cell % 7);
    }
    return {{{"physics_pressure_buildup", weights}}, {{"physics_co2_density", 2.0}}};
}

TEST_F(CasePhysicsTest, HasTheSameGradientWhateverOtherTimesThereAre) {
    const auto gradient = [&](const std::vector<double>& times) {
        rewrite([&](DatasetContent& content) {
            content.times = times;
            content.arrays.erase("gas_saturation");
            content.arrays.erase("pressure_buildup");
        });
        const Dataset data(path_);
        const CasePhysics physics(data, two_phases);
        return physics.gradient(1, weights_of_last(times.size()));
    };
    const RadialCaseGradient known = gradient({10.0, 100.0, 1000.0});
    EXPECT_NE(known.temperature, 0.0);
    EXPECT_EQ(known.permeability_r[16], 0.0);  // inactive
    for (const RadialCaseGradient& other : {gradient({1000.0}), gradient({0.0, 10.0, 100.0, 1000.0})}) {
        EXPECT_EQ(other.permeability_r, known.permeability_r);
        EXPECT_EQ(other.porosity, known.porosity);
        EXPECT_EQ(other.temperature, known.temperature);
    }
}

TEST_F(CasePhysicsTest, HasTheGradientOfSeriesFromTheStartOn) {
    const auto gradient = [&](const std::vector<double>& times, const std::vector<double>& weights) {
        rewrite([&](DatasetContent& content) {
            content.times = times;
            content.arrays.erase("gas_saturation");
            content.arrays.erase("pressure_buildup");
        });
        const Dataset data(path_);
        const CasePhysics physics(data, two_phases);
        return physics.gradient(1, {{}, {}, {{"bottom_hole_pressure", weights}, {"mass_free", weights}}});
    };
    const RadialCaseGradient known = gradient({10.0, 100.0, 1000.0}, {1.0, 2.0, 3.0});
    EXPECT_NE(known.injection_rate, 0.0);
    EXPECT_EQ(gradient({0.0, 10.0, 100.0, 1000.0}, {5.0, 1.0, 2.0, 3.0}).permeability_r, known.permeability_r);
}

TEST_F(CasePhysicsTest, HasTheMassesOfCo2ThatAReportHas) {
    const Dataset data(path_);
    CasePhysics physics(data, two_phases);
    const std::int64_t which = 1;
    const CasePhysics::Fields computed = physics.load({&which, 1})[0];
    CaseFields fields = case_inputs(data, which);
    fields.pressure_buildup = computed->fields.at("physics_pressure_buildup");
    fields.gas_saturation = computed->fields.at("physics_gas_saturation");
    fields.dissolved_co2 = computed->fields.at("physics_dissolved_co2");
    const std::vector<NamedSeries> reported = case_series(fields, data.times(), {});
    const auto ledger = carbon_ledger(radial_case(data, which), *computed);
    for (const char* name : {"mass_free", "mass_trapped", "mass_dissolved"}) {
        const NamedSeries* series = find_series(reported, name);
        ASSERT_NE(series, nullptr) << name;
        for (std::size_t time = 0; time < data.times().size(); ++time) {
            EXPECT_GT(ledger.at(name)[time], 0.0) << name;
            EXPECT_NEAR(ledger.at(name)[time], series->values[time], 1e-6 * series->values[time]) << name;
        }
    }
    PhysicsFields without = *computed;
    without.fields.erase("physics_dissolved_co2");
    EXPECT_THROW(carbon_ledger(radial_case(data, which), without), InvalidInput);
}

TEST_F(CasePhysicsTest, HasTheGradientsOfSeveralCases) {
    const Dataset data(path_);
    const CasePhysics physics(data, two_phases);
    const PhysicsCotangents first = weights_of_last(data.times().size());
    const PhysicsCotangents second{{}, {{"physics_viscosity_ratio", 1.0}}};
    const auto found =
        physics.gradients(std::vector<std::int64_t>{1, 0}, std::vector<PhysicsCotangents>{first, second});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].permeability_r, physics.gradient(1, first).permeability_r);
    EXPECT_EQ(found[1].temperature, physics.gradient(0, second).temperature);
    EXPECT_NE(found[1].temperature, 0.0);
}

TEST_F(CasePhysicsTest, HasTheGradientOfTwoPhases) {
    const Dataset data(path_);
    const CasePhysics physics(data, two_phases);
    const PhysicsCotangents weights = weights_of_last(data.times().size());
    const RadialCaseGradient found = physics.gradient(1, weights);
    const RadialCaseGradient expected = two_phase_gradient(radial_case(data, 1), two_phases.substeps, weights);
    EXPECT_NE(found.van_genuchten_lambda, 0.0);
    EXPECT_EQ(found.van_genuchten_lambda, expected.van_genuchten_lambda);
    EXPECT_EQ(found.permeability_r, expected.permeability_r);
}

}  // namespace
}  // namespace plumecast::testing
