#include "service/service_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "io/text_file.hpp"
#include "reservoir/h5/case_notes.hpp"
#include "reservoir/metrics/trust/trust_record.hpp"
#include "service/assets.hpp"
#include "support/repository.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::service {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The model as if it were calibrated.
std::string calibrated_copy(const testing::ScratchFolder& folder) {
    const std::string copy = folder.file("calibrated");
    std::filesystem::copy(testing::repository_folder() + "/models/radial-co2-fast", copy);
    Json json = Json::parse(read_text(copy + "/model.json"), "model.json");
    TrustRecord record = TrustRecord::of(*json.find("training"), "training");
    record.bands = {0.9, 100, std::string(64, '0'), {{"plume_radius_0.01", 0.1, 20.0}, {"max_buildup", 0.2, 3.0}}};
    FieldBand band{"gas_saturation", {}, 0.1};
    record.field_bands.cases = 100;
    record.field_bands.data_sha256 = std::string(64, '0');
    record.field_bands.fields = {band};
    json["training"]["trust"] = record.to_json();
    std::ofstream(copy + "/model.json") << json.dump();
    return copy;
}

/// The model without intervals and bands.
std::string uncalibrated_copy(const testing::ScratchFolder& folder) {
    const std::string copy = folder.file("uncalibrated");
    std::filesystem::copy(testing::repository_folder() + "/models/radial-co2-fast", copy);
    Json json = Json::parse(read_text(copy + "/model.json"), "model.json");
    TrustRecord record = TrustRecord::of(*json.find("training"), "training");
    record.bands = {};
    record.field_bands = {};
    json["training"]["trust"] = record.to_json();
    std::ofstream(copy + "/model.json") << json.dump();
    return copy;
}

TEST_F(ServiceTest, SaysThatItIsThere) {
    const Response response = service_.answer({.path = "/v1/health"});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(*json_of(response).find("status"), Json("ok"));
}

TEST_F(ServiceTest, TellsWhatModelsTake) {
    const Json models = json_of(service_.answer({.path = "/v1/models"}));
    const Json& model = models.find("models")->get_if<Json::Array>()->front();
    EXPECT_EQ(*model.find("name"), Json("radial-co2-fast"));
    const auto& inputs = *model.find("inputs")->get_if<Json::Array>();
    const auto rate =
        std::ranges::find_if(inputs, [](const Json& input) { return *input.find("name") == Json("injection_rate"); });
    ASSERT_NE(rate, inputs.end());
    EXPECT_EQ(*rate->find("unit"), Json("Mt/year"));
    EXPECT_NE(rate->find("trained"), nullptr);
    EXPECT_EQ(model.find("times")->get_if<Json::Array>()->size(), 32U);
    EXPECT_EQ(model.find("times_at_one_rate")->get_if<Json::Array>()->back(), Json(14610.0));
}

/// A model of whole fields, which are brought over from its times.
TEST_F(ServiceTest, KeepsTheTimesOfAModelThatOtherTimesCostMore) {
    const testing::ScratchFolder folder;
    const std::string bundle = folder.file("model"), description = bundle + "/model.json";
    std::filesystem::copy(testing::repository_folder() + "/models/radial-co2-fast", bundle);
    Json content = Json::parse(read_text(description), description);
    for (Json& network : *content["networks"].get_if<Json::Array>()) {
        for (Json& field : *network["fields"].get_if<Json::Array>()) {
            std::erase_if(*field.get_if<Json::Object>(), [](const auto& entry) {
                return entry.first == "base" || entry.first == "residual_scale" || entry.first == "confined";
            });
        }
    }
    std::ofstream(description) << content.dump();
    const ServedModel model(bundle, backend());
    EXPECT_FALSE(model.axes.contains(times_at_one_rate));
    EXPECT_EQ(*model.description.find("times_at_one_rate"), *model.description.find("times"));
}

