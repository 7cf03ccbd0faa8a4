#include "inverse/optimization/storage_study.hpp"

#include <cmath>
#include <fstream>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/units.hpp"
#include "inverse/optimization/storage_problem.hpp"
#include "reservoir/generation/described_case.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ScratchFolder;

/// Fields that can be known beforehand: the build-up of all cells and times is the rate [Mt/year] times the
/// permeability [mD] of the case in its first cell; no gas.
class StandInSource : public FieldSource {
   public:
    ComputedCases add_fields(DatasetContent& content, const ComputationOptions& options) const override {
        const std::size_t cells = (content.z_edges.size() - 1) * (content.r_edges.size() - 1);
        const std::size_t times = content.times.size(), cases = content.arrays.at("thickness").size();
        const std::size_t periods = std::max<std::size_t>(content.schedule_ends.size(), 1);
        const bool is_scheduled = !content.schedule_ends.empty();
        std::vector<float> buildup;
        for (std::size_t i = 0; i < cases; ++i) {
            const auto& rates = content.arrays.at(is_scheduled ? "schedule_rate" : "injection_rate");
            float most = 0.0F;
            for (std::size_t period = 0; period < periods; ++period) {
                most = std::max(most, rates[i * periods + period]);
            }
            buildup.insert(buildup.end(), cells * times, most * content.arrays.at("permeability_r")[i * cells]);
        }
        content.arrays["pressure_buildup"] = std::move(buildup);
        return {{}, std::vector<Verdict>(options.has_verdicts ? cases : 0)};
    }
    std::string description() const override { return "stand-in"; }
    bool is_for_threads() const override { return true; }
};

/// The same of a model whose build-up has an interval, which promises nothing of the third case.
class CalibratedSource : public StandInSource {
   public:
    explicit CalibratedSource(FigureBand band) { bands_.figures = {std::move(band)}; }
    ComputedCases add_fields(DatasetContent& content, const ComputationOptions& options) const override {
        ComputedCases computed = StandInSource::add_fields(content, options);
        computed.without_interval.resize(content.arrays.at("thickness").size());
        if (computed.without_interval.size() > 2) {
            computed.without_interval[2] = "not calibrated here: the case is bad";
        }
        return computed;
    }
    const FigureBands& intervals() const override { return bands_; }

   private:
    FigureBands bands_;
};

/// A build-up [bar] of 10 up to 0.2 Mt/year and from 0.5 to 1 Mt/year, and of 100 between and above: a peak that falls
/// between two times at some rates.
class IslandSource : public FieldSource {
   public:
    ComputedCases add_fields(DatasetContent& content, const ComputationOptions& options) const override {
        const std::size_t cells = (content.z_edges.size() - 1) * (content.r_edges.size() - 1);
        const std::vector<float>& rates = content.arrays.at("injection_rate");
        std::vector<float> buildup;
        for (const float rate : rates) {
            const bool is_low = rate <= 0.2F || (rate >= 0.5F && rate <= 1.0F);
            buildup.insert(buildup.end(), cells * content.times.size(), is_low ? 10.0F : 100.0F);
        }
        const std::size_t cases = rates.size();
        content.arrays["pressure_buildup"] = std::move(buildup);
        return {{}, std::vector<Verdict>(options.has_verdicts ? cases : 0)};
    }
    std::string description() const override { return "stand-in"; }
    bool is_for_threads() const override { return true; }
};

/// Ten geologies whose build-up is 10, 20 ... 100 bar per Mt/year.
DatasetContent ten_geologies() {
    const DatasetContent three = testing::guided_content();
    DatasetContent content{three.attributes, three.r_edges, three.z_edges, three.times, {}};
    const std::size_t cells = (three.z_edges.size() - 1) * (three.r_edges.size() - 1);
    for (const auto& [name, values] : three.arrays) {
        if (find_array(name, Geometry::radial)->role == Role::output) {
            continue;
        }
        const std::size_t each = values.size() / 3;
        for (std::size_t i = 0; i < 10; ++i) {
            auto& all = content.arrays[name];
            all.insert(all.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(each));
            if (name == "permeability_r") {
                for (auto value = all.end() - static_cast<std::ptrdiff_t>(cells); value != all.end(); ++value) {
                    *value = *value != 0.0F ? 10.0F * static_cast<float>(i + 1) : 0.0F;
                }
            }
        }
    }
    return content;
}

