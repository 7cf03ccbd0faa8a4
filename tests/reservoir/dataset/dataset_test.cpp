#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;
using testing::sample_content;
using testing::ScratchFolder;

template <class ErrorType, class Action>
std::string message_of(Action action) {
    try {
        action();
    } catch (const ErrorType& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Dataset, ReturnsWhatWasWritten) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const DatasetContent content = sample_content();
    EXPECT_EQ(dataset.cases(), 3);
    EXPECT_EQ(dataset.rows(), 4);
    EXPECT_EQ(dataset.columns(), 5);
    EXPECT_EQ(dataset.times(), content.times);
    EXPECT_EQ(dataset.r_edges(), content.r_edges);
    EXPECT_EQ(dataset.attribute("title"), "sample");
    EXPECT_EQ(dataset.scalar("temperature"), content.arrays.at("temperature"));
    EXPECT_THAT(dataset.outputs(), ::testing::ElementsAre("gas_saturation", "pressure_buildup"));
    const std::vector<std::int64_t> cases = {2, 0};
    std::vector<float> map(40);
    dataset.read_map("porosity", cases, map);
    const auto& porosity = content.arrays.at("porosity");
    EXPECT_TRUE(std::equal(map.begin(), map.begin() + 20, porosity.begin() + 40));
    EXPECT_TRUE(std::equal(map.begin() + 20, map.end(), porosity.begin()));
    std::vector<float> output(120);
    dataset.read_output("pressure_buildup", cases, output);
    EXPECT_TRUE(std::equal(output.begin(), output.begin() + 60, content.arrays.at("pressure_buildup").begin() + 120));
}

TEST(Dataset, RefusesFilesCutAnywhere) {
    const ScratchFolder folder;
    const std::string whole = testing::bytes_of(testing::write_sample(folder));
    const std::string path = folder.file("cut.h5");
    for (std::size_t length = 0; length < whole.size(); length += 97) {
        testing::write_bytes(path, whole.substr(0, length));
        EXPECT_THROW(Dataset{path}, InvalidData) << "cut at " << length;
    }
}

TEST(Dataset, RefusesMissingAndForeignFiles) {
    const ScratchFolder folder;
    EXPECT_THROW(Dataset{folder.file("absent.h5")}, IoError);
    testing::write_bytes(folder.file("text.h5"), "no HDF5 at all");
    EXPECT_THAT(message_of<InvalidData>([&] { Dataset{folder.file("text.h5")}; }), HasSubstr("not an HDF5 file"));
    h5::File::create(folder.file("empty.h5")).close();
    EXPECT_THAT(message_of<InvalidData>([&] { Dataset{folder.file("empty.h5")}; }), HasSubstr("attribute format"));
}

TEST(Dataset, NamesTheMissingArray) {
    const ScratchFolder folder;
    DatasetContent content = sample_content();
    content.arrays.erase("porosity");
    write_dataset(folder.file("a.h5"), content);
    EXPECT_THAT(message_of<InvalidData>([&] { Dataset{folder.file("a.h5")}; }),
                HasSubstr("/inputs/porosity is missing"));
}

TEST(Dataset, RefusesScalarsThatAreNotFiniteAndUnsortedTimes) {
    const ScratchFolder folder;
    DatasetContent content = sample_content();
    content.arrays["temperature"][1] = std::numeric_limits<float>::quiet_NaN();
    write_dataset(folder.file("a.h5"), content);
    EXPECT_THAT(message_of<InvalidData>([&] { Dataset{folder.file("a.h5")}; }),
                HasSubstr("/inputs/temperature of case 1 is not finite"));
    content = sample_content();
    content.times = {1.0, 100.0, 10.0};
    write_dataset(folder.file("b.h5"), content);
    EXPECT_THAT(message_of<InvalidData>([&] { Dataset{folder.file("b.h5")}; }), HasSubstr("/grid/times entry 2"));
}

TEST(Dataset, RefusesCasesAndNamesItDoesNotHave) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    std::vector<float> map(20);
    const std::vector<std::int64_t> beyond = {3};
    EXPECT_THROW(dataset.read_map("porosity", beyond, map), InvalidInput);
    EXPECT_THROW(dataset.read_map("porosty", beyond, map), InvalidInput);
    EXPECT_THROW(dataset.scalar("porosity"), InvalidInput);
}

TEST(Dataset, ReturnsACartesianGridAndItsCells) {
    const ScratchFolder folder;
    DatasetContent content = testing::cartesian_content();
    content.arrays["cell_volume"].assign(24, 7.0F);
    write_dataset(folder.file("a.h5"), content);
    const Dataset dataset(folder.file("a.h5"));
    EXPECT_EQ(dataset.geometry(), Geometry::cartesian);
    EXPECT_EQ(dataset.space(), (Shape{2, 3, 4}));
    EXPECT_EQ(dataset.x_edges(), content.x_edges);
    EXPECT_EQ(dataset.y_edges(), content.y_edges);
    EXPECT_EQ(dataset.last_edges(), content.x_edges);
    EXPECT_EQ(dataset.cell_values("cell_volume"), std::vector<float>(24, 7.0F));
    EXPECT_TRUE(dataset.cell_values("cell_centre_z").empty());
    const std::vector<std::int64_t> cases = {1};
    std::vector<float> map(24), output(48);
    dataset.read_map("permeability_y", cases, map);
    EXPECT_TRUE(std::equal(map.begin(), map.end(), content.arrays.at("permeability_y").begin() + 24));
    dataset.read_output("pressure_buildup", cases, output);
    EXPECT_TRUE(std::equal(output.begin(), output.end(), content.arrays.at("pressure_buildup").begin() + 48));
}

TEST(Dataset, NamesWhatACartesianGridDoesNotHave) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_cartesian_sample(folder));
    std::vector<float> map(24);
    const std::vector<std::int64_t> cases = {0};
    EXPECT_THAT(message_of<InvalidData>([&] { dataset.read_map("permeability_r", cases, map); }),
                HasSubstr("no input map permeability_r"));
    EXPECT_TRUE(dataset.has("cell_injection_rate"));
    EXPECT_FALSE(dataset.has("permeability_r"));
    EXPECT_FALSE(dataset.has("thickness"));
    EXPECT_THAT(message_of<InvalidData>([&] { dataset.scalar("thickness"); }),
                HasSubstr("/inputs/thickness is missing"));
}

TEST(Dataset, RefusesACartesianFileWithoutRatesOfCellsOrEdges) {
    const ScratchFolder folder;
    DatasetContent content = testing::cartesian_content();
    content.arrays.erase("cell_injection_rate");
    write_dataset(folder.file("a.h5"), content);
    EXPECT_THAT(message_of<InvalidData>([&] { Dataset{folder.file("a.h5")}; }),
                HasSubstr("/inputs/cell_injection_rate is missing"));
    {
        const h5::File sample = h5::File::open(testing::write_cartesian_sample(folder));
        h5::File file = h5::File::create(folder.file("b.h5"));
        file.set_text("/", "format", "plumecast-dataset");
        file.set_integer("/", "format_version", 1);
        for (const std::string& array : sample.arrays()) {
            if (array != "/grid/y_edges") {
                file.copy_array(sample, array);
                file.set_text(array, "units", sample.text(array, "units").value_or(""));
            }
        }
        file.close();
    }
    EXPECT_THAT(message_of<InvalidData>([&] { Dataset{folder.file("b.h5")}; }), HasSubstr("/grid/y_edges is missing"));
}

}  // namespace
}  // namespace plumecast