TEST_F(ServiceTest, PredictsWithTheVerdictFirst) {
    const Response response = service_.answer(post("/v1/predict", predict_body()));
    ASSERT_EQ(response.status, 200) << response.body;
    EXPECT_THAT(response.body, StartsWith("{\"cases\": [{\"verdict\":"));
    const Json answer = json_of(response);
    const Json& radius = *only_case(answer).find("summary")->find("plume_radius_0.01")->find("value");
    EXPECT_GT(*radius.get_if<double>(), 100.0);
    EXPECT_EQ(answer.find("fields"), nullptr);
    // The rate, without an end, holds for as long as the model was trained with, not for the 139 years of its times.
    EXPECT_EQ(*only_case(answer).find("verdict"), Json("good")) << response.body;
    EXPECT_EQ(answer.find("times")->get_if<Json::Array>()->back(), Json(14610.0));
}

TEST_F(ServiceTest, EstimatesByPhysicsAlone) {
    const Response response = service_.answer(post("/v1/estimate", predict_body()));
    ASSERT_EQ(response.status, 200) << response.body;
    EXPECT_THAT(response.body, HasSubstr("reduced physics, two phases"));
    const Json answer = json_of(response);
    const Json& summary = *only_case(answer).find("summary");
    const double free = *summary.find("mass_free")->find("value")->get_if<double>();
    const double dissolved = *summary.find("mass_dissolved")->find("value")->get_if<double>();
    const double injected = *summary.find("mass_injected")->find("value")->get_if<double>();
    EXPECT_NEAR(free + dissolved, injected, 0.02 * injected);
}

TEST_F(ServiceTest, InjectsLessWhereThePressureInTheWellIsLimited) {
    const auto injected = [&](const std::string& limit) {
        const Response response =
            service_.answer(post("/v1/estimate", predict_body("", R"("injection_rate":1,)" + limit)));
        if (response.status != 200) {
            ADD_FAILURE() << response.body;
            return std::numeric_limits<double>::quiet_NaN();
        }
        const Json answer = json_of(response);
        return *only_case(answer).find("summary")->find("mass_injected")->find("value")->get_if<double>();
    };
    const double asked = injected("");
    EXPECT_NEAR(injected(R"("bottom_hole_pressure_limit":900,)"), asked, 1e-3 * asked);
    const double limited = injected(R"("bottom_hole_pressure_limit":165,)");
    EXPECT_LT(limited, 0.9 * asked);
    EXPECT_GT(limited, 0.01 * asked);
}

TEST_F(ServiceTest, GivesFieldsThatAreAskedFor) {
    const Response response = service_.answer(post("/v1/predict", predict_body("\"fields\":[\"gas_saturation\"],")));
    ASSERT_EQ(response.status, 200) << response.body;
    const Json answer = json_of(response);
    const auto& times =
        *answer.find("fields")->find("gas_saturation")->get_if<Json::Array>()->front().get_if<Json::Array>();
    ASSERT_EQ(times.size(), 28U);
    const auto& rows = *times.back().get_if<Json::Array>();
    ASSERT_EQ(rows.size(), 32U);
    EXPECT_GT(*rows[0].get_if<Json::Array>()->at(0).get_if<double>(), 0.0);
    EXPECT_TRUE(rows[31].get_if<Json::Array>()->at(0).is_null());
}

TEST_F(ServiceTest, GivesTheSameFieldsAsAResultFile) {
    for (const char* path : {"/v1/predict", "/v1/estimate"}) {
        const std::string body = predict_body("\"fields\":[\"pressure_buildup\"],\"times\":[100,1000],");
        const Response file = service_.answer(post(path, body, "application/x-hdf5"));
        ASSERT_EQ(file.status, 200) << file.body;
        const testing::ScratchFolder folder;
        std::ofstream(folder.file("fields.h5"), std::ios::binary) << file.body;
        const Dataset dataset(folder.file("fields.h5"));
        std::vector<float> values(static_cast<std::size_t>(dataset.cells() * dataset.snapshots()));
        const std::int64_t cases[] = {0};
        dataset.read_output("pressure_buildup", cases, values);
        const Json answer = json_of(service_.answer(post(path, body)));
        const Json& first = answer.find("fields")->find("pressure_buildup")->get_if<Json::Array>()->front();
        const Json& cell =
            first.get_if<Json::Array>()->front().get_if<Json::Array>()->front().get_if<Json::Array>()->front();
        EXPECT_NEAR(*cell.get_if<double>(), static_cast<double>(values[0]), 1e-4 * std::abs(values[0])) << path;
    }
}

