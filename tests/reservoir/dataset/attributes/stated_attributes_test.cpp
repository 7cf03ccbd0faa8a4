#include "reservoir/dataset/attributes/stated_attributes.hpp"
#include "core/number_text.hpp"

#include <gmock/gmock.h>

#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/store/file_store.hpp"
#include "reservoir/h5/file.hpp"
#include "support/repository.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What is wrong with a data set that states something, in a file and in memory alike.
std::vector<Violation> found_with(const std::string& name, const std::string& value) {
    DatasetContent content = sample_content();
    content.attributes[name] = value;
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    write_dataset(path, content);
    const std::vector<Violation> in_file = validate(path);
    EXPECT_EQ(in_file, validate(views_of(content)));
    return in_file;
}

TEST(StatedAttributes, OutsideTheirRangesAreRefusedInFilesAndInMemory) {
    for (const auto& [name, value, says] :
         {std::array{"entry_pressure", "-1", "'-1' (a number from 0 to 100 bar is needed)"},
          {"entry_pressure", "1e999", "'1e999'"},
          {"entry_pressure", "0,2", "'0,2'"},
          {"entry_pressure", "nan", "'nan'"},
          {"residual_gas_saturation", "1", "from 0 to 0.9 is needed"},
          {"rock_compressibility", "0.1", "1/bar"},
          {"initial_brine_temperature", "1e6", "from 0 to 250 degC"},
          {"initial_brine_temperature", "288", "looks like kelvin: 14.85 degC"},
          {"rotation", "400", "from -360 to 360 degree"}}) {
        const std::vector<Violation> found = found_with(name, value);
        ASSERT_EQ(found.size(), 1U) << name << " " << value;
        EXPECT_TRUE(found[0].is_error);
        EXPECT_EQ(found[0].path, "/");
        EXPECT_THAT(found[0].problem, HasSubstr("attribute " + std::string(name) + " is '"));
        EXPECT_THAT(found[0].problem, HasSubstr(says));
        EXPECT_EQ(found[0].remedy, "correct or remove it");
        DatasetContent content = sample_content();
        content.attributes[name] = value;
        EXPECT_THROW(Dataset{views_of(content)}, InvalidData) << name << " " << value;
    }
    EXPECT_THAT(found_with("initial_brine_temperature", "15.56"), IsEmpty());
    EXPECT_THAT(found_with("entry_pressure", "0"), IsEmpty());
}

TEST(StatedAttributes, MayBeNumbersInAFileAndAreNotOverlooked) {
    const ScratchFolder folder;
    h5::File file = h5::File::create(folder.file("a.h5"));
    file.set_real("/", "entry_pressure", 0.25F);
    file.set_integer("/", "initial_brine_temperature", 288);
    file.close();
    const FileStore store(folder.file("a.h5"));
    EXPECT_EQ(stated_number(store, *find_number_attribute("entry_pressure")), 0.25);
    EXPECT_EQ(stated_number(store, *find_number_attribute("rock_compressibility")), std::nullopt);
    try {
        stated_number(store, *find_number_attribute("initial_brine_temperature"));
        FAIL() << "kelvin were taken";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("attribute initial_brine_temperature is 288 (a number from 0 to 250"));
    }
}

TEST(StatedAttributes, MisspeltAreRefusedWithTheNearestName) {
    const std::vector<Violation> found = found_with("entry_presure", "0.2");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].is_error);
    EXPECT_EQ(found[0].problem, "attribute entry_presure is unknown (nothing reads it)");
    EXPECT_EQ(found[0].remedy, "call it entry_pressure, or leave it out");
}

TEST(StatedAttributes, WithTheNameOfAnInputAreRefusedWhereTheInputIsNotThere) {
    const std::vector<Violation> found = found_with("salinity", "0.1");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].is_error);
    EXPECT_EQ(found[0].problem, "attribute salinity is no attribute but an input of each case (nothing reads it here)");
    EXPECT_EQ(found[0].remedy, "write the array /inputs/salinity, or leave the attribute out");
    EXPECT_THAT(found_with("temperature", "60 degC at the top"), IsEmpty()) << "the cases have one, which counts";
}

TEST(StatedAttributes, OfOtherNamesAreFree) {
    EXPECT_THAT(found_with("Conventions", "CF-1.8"), IsEmpty());
    EXPECT_THAT(found_with("field_camp", "north"), IsEmpty());
}

TEST(StatedAttributes, ThatOnlyResembleANameAreAWarningInAFile) {
    DatasetContent content = sample_content();
    content.attributes["location"] = "north";
    const ScratchFolder folder;
    write_dataset(folder.file("a.h5"), content);
    const std::vector<Violation> found = validate(folder.file("a.h5"));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_FALSE(found[0].is_error);
    EXPECT_EQ(Dataset(folder.file("a.h5")).cases(), 3);
    ASSERT_EQ(validate(views_of(content)).size(), 1U);
    EXPECT_TRUE(validate(views_of(content))[0].is_error) << "in memory it is nobody else's";
}

TEST(StatedAttributes, AreThoseOfTheDocumentedTable) {
    std::ifstream page(testing::repository_folder() + "/docs/data_format.md");
    const std::string text(std::istreambuf_iterator<char>(page), {});
    for (const NumberAttribute& one : number_attributes()) {
        const std::string unit = std::string(one.unit) == "degree" ? "degrees" : one.unit;
        EXPECT_THAT(text, HasSubstr(fmt::format("| `{}` | {} | {} to {} |", one.name, unit, number_text(one.low),
                                                number_text(one.high))));
    }
}

}  // namespace
}  // namespace plumecast::testing
