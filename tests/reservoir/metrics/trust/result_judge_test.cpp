#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/h5/case_notes.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/metrics/trust/result_judge.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::ScratchFolder;
using ::testing::SizeIs;
using testing::write_guided_sample;

/// A result with the fields of a data set, the saturation of case 1 raised to 0.9 in all active cells.
ResultVerdicts judged(const std::string& data, const std::string& result, const RunFacts& facts,
                      const TrustRecord& record = {}) {
    const Dataset simulated(data);
    FieldsWriter writer(result, data, {"gas_saturation", "pressure_buildup"}, {});
    const auto cells = static_cast<std::size_t>(simulated.cells()), snapshots = simulated.times().size();
    std::vector<float> stored(cells * snapshots), turned(cells * snapshots), active(cells);
    for (std::int64_t which = 0; which < simulated.cases(); ++which) {
        simulated.read_map("active", {&which, 1}, active);
        for (const char* name : {"gas_saturation", "pressure_buildup"}) {
            simulated.read_output(name, {&which, 1}, stored);
            for (std::size_t i = 0; i < turned.size(); ++i) {
                const bool is_raised = which == 1 && name == std::string("gas_saturation");
                turned[i] = is_raised ? 0.9F : stored[i % snapshots * cells + i / snapshots];
            }
            writer.store(name, which, writer.pack(turned, active));
        }
    }
    const ResultVerdicts verdicts = judge_result(writer, data, record, facts);
    writer.commit();
    return verdicts;
}

TEST(JudgeResult, FindsTheCaseThatHoldsMoreCo2ThanWasInjected) {
    const ScratchFolder folder;
    const std::string data = write_guided_sample(folder), result = folder.file("fields.h5");
    const ResultVerdicts verdicts = judged(data, result, {});
    ASSERT_EQ(verdicts.cases[1].trust, Trust::bad);
    EXPECT_THAT(verdicts.cases[1].reasons[0], HasSubstr("CO2 found and injected differ"));
    ASSERT_THAT(case_labels(result, "trust"), SizeIs(3));
    EXPECT_EQ(case_labels(result, "trust")[1], 2);
    ASSERT_THAT(case_texts(result, "trust_reasons"), SizeIs(3));
    EXPECT_THAT(case_texts(result, "trust_reasons")[1], HasSubstr("CO2 found and injected differ"));
    EXPECT_EQ(Dataset(result).attribute("trust"), verdicts.counts().text());
    EXPECT_EQ(Dataset(result).attribute("resampled"), "no");
}

TEST(JudgeResult, CountsInputsOutsideTheTrainingRanges) {
    const ScratchFolder folder;
    const std::string data = write_guided_sample(folder);
    RunFacts facts;
    const Json ranges = Json::Object{
        {"ranges", Json::Object{{"temperature", Json::Object{{"min", 39.0}, {"max", 70.0}, {"unit", "degC"}}}}}};
    JsonReader reader(ranges, "training");
    facts.ranges = InputRanges::read(reader, "ranges");
    const std::vector<std::int64_t> all = {0, 1, 2};
    facts.out_of_range = facts.ranges.outside(Dataset(data), all);
    const ResultVerdicts verdicts = judged(data, folder.file("fields.h5"), facts);
    EXPECT_EQ(verdicts.evidence[0].outside, 0.0);
    EXPECT_EQ(verdicts.evidence[2].farthest_input, "temperature");
    EXPECT_NEAR(verdicts.evidence[2].outside, 20.0 / 31.0, 1e-6);
}

TEST(JudgeResult, DoubtsSaltWhereTheTrainingKnewNone) {
    const ScratchFolder folder;
    DatasetContent content = testing::guided_content();
    content.arrays["salinity"] = {0.0F, 0.05F, 0.2F};
    const std::string data = folder.file("salty.h5");
    write_dataset(data, content);
    RunFacts facts;
    facts.ranges = InputRanges({{"temperature", Range{0.0, 200.0, "degC"}}});
    facts.ranges.include_unstated();
    const std::vector<std::int64_t> all = {0, 1, 2};
    facts.out_of_range = facts.ranges.outside(Dataset(data), all);
    const ResultVerdicts verdicts = judged(data, folder.file("fields.h5"), facts);
    EXPECT_EQ(verdicts.evidence[0].outside, 0.0);
    EXPECT_NEAR(verdicts.evidence[1].outside, 0.2, 1e-6);
    EXPECT_THAT(verdicts.cases[1].reasons,
                Contains(HasSubstr("salinity lies outside the training range: its one value was 0")));
    EXPECT_EQ(verdicts.cases[2].trust, Trust::bad);
}

