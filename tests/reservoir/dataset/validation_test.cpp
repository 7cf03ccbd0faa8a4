#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using testing::sample_content;
using testing::ScratchFolder;

auto names(const std::string& path, const std::string& problem, bool is_error = true) {
    return AllOf(Field(&Violation::path, path), Field(&Violation::problem, HasSubstr(problem)),
                 Field(&Violation::is_error, is_error));
}

std::vector<Violation> violations_in(const DatasetContent& content) {
    const ScratchFolder folder;
    write_dataset(folder.file("a.h5"), content);
    return validate(folder.file("a.h5"));
}

TEST(Validate, FindsNothingInAValidFile) { EXPECT_TRUE(violations_in(sample_content()).empty()); }

TEST(Validate, NamesEveryViolation) {
    DatasetContent content = sample_content();
    content.times = {1.0, 100.0, 10.0};
    content.arrays.erase("thickness");
    content.arrays["temperature"][2] = 900.0F;
    content.arrays["porosity"][7] = std::numeric_limits<float>::quiet_NaN();
    content.arrays["permeability_z"][20 + 18] = 5.0F;
    content.arrays["gas_saturation"][20 + 7] = 1.5F;
    content.arrays["gas_saturation"][20 + 8] = 1.6F;
    EXPECT_THAT(violations_in(content),
                ElementsAre(names("/inputs/thickness", "missing"), names("/grid/times", "entry 2"),
                            names("/inputs/permeability_z", "case 1, cell [3, 3]: value 5 stands in an inactive"),
                            names("/inputs/porosity", "case 0, cell [1, 2]: value NaN is not finite"),
                            names("/inputs/temperature", "case 2: value 900 lies outside"),
                            names("/outputs/gas_saturation", "case 0, cell [1, 2], time 1: value 1.5 lies")));
}

TEST(Validate, NamesInputsOfInactiveCellsThatAreNoNumbersToo) {
    DatasetContent content = sample_content();
    content.arrays["permeability_z"][20 + 18] = std::numeric_limits<float>::quiet_NaN();
    content.arrays["gas_saturation"][18] = std::numeric_limits<float>::quiet_NaN();  // as results have them
    EXPECT_THAT(violations_in(content),
                ElementsAre(names("/inputs/permeability_z", "case 1, cell [3, 3]: value NaN stands in an inactive")));
}

TEST(Validate, SaysOnceThatThereAreNoCases) {
    const ScratchFolder folder;
    const h5::File from = h5::File::open(testing::write_sample(folder));
    h5::File file = h5::File::create(folder.file("none.h5"));
    file.copy_attributes(from, "/", {});
    for (const std::string& array : from.arrays()) {
        std::vector<std::int64_t> extents = from.info(array).extents;
        if (array.starts_with("/grid/")) {
            file.copy_array(from, array);
        } else {
            extents[0] = 0;
            file.create_array<float>(array, {extents, false, std::nullopt});
        }
        file.copy_attributes(from, array, {});
    }
    file.close();
    EXPECT_THAT(validate(folder.file("none.h5")),
                ElementsAre(names("/inputs/injection_rate", "it gives the number of cases, and there is none")));
}

TEST(Validate, NamesMaskValuesOtherThanZeroAndOne) {
    DatasetContent content = sample_content();
    content.arrays["active"][3] = 2.0F;
    EXPECT_THAT(violations_in(content), ElementsAre(names("/inputs/active", "neither 0 nor 1")));
}

TEST(Validate, FindsNothingInAValidCartesianFile) {
    DatasetContent content = testing::cartesian_content();
    EXPECT_TRUE(violations_in(content).empty());
    content.arrays["cell_volume"].assign(24, 100.0F);
    content.arrays["cell_centre_z"].assign(24, 4.0F);
    EXPECT_TRUE(violations_in(content).empty());
}

TEST(Validate, NamesViolationsOfACartesianFile) {
    DatasetContent content = testing::cartesian_content();
    content.arrays["cell_volume"].assign(24, 100.0F);
    content.arrays["cell_volume"][17] = -1.0F;
    content.arrays["porosity"][24 + 19] = 2.0F;
    content.arrays["injection_rate"][1] = 2.0F;
    content.arrays["gas_saturation"][48 + 24 + 12] = -0.5F;
    EXPECT_THAT(violations_in(content),
                ElementsAre(names("/grid/cell_volume", "cell [1, 1, 1] is -1, not"),
                            names("/inputs/porosity", "case 1, cell [1, 1, 3]: value 2 lies outside"),
                            names("/outputs/gas_saturation", "case 1, cell [1, 0, 0], time 1: value -0.5 lies"),
                            names("/inputs/cell_injection_rate", "case 1: the cells add up to 1.5")));
}

