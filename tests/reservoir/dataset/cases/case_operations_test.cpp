
#include <algorithm>
#include <filesystem>
#include <set>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;
using ::testing::UnorderedElementsAreArray;

/// A data set of `cases` cases that differ in their rate.
DatasetContent many_cases(std::size_t cases, float first_rate = 0.1F) {
    DatasetContent content = sample_content();
    for (auto& [name, values] : content.arrays) {
        const std::size_t per_case = values.size() / 3;
        const std::vector<float> one(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(per_case));
        values.clear();
        for (std::size_t i = 0; i < cases; ++i) {
            values.insert(values.end(), one.begin(), one.end());
        }
    }
    for (std::size_t i = 0; i < cases; ++i) {
        content.arrays["injection_rate"][i] = first_rate + 0.01F * static_cast<float>(i);
    }
    return content;
}

std::vector<std::string> fingerprints(const std::string& path) {
    const Dataset dataset(path);
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < dataset.cases(); ++i) {
        all.push_back(case_fingerprint(dataset, i));
    }
    return all;
}

std::vector<float> buildup(const std::string& path, std::int64_t which) {
    const Dataset dataset(path);
    std::vector<float> values(static_cast<std::size_t>(dataset.cells() * dataset.snapshots()));
    dataset.read_output("pressure_buildup", {&which, 1}, values);
    return values;
}