TEST(JudgeResult, DoubtsRatesThatChangeWhereTheModelDoesNotKnowThem) {
    const ScratchFolder folder;
    DatasetContent content = testing::guided_content();
    content.schedule_ends = {100.0, 1000.0};
    content.arrays["schedule_rate"] = {0.05F, 0.05F, 0.2F, 0.1F, 0.3F, 0.0F};
    content.arrays.erase("injection_rate");
    const std::string data = folder.file("schedule.h5");
    write_dataset(data, content);
    const auto reasons = [&](RateChanges changes, std::size_t which) {
        RunFacts facts;
        facts.rate_changes = changes;
        const Verdict verdict = judged(data, folder.file("fields.h5"), facts).cases[which];
        return std::pair(verdict.trust, verdict.reasons);
    };
    EXPECT_THAT(reasons(RateChanges::corrected, 0).second, Not(Contains(HasSubstr("rate of injection"))));
    EXPECT_THAT(reasons(RateChanges::none, 2).second, Not(Contains(HasSubstr("rate of injection"))));
    EXPECT_THAT(reasons(RateChanges::corrected, 2).second, Contains(HasSubstr("was trained on constant rates")));
    EXPECT_NE(reasons(RateChanges::corrected, 2).first, Trust::good);
    EXPECT_THAT(reasons(RateChanges::unseen, 2).second, Contains(HasSubstr("the model knows its mean alone")));
    EXPECT_EQ(reasons(RateChanges::unseen, 2).first, Trust::bad);
}

TEST(JudgeResult, DoubtsLimitsOfDissolutionWhereTheModelDoesNotKnowThem) {
    const ScratchFolder folder;
    DatasetContent content = testing::guided_content();
    content.arrays["dissolution_rate_limit"] = {1e6F, 2.0F, 0.0F};  // the first is never reached
    const std::string data = folder.file("slow.h5");
    write_dataset(data, content);
    const auto verdict = [&](RateChanges dissolution, std::size_t which) {
        RunFacts facts;
        facts.dissolution = dissolution;
        return judged(data, folder.file("fields.h5"), facts).cases[which];
    };
    for (const std::size_t limited : {1U, 2U}) {
        EXPECT_THAT(verdict(RateChanges::none, limited).reasons, Not(Contains(HasSubstr("dissolution_rate_limit"))));
        EXPECT_THAT(verdict(RateChanges::corrected, limited).reasons, Contains(HasSubstr("in equilibrium, and the")));
        EXPECT_NE(verdict(RateChanges::corrected, limited).trust, Trust::good);
        EXPECT_THAT(verdict(RateChanges::unseen, limited).reasons, Contains(HasSubstr("is not known to the model")));
        EXPECT_EQ(verdict(RateChanges::unseen, limited).trust, Trust::bad);
    }
    EXPECT_THAT(verdict(RateChanges::unseen, 0).reasons, Not(Contains(HasSubstr("dissolution_rate_limit"))));
}

TEST(JudgeResult, DoubtsTemperaturesThatGrowWhereTheModelDoesNotKnowThem) {
    const ScratchFolder folder;
    const std::string data = write_guided_sample(folder);
    const auto verdict = [&](RateChanges warmth) {
        RunFacts facts;
        facts.warmth = warmth;
        return judged(data, folder.file("fields.h5"), facts).cases[0];
    };
    const auto of_gradient = Contains(HasSubstr("temperature_gradient is not known to the model"));
    EXPECT_THAT(verdict(RateChanges::unseen).reasons, of_gradient);
    EXPECT_NE(verdict(RateChanges::unseen).trust, Trust::good);
    EXPECT_THAT(verdict(RateChanges::none).reasons, Not(of_gradient));
}

TEST(JudgeResult, GoesByTheRecordOfTheModel) {
    const ScratchFolder folder;
    const std::string data = write_guided_sample(folder);
    const Dataset dataset(data);
    TrustRecord record;
    record.cloud = TrainingCloud::of({input_features(dataset, 0), input_features(dataset, 1)});
    const ResultVerdicts verdicts = judged(data, folder.file("fields.h5"), {}, record);
    EXPECT_LE(*verdicts.evidence[0].distance, 1.0);
    EXPECT_GT(*verdicts.evidence[2].distance, 1.0);
    EXPECT_NE(verdicts.cases[2].trust, Trust::good);
}

TEST(JudgeResult, KeepsTheTimesAtWhichTheBalanceIsClosedFarthestFromThePhysics) {
    const ScratchFolder folder;
    const std::string data = write_guided_sample(folder), result = folder.file("fields.h5");
    RunFacts facts;
    facts.dissolved[0] = {{0.30, 0.20, 0.42}, {0.31, 0.25, 0.29}};
    const ResultVerdicts verdicts = judged(data, result, facts);
    ASSERT_TRUE(verdicts.evidence[0].dissolves_more && verdicts.evidence[0].dissolves_less);
    EXPECT_EQ(verdicts.evidence[0].dissolves_more->predicted, 0.42);
    EXPECT_EQ(verdicts.evidence[0].dissolves_less->physics, 0.25);
    EXPECT_FALSE(verdicts.evidence[1].dissolves_more);
    EXPECT_THAT(verdicts.cases[0].reasons, Contains(HasSubstr("dissolving 42 % of the injected CO2")));
    const std::vector<float> beyond = h5::File::open(result).read<float>("/case/dissolved_beyond_physics");
    ASSERT_THAT(beyond, SizeIs(3));
    EXPECT_FLOAT_EQ(beyond[0], 0.13F);
    EXPECT_TRUE(std::isnan(beyond[1]));
}

