#include "core/json_assignment.hpp"

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

using ::testing::HasSubstr;

Json document() {
    return Json::parse(R"({"search": {"points": 8}, "name": "a", "limits": [{"margin": 1.0}, {"margin": 2.0}]})", "d");
}

std::string assignment_refusal(const std::string& assignment) {
    Json json = document();
    try {
        assign(json, assignment, "a document");
    } catch (const InvalidInput& error) {
        EXPECT_EQ(json, document());
        return error.what();
    }
    return "nothing was refused";
}

TEST(JsonAssignment, SetsEntriesOfObjectsAndLists) {
    Json json = document();
    assign(json, "search.points=16", "a document");
    assign(json, "limits.1.margin=3.5", "a document");
    EXPECT_EQ(*json.find("search")->find("points"), Json(16));
    EXPECT_EQ(*(*json.find("limits")->get_if<Json::Array>())[1].find("margin"), Json(3.5));
}

TEST(JsonAssignment, AddsALastEntryWhereItMayBeNew) {
    Json json = document();
    assign(json, "search.seed=3", "a document", LastEntry::may_be_new);
    EXPECT_EQ(*json.find("search")->find("seed"), Json(3));
    EXPECT_THROW(assign(json, "find.seed=3", "a document", LastEntry::may_be_new), InvalidInput);
}

TEST(JsonAssignment, KeepsTextsTexts) {
    Json json = document();
    assign(json, "name=12", "a document");
    EXPECT_EQ(*json.find("name"), Json("12"));
    assign(json, "name=b=c", "a document");
    EXPECT_EQ(*json.find("name"), Json("b=c"));
}

TEST(JsonAssignment, SaysWhatANumberOfJsonLacks) {
    for (const auto& [text, meant] :
         {std::pair(".2", "write 0.2"), {"-.5", "write -0.5"}, {"3.", "write 3"}, {"+4", "write 4"}}) {
        EXPECT_THAT(assignment_refusal(std::string("limits.0.margin=") + text),
                    ::testing::AllOf(HasSubstr("is no number of JSON"), HasSubstr(meant)));
    }
    Json json = document();
    assign(json, "name=.2", "a document");
    EXPECT_EQ(*json.find("name"), Json(".2"));
    for (const char* text : {"inf.", "a.", "0.2", "1e3", "...", "v1."}) {
        EXPECT_FALSE(meant_number(text)) << text;
    }
}

TEST(JsonAssignment, NamesTheNearestEntry) {
    EXPECT_THAT(assignment_refusal("search.point=1"), HasSubstr("a document has no entry 'search.point'"));
    EXPECT_THAT(assignment_refusal("search.point=1"), HasSubstr("did you mean 'points'?"));
    EXPECT_THAT(assignment_refusal("limits.2.margin=1"), HasSubstr("nothing reads '2' there"));
    EXPECT_THAT(assignment_refusal("name.first=1"), HasSubstr("its defaults list the entries"));
}

TEST(JsonAssignment, RefusesAnotherForm) {
    EXPECT_THAT(assignment_refusal("search.points"), HasSubstr("'search.points' sets nothing"));
    EXPECT_THAT(assignment_refusal("=3"), HasSubstr("sets nothing"));
}

}  // namespace
}  // namespace plumecast
