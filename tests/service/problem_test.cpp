#include "service/problem.hpp"

#include <gtest/gtest.h>

#include <plumecast/core/json.hpp>

namespace plumecast::service {
namespace {

std::string field_of(const std::exception& error) {
    const Json json = Json::parse(problem_response(error).body, "answer");
    const Json* field = json.find("field");
    return field == nullptr ? "" : *field->get_if<std::string>();
}

TEST(Problem, NamesTheFieldThatTheReaderNamed) {
    EXPECT_EQ(field_of(InvalidInput("request: cases[0].porosity is a string (a number is expected); correct it")),
              "cases[0].porosity");
    EXPECT_EQ(field_of(InvalidInput("request: cases[1]: unknown key 'rate' (nothing reads it); remove it")),
              "cases[1].rate");
    EXPECT_EQ(field_of(InvalidInput("request: unknown key 'modle' (nothing reads it); did you mean 'model'?")),
              "modle");
    EXPECT_EQ(field_of(InvalidInput("request: line 3, column 4: a comma is missing (JSON); add it")), "");
}

TEST(Problem, BlamesTheServiceOnlyForWhatIsItsOwn) {
    EXPECT_EQ(problem_response(InvalidData("a")).status, 400);
    EXPECT_EQ(problem_response(NotConverged("a")).status, 400);
    EXPECT_EQ(problem_response(OutOfMemory("a")).status, 503);
    EXPECT_EQ(problem_response(IoError("a")).status, 503);
    EXPECT_EQ(problem_response(Problem(413, "a")).status, 413);
}

TEST(Problem, StaysJsonWhateverBytesAMessageHolds) {
    const Response response = problem_response(400, "bytes \xff\x01 \"quoted\"");
    EXPECT_EQ(response.type, "application/problem+json");
    EXPECT_EQ(*Json::parse(response.body, "answer").find("detail"), Json("bytes ?? \"quoted\""));
}

}  // namespace
}  // namespace plumecast::service
