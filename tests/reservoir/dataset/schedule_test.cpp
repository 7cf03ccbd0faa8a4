#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/regridding/regridded_dataset.hpp"
#include "support/repository.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The cases of sample_content(), until day 100: one with a break and a stop, a constant one, and one of the rate 0.
DatasetContent scheduled_content() {
    DatasetContent content = sample_content();
    content.schedule_ends = {20.0, 30.0, 50.0, 100.0};
    content.arrays["schedule_rate"] = {1.0F, 0.0F, 0.5F, 0.0F, 1.5F, 1.5F, 1.5F, 1.5F, 0.0F, 0.0F, 0.0F, 0.0F};
    content.arrays["injection_rate"] = {0.6F, 1.5F, 0.0F};
    return content;
}

class ScheduleTest : public ::testing::Test {
   protected:
    std::string write(const DatasetContent& content, const std::string& name = "data.h5") {
        write_dataset(folder_.file(name), content);
        return folder_.file(name);
    }
    /// What validate() says of a file, which opening it refuses for the same reason where that is an error.
    std::vector<Violation> violations_in(const DatasetContent& content) {
        const std::string path = write(content, "wrong.h5");
        const std::vector<Violation> found = validate(path);
        std::string refused;
        try {
            const Dataset dataset(path);
        } catch (const InvalidData& error) {
            refused = error.what();
        }
        const auto first = std::ranges::find_if(found, &Violation::is_error);
        EXPECT_EQ(refused.empty(), first == found.end());
        EXPECT_THAT(refused, HasSubstr(first == found.end() ? "" : first->problem));
        return found;
    }
    ScratchFolder folder_;
};

auto names(const std::string& path, const std::string& problem, bool is_error = true) {
    return AllOf(Field(&Violation::path, path), Field(&Violation::problem, HasSubstr(problem)),
                 Field(&Violation::is_error, is_error));
}

TEST_F(ScheduleTest, IsWhatWasWrittenInAFileAndInMemory) {
    const DatasetContent content = scheduled_content();
    const std::string path = write(content);
    EXPECT_THAT(validate(path), IsEmpty());
    EXPECT_THAT(validate(views_of(content)), IsEmpty());
    const Dataset file(path), memory(views_of(content));
    for (const Dataset* dataset : {&file, &memory}) {
        EXPECT_EQ(dataset->schedule_ends(), content.schedule_ends);
        EXPECT_EQ(dataset->schedule_rates(), content.arrays.at("schedule_rate"));
        EXPECT_EQ(dataset->scalar("injection_rate"), content.arrays.at("injection_rate"));
    }
    EXPECT_EQ(case_fingerprint(file, 0), case_fingerprint(memory, 0));
}

TEST_F(ScheduleTest, GivesCasesAndMeanRatesWhereTheRateIsLeftOut) {
    DatasetContent content = scheduled_content();
    content.arrays.erase("injection_rate");
    const std::string path = write(content);
    EXPECT_THAT(validate(path), IsEmpty());
    const Dataset file(path), memory(views_of(content)), stated(write(scheduled_content(), "stated.h5"));
    EXPECT_EQ(file.cases(), 3);
    EXPECT_TRUE(file.has("injection_rate"));
    EXPECT_THAT(file.scalar("injection_rate"), ElementsAre(0.6F, 1.5F, 0.0F));
    EXPECT_EQ(memory.scalar("injection_rate"), file.scalar("injection_rate"));
    EXPECT_EQ(case_fingerprint(file, 0), case_fingerprint(stated, 0));
}

TEST_F(ScheduleTest, MakesTheFormatVersionTwo) {
    const auto version = [](const std::string& path) { return h5::File::open(path).integer("/", "format_version"); };
    EXPECT_EQ(version(write(scheduled_content())), 2);
    EXPECT_EQ(version(write(sample_content(), "plain.h5")), 1);
}

TEST_F(ScheduleTest, OfVersionOneFilesIsNone) {
    for (const char* name : {"radial_sample.h5", "box_sample.h5"}) {
        const std::string path = repository_folder() + "/data/" + name;
        EXPECT_EQ(h5::File::open(path).integer("/", "format_version"), 1) << name;
        const Dataset dataset(path);
        EXPECT_THAT(dataset.schedule_ends(), IsEmpty()) << name;
        EXPECT_THAT(schedule_of(dataset, 0).ends, IsEmpty()) << name;
        EXPECT_GT(dataset.scalar("injection_rate")[0], 0.0F) << name;
    }
}