template <class Operation>
std::string error_of(Operation operation) {
    try {
        operation();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

class CaseOperationsTest : public ::testing::Test {
   protected:
    std::string write(const DatasetContent& content, const std::string& name = "data.h5") {
        write_dataset(folder_.file(name), content);
        return folder_.file(name);
    }
    SplitOptions halves(const std::string& source, const std::string& folder) {
        SplitOptions options;
        options.source = source;
        options.folder = folder_.file(folder);
        options.parts = {{"a", 0.5}, {"b", 0.5}};
        return options;
    }
    MergeOptions merge(std::vector<std::string> sources) {
        MergeOptions options;
        options.sources = std::move(sources);
        options.output = folder_.file("merged.h5");
        return options;
    }
    SubsetOptions subset(const std::string& source) {
        SubsetOptions options;
        options.source = source;
        options.output = folder_.file("subset.h5");
        return options;
    }
    ScratchFolder folder_;
};

TEST_F(CaseOperationsTest, FingerprintDependsOnInputsAlone) {
    DatasetContent content = sample_content();
    const std::vector<std::string> before = fingerprints(write(content));
    EXPECT_EQ(std::set<std::string>(before.begin(), before.end()).size(), 3u);
    content.attributes["title"] = "other";
    content.arrays.erase("gas_saturation");
    EXPECT_EQ(fingerprints(write(content)), before);
    content.arrays["porosity"][0] += 0.01F;
    const std::vector<std::string> after = fingerprints(write(content));
    EXPECT_NE(after[0], before[0]);
    EXPECT_EQ(after[1], before[1]);
}

TEST_F(CaseOperationsTest, SplitPutsEveryCaseIntoOnePart) {
    const std::string source = write(many_cases(40));
    const CaseReport report = split_dataset(halves(source, "parts"));
    ASSERT_EQ(report.files.size(), 2u);
    EXPECT_EQ(report.files[0].cases + report.files[1].cases, 40);
    std::vector<std::string> both = fingerprints(report.files[0].path);
    const std::vector<std::string> second = fingerprints(report.files[1].path);
    both.insert(both.end(), second.begin(), second.end());
    EXPECT_THAT(both, UnorderedElementsAreArray(fingerprints(source)));
    EXPECT_THAT(validate(report.files[0].path), IsEmpty());
    EXPECT_EQ(buildup(report.files[1].path, 0), buildup(source, 0));
}

TEST_F(CaseOperationsTest, KeepsWhatADataSetStatesOfRockAndFluids) {
    DatasetContent content = many_cases(20);
    content.attributes["entry_pressure"] = "0.25";
    content.attributes["initial_brine_temperature"] = "15.56";
    const std::string source = write(content);
    std::vector<std::string> files;
    for (const CaseFileReport& part : split_dataset(halves(source, "parts")).files) {
        files.push_back(part.path);
    }
    files.push_back(merge_datasets(merge(files)).files[0].path);
    SubsetOptions few = subset(source);
    few.cases = {{2, 5}};
    files.push_back(subset_dataset(few).files[0].path);
    for (const std::string& file : files) {
        EXPECT_EQ(Dataset(file).attribute("entry_pressure"), "0.25") << file;
        EXPECT_EQ(Dataset(file).attribute("initial_brine_temperature"), "15.56") << file;
    }
}

TEST_F(CaseOperationsTest, MergeRefusesFilesOfDifferentRockOrFluids) {
    DatasetContent other = many_cases(4, 0.5F);
    other.attributes["initial_brine_temperature"] = "15.56";
    const std::string one = write(many_cases(3), "one.h5"), two = write(other, "two.h5");
    EXPECT_THAT(error_of([&] {
                    merge_datasets(merge({one, two}));
                }),
                ::testing::AllOf(HasSubstr("initial_brine_temperature is 15.56"), HasSubstr("not stated")));
    other.attributes.erase("initial_brine_temperature");
    other.attributes["entry_pressure"] = "0.1961";  // the default, stated
    EXPECT_EQ(merge_datasets(merge({one, write(other, "three.h5")})).files[0].cases, 7);
}

TEST_F(CaseOperationsTest, SplitKeepsItsChoiceWhenCasesAreAdded) {
    const std::string few = split_dataset(halves(write(many_cases(10), "few.h5"), "few")).files[0].path;
    const std::string many = split_dataset(halves(write(many_cases(30), "many.h5"), "many")).files[0].path;
    const std::vector<std::string> all = fingerprints(many);
    for (const std::string& one : fingerprints(few)) {
        EXPECT_NE(std::ranges::find(all, one), all.end());
    }
    SplitOptions other = halves(folder_.file("many.h5"), "other");
    other.seed = 1;
    EXPECT_NE(fingerprints(split_dataset(other).files[0].path), all);
}

TEST_F(CaseOperationsTest, ExactSplitHasTheNumbersAskedForAndKeepsDuplicatesTogether) {
    DatasetContent content = many_cases(20);
    SplitOptions options = halves(write(content), "exact");
    options.parts = {{"train", 0.8}, {"test", 0.2}};
    options.is_exact = true;
    EXPECT_EQ(split_dataset(options).files[0].cases, 16);
    options.parts = {{"train", 0.8}, {"validation", 0.1}, {"test", 0.1}};
    options.source = write(many_cases(7), "seven.h5");
    options.folder = folder_.file("seven");
    const CaseReport few = split_dataset(options);
    EXPECT_EQ(few.files[0].cases, 5);
    EXPECT_EQ(few.files[1].cases, 1);
    options.parts = {{"train", 0.8}, {"test", 0.2}};
    std::ranges::fill(content.arrays["injection_rate"], 0.3F);
    options.source = write(content, "same.h5");
    options.folder = folder_.file("same");
    EXPECT_THAT(error_of([&] { split_dataset(options); }), HasSubstr("no case of"));
}

TEST_F(CaseOperationsTest, SplitRefusesPartsThatMakeNoSense) {
    SplitOptions options = halves(write(many_cases(4)), "parts");
    options.parts = {{"a", 0.5}, {"b", 0.4}};
    EXPECT_THAT(error_of([&] { split_dataset(options); }), HasSubstr("the shares add up to 0.9"));
    options.parts = {{"a", 0.5}, {"a", 0.5}};
    EXPECT_THAT(error_of([&] { split_dataset(options); }), HasSubstr("a name of its own"));
    options.parts = {{"../a", 1.0}};
    EXPECT_THAT(error_of([&] { split_dataset(options); }), HasSubstr("part '../a'"));
    options.parts = {{"b", 0.99}, {"c", 0.01}};
    EXPECT_THAT(error_of([&] { split_dataset(options); }),
                HasSubstr("larger share, choose SplitOptions::is_exact, or another seed"));
    options = halves(write(many_cases(1)), "parts");
    options.is_exact = true;
    EXPECT_THAT(error_of([&] { split_dataset(options); }), EndsWith("give it a larger share"));
}

TEST_F(CaseOperationsTest, MergeJoinsCasesInOrder) {
    const std::string first = write(many_cases(3, 0.1F), "first.h5");
    const std::string second = write(many_cases(2, 0.5F), "second.h5");
    const CaseReport report = merge_datasets(merge({first, second}));
    EXPECT_EQ(report.files[0].cases, 5);
    const Dataset merged(folder_.file("merged.h5"));
    EXPECT_THAT(merged.scalar("injection_rate"), Pointwise(FloatEq(), {0.1F, 0.11F, 0.12F, 0.5F, 0.51F}));
    EXPECT_EQ(buildup(folder_.file("merged.h5"), 4), buildup(second, 1));
    EXPECT_THAT(validate(folder_.file("merged.h5")), IsEmpty());
}

TEST_F(CaseOperationsTest, MergeRefusesDropsOrKeepsDuplicates) {
    const std::string first = write(many_cases(3), "first.h5");
    const std::string second = write(many_cases(4), "second.h5");
    MergeOptions options = merge({first, second});
    EXPECT_THAT(error_of([&] { merge_datasets(options); }), HasSubstr("case 0 has the same inputs as case 0 of"));
    EXPECT_FALSE(std::filesystem::exists(options.output));
    options.duplicates = Duplicates::drop;
    EXPECT_EQ(merge_datasets(options).duplicates, 3);
    EXPECT_EQ(Dataset(options.output).cases(), 4);
    options.duplicates = Duplicates::keep;
    EXPECT_EQ(merge_datasets(options).files[0].cases, 7);
}

TEST_F(CaseOperationsTest, MergeRefusesFilesThatDoNotFit) {
    const std::string first = write(many_cases(2), "first.h5");
    DatasetContent other = many_cases(2, 0.5F);
    other.times[1] = 11.0;
    EXPECT_THAT(error_of([&] { merge_datasets(merge({first, write(other, "o.h5")})); }), HasSubstr("the times differ"));
    other = many_cases(2, 0.5F);
    other.r_edges[1] = 1.5;
    EXPECT_THAT(error_of([&] {
                    merge_datasets(merge({first, write(other, "o.h5")}));
                }),
                HasSubstr("the cells of the grid"));
    other = many_cases(2, 0.5F);
    other.attributes["entry_pressure"] = "0.3";
    EXPECT_THAT(error_of([&] {
                    merge_datasets(merge({first, write(other, "o.h5")}));
                }),
                HasSubstr("attribute entry_pressure is 0.3"));
    other.attributes["entry_pressure"] = "0.1961";  // the default, which the first file does not state
    EXPECT_EQ(merge_datasets(merge({first, write(other, "o.h5")})).files[0].cases, 4);
    other = many_cases(2, 0.5F);
    other.arrays.erase("gas_saturation");
    EXPECT_THAT(error_of([&] {
                    merge_datasets(merge({first, write(other, "o.h5")}));
                }),
                HasSubstr("the outputs (pressure_buildup against gas_saturation, pressure_buildup) differ"));
    EXPECT_THAT(error_of([&] {
                    merge_datasets(merge({first, write_cartesian_sample(folder_)}));
                }),
                HasSubstr("the grid"));
}

TEST_F(CaseOperationsTest, MergeLeavesDissolvedCo2OutWhereAFileLacksIt) {
    DatasetContent with = many_cases(2);
    with.arrays["dissolved_co2"].assign(with.arrays["gas_saturation"].size(), 0.0F);
    const std::string recent = write(with, "recent.h5");
    const std::string earlier = write(many_cases(2, 0.5F), "earlier.h5");
    with.arrays["injection_rate"] = {0.8F, 0.9F};
    const std::string third = write(with, "third.h5");
    for (const std::vector<std::string>& sources :
         {std::vector{recent, earlier}, std::vector{earlier, recent}, std::vector{recent, earlier, third},
          std::vector{earlier, recent, third}}) {
        const CaseReport report = merge_datasets(merge(sources));
        EXPECT_EQ(report.left_out, std::vector<std::string>{"/outputs/dissolved_co2"});
        EXPECT_FALSE(Dataset(report.files[0].path).has("dissolved_co2"));
        EXPECT_THAT(validate(report.files[0].path), IsEmpty());
        EXPECT_EQ(report.files[0].cases, static_cast<std::int64_t>(2 * sources.size()));
    }
    const CaseReport both = merge_datasets(merge({recent, third}));
    EXPECT_THAT(both.left_out, IsEmpty());
    EXPECT_TRUE(Dataset(both.files[0].path).has("dissolved_co2"));
}

TEST_F(CaseOperationsTest, SubsetTakesNamedCasesThoseInARangeAndSomeAtRandom) {
    const std::string source = write(many_cases(20));
    SubsetOptions options = subset(source);
    options.cases = {{3, 5}, {4, 4}, {10, 10}};
    EXPECT_EQ(subset_dataset(options).files[0].cases, 4);
    options.cases.clear();
    options.where = {{"injection_rate", 0.145, 0.185}};
    subset_dataset(options);
    EXPECT_THAT(Dataset(options.output).scalar("injection_rate"), Pointwise(FloatEq(), {0.15F, 0.16F, 0.17F, 0.18F}));
    options.random = 2;
    subset_dataset(options);
    const std::vector<std::string> chosen = fingerprints(options.output);
    EXPECT_EQ(chosen.size(), 2u);
    subset_dataset(options);
    EXPECT_EQ(fingerprints(options.output), chosen);
}

TEST_F(CaseOperationsTest, SubsetLeavesOutputsOutWhenAsked) {
    SubsetOptions options = subset(write_cartesian_sample(folder_));
    options.without_outputs = true;
    options.cases = {{1, 1}};
    subset_dataset(options);
    const Dataset dataset(options.output);
    EXPECT_FALSE(dataset.has_outputs());
    EXPECT_EQ(dataset.geometry(), Geometry::cartesian);
    EXPECT_THAT(validate(options.output), IsEmpty());
}

TEST_F(CaseOperationsTest, SubsetRefusesCasesThatAreNotThere) {
    SubsetOptions options = subset(write(many_cases(4)));
    options.cases = {{2, 4}};
    EXPECT_THAT(error_of([&] { subset_dataset(options); }), HasSubstr("no cases 2 to 4"));
    options.cases.clear();
    options.where = {{"injection_rate", 5.0, 6.0}};
    EXPECT_THAT(error_of([&] { subset_dataset(options); }), HasSubstr("no case meets the conditions"));
    options.where = {{"rate", 5.0, 6.0}};
    EXPECT_THAT(error_of([&] { subset_dataset(options); }), HasSubstr("no input rate"));
    options.where.clear();
    options.random = 5;
    EXPECT_THAT(error_of([&] { subset_dataset(options); }), HasSubstr("ask for 1 to 4"));
}

TEST_F(CaseOperationsTest, StatisticsCountActiveCellsOnly) {
    const DatasetStatistics statistics = dataset_statistics(write(many_cases(4)));
    EXPECT_EQ(statistics.cases, 4);
    EXPECT_EQ(statistics.different_cases, 4);
    const auto find = [&](const char* name) {
        return *std::ranges::find(statistics.arrays, name, &ArrayStatistics::name);
    };
    const ArrayStatistics rate = find("injection_rate");
    EXPECT_NEAR(rate.mean, 0.115, 1e-7);
    EXPECT_NEAR(rate.deviation, 0.01 * std::sqrt(1.25), 1e-7);
    ASSERT_TRUE(rate.logarithm.has_value());
    const ArrayStatistics permeability = find("permeability_r");
    EXPECT_EQ(permeability.count, 4 * 15);
    EXPECT_EQ(permeability.low, 10.0);
    EXPECT_EQ(permeability.high, 24.0);
    EXPECT_NEAR(permeability.mean, 17.0, 1e-12);
    EXPECT_FALSE(find("gas_saturation").logarithm.has_value());
}

TEST_F(CaseOperationsTest, StopLeavesNothing) {
    const std::string source = write(many_cases(4));
    SubsetOptions options = subset(source);
    options.progress = [](std::string_view, std::int64_t, std::int64_t) { return true; };
    EXPECT_FALSE(subset_dataset(options).is_complete);
    EXPECT_FALSE(std::filesystem::exists(options.output));
    SplitOptions split = halves(source, "parts");
    split.progress = [](std::string_view phase, std::int64_t, std::int64_t) { return phase == "copying"; };
    EXPECT_FALSE(split_dataset(split).is_complete);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("parts")));
}