class StorageStudyTest : public ::testing::Test {
   protected:
    StorageStudyTest() {
        write_dataset(folder_.file("geologies.h5"), ten_geologies());
        config_.data = folder_.file("geologies.h5");
        config_.rate = {0.0, 5.0};
        config_.limits = {{.figure = "max_buildup", .at_most = 60.0}};
        config_.tolerance = 1e-5;
        config_.points = 16;
    }
    StorageStudy study(bool is_each = false) {
        StudyOptions options;
        options.is_each = is_each;
        return optimize_storage(config_, source_, options);
    }
    /// [Mt] at a rate [Mt/year] until the last time.
    static double mass(double rate) { return rate * ten_geologies().times.back() / days_per_year; }

    ScratchFolder folder_;
    StorageConfig config_;
    StandInSource source_;
};

TEST_F(StorageStudyTest, KeepsALimitInAsManyGeologiesAsTheProbabilitySays) {
    const StorageStudy found = study();
    const StorageOptimum& optimum = found.optima.at(0);
    EXPECT_TRUE(optimum.search.is_feasible);
    EXPECT_NEAR(optimum.stored(), mass(60.0 / 90.0), 1e-3 * mass(60.0 / 90.0));
    EXPECT_EQ(optimum.limits[0].held.held, 9);
    EXPECT_LE(optimum.limits[0].figure, 60.0);
    EXPECT_TRUE(optimum.limits[0].is_binding);
}

TEST_F(StorageStudyTest, TablesWhatCanBeStoredWithEachProbability) {
    config_.probabilities = {1.0, 0.5, 0.75};
    const StorageStudy found = study();
    const std::vector<std::pair<double, double>> expected = {{0.5, 50.0}, {0.75, 80.0}, {0.9, 90.0}, {1.0, 100.0}};
    ASSERT_EQ(found.table.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(found.table[i].probability, expected[i].first);
        const double most = mass(60.0 / expected[i].second);
        EXPECT_NEAR(found.table[i].stored, most, 1e-3 * most);
        EXPECT_EQ(found.table[i].binding, "max_buildup at most 60");
    }
    EXPECT_THAT(table_csv(found), HasSubstr("probability,stored_mass [Mt],is_feasible,binding,rate [Mt/year]\n0.5,"));
}

TEST_F(StorageStudyTest, TakesTheMarginOffTheLimit) {
    config_.limits[0].margin = 6.0;
    EXPECT_NEAR(study().optima[0].stored(), mass(54.0 / 90.0), 1e-3 * mass(54.0 / 90.0));
}

TEST_F(StorageStudyTest, KeepsALimitByTheIntervalOfACalibratedModel) {
    // Half the interval is 2 bar and a tenth of the build-up: 60 bar are kept up to a build-up of 58 / 1.1.
    const CalibratedSource source({"max_buildup", 0.05, 2.0});
    const StorageStudy found = optimize_storage(config_, source, {});
    const StorageOptimum& optimum = found.optima[0];
    const double most = mass(58.0 / 1.1 / 90.0);
    EXPECT_NEAR(optimum.stored(), most, 1e-3 * most);
    EXPECT_EQ(optimum.limits[0].held.held, 9);
    EXPECT_EQ(optimum.limits[0].margin_source, MarginSource::interval);
    EXPECT_NEAR(optimum.limits[0].margin, 60.0 - 58.0 / 1.1, 0.01);
    EXPECT_THAT(found.notes, ::testing::Not(::testing::Contains(HasSubstr("count as exact"))));
    EXPECT_THAT(found.notes, ::testing::Contains(HasSubstr("promise nothing of 1 of 10 cases at the optimum (case 2")));
    EXPECT_THAT(to_json(found).dump(), HasSubstr("\"margin_from\": \"interval\""));
}

TEST_F(StorageStudyTest, TakesAStatedMarginBeforeTheInterval) {
    config_.limits[0].margin = 6.0;
    const StorageStudy found = optimize_storage(config_, CalibratedSource({"max_buildup", 0.0, 30.0}), {});
    EXPECT_NEAR(found.optima[0].stored(), mass(54.0 / 90.0), 1e-3 * mass(54.0 / 90.0));
    EXPECT_EQ(found.optima[0].limits[0].margin_source, MarginSource::stated);
}

TEST_F(StorageStudyTest, NamesTheLimitsThatCountAsExact) {
    config_.limits.push_back({.figure = "mean_pressure", .at_most = 900.0});
    const StorageStudy found = optimize_storage(config_, CalibratedSource({"max_buildup", 0.0, 1.0}), {});
    EXPECT_THAT(found.notes, ::testing::Contains(HasSubstr("the figures of mean_pressure at most 900 count as exact")));
}

