#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "service/service_fixture.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::service {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(ServiceTest, ComputesAnEnsembleAndTellsOfItsProgress) {
    const std::string body = std::string("{") + grid_entries +
                             R"("number":6,"seed":5,"ranges":{"porosity":{"from":0.1,"to":0.3}},)" +
                             R"("case":{"injection_rate":1,)" + case_entries + "}}";
    const Response begun = service_.answer(post("/v1/ensembles", body));
    ASSERT_EQ(begun.status, 202) << begun.body;
    const std::string url = begun.headers.at("Location");
    const Response events = service_.answer({.path = url + "/events"});
    ASSERT_EQ(events.status, 200);
    EXPECT_EQ(events.type, "text/event-stream");
    std::string told;
    for (std::string part = events.next_part(); !part.empty(); part = events.next_part()) {
        told += part;
    }
    EXPECT_THAT(told, AllOf(StartsWith("event: progress\ndata: {"), HasSubstr("event: done\ndata: {\"done\": 6,")));
    const Json answer = json_of(service_.answer({.path = url}));
    EXPECT_EQ(*answer.find("state"), Json("done"));
    // A realization alone is the same as in the ensemble.
    const Response one = service_.answer({.path = url + "/cases/5"});
    ASSERT_EQ(one.status, 200);
    const Json alone = json_of(service_.answer(post("/v1/predict", one.body)));
    const auto& figures = *answer.find("figures")->get_if<Json::Array>();
    const auto found =
        std::ranges::find_if(figures, [](const Json& each) { return *each.find("name") == Json("max_buildup"); });
    const double in_ensemble = *found->find("values")->get_if<Json::Array>()->at(5).get_if<double>();
    EXPECT_NEAR(*only_case(alone).find("summary")->find("max_buildup")->find("value")->get_if<double>(), in_ensemble,
                1e-4 * in_ensemble);
    EXPECT_EQ(service_.answer({.path = url + "/cases/6"}).status, 404);
    const Response data = service_.answer({.path = url + "/data"});
    ASSERT_EQ(data.status, 200) << data.body;
    const testing::ScratchFolder folder;
    std::ofstream(folder.file("cases.h5"), std::ios::binary) << data.body;
    EXPECT_EQ(Dataset(folder.file("cases.h5")).cases(), 6);
    EXPECT_EQ(service_.answer({.method = "DELETE", .path = url}).status, 204);
    EXPECT_EQ(service_.answer({.path = url}).status, 404);
}

TEST_F(ServiceTest, ComputesAnEnsembleByPhysicsAlone) {
    const std::string body = std::string("{") + grid_entries +
                             R"("number":3,"seed":5,"method":"estimate","ranges":{"porosity":{"from":0.1,"to":0.3}},)" +
                             R"("case":{"injection_rate":1,)" + case_entries + "}}";
    const Response begun = service_.answer(post("/v1/ensembles", body));
    ASSERT_EQ(begun.status, 202) << begun.body;
    const std::string url = begun.headers.at("Location");
    const Response events = service_.answer({.path = url + "/events"});
    for (std::string part = events.next_part(); !part.empty(); part = events.next_part()) {
    }
    const Json answer = json_of(service_.answer({.path = url}));
    EXPECT_EQ(*answer.find("state"), Json("done"));
    EXPECT_EQ(*answer.find("method"), Json("estimate"));
    EXPECT_THAT(*answer.find("computed_by")->get_if<std::string>(), StartsWith("reduced physics"));
    const Response one = service_.answer({.path = url + "/cases/2"});
    const Json alone = json_of(service_.answer(post("/v1/estimate", one.body)));
    const auto& figures = *answer.find("figures")->get_if<Json::Array>();
    const auto found =
        std::ranges::find_if(figures, [](const Json& each) { return *each.find("name") == Json("max_buildup"); });
    EXPECT_EQ(*only_case(alone).find("summary")->find("max_buildup")->find("value"),
              found->find("values")->get_if<Json::Array>()->at(2));
}

