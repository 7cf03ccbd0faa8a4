#include "service/uploads/upload_query.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

UploadQuestion question_with(const std::string& name, const std::string& value) {
    return upload_question({.query = {{name, value}}});
}

std::string refusal_with(const std::string& name, const std::string& value) {
    try {
        question_with(name, value);
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(UploadQuery, TellsWhichCasesAndHowTheyAreMeasured) {
    EXPECT_THAT(question_with("cases", "7,0,3").cases, ElementsAre(0, 3, 7));
    EXPECT_THAT(question_with("fields", "gas_saturation,pressure_buildup").fields,
                ElementsAre("gas_saturation", "pressure_buildup"));
    const Measure measure = measure_of(question_with("measure", R"({"top_depth": 1500, "pressure_front": 2})"));
    EXPECT_EQ(measure.top_depth, 1500.0);
    EXPECT_EQ(measure.series.pressure_front, 2.0);
    EXPECT_EQ(measure_of(UploadQuestion()).top_depth, std::nullopt);
}

TEST(UploadQuery, TellsWhichMapIsDrawn) {
    const UploadQuestion question =
        question_with("picture", R"({"case": 1, "field": "pressure_buildup", "time": 100})");
    const WantedPicture picture = picture_of(question, 2);
    EXPECT_EQ(picture.which, 1);
    EXPECT_EQ(picture.field, "pressure_buildup");
    EXPECT_EQ(picture.time, 100.0);
    EXPECT_EQ(picture_of(UploadQuestion(), 1).field, "gas_saturation");
    EXPECT_THROW(picture_of(question, 1), InvalidInput);  // of which there is one case alone
    EXPECT_THROW(picture_of(question_with("picture", R"({"filed": "x"})"), 1), InvalidInput);
    EXPECT_THAT(refusal_with("picture", "{"), HasSubstr("not valid JSON"));
}

TEST(UploadQuery, IsReadStrictly) {
    for (const char* cases : {"", "0,", "-1", "1.5", "one", "0 1"}) {
        EXPECT_THAT(refusal_with("cases", cases), HasSubstr("takes numbers from 0")) << cases;
    }
    EXPECT_THAT(refusal_with("cases", "1,1"), HasSubstr("more than once"));
    EXPECT_THAT(refusal_with("measure", "{"), HasSubstr("not valid JSON"));
    EXPECT_THAT(refusal_with("measure", R"({"top_depht": 1})"), HasSubstr("did you mean 'top_depth'?"));
    EXPECT_THAT(refusal_with("measure", R"({"pressure_front": -1})"),
                HasSubstr("request: measure.pressure_front is -1"));
    EXPECT_THAT(refusal_with("measure", "[]"), HasSubstr("measure"));
}

}  // namespace
}  // namespace plumecast::service