TEST_F(StorageStudyTest, KeepsALimitAtAPlace) {
    config_.limits = {{.figure = "pressure_buildup", .at_most = 60.0, .r = 100.0}};
    const StorageStudy found = study();
    EXPECT_NEAR(found.optima[0].stored(), mass(60.0 / 90.0), 1e-3 * mass(60.0 / 90.0));
    EXPECT_EQ(found.optima[0].limits[0].margin_source, MarginSource::none);
    config_.limits = {{.figure = "gas_saturation", .at_most = 0.1, .r = 100.0}};
    EXPECT_THROW(study(), InvalidInput);  // the source has no gas
}

/// The same with gas of the saturation 0.
class GasSource : public StandInSource {
   public:
    ComputedCases add_fields(DatasetContent& content, const ComputationOptions& options) const override {
        ComputedCases computed = StandInSource::add_fields(content, options);
        content.arrays["gas_saturation"].assign(content.arrays.at("pressure_buildup").size(), 0.0F);
        return computed;
    }
};

TEST_F(StorageStudyTest, BreaksNoLimitOfAShareBeforeAnythingIsInjected) {
    DatasetContent content = ten_geologies();
    content.times.front() = 0.0;
    write_dataset(folder_.file("from_rest.h5"), content);
    config_.data = folder_.file("from_rest.h5");
    config_.limits.push_back({.figure = "free_share", .at_most = 1.0});
    const StorageOptimum optimum = optimize_storage(config_, GasSource(), {}).optima.at(0);
    EXPECT_TRUE(optimum.search.is_feasible);
    EXPECT_NEAR(optimum.stored(), mass(60.0 / 90.0), 1e-3 * mass(60.0 / 90.0));
}

/// Build-up of boxes in all cells [bar]: the rate [Mt/year] of each perforated cell times its permeability [mD].
class BoxSource : public FieldSource {
   public:
    ComputedCases add_fields(DatasetContent& content, const ComputationOptions& options) const override {
        const std::vector<float>&rates = content.arrays.at("cell_injection_rate"),
              &permeability = content.arrays.at("permeability_x");
        const std::size_t cases = content.arrays.at("initial_pressure").size(), cells = rates.size() / cases;
        std::vector<float> buildup;
        for (std::size_t i = 0; i < cases; ++i) {
            const auto begin = rates.begin() + static_cast<std::ptrdiff_t>(i * cells);
            const float all = std::inner_product(begin, begin + static_cast<std::ptrdiff_t>(cells),
                                                 permeability.begin() + static_cast<std::ptrdiff_t>(i * cells), 0.0F);
            buildup.insert(buildup.end(), cells * content.times.size(), all);
        }
        content.arrays["pressure_buildup"] = std::move(buildup);
        return {{}, std::vector<Verdict>(options.has_verdicts ? cases : 0)};
    }
    std::string description() const override { return "stand-in"; }
    bool is_for_threads() const override { return true; }
};

TEST_F(StorageStudyTest, PutsTheWellsWhereMostCanBeStored) {
    write_dataset(folder_.file("boxes.h5"), testing::guided_cartesian_content());
    config_.data = folder_.file("boxes.h5");
    config_.cases = {0};
    config_.rate = {0.01, 50.0};
    config_.well_places = {{500.0, 20.0}, {-50.0, 20.0}, {500.0, 75.0}, {50.0, 20.0}};  // the columns 3, 0, 7 and 1
    config_.evaluations = 200;
    config_.points = 64;
    const StorageStudy found = optimize_storage(config_, BoxSource(), {});
    const StorageOptimum& optimum = found.optima.at(0);
    ASSERT_EQ(optimum.wells.size(),
              2U);  // permeability grows with the number of the cell, so the first columns are best
    EXPECT_EQ(optimum.wells[0].x, -50.0);
    EXPECT_EQ(optimum.wells[1].x, 50.0);
    EXPECT_GT(found.computed, 6 * 64);
    EXPECT_THAT(study_text(found), HasSubstr("  well 0: at x -50 m, y 20 m\n"));
    EXPECT_EQ(to_json(found).find("optimum")->find("wells")->get_if<Json::Array>()->size(), 2U);
    config_.well_places = {{500.0, 20.0}, {500.0, 75.0}};  // no choice but the columns of most permeability
    EXPECT_LT(optimize_storage(config_, BoxSource(), {}).optima[0].stored(), optimum.stored());
    config_.rate = {20.0, 50.0};  // too much everywhere: the combination that is nearest to the limit is taken
    config_.well_places = {{500.0, 20.0}, {-50.0, 20.0}, {50.0, 20.0}};
    const StorageStudy missed = optimize_storage(config_, BoxSource(), {});
    EXPECT_FALSE(missed.optima[0].search.is_feasible);
    EXPECT_EQ(missed.optima[0].wells.at(0).x, -50.0);
    EXPECT_EQ(missed.optima[0].wells.at(1).x, 50.0);
    config_.rate = {0.01, 50.0};
    StudyOptions each;
    each.is_each = true;
    config_.cases = {0, 1};
    const StorageStudy sites = optimize_storage(config_, BoxSource(), each);
    EXPECT_THAT(table_csv(sites),
                HasSubstr("binding,x of well 0 [m],y of well 0 [m],x of well 1 [m],y of well 1 [m],"));
    EXPECT_THAT(table_csv(sites), HasSubstr("\",-50,20,50,20,"));
    EXPECT_THAT(study_text(sites), HasSubstr("; wells at x -50 m, y 20 m and x 50 m, y 20 m\n"));
    write_study(sites, folder_.file("sites"));
    EXPECT_THAT(validate(folder_.file("sites/optimum.h5"), Checked::inputs), IsEmpty());
}