TEST_F(ServiceTest, CancelsWithoutForgettingWhatHasEndedMeanwhile) {
    const std::string body = std::string("{") + grid_entries +
                             R"("number":2,"ranges":{"porosity":{"from":0.1,"to":0.3}},)" +
                             R"("case":{"injection_rate":1,)" + case_entries + "}}";
    const std::string url = service_.answer(post("/v1/ensembles", body)).headers.at("Location");
    const Response events = service_.answer({.path = url + "/events"});
    for (std::string part = events.next_part(); !part.empty(); part = events.next_part()) {
    }
    Request cancel{.method = "DELETE", .path = url, .query = {{"forget", "false"}}};
    const Response kept = service_.answer(cancel);
    EXPECT_EQ(kept.status, 200);
    EXPECT_EQ(*json_of(kept).find("state"), Json("done"));
    cancel.query = {{"forget", "perhaps"}};
    EXPECT_EQ(service_.answer(cancel).status, 400);
    cancel.query = {{"forgte", "false"}};
    EXPECT_EQ(service_.answer(cancel).status, 400);
    EXPECT_EQ(service_.answer({.path = url}).status, 200);
    cancel.query = {{"forget", "true"}};
    EXPECT_EQ(service_.answer(cancel).status, 204);
    EXPECT_EQ(service_.answer({.path = url}).status, 404);
}

TEST_F(ServiceTest, CancelsEnsemblesWhenAskedToAndWhenItEnds) {
    const std::string body = std::string(R"({"number":500,"ranges":{"porosity":{"from":0.1,"to":0.3}},)") +
                             R"("case":{"injection_rate":1,)" + case_entries + "}}";
    const std::string first = service_.answer(post("/v1/ensembles", body)).headers.at("Location");
    const Response cancelled = service_.answer({.method = "DELETE", .path = first});
    EXPECT_EQ(cancelled.status, 200);
    EXPECT_EQ(*json_of(cancelled).find("state"), Json("cancelled"));
    const std::string second = service_.answer(post("/v1/ensembles", body)).headers.at("Location");
    const Response events = service_.answer({.path = second + "/events"});
    service_.drain();
    std::string told;
    for (std::string part = events.next_part(); !part.empty(); part = events.next_part()) {
        told += part;
    }
    EXPECT_THAT(told, HasSubstr("event: cancelled"));
}

TEST_F(ServiceTest, ReadsEnsemblesWhenItIsTheirTurn) {
    Limits limits;
    limits.concurrent = 0;
    limits.seconds = 0.1;
    Service service = make({.limits = limits, .token = "", .threads = 0, .log = nullptr});
    EXPECT_EQ(service.answer(post("/v1/ensembles", "this is not read")).status, 503);
    EXPECT_EQ(service_.answer(post("/v1/ensembles", "this is not JSON")).status, 400);
}

TEST_F(ServiceTest, EndsTheEventsOfAnEnsembleThatIsForgotten) {
    const std::string body = std::string(R"({"number":500,"ranges":{"porosity":{"from":0.1,"to":0.3}},)") +
                             R"("case":{"injection_rate":1,)" + case_entries + "}}";
    const std::string url = service_.answer(post("/v1/ensembles", body)).headers.at("Location");
    const Response events = service_.answer({.path = url + "/events"});
    EXPECT_EQ(service_.answer({.method = "DELETE", .path = url}).status, 200);
    EXPECT_EQ(service_.answer({.method = "DELETE", .path = url}).status, 204);
    EXPECT_THAT(events.next_part(), StartsWith("event: progress"));
    EXPECT_THAT(events.next_part(), StartsWith("event: cancelled"));
    EXPECT_EQ(events.next_part(), "");
}

TEST_F(ServiceTest, HasNoMoreStreamsThanItMay) {
    Limits limits;
    limits.streams = 1;
    Service service = make({.limits = limits, .token = "", .threads = 0, .log = nullptr});
    const std::string body = std::string("{") + grid_entries +
                             R"("number":2,"ranges":{"porosity":{"from":0.1,"to":0.3}},)" +
                             R"("case":{"injection_rate":1,)" + case_entries + "}}";
    const std::string url = service.answer(post("/v1/ensembles", body)).headers.at("Location");
    Response first = service.answer({.path = url + "/events"});
    EXPECT_EQ(service.answer({.path = url + "/events"}).status, 503);
    first.next_part = nullptr;
    EXPECT_EQ(service.answer({.path = url + "/events"}).status, 200);
    EXPECT_EQ(service.answer({.path = "/v1/ensembles/none/events"}).status, 404);
    EXPECT_EQ(service.answer({.method = "PUT", .path = url}).headers.at("Allow"), "GET, DELETE");
}

}  // namespace
}  // namespace plumecast::service
