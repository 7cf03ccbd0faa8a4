#include <limits>

#include <gmock/gmock.h>

#include "reservoir/dataset/cases/merged_files.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Writer = std::function<void(h5::File&)>;

class MergedAttributesTest : public MergedFiles {};

void write_numbers(h5::File& file, const std::string& array) {
    file.create_array<double>(array, {{3}, false, std::nullopt});
    file.write_rows<double>(array, 0, 3, std::vector<double>{0.0, 1.0, 2.0});
}

/// Adds an array of numbers, or takes one of the format, with an attribute.
Writer stating(const std::string& array, const std::function<void(h5::File&)>& attribute) {
    return [=](h5::File& file) {
        if (!file.has(array)) {
            write_numbers(file, array);
        }
        if (attribute) {
            attribute(file);
        }
    };
}

Writer with_real(const std::string& array, const std::string& name, float value) {
    return stating(array, [=](h5::File& file) { file.set_real(array, name, value); });
}

Writer with_text(const std::string& array, const std::string& name, const std::string& value) {
    return stating(array, [=](h5::File& file) { file.set_text(array, name, value); });
}

Writer with_texts(const std::string& array, const std::string& name, const std::vector<std::string>& values) {
    return stating(array, [=](h5::File& file) { file.set_texts(array, name, values); });
}

TEST_F(MergedAttributesTest, RefusesNumbersOfOtherMeaningByName) {
    struct Difference {
        std::string array;
        std::string says;
        Writer one, other;
    };
    const std::string mine = "/case/mine", porosity = "/inputs/porosity", field = "/outputs/pressure_buildup";
    const std::vector<Difference> differences = {
        {mine, "is not in the unit of the first file", with_text(mine, "units", "Mt"), with_text(mine, "units", "kg")},
        {mine, "is not in the unit of the first file", with_text(mine, "units", "Mt"), stating(mine, {})},
        {mine, "attribute scale_factor is ", with_real(mine, "scale_factor", 0.5F), stating(mine, {})},
        {mine, "attribute add_offset is ", with_real(mine, "add_offset", 1.0F), with_real(mine, "add_offset", 2.0F)},
        {mine, "attribute meanings is ", with_texts(mine, "meanings", {"a", "b", "c"}),
         with_texts(mine, "meanings", {"c", "b", "a"})},
        {porosity, "attribute valid_max is ", with_real(porosity, "valid_max", 0.9F), stating(porosity, {})},
        {porosity, "attribute missing_value is ", with_real(porosity, "missing_value", -1.0F), stating(porosity, {})},
        {field, "attribute _FillValue is ", with_real(field, "_FillValue", -999.0F), stating(field, {})},
    };
    for (const Difference& one : differences) {
        const std::string a = with("a.h5", 0.1F, one.one), b = with("b.h5", 0.3F, one.other);
        EXPECT_THAT(refusal({a, b}), AllOf(HasSubstr("b.h5: " + one.array), HasSubstr(one.says)));
        EXPECT_THAT(refusal({b, a}), AllOf(HasSubstr("a.h5: " + one.array), HasSubstr(one.says)));
        EXPECT_EQ(refusal({a, with("c.h5", 0.5F, one.one)}), "") << one.says;
    }
}

TEST_F(MergedAttributesTest, TakesTheSameMeaningSaidInOtherWays) {
    const std::string mine = "/case/mine", field = "/outputs/pressure_buildup";
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(refusal({with("a.h5", 0.1F, with_text(mine, "units", "1")), with("b.h5", 0.3F, stating(mine, {}))}), "");
    EXPECT_EQ(refusal({with("a.h5", 0.1F, with_real(field, "missing_value", nan)), with("b.h5", 0.3F)}), "");
    EXPECT_EQ(refusal({with("a.h5", 0.1F, with_text(mine, "comment", "x")), with("b.h5", 0.3F, stating(mine, {}))}),
              "");
}