TEST_F(ScheduleTest, OfACaseHasTheFewestPeriodsAndNoneOfAConstantRate) {
    const Dataset dataset(write(scheduled_content()));
    const InjectionSchedule schedule = schedule_of(dataset, 0);
    EXPECT_THAT(schedule.ends, ElementsAre(20.0, 30.0, 50.0));
    EXPECT_THAT(schedule.rates, ElementsAre(1.0, 0.0, 0.5));
    EXPECT_NEAR(schedule.injected(1e4), 30.0 / 365.25, 1e-12);
    EXPECT_THAT(schedule_of(dataset, 1).ends, IsEmpty());
    EXPECT_EQ(radial_case(dataset, 1).injection_rate, 1.5);
    EXPECT_THAT(schedule_of(dataset, 2).ends, IsEmpty());
    EXPECT_EQ(radial_case(dataset, 2).injection_rate, 0.0);
    // Derivatives are by the rates of all periods that are stated.
    EXPECT_EQ(radial_case(dataset, 0).schedule.ends, dataset.schedule_ends());
}

TEST_F(ScheduleTest, WithAStopIsNotAConstantRate) {
    DatasetContent content = scheduled_content();
    content.schedule_ends = {50.0};
    content.arrays["schedule_rate"] = {0.5F, 0.5F, 0.5F};
    content.arrays["injection_rate"] = {0.5F, 0.5F, 0.5F};
    EXPECT_THAT(schedule_of(Dataset(write(content)), 0).ends, ElementsAre(50.0));
    content.schedule_ends = {100.0};
    EXPECT_THAT(schedule_of(Dataset(write(content)), 0).ends, IsEmpty());
}

TEST_F(ScheduleTest, ChangesTheFingerprintOfACase) {
    DatasetContent content = scheduled_content();
    const std::string before = case_fingerprint(Dataset(write(content)), 0);
    content.arrays["schedule_rate"][0] = 0.5F;  // the same mass, injected later
    content.arrays["schedule_rate"][1] = 1.0F;
    EXPECT_NE(case_fingerprint(Dataset(write(content)), 0), before);
    DatasetContent refined = scheduled_content();  // the same rates in more periods
    refined.schedule_ends = {10.0, 20.0, 30.0, 50.0};
    refined.arrays["schedule_rate"] = {1.0F, 1.0F, 0.0F, 0.5F, 1.5F, 1.5F, 1.5F, 1.5F, 0.0F, 0.0F, 0.0F, 0.0F};
    EXPECT_EQ(case_fingerprint(Dataset(write(refined)), 0), before);
}

TEST_F(ScheduleTest, NamesPeriodsThatOverlapOrGoBack) {
    DatasetContent content = scheduled_content();
    content.schedule_ends = {20.0, 50.0, 30.0, 100.0};
    EXPECT_THAT(violations_in(content), ElementsAre(names("/schedule/end", "entry 2 is 30, the entry before it 50")));
    content.schedule_ends = {0.0, 20.0, 30.0, 50.0};
    EXPECT_THAT(violations_in(content), ElementsAre(names("/schedule/end", "entry 0 is 0")));
    content.schedule_ends = {20.0, std::numeric_limits<double>::infinity(), 30.0, 50.0};
    EXPECT_THAT(violations_in(content), ElementsAre(names("/schedule/end", "entry 1 is infinity, not a finite value")));
}

TEST_F(ScheduleTest, WarnsOfAPeriodThatEndsAfterTheLastTime) {
    DatasetContent content = scheduled_content();
    content.schedule_ends = {20.0, 30.0, 50.0, 101.0};
    EXPECT_THAT(violations_in(content), ElementsAre(names("/schedule/end", "entry 3 is 101, after the last", false)));
}

TEST_F(ScheduleTest, NamesRatesThatAreNone) {
    for (const float rate : {-0.25F, std::numeric_limits<float>::quiet_NaN(), 2000.0F}) {
        DatasetContent content = scheduled_content();
        content.arrays["schedule_rate"][4 + 2] = rate;
        EXPECT_THAT(violations_in(content), ElementsAre(names("/schedule/rate", "case 1, well 0, period 2: value")));
    }
}