TEST_F(ServiceTest, DrawsAMap) {
    const Response response = service_.answer(
        post("/v1/predict", predict_body("\"picture\":{\"field\":\"pressure_buildup\",\"time\":365},"), "image/png"));
    if (response.status == 406) {
        GTEST_SKIP() << "built without pictures";
    }
    ASSERT_EQ(response.status, 200) << response.body;
    EXPECT_THAT(response.body, StartsWith("\x89PNG"));
}

TEST_F(ServiceTest, MapsTrappedGasAsTheLedgerCountsIt) {
    const std::string trapping = R"("residual_gas_saturation":0.3,"schedule":[{"until":1000,"rate":1}],)";
    for (const char* path : {"/v1/predict", "/v1/estimate"}) {
        const std::string asked = R"("fields":["gas_saturation","trapped_gas_saturation"],"times":[500,1000,10000],)";
        const Response response = service_.answer(post(path, predict_body(asked, trapping)));
        ASSERT_EQ(response.status, 200) << response.body;
        const Json answer = json_of(response);
        const auto sums = [&](const char* field) {
            std::vector<double> of_times;
            for (const Json& rows :
                 *answer.find("fields")->find(field)->get_if<Json::Array>()->front().get_if<Json::Array>()) {
                double sum = 0.0;
                for (const Json& row : *rows.get_if<Json::Array>()) {
                    for (const Json& value : *row.get_if<Json::Array>()) {
                        sum += value.is_null() ? 0.0 : value.get_if<double>() ? *value.get_if<double>() : 0.0;
                    }
                }
                of_times.push_back(sum);
            }
            return of_times;
        };
        const std::vector<double> gas = sums("gas_saturation"), trapped = sums("trapped_gas_saturation");
        EXPECT_LT(trapped[0], 0.8 * gas[0]) << path;
        EXPECT_GT(trapped[2], trapped[1]) << path;
        EXPECT_LE(trapped[2], gas[2]) << path;
        const Json& summary = *only_case(answer).find("summary");
        EXPECT_GT(*summary.find("mass_trapped")->find("value")->get_if<double>(), 0.05) << path;
        const Response picture = service_.answer(
            post(path, predict_body(R"("picture":{"field":"trapped_gas_saturation"},)", trapping), "image/png"));
        EXPECT_TRUE(picture.status == 200 || picture.status == 406)
            << picture.body;  // 406 where pictures are not built
    }
}

TEST_F(ServiceTest, GivesTheFilesOfASimulator) {
    const std::string grid = R"("grid":{"r_edges":[0.1,10,100,1000,100000],"z_edges":[0,50,100]},"times":[100,1000],)";
    for (const char* path : {"/v1/predict", "/v1/estimate"}) {
        const Response response =
            service_.answer(post(path, predict_body(grid + R"("measure":{"top_depth":1500},)"), "application/zip"));
        ASSERT_EQ(response.status, 200) << response.body;
        EXPECT_EQ(response.type, "application/zip");
        for (const char* file : {"eclipse/CASE.EGRID", "eclipse/CASE.UNRST", "eclipse/CASE.INIT"}) {
            EXPECT_THAT(response.body, HasSubstr(file)) << path;
        }
    }
    Limits limits;
    limits.values = 30;  // of the rings, but not of their sectors
    Service service = make({.limits = limits, .token = "", .threads = 0, .log = nullptr});
    EXPECT_EQ(service.answer(post("/v1/predict", predict_body(grid))).status, 200);
    EXPECT_EQ(service.answer(post("/v1/predict", predict_body(grid), "application/zip")).status, 413);
}