TEST(CaseNotes, AreEmptyWhereAFileHasNone) {
    const ScratchFolder folder;
    const std::string data = write_guided_sample(folder);
    EXPECT_THAT(case_labels(data, "trust"), IsEmpty());
    EXPECT_THAT(case_texts(data, "trust_reasons"), IsEmpty());
}

TEST(JudgeResult, WritesFiguresWithIntervalsWhereTheCaseIsCalibrated) {
    const ScratchFolder folder;
    const std::string data = write_guided_sample(folder), result = folder.file("fields.h5");
    TrustRecord record;
    record.bands = {0.9, 150, "abc", {{"max_buildup", 0.1, 0.5}, {"plume_radius_0.01", 0.0, 100.0}}};
    // The sample is made up: of all measures the balance alone tells its cases apart, and that of case 1 is worse.
    const Limit none{1e9, 1e9};
    record.limits = {none, none, none, none, none, none, none, none};
    const auto before = judged(data, folder.file("before.h5"), {}, record);
    const double limit = 0.5 * (*before.evidence[0].balance + *before.evidence[1].balance);
    record.limits.balance = {limit, limit};
    const ResultVerdicts verdicts = judged(data, result, {}, record);
    ASSERT_EQ(verdicts.cases[1].trust, Trust::bad);
    ASSERT_NE(verdicts.cases[0].trust, Trust::bad);
    const std::size_t times = Dataset(data).times().size();
    const auto read = [&](const std::string& name) {
        return h5::File::open(result).read<float>("/case/figure_" + name);
    };
    const std::vector<float> middle = read("max_buildup"), low = read("max_buildup_low"),
                             high = read("max_buildup_high");
    ASSERT_EQ(middle.size(), 3 * times);
    for (std::size_t t = 0; t < times; ++t) {
        EXPECT_EQ(static_cast<double>(middle[t]),
                  static_cast<double>(static_cast<float>(verdicts.figures[0].at("max_buildup")[t])));
        EXPECT_NEAR(high[t], middle[t] + 0.5 * (1.0 + 0.1 * middle[t]), 1e-4);
        EXPECT_NEAR(low[t], std::max(0.0, middle[t] - 0.5 * (1.0 + 0.1 * middle[t])), 1e-4);
        EXPECT_FALSE(std::isnan(middle[times + t]));
        EXPECT_TRUE(std::isnan(low[times + t]));
    }
    EXPECT_GT(middle[times - 1], 0.0F);
    EXPECT_GT(read("plume_radius_0.01")[times - 1], 0.0F);
    EXPECT_THAT(case_texts(result, "figure_notes")[0], IsEmpty());
    EXPECT_THAT(case_texts(result, "figure_notes")[1], HasSubstr("not calibrated here: the case is bad"));
    EXPECT_EQ(Dataset(result).attribute("interval_level"), "0.9");
}

TEST(JudgeResult, SaysOfEachCaseWhyItHasNoBands) {
    const ScratchFolder folder;
    const std::string data = write_guided_sample(folder), result = folder.file("fields.h5");
    TrustRecord record;
    record.field_bands = {0.9, 0.8, 150, "abc", false, {{"gas_saturation", {}, 0.1}}};
    const Limit none{1e9, 1e9};
    record.limits = {none, none, none, none, none, none, none, none};
    const auto before = judged(data, folder.file("before.h5"), {}, record);
    EXPECT_THAT(before.band_notes, IsEmpty());  // the result has none
    const double limit = 0.5 * (*before.evidence[0].balance + *before.evidence[1].balance);
    record.limits.balance = {limit, limit};
    RunFacts facts;
    facts.has_bands = true;
    const ResultVerdicts verdicts = judged(data, result, facts, record);
    ASSERT_THAT(verdicts.band_notes, SizeIs(3));
    EXPECT_THAT(verdicts.band_notes[0], IsEmpty());
    EXPECT_THAT(verdicts.band_notes[1], HasSubstr("not calibrated here: the case is bad"));
    EXPECT_EQ(case_texts(result, "band_notes"), verdicts.band_notes);
    EXPECT_EQ(Dataset(result).attribute("band_level"), "0.9");
    EXPECT_EQ(Dataset(result).attribute("band_share"), "0.8");
    facts.resampling = Resampling::correction;
    EXPECT_THAT(judged(data, folder.file("times.h5"), facts, record).band_notes[0], IsEmpty());
    EXPECT_EQ(Dataset(folder.file("times.h5")).attribute("resampled"), "yes");
    facts.resampling = Resampling::fields;
    EXPECT_THAT(judged(data, folder.file("other.h5"), facts, record).band_notes[0], HasSubstr("from another grid"));
    record.field_bands.resampled = true;
    EXPECT_THAT(judged(data, folder.file("same.h5"), facts, record).band_notes[0], IsEmpty());
    facts.resampling = Resampling::none;
    EXPECT_THAT(judged(data, folder.file("own.h5"), facts, record).band_notes[0],
                HasSubstr("the cases of the calibration were brought over"));
}

}  // namespace
}  // namespace plumecast