TEST(Validate, NamesActiveCellsWithoutVolume) {
    DatasetContent content = testing::cartesian_content();
    content.arrays["cell_volume"].assign(24, 100.0F);
    content.arrays["cell_volume"][8] = 0.0F;  // inactive
    EXPECT_TRUE(violations_in(content).empty());
    content.arrays["cell_volume"][13] = 0.0F;
    EXPECT_THAT(violations_in(content),
                ElementsAre(names("/grid/cell_volume",
                                  "case 0: active cell [1, 0, 1] has the volume 0 (and in 1 further case)")));
    content.arrays["active"][13] = 0.0F;
    for (const char* name : {"permeability_x", "permeability_y", "permeability_z", "porosity"}) {
        content.arrays[name][13] = 0.0F;
    }
    for (const char* name : {"gas_saturation", "pressure_buildup"}) {
        content.arrays[name][13] = content.arrays[name][24 + 13] = 0.0F;
    }
    EXPECT_THAT(violations_in(content),
                ElementsAre(names("/grid/cell_volume", "case 1: active cell [1, 0, 1] has the volume 0 (cells")));
    content.arrays.erase("cell_volume");
    content.arrays["pore_volume"] = content.arrays["porosity"];
    EXPECT_TRUE(violations_in(content).empty());
    content.arrays["pore_volume"][24 + 1] = 0.0F;
    EXPECT_THAT(violations_in(content),
                ElementsAre(names("/inputs/pore_volume", "case 1: active cell [0, 0, 1] has the volume 0")));
}

TEST(Validate, NamesTheAxesOfPillarsAndCorners) {
    const ScratchFolder folder;
    write_dataset(folder.file("whole.h5"), testing::cartesian_content());
    {
        const h5::File source = h5::File::open(folder.file("whole.h5"));
        h5::File file = h5::File::create(folder.file("a.h5"));
        file.copy_attributes(source, "/", {});
        for (const std::string& array : source.arrays()) {
            file.copy_array(source, array);
            file.set_text(array, "units", source.text(array, "units").value_or(""));
            file.set_text(array, "long_name", source.text(array, "long_name").value_or(""));
        }
        for (const auto& [array, extents] : {std::pair("/grid/pillars", std::vector<std::int64_t>{4, 5, 5}),
                                             std::pair("/grid/corner_depths", std::vector<std::int64_t>{3, 5, 7})}) {
            file.create_array<float>(array, {extents, false, {}});
            file.write_rows<float>(
                array, 0, extents[0],
                std::vector<float>(static_cast<std::size_t>(extents[0] * extents[1] * extents[2]), 1.0F));
            file.set_text(array, "units", "m");
            file.set_text(array, "long_name", "of corners");
        }
        file.set_integer("/", "format_version", 4);
        file.close();
    }
    EXPECT_THAT(validate(folder.file("a.h5")),
                ElementsAre(names("/grid/pillars", "it has 5 entries along 6, the grid has 6"),
                            names("/grid/corner_depths", "it has 3 entries along 2Z, the grid has 4"),
                            names("/grid/corner_depths", "it has 5 entries along 2Y, the grid has 6"),
                            names("/grid/corner_depths", "it has 7 entries along 2X, the grid has 8")));
}

TEST(Validate, NamesMissingEdgesOfACartesianFile) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    {
        const h5::File sample = h5::File::open(testing::write_cartesian_sample(folder));
        h5::File file = h5::File::create(path);
        file.copy_array(sample, "/grid/x_edges");
        file.close();
    }
    EXPECT_THAT(validate(path), ::testing::Contains(names("/grid/y_edges", "missing")));
}

TEST(Validate, NamesWrongUnitsShapesTypesAndUnknownArrays) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    {
        const h5::File sample = h5::File::open(testing::write_sample(folder));
        h5::File file = h5::File::create(path);
        file.set_text("/", "format", "something");
        for (const std::string& array : sample.arrays()) {
            if (array != "/inputs/porosity") {
                file.copy_array(sample, array);
                file.set_text(array, "long_name", "x");
                file.set_text(array, "units",
                              array == "/inputs/thickness" ? "ft" : sample.text(array, "units").value_or(""));
            }
        }
        file.create_array<float>("/inputs/porosity", {{3, 4}, false, std::nullopt});
        file.write_rows<float>("/inputs/porosity", 0, 3, std::vector<float>(12, 0.1F));
        file.create_array<float>("/extra", {{1}, false, std::nullopt});
        file.write_rows<float>("/extra", 0, 1, std::vector<float>(1, 0.1F));
        file.close();
    }
    EXPECT_THAT(validate(path),
                ElementsAre(names("/", "attribute format is"), names("/", "format_version is missing"),
                            names("/inputs/porosity", "2 axes"), names("/inputs/porosity", "units is missing"),
                            names("/inputs/porosity", "long_name", false),
                            names("/inputs/thickness", "units is \"ft\""), names("/extra", "no such array", false)));
}

