#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json_fields.hpp"

namespace plumecast::testing {
namespace {

struct Span {
    int low = 0, high = 0;
};

/// A structure that reads and writes itself.
struct Site {
    int depth = 0;

    Json to_json() const { return Json::Object{{"depth", depth}}; }
    static Site read(JsonReader& object) {
        const Site site{object.get<int>("depth")};
        object.reject_unknown();
        return site;
    }
};

enum class Rock { sand, clay };

struct Layer {
    std::string name;
    double height = 1.0;
    Rock rock = Rock::sand;
    Span rows;
    std::uint64_t seed = 3;
    std::vector<std::int64_t> marks{7};
    std::optional<double> depth;
    std::vector<Layer> parts;
    Site site;
    std::vector<Site> others;
};

template <class Visitor, class OneLayer>
void visit_layer(Visitor& v, OneLayer& layer) {
    v.required("name", layer.name);
    v.field_or("height", layer.height, 1.0);
    v.choice("rock", layer.rock, {"sand", "clay"});
    v.section("place", [&](auto& place) { place.field("rows", layer.rows); });
    v.seed("seed", layer.seed);
    v.field("marks", layer.marks);
    v.field("depth", layer.depth);
    v.objects_if_any("parts", layer.parts, [](auto& item, auto& part) { visit_layer(item, part); });
    if (Visitor::reads || layer.site.depth != 0) {
        v.nested("site", layer.site);
        v.nested("others", layer.others);
    }
}

Layer layer_of(const std::string& text) {
    const Json json = Json::parse(text, "a.json");
    JsonReader object(json, "a.json");
    Layer layer;
    read_whole(object, [&](FieldReader& v) { visit_layer(v, layer); });
    return layer;
}

std::string text_of(const Layer& layer) {
    return Json(written([&](FieldWriter& v) { visit_layer(v, layer); })).dump(-1);
}

std::string refusal_of(const std::string& text) {
    try {
        layer_of(text);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

TEST(JsonFields, AreWrittenInOrderAndReadBack) {
    const std::string whole =
        R"({"name": "a", "height": 2.5, "rock": "clay", "place": {"rows": [1, 4]}, "seed": 9, )"
        R"("marks": [1, 2], "depth": 800.0, "parts": [{"name": "b", "rock": "sand", )"
        R"("place": {"rows": [0, 0]}, "seed": 3, "marks": [7]}], "site": {"depth": 4}, "others": [{"depth": 1}]})";
    EXPECT_EQ(text_of(layer_of(whole)), whole);
}

TEST(JsonFields, KeepWhatAnAbsentEntryLeavesOut) {
    const Layer layer = layer_of(R"({"name": "a", "place": {}})");
    EXPECT_EQ(layer.height, 1.0);
    EXPECT_EQ(layer.seed, 3U);
    EXPECT_EQ(layer.marks, std::vector<std::int64_t>{7});
    EXPECT_FALSE(layer.depth.has_value());
}

TEST(JsonFields, NameThePathOfWhatIsWrong) {
    EXPECT_THAT(refusal_of("{}"), ::testing::HasSubstr("a.json: name is missing"));
    EXPECT_THAT(refusal_of(R"({"name": "a", "rock": "cley"})"),
                ::testing::HasSubstr("a.json: rock is \"cley\" (known: sand, clay); did you mean \"clay\"?"));
    EXPECT_THAT(refusal_of(R"({"name": "a", "place": {"rows": [1]}})"),
                ::testing::HasSubstr("a.json: place.rows has 1 numbers (a range has two)"));
    EXPECT_THAT(refusal_of(R"({"name": "a", "place": {"row": [1, 2]}})"),
                ::testing::HasSubstr("a.json: place: unknown key 'row'"));
    EXPECT_THAT(refusal_of(R"({"name": "a", "seed": -1})"), ::testing::HasSubstr("a.json: seed is -1"));
    EXPECT_THAT(refusal_of(R"({"name": "a", "parts": [{"name": "b", "height": "x"}]})"),
                ::testing::HasSubstr("a.json: parts[0].height is a string (a number is expected)"));
    EXPECT_THAT(refusal_of(R"({"name": "a", "others": [{"depth": 1}, {"deep": 2}]})"),
                ::testing::HasSubstr("a.json: others[1].depth is missing"));
    EXPECT_THAT(refusal_of(R"({"name": "a", "length": 1})"), ::testing::HasSubstr("a.json: unknown key 'length'"));
}

TEST(JsonFields, RequireTheSectionsThatMustBeThere) {
    const Json json = Json::parse(R"({"first": {"low": 2}})", "a.json");
    JsonReader object(json, "a.json");
    FieldReader reader(object);
    Span span;
    reader.required_section("first", [&](FieldReader& v) { v.required("low", span.low); });
    EXPECT_EQ(span.low, 2);
    try {
        reader.required_section("second", [](FieldReader&) {});
        FAIL() << "the section is not there";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("a.json: second is missing"));
    }
}

}  // namespace
}  // namespace plumecast::testing
