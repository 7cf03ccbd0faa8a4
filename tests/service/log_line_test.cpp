#include "service/log_line.hpp"

#include <gtest/gtest.h>

#include <plumecast/core/json.hpp>

namespace plumecast::service {
namespace {

const std::string name = "0123456789abcdef0123456789abcdef";

std::string entry_of(const std::string& line, const char* entry) {
    return *Json::parse(line, "log").find(entry)->get_if<std::string>();
}

TEST(LogLine, ShowsNoMoreOfTheNameOfAnEnsembleThanTellsItFromOthers) {
    for (const auto& [path, shown] : {std::pair("/v1/ensembles/" + name, "/v1/ensembles/01234567"),
                                      {"/v1/ensembles/" + name + "/cases/7", "/v1/ensembles/01234567/cases/7"},
                                      {"/v1/ensembles/short", "/v1/ensembles/short"},
                                      {"/v1/ensembles", "/v1/ensembles"},
                                      {"/v1/models", "/v1/models"}}) {
        EXPECT_EQ(entry_of(log_line({.path = path}, {}, 0.0), "path"), shown);
    }
}

TEST(LogLine, TellsWhichEnsembleARequestBegins) {
    Response response;
    EXPECT_EQ(Json::parse(log_line({}, response, 0.0), "log").find("begun"), nullptr);
    response.headers["Location"] = "/v1/ensembles/" + name;
    EXPECT_EQ(entry_of(log_line({}, response, 0.0), "begun"), "/v1/ensembles/01234567");
}

}  // namespace
}  // namespace plumecast::service