TEST_F(ServiceTest, FollowsASchedule) {
    const Json answer = json_of(service_.answer(post(
        "/v1/estimate", predict_body("", R"("schedule":[{"until":365.25,"rate":1},{"until":730.5,"rate":0.5}],)"))));
    const Json& injected = *only_case(answer).find("summary")->find("mass_injected")->find("value");
    EXPECT_NEAR(*injected.get_if<double>(), 1.5, 0.01);
}

TEST_F(ServiceTest, CallsDoubtfulWhatLiesOutsideTheTraining) {
    const Json answer = json_of(service_.answer(post("/v1/predict", predict_body("", "\"injection_rate\":2.5,"))));
    EXPECT_NE(*only_case(answer).find("verdict"), Json("good"));
    EXPECT_FALSE(only_case(answer).find("reasons")->get_if<Json::Array>()->empty());
}

TEST_F(ServiceTest, RefusesWithTheEntryThatIsWrong) {
    const Response misspelt = service_.answer(post("/v1/predict", predict_body("\"feilds\":[],")));
    EXPECT_EQ(misspelt.status, 400);
    EXPECT_EQ(misspelt.type, "application/problem+json");
    EXPECT_THAT(detail_of(misspelt), HasSubstr("did you mean 'fields'?"));
    EXPECT_EQ(*json_of(misspelt).find("field"), Json("feilds"));
    const Response unknown = service_.answer(post("/v1/predict", predict_body("\"fields\":[\"gas_saturatoin\"],")));
    EXPECT_THAT(detail_of(unknown), HasSubstr("did you mean 'gas_saturation'?"));
    const Response other = service_.answer(post("/v1/predict", predict_body("\"model\":\"radial-co2-fats\",")));
    EXPECT_THAT(detail_of(other), HasSubstr("did you mean 'radial-co2-fast'?"));
    EXPECT_EQ(service_.answer(post("/v1/predict", "{")).status, 400);
    EXPECT_EQ(service_.answer(post("/v1/predict", "[]")).status, 400);
    EXPECT_EQ(service_.answer(post("/v1/predict", "")).status, 400);
}

TEST_F(ServiceTest, RefusesFieldsThatAreUnknownOrNamedTwice) {
    for (const char* path : {"/v1/predict", "/v1/estimate"}) {
        for (const char* accept : {"application/json", "application/x-hdf5"}) {
            const std::string twice = predict_body(R"("fields":["gas_saturation","gas_saturation"],)");
            const Response response = service_.answer(post(path, twice, accept));
            EXPECT_EQ(response.status, 400);
            EXPECT_THAT(detail_of(response), HasSubstr("named more than once"));
            EXPECT_EQ(service_.answer(post(path, predict_body(R"("fields":["saturation"],)"), accept)).status, 400);
        }
    }
}

TEST_F(ServiceTest, HasTheVerdictOfACaseThatCannotBeComputed) {
    const std::string much = predict_body("", "\"injection_rate\":1000,"), rock = "\"permeability_r\":100";
    std::string tight = much;
    tight.replace(tight.find(rock), rock.size(), "\"permeability_r\":1");
    for (const std::string& body : {much, tight}) {  // pressures without known fluids, steps that do not converge
        const Response response = service_.answer(post("/v1/estimate", body));
        ASSERT_EQ(response.status, 200) << response.body;
        const Json answer = json_of(response);
        EXPECT_EQ(*only_case(answer).find("verdict"), Json("bad"));
        EXPECT_FALSE(only_case(answer).find("reasons")->get_if<Json::Array>()->empty());
    }
}