TEST_F(MergedAttributesTest, KeepsWhatAllFilesSayAndJoinsTheirOrigins) {
    const auto stated = [](const std::string& history, const std::string& source, const std::string& limit) {
        return [=](h5::File& file) {
            file.set_text("/", "history", history);
            file.set_text("/", "source", source);
            file.set_text("/", "buildup_limit", limit);
            file.set_text("/", "campaign", "all");
            file.set_text("/", "title", "title of " + history);
        };
    };
    const std::string a = with("a.h5", 0.1F, stated("made", "OPM Flow", "50 bar"));
    const std::string b = with("b.h5", 0.3F, stated("predicted", "plumecast", "60 bar"));
    const std::string c = with("c.h5", 0.5F, stated("made", "OPM Flow", "50 bar"));
    merged({a, b, c});
    const h5::File mixed = h5::File::open(folder_.file("merged.h5"));
    EXPECT_THAT(mixed.text("/", "history").value_or(""), ::testing::EndsWith("merge of 3 files: made; predicted"));
    EXPECT_EQ(mixed.text("/", "source"), "OPM Flow; plumecast");
    EXPECT_EQ(mixed.text("/", "buildup_limit"), std::nullopt);
    EXPECT_EQ(mixed.text("/", "campaign"), "all");
    EXPECT_EQ(mixed.text("/", "title"), "title of made");
    merged({a, c});
    EXPECT_EQ(h5::File::open(folder_.file("merged.h5")).text("/", "buildup_limit"), "50 bar");
}

TEST_F(MergedAttributesTest, StatesAModelWhereAllCasesAreOfOne) {
    const auto by = [](const std::string& model) {
        return [=](h5::File& file) {
            file.set_text("/", "model", model);
            file.set_text("/", "model_hash", model + " hash");
        };
    };
    const auto model_of = [&](const std::vector<std::string>& sources) {
        merged(sources);
        const h5::File file = h5::File::open(folder_.file("merged.h5"));
        return file.text("/", "model").value_or("none") + ", " + file.text("/", "model_hash").value_or("none");
    };
    const std::string a = with("a.h5", 0.1F, by("a")), b = with("b.h5", 0.3F, by("b")), bare = with("bare.h5", 0.5F);
    EXPECT_EQ(model_of({a, b}), "a; b, a hash; b hash");
    EXPECT_EQ(model_of({a, bare}), "none, none");
    EXPECT_EQ(model_of({bare, a}), "none, none");
}

/// Both ends of the band of the saturation, each the saturation itself.
void write_band(h5::File& file) {
    const std::string field = "/outputs/gas_saturation";
    const std::vector<float> values = file.read<float>(field);
    for (const std::string& end : {field + "_low", field + "_high"}) {
        file.create_array<float>(end, {file.info(field).extents, true, std::nullopt});
        file.write_rows<float>(end, 0, 3, values);
        file.set_text(end, "units", "1");
    }
}

TEST_F(MergedAttributesTest, RefusesBandsAndIntervalsOfOtherLevels) {
    for (const std::string name : {"band_level", "band_share", "interval_level"}) {
        const auto of_level = [&](const std::string& level) {
            return [=](h5::File& file) {
                file.set_text("/", name, level);
                name == "interval_level" ? write_numbers(file, "/case/figure_max_buildup_low") : write_band(file);
            };
        };
        const std::string a = with("a.h5", 0.1F, of_level("0.9")), b = with("b.h5", 0.3F, of_level("0.5"));
        EXPECT_THAT(refusal({a, b}), HasSubstr("b.h5: attribute " + name + " is \"0.5\""));
        EXPECT_EQ(refusal({a, with("c.h5", 0.5F, of_level("0.9"))}), "");
    }
}

TEST_F(MergedAttributesTest, NoticesBeforeItReadsThatItCannotWrite) {
    const std::string a = with("a.h5", 0.1F), b = with("b.h5", 0.3F);
    int told = 0;
    const CaseProgress progress = [&](std::string_view, std::int64_t, std::int64_t) {
        ++told;
        return false;
    };
    MergeOptions merge;
    merge.sources = {a, b};
    merge.output = folder_.file("nowhere/merged.h5");
    merge.progress = progress;
    EXPECT_THROW(merge_datasets(merge), IoError);
    SubsetOptions subset;
    subset.source = a;
    subset.output = folder_.file("nowhere/subset.h5");
    subset.random = 2;
    subset.progress = progress;
    EXPECT_THROW(subset_dataset(subset), IoError);
    SplitOptions split;
    split.source = a;
    split.folder = folder_.file("a.h5/parts");
    split.parts = {{"all", 1.0}};
    split.progress = progress;
    EXPECT_THROW(split_dataset(split), Error);
    EXPECT_EQ(told, 0);
}

}  // namespace
}  // namespace plumecast::testing