TEST_F(ScheduleTest, NamesAMeanRateThatIsAnother) {
    DatasetContent content = scheduled_content();
    content.arrays["injection_rate"][0] = 0.61F;
    EXPECT_THAT(violations_in(content), ElementsAre(names("/inputs/injection_rate", "case 0 is 0.61")));
}

TEST_F(ScheduleTest, NamesWellsThatARadialGridDoesNotHave) {
    DatasetContent content = scheduled_content();
    content.wells = 2;
    content.arrays["schedule_rate"].resize(24);
    EXPECT_THAT(violations_in(content), Contains(names("/schedule/rate", "has 2 wells (a radial grid has one")));
}

TEST_F(ScheduleTest, NamesWhatIsMissingAndVersionOne) {
    const std::string whole = write(scheduled_content()), path = folder_.file("part.h5");
    const auto copy_without = [&](const std::string& left_out, std::int64_t version) {
        const h5::File from = h5::File::open(whole);
        h5::File to = h5::File::create(path);
        to.set_text("/", "format", "plumecast-dataset");
        to.set_integer("/", "format_version", version);
        for (const std::string& array : from.arrays()) {
            if (array != left_out) {
                to.copy_array(from, array);
                to.set_text(array, "units", from.text(array, "units").value_or(""));
                to.set_text(array, "long_name", "x");
            }
        }
        to.close();
    };
    const auto refusal = [&] {
        try {
            const Dataset dataset(path);
        } catch (const InvalidData& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    copy_without("/schedule/end", 2);
    EXPECT_THAT(validate(path), Contains(names("/schedule/end", "missing (there is /schedule/rate)")));
    EXPECT_THAT(refusal(), HasSubstr("/schedule/end"));
    copy_without("/schedule/rate", 2);
    EXPECT_THAT(validate(path), Contains(names("/schedule/rate", "missing (there is /schedule/end)")));
    EXPECT_THAT(refusal(), HasSubstr("/schedule/rate"));
    copy_without("", 1);
    EXPECT_THAT(validate(path), ElementsAre(names("/", "format_version is 1, but there is a schedule")));
    EXPECT_THAT(refusal(), HasSubstr("set it to the integer 2"));
    const std::string newest = std::to_string(dataset_format_version);
    copy_without("", dataset_format_version + 1);
    EXPECT_THAT(validate(path), ElementsAre(names("/", "format_version is")));
    EXPECT_THAT(refusal(), HasSubstr("this program reads 1 to " + newest + ")"));
    copy_without("", 2);
    EXPECT_THAT(validate(path), IsEmpty());
}

TEST_F(ScheduleTest, GoesWithCasesThroughSplitSubsetMergeAndResults) {
    const std::string source = write(scheduled_content());
    SubsetOptions last;
    last.source = source;
    last.output = folder_.file("last.h5");
    last.cases = {{1, 2}};
    subset_dataset(last);
    SubsetOptions first = last;
    first.output = folder_.file("first.h5");
    first.cases = {{0, 0}};
    subset_dataset(first);
    EXPECT_THAT(validate(first.output), IsEmpty());
    EXPECT_THAT(Dataset(first.output).schedule_rates(), ElementsAre(1.0F, 0.0F, 0.5F, 0.0F));
    MergeOptions merge;
    merge.sources = {first.output, last.output};
    merge.output = folder_.file("merged.h5");
    merge_datasets(merge);
    EXPECT_THAT(validate(merge.output), IsEmpty());
    EXPECT_EQ(Dataset(merge.output).schedule_rates(), Dataset(source).schedule_rates());
    const DatasetContent content = scheduled_content();
    const Dataset memory(views_of(content));
    FieldsWriter of_memory(folder_.file("of_memory.h5"), memory, {}, {});
    of_memory.commit();
    FieldsWriter of_file(folder_.file("of_file.h5"), source, {}, {});
    of_file.commit();
    for (const char* name : {"of_memory.h5", "of_file.h5"}) {
        EXPECT_THAT(validate(folder_.file(name)), IsEmpty());
        EXPECT_EQ(Dataset(folder_.file(name)).schedule_rates(), content.arrays.at("schedule_rate"));
        EXPECT_EQ(h5::File::open(folder_.file(name)).integer("/", "format_version"), 2);
    }
}

TEST_F(ScheduleTest, OfOtherPeriodsIsNotMerged) {
    DatasetContent other = scheduled_content();
    other.schedule_ends[0] = 10.0;
    other.arrays.erase("injection_rate");
    MergeOptions merge;
    merge.sources = {write(scheduled_content()), write(other, "other.h5")};
    merge.output = folder_.file("merged.h5");
    try {
        merge_datasets(merge);
        FAIL() << "merged";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("other.h5"), HasSubstr("/schedule/end")));
    }
    merge.sources[1] = write(sample_content(), "constant.h5");
    EXPECT_THROW(merge_datasets(merge), InvalidData);
}