TEST(Validate, TakesAWholeVersionAndEqualUnitsAndNamesOthers) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    const auto violations_with = [&](double version, const std::vector<std::string>& units) {
        const h5::File sample = h5::File::open(testing::write_sample(folder));
        h5::File file = h5::File::create(path);
        file.set_text("/", "format", sample.text("/", "format").value_or(""));
        file.set_real("/", "format_version", static_cast<float>(version));
        for (const std::string& array : sample.arrays()) {
            file.copy_array(sample, array);
            file.set_text(array, "long_name", "x");
            file.set_texts(array, "units",
                           array == "/inputs/thickness"
                               ? units
                               : std::vector<std::string>{sample.text(array, "units").value_or("")});
        }
        file.close();
        return validate(path);
    };
    EXPECT_THAT(violations_with(1.0, {"m", "m"}), ElementsAre());
    EXPECT_EQ(Dataset(path).cases(), 3);
    EXPECT_THAT(violations_with(1.5, {"m", "ft"}),
                ElementsAre(names("/", "attribute format_version is 1.5"),
                            names("/inputs/thickness", "attribute units is a list of 2 texts (\"m\", \"ft\")")));
    EXPECT_THROW(Dataset{path}, InvalidData);
    EXPECT_THAT(violations_with(7.0, {"m"}), ElementsAre(names("/", "attribute format_version is 7")));
}

TEST(Validate, NamesLinksIntoFilesThatAreNotThere) {
    const ScratchFolder folder;
    const std::string path = testing::write_sample(folder);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    for (const char* array : {"/inputs/porosity", "/outputs/gas_saturation"}) {
        H5Ldelete(file, array, H5P_DEFAULT);
        H5Lcreate_external("rock.h5", array, file, array, H5P_DEFAULT, H5P_DEFAULT);
    }
    H5Fclose(file);
    EXPECT_THAT(validate(path), ElementsAre(names("/inputs/porosity",
                                                  "is a link into another file, /inputs/porosity of 'rock.h5', which "
                                                  "is not there"),
                                            names("/outputs/gas_saturation", "/outputs/gas_saturation of 'rock.h5'")));
    EXPECT_THAT([&] { const Dataset dataset(path); },
                ::testing::ThrowsMessage<InvalidData>(HasSubstr("/inputs/porosity of 'rock.h5', which is not there")));
}

TEST(Validate, NamesTruncationAndForeignFiles) {
    const ScratchFolder folder;
    const std::string whole = testing::bytes_of(testing::write_sample(folder));
    testing::write_bytes(folder.file("cut.h5"), whole.substr(0, whole.size() / 2));
    EXPECT_THAT(validate(folder.file("cut.h5")), ElementsAre(names("/", "truncated")));
    testing::write_bytes(folder.file("text.h5"), "text");
    EXPECT_THAT(validate(folder.file("text.h5")), ElementsAre(names("/", "not an HDF5 file")));
    EXPECT_THROW(validate(folder.file("absent.h5")), IoError);
}

TEST(Validate, SurvivesAnyFlippedByte) {
    const ScratchFolder folder;
    for (const std::string& sample : {testing::write_sample(folder), testing::write_cartesian_sample(folder)}) {
        const std::string whole = testing::bytes_of(sample);
        for (std::size_t at = 0; at < whole.size(); at += 307) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
            testing::write_bytes(folder.file("flipped.h5"), bytes);
            EXPECT_NO_THROW(validate(folder.file("flipped.h5"))) << sample << ", byte " << at;
        }
    }
}

TEST(Validate, WarnsOfKelvinAndOfAThicknessBeyondTheGrid) {
    DatasetContent content = sample_content();
    content.arrays["temperature"] = {40.0F, 333.15F, 343.15F};
    content.arrays["thickness"][2] = 60.0F;
    const std::vector<Violation> found = violations_in(content);
    EXPECT_THAT(found,
                ElementsAre(names("/inputs/temperature",
                                  "case 1: value 333.15 degC looks like kelvin (it would be 60.0 degC) (and in 1 "
                                  "further case)",
                                  false),
                            names("/inputs/thickness", "case 2: value 60 m is more than the 8 m", false)));
    EXPECT_THAT(found[0].remedy, HasSubstr("subtract 273.15"));
}