TEST_F(StorageStudyTest, WritesPlacesOfTheMapWhole) {
    DatasetContent content = testing::guided_cartesian_content();
    content.attributes["origin"] = "x 427851.8277 m, y 6520276.636 m";
    write_dataset(folder_.file("boxes.h5"), content);
    config_.data = folder_.file("boxes.h5");
    config_.cases = {0};
    config_.rate = {0.01, 5.0};
    config_.well_places = {{427901.5, 6520296.5}, {428351.5, 6520351.5}};
    StudyOptions each;
    each.is_each = true;
    const StorageStudy sites = optimize_storage(config_, BoxSource(), each);
    EXPECT_THAT(table_csv(sites), HasSubstr("\",427901.5,6520296.5,428351.5,6520351.5,"));
}

TEST_F(StorageStudyTest, KnowsNoMassOutsideOfAnAreaWithoutGas) {
    write_dataset(folder_.file("boxes.h5"), testing::guided_cartesian_content());
    std::ofstream(folder_.file("area.csv")) << "-1000,0\n0,0\n0,1000\n-1000,1000\n";
    config_.data = folder_.file("boxes.h5");
    config_.cases = {0};
    config_.rate = {0.01, 5.0};
    config_.limits = {{.figure = "mass_outside", .at_most = 0.1, .polygon = folder_.file("area.csv")}};
    try {
        optimize_storage(config_, BoxSource(), {});
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("'mass_outside' is no figure of these cases"));
    }
}

TEST_F(StorageStudyTest, RefusesToSimulateWhatDecksDoNotDescribeBeforeTheSearch) {
    DatasetContent other = ten_geologies();
    other.attributes["initial_brine_temperature"] = "30 degC";
    write_dataset(folder_.file("other.h5"), other);
    EXPECT_THROW(require_described(Dataset(folder_.file("other.h5")), {0}), InvalidData);
    EXPECT_NO_THROW(require_described(Dataset(config_.data), {0}));
    // A hole in a case that is not among those chosen stands in nobody's way.
    DatasetContent holed = ten_geologies();
    std::vector<float>& active = holed.arrays.at("active");
    active[3 * active.size() / 10 + 2] = 0.0F;
    write_dataset(folder_.file("holed.h5"), holed);
    EXPECT_THROW(require_described(Dataset(folder_.file("holed.h5")), {2, 3}), InvalidData);
    EXPECT_NO_THROW(require_described(Dataset(folder_.file("holed.h5")), {0, 2, 9}));
}

TEST_F(StorageStudyTest, PutsSitesInOrder) {
    config_.cases = {7, 1, 4};
    const StorageStudy found = study(true);
    ASSERT_EQ(found.optima.size(), 3);
    EXPECT_EQ(found.optima[0].cases[0], 1);
    EXPECT_EQ(found.optima[2].cases[0], 7);
    EXPECT_NEAR(found.optima[0].stored(), mass(3.0), 1e-3 * mass(3.0));
    EXPECT_THAT(table_csv(found), HasSubstr("\n1,1,"));
    EXPECT_THAT(found.table, IsEmpty());
    // In the file the sites stand as in the data set.
    EXPECT_NEAR(static_cast<double>(found.designed.arrays.at("injection_rate")[0]), 60.0 / 80.0, 1e-3);
}

