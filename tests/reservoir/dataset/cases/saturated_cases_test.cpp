#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/dataset/cases/case_texts.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/physics/connections/box_model.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string tables =
    "1 0 0 1 0\n1 0.05 0 0.9 0.1\n1 0.8 1 0 1\n2 0 0 1 0\n2 0.1 0 0.9 0.2\n2 0.25 0 0.7 0.3\n2 0.9 1 0 2\n";

/// The two boxes of the sample, whose lower row has the second of two tables.
class SaturatedCases : public ::testing::Test {
   protected:
    static constexpr std::size_t cells = 24, lower = 12;

    SaturatedCases() {
        std::vector<float>& regions = content_.arrays["saturation_region"];
        for (std::size_t i = 0; i < 2 * cells; ++i) {
            const float number = i % cells < lower ? 1.0F : 2.0F;
            regions.push_back(content_.arrays["active"][i] * number);
        }
    }
    /// Writes the content, with tables where texts are given.
    std::string write(const std::string& name, const std::vector<std::string>& texts = {tables, tables}) const {
        const std::string plain = folder_.file("plain_" + name);
        write_dataset(plain, content_);
        return texts.empty() ? plain : with_case_texts(plain, folder_.file(name), "saturation_tables", texts);
    }
    static std::vector<std::string> problems_of(const std::string& path) {
        std::vector<std::string> problems;
        for (const Violation& one : validate(path)) {
            problems.push_back((one.is_error ? "" : "warning: ") + one.path + ": " + one.problem);
        }
        return problems;
    }
    template <class Operation>
    static std::string error_of(Operation operation) {
        try {
            operation();
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }

    ScratchFolder folder_;
    DatasetContent content_ = cartesian_content();
};

TEST_F(SaturatedCases, HaveTablesByWholeNumbersFromOneOn) {
    const std::string sound = write("sound.h5");
    EXPECT_THAT(problems_of(sound), IsEmpty());
    const std::vector<std::size_t> regions = saturation_regions(Dataset(sound), 0, 2);
    EXPECT_EQ(regions[0], 1U);
    EXPECT_EQ(regions[lower + 1], 2U);
    EXPECT_EQ(regions[8], 0U) << "an inactive cell";
    for (const float number : {0.0F, 0.5F, 1.7F, 3.0F}) {
        content_.arrays["saturation_region"][cells + 5] = number;
        const std::string path = write("wrong.h5");
        const Dataset dataset(path);
        const std::string what = fmt::format("{:g}", number);
        EXPECT_THAT(error_of([&] { saturation_regions(dataset, 1, 2); }),
                    AllOf(HasSubstr("wrong.h5: saturation_region of case 1 is " + what + " in cell [0, 1, 1]"),
                          HasSubstr("2 saturation tables, counted from 1")));
        EXPECT_THAT(error_of([&] { box_case(dataset, 1); }), HasSubstr("saturation_region of case 1 is " + what));
        EXPECT_THAT(error_of([&] { CaseReader(path).read(1); }), HasSubstr("saturation_region of case 1 is " + what));
        EXPECT_EQ(error_of([&] { box_case(dataset, 0); }), "");
        EXPECT_THAT(problems_of(path), ElementsAre(AllOf(HasSubstr("saturation_region"), HasSubstr("cell [0, 1, 1]"))));
    }
}

TEST_F(SaturatedCases, AreOthersWithOtherTables) {
    const Dataset plain(write("plain.h5", {}));
    const Dataset empty(write("empty.h5", {"", ""}));
    const Dataset some(write("some.h5", {"", tables}));
    const Dataset others(write("others.h5", {"", tables + "3 0 0 1 0\n3 1 1 0 0\n"}));
    EXPECT_EQ(case_fingerprint(plain, 1), case_fingerprint(empty, 1));
    EXPECT_EQ(case_fingerprint(plain, 0), case_fingerprint(some, 0));
    EXPECT_NE(case_fingerprint(plain, 1), case_fingerprint(some, 1));
    EXPECT_NE(case_fingerprint(some, 1), case_fingerprint(others, 1));
}

TEST_F(SaturatedCases, KeepTheirTablesWhenFilesAreMerged) {
    const std::string first = write("first.h5");
    content_.arrays["porosity"][0] += 0.01F;
    content_.arrays["porosity"][cells] += 0.01F;
    const std::string second = write("second.h5");
    MergeOptions options;
    options.output = folder_.file("merged.h5");
    options.sources = {first, second};
    merge_datasets(options);
    EXPECT_EQ(text_of_saturation_tables(Dataset(options.output), 3), tables);
    for (const std::vector<std::string>& sources :
         {std::vector{first, folder_.file("plain_second.h5")}, {folder_.file("plain_second.h5"), first}}) {
        options.sources = sources;
        EXPECT_THAT(error_of([&] { merge_datasets(options); }),
                    AllOf(HasSubstr("plain_second.h5: no /case/saturation_tables"), HasSubstr("import its run again")));
    }
}

TEST_F(SaturatedCases, AreKeptApartFromThoseOfOtherTemperatures) {
    MergeOptions options;
    options.output = folder_.file("merged.h5");
    options.sources = {write("cold.h5"), ""};
    content_.arrays["porosity"][0] += 0.01F;
    content_.arrays["porosity"][cells] += 0.01F;
    content_.attributes["temperature_gradient"] = "0.03";
    options.sources[1] = write("warm.h5");
    EXPECT_THAT(error_of([&] { merge_datasets(options); }),
                HasSubstr("warm.h5: attribute temperature_gradient is 0.03, that of"));
    options.sources[0] = options.sources[1];
    content_.arrays["porosity"][0] += 0.01F;
    content_.arrays["porosity"][cells] += 0.01F;
    content_.attributes["temperature_gradient"] = "0.03000000001";  // of another depth
    options.sources[1] = write("same.h5");
    EXPECT_EQ(error_of([&] { merge_datasets(options); }), "");
}

TEST_F(SaturatedCases, AreKeptApartFromThoseOfOtherRockOrFluids) {
    MergeOptions options;
    options.output = folder_.file("merged.h5");
    const std::string plain = write("plain.h5");
    content_.arrays["porosity"][0] += 0.01F;
    content_.arrays["porosity"][cells] += 0.01F;
    const FileAttributes unstated = content_.attributes;
    const std::pair<std::string, std::string> others[] = {{"aquifer_factor", "1000"},
                                                          {"entry_pressure", "0.3"},
                                                          {"rock_compressibility", "0.0001"},
                                                          {"residual_gas_saturation", "0.1"},
                                                          {"initial_brine_temperature", "15.56"}};
    for (const auto& [name, value] : others) {
        content_.attributes = unstated;
        content_.attributes[name] = value;
        const std::string other = write(name + ".h5");
        options.sources = {plain, other};
        EXPECT_THAT(error_of([&] { merge_datasets(options); }), HasSubstr("attribute " + name + " is " + value));
        options.sources = {other, plain};
        EXPECT_THAT(error_of([&] { merge_datasets(options); }), HasSubstr("attribute " + name + " is "));
    }
    content_.attributes = unstated;
    content_.attributes["aquifer_factor"] = "1";  // as without it
    options.sources = {plain, write("stated.h5")};
    EXPECT_EQ(error_of([&] { merge_datasets(options); }), "");
}

TEST_F(SaturatedCases, AreNamedWhereTheirTablesAreMissing) {
    EXPECT_THAT(problems_of(write("none.h5", {})),
                ElementsAre(AllOf(HasSubstr("warning: /inputs/saturation_region: case 0: no /case/saturation_tables"),
                                  HasSubstr("1 further case"))));
    EXPECT_THAT(problems_of(write("some.h5", {tables, ""})), ElementsAre(HasSubstr("saturation_region: case 1: no")));
    EXPECT_THAT(problems_of(write("damaged.h5", {tables, "1 0 0 1 0\n"})),
                ElementsAre(AllOf(HasSubstr("/case/saturation_tables"), HasSubstr("one row alone"))));
}

TEST_F(SaturatedCases, TrapGasByTheCriticalSaturationsOfTheirTables) {
    EXPECT_THAT(critical_gas_saturations(tables_of_text(tables, "here")), ElementsAre(0.05, 0.25));
    const CaseFields fields = CaseReader(write("a.h5")).read(0);
    EXPECT_EQ(fields.trapping_in(1).trapped(0.6), 0.05);
    EXPECT_EQ(fields.trapping_in(lower + 1).trapped(0.6), 0.25);
    EXPECT_EQ(fields.trapping_in(lower + 1).trapped(0.2), 0.2);
    const CaseFields without = CaseReader(write("b.h5", {})).read(0);
    EXPECT_EQ(without.trapping_in(lower + 1).trapped(0.6), 0.05) << "the attribute of the file, by default";
    content_.arrays["residual_gas_saturation"] = {0.4F, 0.4F};
    const CaseFields hysteresis = CaseReader(write("c.h5")).read(0);
    EXPECT_NEAR(hysteresis.trapping_in(lower + 1).trapped(0.9), 0.4, 1e-6);
    EXPECT_NEAR(hysteresis.trapping_in(1).trapped(0.8), 0.4, 1e-6);
}

TEST_F(SaturatedCases, HaveThePressuresOfThePhysicsWhereItGrowsWarmerWithDepth) {
    content_.attributes["temperature_gradient"] = "0.2";
    content_.z_edges = {0.0, 90.0, 130.0};
    const Dataset dataset(write("warm.h5"));
    const connections::BoxModel model = connections::box_model(box_case(dataset, 1));
    const CaseFields fields = case_inputs(dataset, 1);
    for (std::size_t i = 0; i < model.places.size(); ++i) {
        EXPECT_NEAR(fields.initial_pressures[model.places[i]], model.flow.initial_pressure[i], 1e-9);
    }
    EXPECT_GT(fields.initial_pressures[lower], fields.initial_pressures[0] + 6.0);
}

}  // namespace
}  // namespace plumecast::testing
