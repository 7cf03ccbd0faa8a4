#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "bindings/c_model.hpp"
#include "inference/scores.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

class CMetricsTest : public ::testing::Test {
   protected:
    CModel tiny_;
    const char* json_ = nullptr;
};

TEST_F(CMetricsTest, WritesCasesThatReadTheSame) {
    const std::string path = tiny_.file("written.h5");
    ASSERT_EQ(plumecast_cases_write(tiny_.cases, path.c_str()), PLUMECAST_OK) << plumecast_last_error();
    const Dataset written(path), given(views_of(tiny_.content()));
    EXPECT_EQ(written.outputs(), given.outputs());
    for (std::int64_t which = 0; which < 3; ++which) {
        EXPECT_EQ(case_fingerprint(written, which), case_fingerprint(given, which));
    }
    std::vector<float> values(60), expected(60);
    const std::int64_t second = 1;
    written.read_output("pressure_buildup", {&second, 1}, values);
    given.read_output("pressure_buildup", {&second, 1}, expected);
    const std::vector<float>& active = tiny_.content().arrays.at("active");
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_TRUE(active[20 + i % 20] == 0.0F ? values[i] != values[i] : values[i] == expected[i]) << i;
    }
    EXPECT_EQ(plumecast_cases_write(tiny_.cases, "/nowhere/at/all.h5"), PLUMECAST_IO_ERROR);
    EXPECT_EQ(plumecast_cases_write(tiny_.cases, nullptr), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_cases_write(nullptr, path.c_str()), PLUMECAST_INVALID_INPUT);
}

TEST_F(CMetricsTest, EvaluatesAsCppDoes) {
    ASSERT_EQ(plumecast_evaluate(tiny_.model, tiny_.cases, nullptr, &json_), PLUMECAST_OK) << plumecast_last_error();
    const auto backend = make_cpu_backend({.threads = 1});
    EvaluationOptions options;
    options.batch = 0;
    options.compare_physics = true;
    const std::vector<Evaluation> expected =
        Predictor(tiny_.path(), *backend).evaluate(Dataset(views_of(tiny_.content())), options);
    const Json found = Json::parse(json_, "evaluation");
    EXPECT_EQ(found.find("fields")->get_if<Json::Array>()->front().dump(),
              score_json(expected.front().fields.front(), {0, 1, 2}).dump());
    EXPECT_EQ(plumecast_evaluate(tiny_.model, tiny_.cases, nullptr, nullptr), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_evaluate(tiny_.model, nullptr, nullptr, &json_), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_evaluate(nullptr, tiny_.cases, nullptr, &json_), PLUMECAST_INVALID_INPUT);
}

TEST_F(CMetricsTest, MeasuresTheSeriesOfTheFieldsThatAreGiven) {
    const double thresholds[] = {0.05};
    plumecast_measures measures{};
    measures.size = sizeof measures;
    measures.thresholds = thresholds;
    measures.threshold_count = 1;
    ASSERT_EQ(plumecast_measure(tiny_.cases, &measures, &json_), PLUMECAST_OK) << plumecast_last_error();
    const Json found = Json::parse(json_, "series");
    ASSERT_EQ(found.find("cases")->get_if<Json::Array>()->size(), 3u);
    EXPECT_EQ(found.find("times")->get_if<Json::Array>()->size(), 3u);
    EXPECT_THAT(json_, HasSubstr("plume_radius_0.05"));
    EXPECT_THAT(json_, ::testing::Not(HasSubstr("plume_radius_0.2")));
    measures.pressure_front = -1.0;
    EXPECT_EQ(plumecast_measure(tiny_.cases, &measures, &json_), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(json_, nullptr);
    EXPECT_EQ(plumecast_measure(nullptr, nullptr, &json_), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_measure(tiny_.cases, nullptr, nullptr), PLUMECAST_INVALID_INPUT);
}

TEST_F(CMetricsTest, ListsCasesWithoutValuesAndMeasuresTheOthers) {
    DatasetContent content = tiny_.content();
    const auto lose = [&](std::size_t which) {
        for (const char* name : {"gas_saturation", "pressure_buildup"}) {
            std::vector<float>& values = content.arrays.at(name);
            std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(which * 60), 60,
                        std::numeric_limits<float>::quiet_NaN());
        }
        plumecast_cases* cases = CModel::cases_of(content);
        const plumecast_status status = plumecast_measure(cases, nullptr, &json_);
        const std::string json = status == PLUMECAST_OK ? json_ : "null";
        plumecast_cases_release(cases);
        return std::pair(status, Json::parse(json, "series"));
    };
    const auto [status, found] = lose(1);
    ASSERT_EQ(status, PLUMECAST_OK) << plumecast_last_error();
    const auto& measured = *found.find("cases")->get_if<Json::Array>();
    ASSERT_EQ(measured.size(), 2u);
    EXPECT_EQ(measured[0].find("case")->dump(), "0");
    EXPECT_EQ(measured[1].find("case")->dump(), "2");
    EXPECT_EQ(found.find("cases_without_values")->dump(-1), "[1]");
    EXPECT_EQ(lose(0).first, PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(lose(2).first, PLUMECAST_INVALID_DATA);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("has no values"));
}

}  // namespace
}  // namespace plumecast::testing