TEST_F(ServiceTest, GivesNoFilesOfASimulatorWithoutACaseThatCannotBeComputed) {
    const std::string whole = case_entries, usual = "\"permeability_r\":100,";
    std::string tight = whole;
    tight.replace(tight.find(usual), usual.size(), "\"permeability_r\":1,");  // the first step of the physics fails
    const std::string failing = "{\"injection_rate\":1000," + tight + "}",
                      sound = "{\"injection_rate\":1," + whole + "}";
    const std::pair<std::string, std::string> bodies[] = {
        {failing, "request: none of the cases can be computed"},
        {sound + "," + failing, "of the cases that are asked for, case 1 has no values"}};
    for (const auto& [cases, says] : bodies) {
        const Response response =
            service_.answer(post("/v1/estimate", "{\"cases\":[" + cases + "]}", "application/zip"));
        EXPECT_EQ(response.status, 400);
        EXPECT_THAT(detail_of(response), StartsWith(says));
        EXPECT_THAT(detail_of(response), ::testing::Not(HasSubstr("plumecast-serve")));
    }
}

TEST_F(ServiceTest, AnswersWhereItsLogCannotBeWritten) {
    Service service =
        make({.limits = {}, .token = "", .threads = 0, .log = [](const std::string&) { throw IoError("no room"); }});
    EXPECT_EQ(service.answer({.path = "/v1/health"}).status, 200);
    EXPECT_EQ(service.in_flight(), 0);
}

TEST_F(ServiceTest, RefusesOtherTypes) {
    Request hdf5 = post("/v1/predict", "x");
    hdf5.headers["content-type"] = "application/x-hdf5";
    EXPECT_THAT(detail_of(service_.answer(hdf5)), HasSubstr("reads no data set files"));
    EXPECT_EQ(service_.answer(hdf5).status, 415);
    Request packed = post("/v1/predict", predict_body());
    packed.headers["content-encoding"] = "gzip";
    EXPECT_EQ(service_.answer(packed).status, 415);
    EXPECT_EQ(service_.answer(post("/v1/predict", predict_body(), "text/html")).status, 406);
}

TEST_F(ServiceTest, RefusesOtherPathsAndMethods) {
    EXPECT_THAT(detail_of(service_.answer({.path = "/v1/predit"})), HasSubstr("near is /v1/predict"));
    EXPECT_EQ(service_.answer({.path = "/v1/predit"}).status, 404);
    const Response response = service_.answer({.path = "/v1/predict"});
    EXPECT_EQ(response.status, 405);
    EXPECT_EQ(response.headers.at("Allow"), "POST");
    EXPECT_EQ(service_.answer({.method = "HEAD", .path = "/v1/health"}).status, 200);
}

TEST_F(ServiceTest, RefusesHostsThatAreNotThisMachineWithoutAToken) {
    for (const char* host : {"localhost:8080", "127.0.0.1:8080", "[::1]:8080", "localhost", "127.1.2.3"}) {
        EXPECT_EQ(service_.answer({.path = "/v1/health", .headers = {{"host", host}}}).status, 200) << host;
    }
    for (const char* host : {"evil.example", "localhost.evil.example:8080", "127.evil.example", "10.0.0.1"}) {
        EXPECT_EQ(service_.answer({.path = "/v1/health", .headers = {{"host", host}}}).status, 403) << host;
    }
}

TEST_F(ServiceTest, AsksForItsToken) {
    Service service = make({.limits = {}, .token = "0123456789abcdef", .threads = 0, .log = nullptr});
    const auto status = [&](const std::string& path, const std::string& authorization) {
        return service.answer({.path = path, .headers = {{"authorization", authorization}, {"host", "a.example"}}})
            .status;
    };
    EXPECT_EQ(status("/v1/models", "Bearer 0123456789abcdef"), 200);
    for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer 0123456789abcdeF", "Bearer 0123456789abcdef0",
                              "Basic 0123456789abcdef", "0123456789abcdef"}) {
        EXPECT_EQ(status("/v1/models", wrong), 401) << wrong;
        EXPECT_EQ(status("/metrics", wrong), 401) << wrong;
    }
    EXPECT_EQ(status("/v1/health", ""), 200);
}