TEST_F(ScheduleTest, StaysOnOtherGridsAndTimes) {
    DatasetContent content = guided_content();
    content.schedule_ends = {20.0, 500.0};
    content.arrays["schedule_rate"] = {1.0F, 2.0F, 0.0F, 1.0F, 1.0F, 0.0F};
    content.arrays.erase("injection_rate");
    const Dataset dataset(write(content));
    GridAndTimes to = GridAndTimes::of(dataset);
    to.times = {10.0, 100.0};
    to.z_edges = {0.0, 20.0, 40.0};
    const Dataset other = regridded(dataset, to, {});
    EXPECT_EQ(other.times(), to.times);
    EXPECT_EQ(other.schedule_ends(), dataset.schedule_ends());
    EXPECT_EQ(other.schedule_rates(), dataset.schedule_rates());
    EXPECT_EQ(other.scalar("injection_rate"), dataset.scalar("injection_rate"));
}

TEST_F(ScheduleTest, OfABoxHasTheRatesOfItsWells) {
    DatasetContent content = cartesian_content();
    content.wells = 2;
    content.schedule_ends = {100.0, 200.0};
    content.arrays["schedule_rate"] = {0.5F, 0.0F, 0.5F, 0.5F, 1.0F, 0.0F, 1.0F, 1.0F};
    content.arrays["injection_rate"] = {0.75F, 1.5F};
    const std::string path = write(content);
    EXPECT_THAT(validate(path), IsEmpty());
    const InjectionSchedule schedule = schedule_of(Dataset(path), 1);
    EXPECT_THAT(schedule.ends, ElementsAre(100.0, 200.0));
    EXPECT_THAT(schedule.rates, ElementsAre(2.0, 1.0));
}

TEST_F(ScheduleTest, OfABoxIsWhatItsCellsTakeInOnAverage) {
    DatasetContent content = cartesian_content();
    content.wells = 2;
    content.schedule_ends = {100.0, 200.0};
    content.arrays["schedule_rate"] = {0.5F, 0.0F, 0.5F, 0.5F, 1.0F, 0.0F, 1.0F, 1.0F};
    content.arrays.erase("injection_rate");
    EXPECT_THAT(validate(write(content)), IsEmpty());
    std::vector<float>& rates = content.arrays["cell_injection_rate"];
    const std::vector<float> means = rates;
    std::ranges::fill(rates, 0.0F);
    EXPECT_THAT(validate(write(content)),
                Contains(names("/inputs/cell_injection_rate", "case 0: the cells add up to 0 ")));
    rates = means;
    rates[24 + 1] = 0.75F;
    EXPECT_THAT(validate(write(content)), Contains(names("/inputs/cell_injection_rate",
                                                         "case 1: the cells add up to 1.75 Mt/year, the mean rate over "
                                                         "the injection in /schedule is 1.5")));
    content.arrays["schedule_rate"][0] = -0.5F;
    EXPECT_THAT(validate(write(content)), ::testing::Not(Contains(names("/inputs/cell_injection_rate", "add up"))));
}

/// Two wells in each of two cases, whose cells take in what their rates are on average.
DatasetContent scheduled_wells() {
    DatasetContent content = cartesian_content();
    content.wells = 2;
    content.schedule_ends = {100.0, 200.0};
    content.arrays["schedule_rate"] = {0.5F, 0.0F, 0.5F, 0.5F, 1.0F, 0.0F, 1.0F, 1.0F};
    content.arrays.erase("injection_rate");
    return content;
}

