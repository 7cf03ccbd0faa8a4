#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

namespace plumecast {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal(const std::string& text) {
    try {
        Json::parse(text, "file.json");
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

template <class Action>
std::string message_of(Action action) {
    try {
        action();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Json, ParsesEveryKindOfValue) {
    const Json json = Json::parse(R"({"a": null, "b": true, "c": -3, "d": 1.5, "e": "\u00e9\n", "f": [1, []]})", "x");
    EXPECT_TRUE(json.find("a")->is_null());
    EXPECT_EQ(*json.find("b"), Json(true));
    EXPECT_EQ(*json.find("c"), Json(-3));
    EXPECT_EQ(*json.find("d"), Json(1.5));
    EXPECT_EQ(*json.find("e"), Json("\xc3\xa9\n"));
    EXPECT_EQ(*json.find("f"), Json(Json::Array{Json(1), Json(Json::Array{})}));
    EXPECT_EQ(json.find("g"), nullptr);
}

TEST(Json, KeepsTheOrderOfKeysWhenWrittenAgain) {
    const std::string text = R"({"z": 1, "a": {"y": [1, 2], "b": {}}, "m": []})";
    EXPECT_EQ(Json::parse(text, "x").dump(-1), text);
}

TEST(Json, PutsKeysOnLinesAndListsOfScalarsOnOne) {
    const Json json = Json::parse(R"({"a":[1,2],"b":[{"c":true},[]],"d":{}})", "x");
    EXPECT_EQ(json.dump(2), R"({
  "a": [1, 2],
  "b": [
    {
      "c": true
    },
    []
  ],
  "d": {}
})");
}

TEST(Json, RoundTripsDoublesBitForBitAndKeepsThemDoubles) {
    for (double value : {0.1, -0.0, 2.0, 1e20, 5e-324, std::numeric_limits<double>::max(), 1.0 / 3.0}) {
        const Json back = Json::parse(Json(value).dump(), "x");
        ASSERT_NE(back.get_if<double>(), nullptr) << Json(value).dump();
        EXPECT_EQ(*back.get_if<double>(), value);
        EXPECT_EQ(std::signbit(*back.get_if<double>()), std::signbit(value));
    }
}

TEST(Json, RoundTripsTheEndsOfTheIntegerRange) {
    for (std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
        EXPECT_EQ(Json::parse(Json(value).dump(), "x"), Json(value));
    }
}

TEST(Json, RefusesToWriteNanInfinityAndBrokenText) {
    EXPECT_THROW(Json(std::nan("")).dump(), InvalidInput);
    EXPECT_THROW(Json(std::numeric_limits<double>::infinity()).dump(), InvalidInput);
    EXPECT_THROW(Json("\xff").dump(), InvalidInput);
}

TEST(Json, NamesFileLineAndColumnOfASyntaxError) {
    EXPECT_THAT(refusal("{\n  \"a\": 1,\n  \"b\": x\n}"), HasSubstr("file.json, line 3, column 8: not valid JSON"));
    EXPECT_THAT(refusal(""), HasSubstr("line 1, column 1"));
    EXPECT_THAT(refusal("{\"a\": \"\x01\"}"), Not(HasSubstr("\x01")));
}

TEST(Json, RefusesADuplicateKeyWhereItStands) {
    EXPECT_THAT(refusal("{\"a\": 1,\n \"a\": 2}"), HasSubstr("file.json, line 2, column 4: key 'a' appears twice"));
    EXPECT_EQ(refusal(R"([{"a": 1}, {"a": {"a": 1}}])"), "accepted");
}

TEST(Json, RefusesTextAfterTheValue) {
    EXPECT_THAT(refusal("{} x"), HasSubstr("line 1, column 4"));
    EXPECT_THAT(refusal("{}{}"), HasSubstr("not valid JSON"));
    EXPECT_EQ(refusal(" {} \n"), "accepted");
}

TEST(Json, RefusesNestingDeeperThan64) {
    EXPECT_EQ(refusal(std::string(64, '[') + std::string(64, ']')), "accepted");
    EXPECT_THAT(refusal(std::string(65, '[') + std::string(65, ']')), HasSubstr("column 65: nested deeper than 64"));
    EXPECT_THAT(refusal(std::string(1000000, '[')), HasSubstr("nested deeper"));
}

TEST(Json, RefusesNumbersOutOfRange) {
    EXPECT_THAT(refusal("9223372036854775808"), HasSubstr("integer '9223372036854775808' is out of range"));
    EXPECT_THAT(refusal("-9223372036854775809"), HasSubstr("out of range"));
    EXPECT_THAT(refusal("123456789012345678901234567890"), HasSubstr("out of range"));
    for (const char* huge : {"1e999", "-1.5E+400", "[1.0e309]"}) {
        EXPECT_THAT(refusal(huge), HasSubstr("out of range")) << huge;
    }
    EXPECT_THAT(refusal("1" + std::string(400, '0') + ".5"), HasSubstr("out of range"));
}

TEST(Json, ReadsNumbersAsTheyStandWhateverFollowsThem) {
    const Json list = Json::parse("[4.5,-1.25e2 ,1E-400\t,-1.0e-999\n,0.5]", "x");
    const auto& numbers = *list.get_if<Json::Array>();
    const double expected[] = {4.5, -125.0, 0.0, -0.0, 0.5};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        EXPECT_EQ(*numbers[i].get_if<double>(), expected[i]) << i;
    }
    EXPECT_EQ(*Json::parse("4.5", "x").get_if<double>(), 4.5);
    EXPECT_EQ(*Json::parse("0." + std::string(400, '0') + "1", "x").get_if<double>(), 0.0);
}

TEST(Json, RefusesWhatIsNotJson) {
    for (const char* text :
         {"{\"a\": NaN}", "[1,]", "{a: 1}", "// note\n1", "'a'", "01", "\"\xff\"", "[1", "+1", "nul"}) {
        EXPECT_THAT(refusal(text), HasSubstr("not valid JSON")) << text;
    }
}

TEST(Json, SetsKeysOfAnObject) {
    Json json;
    json["b"] = 1;
    json["a"]["c"] = "text";
    json["b"] = 2;
    EXPECT_EQ(json.dump(-1), R"({"b": 2, "a": {"c": "text"}})");
}

class JsonReaderTest : public ::testing::Test {
   protected:
    const Json json_ = Json::parse(R"({"name": "ufno", "rate": 1, "training": {"batch_size": "four", "lerning_rate": 1,
        "big": 3000000000, "sizes": [1, 2.5], "stages": [{"epochs": 1}, {"epochs": true}]}})",
                                   "recipe.json");
    JsonReader recipe_{json_, "recipe.json"};
};