TEST_F(ServiceTest, EndsWhatTakesTooLong) {
    Limits limits;
    limits.seconds = 1e-9;
    Service service = make({.limits = limits, .token = "", .threads = 0, .log = nullptr});
    const Response response = service.answer(post("/v1/estimate", predict_body()));
    EXPECT_EQ(response.status, 503);
    EXPECT_THAT(response.headers, Contains(::testing::Pair("Retry-After", "1")));
}

TEST_F(ServiceTest, EndsWhatNobodyWaitsFor) {
    Request request = post("/v1/predict", predict_body());
    request.is_abandoned = [] { return true; };
    EXPECT_EQ(service_.answer(request).status, 503);
}

TEST_F(ServiceTest, RefusesNewRequestsWhenItEnds) {
    service_.drain();
    EXPECT_EQ(service_.answer({.path = "/v1/health"}).status, 503);
    EXPECT_EQ(service_.in_flight(), 0);
}

TEST_F(ServiceTest, MeasuresTheAreaOfReviewWhereItIsToldOfTheWater) {
    const Json without = json_of(service_.answer(post("/v1/estimate", predict_body())));
    EXPECT_EQ(only_case(without).find("summary")->find("review_radius"), nullptr);
    EXPECT_THAT(only_case(without).find("findings")->dump(-1), HasSubstr("area of review: not computed: give"));
    const Json with = json_of(service_.answer(
        post("/v1/estimate",
             predict_body(R"("measure":{"top_depth":1500,"drinking_water":{"depth":300,"brine_density":1080},)"
                          R"("fracture_gradient":0.16},)"))));
    EXPECT_GT(*only_case(with).find("summary")->find("review_radius")->find("value")->get_if<double>(), 0.0);
    EXPECT_THAT(only_case(with).find("findings")->dump(-1), HasSubstr("90 % of the fracture pressure"));
    EXPECT_EQ(service_
                  .answer(post("/v1/estimate", predict_body(R"("measure":{"drinking_water":{"depth":300,)"
                                                            R"("brine_density":1080}},)")))
                  .status,
              400);
}

TEST_F(ServiceTest, GivesTheIntervalsAndBandsOfACalibratedModel) {
    const testing::ScratchFolder folder;
    const std::string bundle = calibrated_copy(folder);
    std::vector<ServedModel> models;
    models.emplace_back(bundle, backend());
    Service calibrated(std::move(models), {});
    const std::string body = predict_body(R"("uncertainty":true,"fields":["gas_saturation_high"],)",
                                          R"("schedule":[{"until":3652.5,"rate":1}],)");
    const Response response = calibrated.answer(post("/v1/predict", body));
    ASSERT_EQ(response.status, 200) << response.body;
    const Json answer = json_of(response);
    const Json& one = only_case(answer);
    ASSERT_EQ(*one.find("interval_note"), Json("")) << one.find("reasons")->dump();
    ASSERT_EQ(*one.find("band_note"), Json(""));
    EXPECT_EQ(*answer.find("interval_level"), Json(0.9));
    const Json& radius = *one.find("summary")->find("plume_radius_0.01");
    EXPECT_LT(*radius.find("low")->get_if<double>(), *radius.find("value")->get_if<double>());
    EXPECT_GT(*radius.find("high")->get_if<double>(), *radius.find("value")->get_if<double>());
    EXPECT_EQ(one.find("summary")->find("mass_injected")->find("low"), nullptr);
    // As the result file has them.
    const Response file = calibrated.answer(post("/v1/predict", body, "application/x-hdf5"));
    std::ofstream(folder.file("fields.h5"), std::ios::binary) << file.body;
    const std::vector<float> stored = case_numbers(folder.file("fields.h5"), "figure_plume_radius_0.01_high");
    EXPECT_FLOAT_EQ(static_cast<float>(*radius.find("high")->get_if<double>()), stored.back());
    const Dataset dataset(folder.file("fields.h5"));
    std::vector<float> values(static_cast<std::size_t>(dataset.cells() * dataset.snapshots()));
    const std::int64_t cases[] = {0};
    dataset.read_output("gas_saturation_high", cases, values);
    const Json& first = answer.find("fields")->find("gas_saturation_high")->get_if<Json::Array>()->front();
    const Json& cell =
        first.get_if<Json::Array>()->back().get_if<Json::Array>()->front().get_if<Json::Array>()->front();
    EXPECT_NEAR(*cell.get_if<double>(),
                static_cast<double>(values[values.size() - static_cast<std::size_t>(dataset.cells())]), 1e-4);
}