TEST_F(CaseOperationsTest, ConvertsFilesThatStoreTheirCasesInOtherWays) {
    const std::string first = write(many_cases(2), "first.h5");
    const std::string second = folder_.file("second.h5");
    {
        const h5::File from = h5::File::open(write(many_cases(2, 0.5F), "compressed.h5"));
        h5::File plain = h5::File::create(second);
        plain.copy_attributes(from, "/", {});
        for (const std::string& path : from.arrays()) {
            const std::vector<double> values = from.read<double>(path);
            plain.create_array<double>(path, {from.info(path).extents, false, std::nullopt});
            plain.write_rows<double>(path, 0, from.info(path).extents[0], values);
            plain.copy_attributes(from, path, {"_FillValue"});
        }
        plain.close();
    }
    merge_datasets(merge({first, second}));
    EXPECT_THAT(validate(folder_.file("merged.h5")), IsEmpty());
    EXPECT_EQ(buildup(folder_.file("merged.h5"), 3), buildup(second, 1));
    MergeOptions other_way = merge({second, first});
    merge_datasets(other_way);
    EXPECT_EQ(buildup(other_way.output, 3), buildup(first, 1));
}

TEST_F(CaseOperationsTest, NamesTheScalarsOfConditions) {
    SubsetOptions options = subset(write(many_cases(3)));
    options.where = {{"permeability_r", 1.0, 2.0}};
    EXPECT_THAT(error_of([&] { subset_dataset(options); }), HasSubstr("injection_rate, "));
    options.where = {{"temprature", 1.0, 2.0}};
    EXPECT_THAT(error_of([&] { subset_dataset(options); }), HasSubstr("(known: temperature)"));
}