TEST_F(StorageStudyTest, GivesTheSameForAnyNumberOfThreads) {
    config_.threads = 1;
    const Json one = to_json(study(true));
    config_.threads = 3;
    Json three = to_json(study(true));
    three["configuration"]["threads"] = 1;
    EXPECT_EQ(one, three);
}

TEST_F(StorageStudyTest, StaysBelowTheRatesAtWhichALimitIsFirstBroken) {
    config_.cases = {0};
    const StorageStudy found = optimize_storage(config_, IslandSource(), {});
    EXPECT_TRUE(found.optima[0].search.is_feasible);
    EXPECT_NEAR(found.optima[0].stored(), mass(0.2), 1e-3 * mass(0.2));
    EXPECT_THAT(found.notes, ::testing::Contains(HasSubstr("some higher rates keep the limits and lower ones do not")));
}

TEST_F(StorageStudyTest, FindsRatesBelowThatBreakALimitWhereTheFirstPointsMissThem) {
    config_.cases = {0};
    config_.rate = {0.0, 1.0};
    config_.points = 1;  // 0.5 alone, in the upper island
    const StorageStudy found = optimize_storage(config_, IslandSource(), {});
    EXPECT_NEAR(found.optima[0].stored(), mass(0.2), 1e-3 * mass(0.2));
}

TEST_F(StorageStudyTest, SaysWhichLimitCannotBeMetAndByHowMuch) {
    config_.rate = {2.0, 5.0};
    const StorageStudy found = study();
    EXPECT_FALSE(found.optima[0].search.is_feasible);
    EXPECT_THAT(found.notes.back(),
                HasSubstr("max_buildup at most 60 cannot be met: the best choice misses it by 120"));
    EXPECT_THAT(study_text(found), HasSubstr("not met"));
}

TEST_F(StorageStudyTest, NamesTheNearestFigure) {
    config_.limits[0].figure = "max_buildups";
    try {
        study();
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("did you mean 'max_buildup'?"));
    }
}

TEST_F(StorageStudyTest, WritesADataSetThatIsValid) {
    config_.probabilities = {};
    config_.evaluations = 20;
    config_.ends = {ten_geologies().times[0], ten_geologies().times.back()};
    config_.top = {{0.0, 10.0}};
    config_.length = {{5.0, 20.0}};
    const StorageStudy found = study();
    write_study(found, folder_.file("optimum"));
    const std::string path = folder_.file("optimum/optimum.h5");
    EXPECT_THAT(validate(path, Checked::inputs), IsEmpty());
    const Dataset dataset(path);
    EXPECT_EQ(dataset.cases(), 10);
    EXPECT_EQ(dataset.schedule_ends(), config_.ends);
    EXPECT_FALSE(dataset.has_outputs());
    std::vector<float> open(static_cast<std::size_t>(dataset.cells()));
    const std::int64_t first[] = {0};
    dataset.read_map("perforation", first, open);
    double length = 0.0;
    for (std::int64_t row = 0; row < dataset.rows(); ++row) {
        length +=
            static_cast<double>(open[static_cast<std::size_t>(row * dataset.columns())]) *
            (dataset.z_edges()[static_cast<std::size_t>(row) + 1] - dataset.z_edges()[static_cast<std::size_t>(row)]);
    }
    EXPECT_NEAR(length, found.optima[0].search.point[3], 1e-3);
}

TEST_F(StorageStudyTest, RefusesPeriodsThatEndAfterTheLastTime) {
    config_.ends = {2.0 * ten_geologies().times.back()};
    EXPECT_THROW(study(), InvalidInput);
}

TEST_F(StorageStudyTest, EndsWhereItIsAskedTo) {
    StudyOptions options;
    options.stop_requested = [] { return true; };
    EXPECT_THROW(optimize_storage(config_, PhysicsSource(1), options), Interrupted);
}

TEST(ExcessAt, IsBelowZeroWhereEnoughCasesKeepTheLimit) {
    EXPECT_EQ(excess_at(0.5, {3.0, -2.0}), -2.0);
    EXPECT_EQ(excess_at(0.51, {3.0, -2.0}), 3.0);
    EXPECT_EQ(excess_at(0.9, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), 9.0);
    EXPECT_EQ(excess_at(1.0, {4.0}), 4.0);
    EXPECT_EQ(excess_at(0.01, {4.0, 5.0}), 4.0);
}

}  // namespace
}  // namespace plumecast