TEST_F(ServiceTest, SaysWhereIntervalsAreNotCalibrated) {
    const testing::ScratchFolder folder;
    std::vector<ServedModel> models;
    models.emplace_back(calibrated_copy(folder), backend());
    Service calibrated(std::move(models), {});
    const Json answer = json_of(calibrated.answer(post("/v1/predict", predict_body("", "\"injection_rate\":25,"))));
    const Json& one = only_case(answer);
    EXPECT_THAT(*one.find("interval_note")->get_if<std::string>(), HasSubstr("not calibrated here"));
    EXPECT_TRUE(one.find("summary")->find("plume_radius_0.01")->find("high")->is_null());
    std::vector<ServedModel> others;
    others.emplace_back(uncalibrated_copy(folder), backend());
    Service uncalibrated(std::move(others), {});
    const Response refused = uncalibrated.answer(post("/v1/predict", predict_body(R"("uncertainty":true,)")));
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(detail_of(refused), HasSubstr("not calibrated for bands"));
    EXPECT_EQ(service_.answer(post("/v1/estimate", predict_body(R"("uncertainty":true,)"))).status, 400);
}

TEST_F(ServiceTest, CountsWhatItAnswers) {
    service_.answer(post("/v1/estimate", predict_body("\"times\":[10],")));
    service_.answer({.path = "/nothing"});
    const Response response = service_.answer({.path = "/metrics"});
    EXPECT_THAT(response.body, AllOf(HasSubstr("plumecast_requests_total{route=\"/v1/estimate\",status=\"200\"} 1\n"),
                                     HasSubstr("plumecast_requests_total{route=\"other\",status=\"404\"} 1\n"),
                                     HasSubstr("plumecast_cases_total 1\n")));
}

TEST_F(ServiceTest, LogsEachAnswerAsALineOfJson) {
    std::vector<std::string> lines;
    Service service =
        make({.limits = {}, .token = "", .threads = 0, .log = [&](const std::string& line) { lines.push_back(line); }});
    service.answer({.path = "/v1/\xff\n"});
    ASSERT_EQ(lines.size(), 1U);
    const Json line = Json::parse(lines[0], "log");
    EXPECT_EQ(*line.find("status"), Json(404));
    EXPECT_EQ(*line.find("path"), Json("/v1/??"));
    EXPECT_EQ(lines[0].find('\n'), std::string::npos);
}

TEST_F(ServiceTest, IsDescribedRouteByRoute) {
    const auto found = std::ranges::find(assets(), std::string_view("/openapi.json"), &Asset::path);
    ASSERT_NE(found, assets().end());
    const Json description = Json::parse(found->body, "openapi.json");
    std::set<std::string> described;
    for (const auto& [path, methods] : *description.find("paths")->get_if<Json::Object>()) {
        for (const auto& [method, operation] : *methods.get_if<Json::Object>()) {
            described.insert((method == "get" ? "GET " : method == "post" ? "POST " : "DELETE ") + path);
        }
    }
    std::set<std::string> answered;
    for (const std::string& route : Service::routes()) {
        if (!route.ends_with(".js") && !route.ends_with(".css")) {  // parts of the page
            answered.insert(route);
        }
    }
    EXPECT_EQ(described, answered);
}

}  // namespace
}  // namespace plumecast::service