TEST_F(ScheduleTest, OfABoxIsWhatTheColumnsOfItsWellsTakeIn) {
    DatasetContent content = scheduled_wells();
    std::swap_ranges(content.arrays["schedule_rate"].begin() + 4, content.arrays["schedule_rate"].begin() + 6,
                     content.arrays["schedule_rate"].begin() + 6);  // of the wells of case 1
    EXPECT_THAT(validate(write(content)),
                ElementsAre(names("/inputs/cell_injection_rate",
                                  "case 1: the cells of well 0 (line 0, column 1) take in 0.5 Mt/year, the mean of its "
                                  "rates in /schedule until the last well stops is 1")));
    EXPECT_THAT(validate(views_of(content)),
                Contains(names("/inputs/cell_injection_rate", "case 1: the cells of well 0")));
}

TEST_F(ScheduleTest, OfABoxHasTheRatesOfEachPerforatedColumn) {
    DatasetContent content = scheduled_wells();
    content.arrays["perforation"][5] = 1.0F;
    EXPECT_THAT(validate(write(content)),
                ElementsAre(names("/schedule/rate",
                                  "case 0: it has rates of 2 wells (the perforated cells are those of 3", false)));
    content.wells = 3;  // the one between the others never injects, and case 1 has two wells
    content.arrays["schedule_rate"] = {0.5F, 0.0F, 0.0F, 0.0F, 0.5F, 0.5F, 1.0F, 0.0F, 1.0F, 1.0F, 0.0F, 0.0F};
    EXPECT_THAT(validate(write(content)), IsEmpty());
    content.arrays["schedule_rate"] = {0.5F, 0.0F, 0.0F, 0.0F, 0.5F, 0.5F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 1.0F};
    EXPECT_THAT(validate(write(content)),
                ElementsAre(names("/schedule/rate",
                                  "case 1: it has rates of 3 wells (the perforated cells are those of 2", false)));
}

TEST_F(ScheduleTest, RangesKnowWhenInjectionEnds) {
    const Dataset dataset(write(scheduled_content()));
    InputRanges ranges = InputRanges::over(dataset, std::vector<std::int64_t>{0, 1});
    EXPECT_EQ(ranges.ranges().at("schedule_end"), (Range{50.0, 100.0, "day"}));
    EXPECT_FALSE(InputRanges::over(dataset, std::vector<std::int64_t>{2}).ranges().contains("schedule_end"));
    const auto ends_outside = [&](const Dataset& data) {
        std::vector<OutOfRange> found = ranges.outside(data, std::vector<std::int64_t>{0, 1, 2});
        std::erase_if(found, [](const OutOfRange& one) { return one.field != "schedule_end"; });
        return found;
    };
    EXPECT_THAT(ends_outside(dataset), IsEmpty());

    DatasetContent early = scheduled_content();
    early.arrays["schedule_rate"][2] = 0.0F;  // ends on day 20
    early.arrays["injection_rate"][0] = 1.0F;
    const std::vector<OutOfRange> found = ends_outside(Dataset(write(early, "early.h5")));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].which, 0);
    EXPECT_EQ(found[0].value, 20.0);
    EXPECT_EQ(found[0].distance, 30.0);

    ranges.include_drawn_from(R"({"inputs": {"schedule": {"stop": [0.05, 40.0]}}})");
    EXPECT_EQ(ranges.ranges().at("schedule_end"), (Range{0.05 * 365.25, 40.0 * 365.25, "day"}));
    ranges = InputRanges(std::map<std::string, Range>{{"schedule_end", {20.0, 50.0, "day"}}});
    const std::vector<std::int64_t> first = {0};
    EXPECT_EQ(ranges.outside(Dataset(write(sample_content(), "constant.h5")), first).at(0).value, 100.0);
    ranges = InputRanges(std::map<std::string, Range>{{"schedule_end", {200.0, 300.0, "day"}}});
    EXPECT_THAT(ranges.outside(Dataset(write(sample_content(), "constant.h5")), first), IsEmpty());  // goes on
}

}  // namespace
}  // namespace plumecast::testing