TEST(Validate, NamesDepthsBelowTheSurface) {
    DatasetContent content = sample_content();
    for (double& edge : content.z_edges) {
        edge += 1000.0;
    }
    const std::vector<Violation> found = violations_in(content);
    EXPECT_THAT(found, ElementsAre(names("/grid/z_edges", "the first edge lies at 1000 m, deeper than the 8 m", true)));
    EXPECT_EQ(found[0].remedy, "subtract 1000 and state it as top_depth");
}

TEST(Validate, WarnsOfAWellWithoutARadiusWhichPhysicsRefuses) {
    DatasetContent content = sample_content();
    content.r_edges[0] = 0.0;
    EXPECT_THAT(violations_in(content),
                ElementsAre(names("/grid/r_edges",
                                  "the well's radius, the first edge, is 0 m (the flow into a point "
                                  "has no finite pressure",
                                  false)));
    content.r_edges[0] = 1e-3;
    EXPECT_THAT(violations_in(content), ElementsAre());
}

TEST(Validate, WarnsOfALimitBelowTheInitialPressure) {
    DatasetContent content = sample_content();
    content.arrays["perforation"].assign(content.arrays["perforation"].size(), 0.0F);
    for (std::size_t which = 0; which < 3; ++which) {
        content.arrays["perforation"][which * 20 + 2 * 5] = 1.0F;  // in the third row, 5 m below the top
    }
    content.arrays["bottom_hole_pressure_limit"] = {110.6F, 150.4F, 200.3F};  // brine of 5 m weighs 0.47 to 0.49 bar
    const std::vector<Violation> found = violations_in(content);
    EXPECT_THAT(found, ElementsAre(names("/inputs/bottom_hole_pressure_limit",
                                         "case 1: it is below the initial pressure of the uppermost perforated cell "
                                         "(nothing could be injected, so reduced physics takes no such case) (and in 1 "
                                         "further case)",
                                         false)));
    for (const float wrong :
         {0.0F, -5.0F, 20000.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        content.arrays["bottom_hole_pressure_limit"] = {900.0F, wrong, 900.0F};
        EXPECT_THAT(violations_in(content), ElementsAre(names("/inputs/bottom_hole_pressure_limit", "case 1", true)))
            << wrong;
    }
}

TEST(Validate, NamesAWellThatIsNotPerforated) {
    DatasetContent content = sample_content();
    content.arrays["perforation"].assign(content.arrays["perforation"].size(), 0.0F);
    content.arrays["injection_rate"][0] = 0.0F;
    EXPECT_THAT(violations_in(content), ElementsAre(names("/inputs/perforation",
                                                          "case 1: CO2 is injected, but no active cell is perforated "
                                                          "in the column of the well, the first one (and in 1 "
                                                          "further case)")));
    content = sample_content();
    std::vector<float>& open = content.arrays["perforation"];
    const std::vector<float>& active = content.arrays["active"];
    for (std::size_t cell = 0; cell < open.size(); cell += content.r_edges.size() - 1) {
        open[cell + 1] = active[cell + 1] != 0.0F ? open[cell] : 0.0F;  // one ring outwards
        open[cell] = 0.0F;
    }
    EXPECT_THAT(violations_in(content), ElementsAre(names("/inputs/perforation", "case 0: CO2 is injected")));
}

TEST(Validate, OfInputsAloneReadsNoOutputs) {
    DatasetContent content = sample_content();
    content.arrays["gas_saturation"][20 + 7] = 1.5F;
    const ScratchFolder folder;
    write_dataset(folder.file("a.h5"), content);
    EXPECT_EQ(validate(folder.file("a.h5")).size(), 1U);
    EXPECT_TRUE(validate(folder.file("a.h5"), Checked::inputs).empty());
}

TEST(RequireValidInputs, NamesTheFirstViolationAndHowManyMore) {
    DatasetContent content = sample_content();
    content.arrays["porosity"][7] = 20.0F;
    content.arrays["porosity"][20 + 7] = -1.0F;
    const ScratchFolder folder;
    write_dataset(folder.file("a.h5"), content);
    try {
        require_valid_inputs(folder.file("a.h5"));
        FAIL() << "was accepted";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("/inputs/porosity: case 0, cell [1, 2]: value 20"));
        EXPECT_THAT(error.what(), HasSubstr("names 1 error more"));
    }
}

TEST(RequireValidInputs, ReturnsOnlyTheWarningsAboutValues) {
    DatasetContent content = sample_content();
    content.arrays["temperature"][1] = 333.15F;
    const ScratchFolder folder;
    write_dataset(folder.file("a.h5"), content);
    EXPECT_THAT(require_valid_inputs(folder.file("a.h5")),
                ElementsAre(names("/inputs/temperature", "looks like kelvin", false)));
}

}  // namespace
}  // namespace plumecast