TEST_F(JsonReaderTest, ReadsTypedValuesAndFallbacks) {
    EXPECT_EQ(recipe_.get<std::string>("name"), "ufno");
    EXPECT_EQ(recipe_.get<double>("rate"), 1.0);
    EXPECT_EQ(recipe_.get<int>("rate"), 1);
    EXPECT_EQ(recipe_.get<bool>("resume", true), true);
    JsonReader training = recipe_.object("training");
    EXPECT_THAT(training.get<std::vector<double>>("sizes"), ElementsAre(1.0, 2.5));
    EXPECT_EQ(training.get<std::int64_t>("big"), 3000000000);
    EXPECT_EQ(training.objects("stages").size(), 2u);
}

TEST_F(JsonReaderTest, NamesTheDottedPathAndWhatIsExpected) {
    JsonReader training = recipe_.object("training");
    EXPECT_EQ(message_of([&] { training.get<int>("batch_size"); }),
              "recipe.json: training.batch_size is a string (an integer of 32 bits is expected); correct the value");
    EXPECT_THAT(message_of([&] { training.get<int>("big"); }), HasSubstr("training.big is an integer 3000000000"));
    EXPECT_THAT(message_of([&] { training.get<std::vector<int>>("sizes"); }),
                HasSubstr("recipe.json: training.sizes[1] is a number 2.5 (an integer of 32 bits is expected)"));
    EXPECT_THAT(message_of([&] { training.objects("stages")[1].get<int>("epochs"); }),
                HasSubstr("recipe.json: training.stages[1].epochs is true or false"));
    EXPECT_THAT(message_of([&] { recipe_.object("name"); }), HasSubstr("recipe.json: name is a string (an object"));
}

TEST_F(JsonReaderTest, NamesAMissingKeyAndTheMisspeltOneBesideIt) {
    JsonReader training = recipe_.object("training");
    EXPECT_THAT(message_of([&] { training.get<double>("learning_rate"); }),
                AllOf(HasSubstr("recipe.json: training.learning_rate is missing"), HasSubstr("'lerning_rate'")));
    EXPECT_THAT(message_of([&] { training.get<double>("momentum"); }), HasSubstr("; add it"));
}

TEST_F(JsonReaderTest, RejectsAnUnknownKeyAndNamesTheNearest) {
    JsonReader training = recipe_.object("training");
    for (const char* key : {"batch_size", "learning_rate", "big", "sizes", "stages"}) {
        training.has(key);
    }
    EXPECT_EQ(message_of([&] { training.reject_unknown(); }),
              "recipe.json: training: unknown key 'lerning_rate' (nothing reads it); did you mean 'learning_rate'?");
}

TEST_F(JsonReaderTest, ListsTheKnownKeysWhenNoneIsNear) {
    recipe_.has("name");
    recipe_.has("training");
    EXPECT_THAT(message_of([&] { recipe_.reject_unknown(); }), HasSubstr("use one of: name, training"));
}

TEST_F(JsonReaderTest, KnowsAllKeysOnceTheyWereListed) {
    EXPECT_THAT(recipe_.keys(), ElementsAre("name", "rate", "training"));
    EXPECT_NO_THROW(recipe_.reject_unknown());
}

TEST(Nearest, FindsSwappedMissingAndWrongLettersButNothingFar) {
    const std::vector<std::string> words{"type", "width", "modes", "lr"};
    EXPECT_EQ(nearest("tpye", words), "type");
    EXPECT_EQ(nearest("widht", words), "width");
    EXPECT_EQ(nearest("mode", words), "modes");
    EXPECT_EQ(nearest("padding", words), "");
    EXPECT_EQ(nearest("x", words), "");
    EXPECT_EQ(nearest(std::string(100000, 'w'), words), "");
}

}  // namespace
}  // namespace plumecast