TEST_F(CaseOperationsTest, TakesArraysUnderCaseAlongButNotTheGeneratorsRecord) {
    const std::string path = write(many_cases(3));
    const std::string labelled = folder_.file("labelled.h5");
    {
        const h5::File from = h5::File::open(path);
        h5::File file = h5::File::create(labelled);
        file.copy_attributes(from, "/", {});
        file.set_text("/", "generator", "{}");
        for (const std::string& array : from.arrays()) {
            file.copy_array(from, array);
            file.copy_attributes(from, array, {});
        }
        file.write_texts("/case/name", {"first", "second", "third"});
        file.create_array<std::int64_t>("/case/rejected_number", {{3}, false, std::nullopt});
        const std::int64_t numbers[] = {7, 8, 9};
        file.write_rows<std::int64_t>("/case/rejected_number", 0, 3, numbers);
        file.write_texts("/case/of_another_length", {"one", "two"});
        file.close();
    }
    SubsetOptions options = subset(labelled);
    options.cases = {{1, 2}};
    const CaseReport report = subset_dataset(options);
    EXPECT_THAT(report.left_out, ElementsAre("/case/of_another_length"));
    const h5::File kept = h5::File::open(options.output);
    EXPECT_FALSE(kept.has("/case/rejected_number"));
    EXPECT_EQ(kept.info("/case/name").extents[0], 2);
    EXPECT_FALSE(kept.text("/", "generator").has_value());
    EXPECT_EQ(kept.text("/", "title"), "sample");
}

}  // namespace
}  // namespace plumecast::testing
