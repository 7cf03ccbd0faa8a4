#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The cases of cartesian_content() with transmissibilities, and two connections between cells apart.
DatasetContent connected_content() {
    DatasetContent content = cartesian_content();
    std::vector<float> flow = content.arrays["permeability_x"];
    for (const char* name :
         {"transmissibility_x", "transmissibility_y", "transmissibility_z", "well_connection_factor"}) {
        content.arrays[name] = flow;
    }
    content.arrays["connection_first"] = {1.0F, 5.0F};
    content.arrays["connection_second"] = {14.0F, 0.0F};
    content.arrays["connection_transmissibility"] = {0.5F, 0.25F, 1.5F, 0.0F};
    return content;
}

class ConnectionsTest : public ::testing::Test {
   protected:
    std::string write(const DatasetContent& content, const std::string& name = "data.h5") {
        write_dataset(folder_.file(name), content);
        return folder_.file(name);
    }
    /// The first thing that validate() refuses in a file, which opening it refuses too.
    std::string refused(const DatasetContent& content) {
        const std::string path = write(content, "wrong.h5");
        EXPECT_THROW(Dataset{path}, InvalidData);
        const std::vector<Violation> found = validate(path);
        const auto first = std::ranges::find_if(found, &Violation::is_error);
        return first == found.end() ? "" : first->path + ": " + first->problem;
    }
    /// A file of connected_content() that holds the arrays which `change` does not write itself.
    std::string rewritten(const std::function<void(h5::File&)>& change) {
        const h5::File source = h5::File::open(write(connected_content()));
        h5::File file = h5::File::create(folder_.file("rewritten.h5"));
        file.copy_attributes(source, "/", {});
        change(file);
        for (const std::string& array : source.arrays()) {
            if (!file.has(array)) {
                file.copy_array(source, array);
            }
            for (const char* name : {"units", "long_name"}) {
                file.set_text(array, name, source.text(array, name).value_or(""));
            }
        }
        file.close();
        return folder_.file("rewritten.h5");
    }
    ScratchFolder folder_;
};

TEST_F(ConnectionsTest, AreReadByCase) {
    const std::string path = write(connected_content());
    EXPECT_EQ(h5::File::open(path).integer("/", "format_version"), 4);
    EXPECT_THAT(validate(path), IsEmpty());
    const Dataset dataset(path);
    EXPECT_THAT(dataset.cell_values("connection_second"), ElementsAre(14.0F, 0.0F));
    EXPECT_THAT(dataset.connection_transmissibilities(0), ElementsAre(0.5F, 0.25F));
    EXPECT_THAT(dataset.connection_transmissibilities(1), ElementsAre(1.5F, 0.0F));
    EXPECT_THROW(dataset.connection_transmissibilities(2), InvalidInput);
    const Dataset without(write(cartesian_content(), "without.h5"));
    EXPECT_THAT(without.connection_transmissibilities(0), IsEmpty());
}

TEST_F(ConnectionsTest, AreNoPartOfOlderVersions) {
    const std::string path = rewritten([](h5::File& file) { file.set_integer("/", "format_version", 2); });
    EXPECT_THROW(Dataset{path}, InvalidData);
    EXPECT_THAT(validate(path), Contains(Field(&Violation::problem, HasSubstr("format_version is 2"))));
}

TEST_F(ConnectionsTest, NameWhatIsWrong) {
    DatasetContent content = connected_content();
    content.arrays.erase("transmissibility_y");
    EXPECT_THAT(refused(content), HasSubstr("/inputs/transmissibility_y: the array is missing"));
    content = connected_content();
    content.arrays.erase("connection_transmissibility");
    EXPECT_THAT(refused(content), HasSubstr("/connections/transmissibility: the array is missing"));
    content = connected_content();
    content.arrays["connection_second"][1] = 24.0F;
    EXPECT_THAT(refused(content),
                HasSubstr("/connections/second: entry 1 is 24, no number of a cell (the grid has 24"));
    content.arrays["connection_second"][1] = 5.0F;
    EXPECT_THAT(refused(content), HasSubstr("entry 1 is 5, the first cell of the pair too"));
    content.arrays["connection_first"][1] = 14.0F;
    content.arrays["connection_second"][1] = 1.0F;
    EXPECT_THAT(refused(content), HasSubstr("entry 1 connects the cells 14 and 1 a second time"));
    content.arrays["connection_first"][1] = 2.5F;
    EXPECT_THAT(refused(content), HasSubstr("entry 1 is 2.5"));
}

TEST_F(ConnectionsTest, AreCheckedForTheirValues) {
    DatasetContent content = connected_content();
    content.arrays["connection_transmissibility"][3] = -1.0F;
    EXPECT_THAT(validate(write(content)),
                Contains(Field(&Violation::problem, HasSubstr("case 1, connection 1: value -1 lies outside 0 to"))));
}

TEST_F(ConnectionsTest, NameWhatATransmissibilityThatIsNoNumberNeeds) {
    DatasetContent content = connected_content();
    content.arrays["connection_transmissibility"][2] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Violation> found = validate(write(content));
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_THAT(found[0].problem, HasSubstr("case 1, connection 0: value NaN is not finite"));
    EXPECT_EQ(found[0].remedy, "state it, as 0 in a case that lacks the connection");
}

TEST_F(ConnectionsTest, AreNumbers) {
    const std::string path = rewritten([](h5::File& file) { file.write_texts("/connections/first", {"one", "five"}); });
    const std::vector<Violation> found = validate(path);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].path + ": " + found[0].problem, "/connections/first: the elements are no numbers");
    EXPECT_EQ(found[0].remedy, "store it as 64-bit reals");
}

TEST_F(ConnectionsTest, AreLeftOutWhereThereAreNone) {
    const std::string path = rewritten([](h5::File& file) {
        file.create_array<double>("/connections/first", {{0}, false, {}});
        file.create_array<double>("/connections/second", {{0}, false, {}});
        file.create_array<float>("/connections/transmissibility", {{2, 0}, false, {}});
    });
    const std::vector<Violation> found = validate(path);
    ASSERT_THAT(found, SizeIs(3));
    for (const Violation& one : found) {
        EXPECT_THAT(one.problem, HasSubstr("it has no entries"));
        EXPECT_EQ(one.remedy, "leave the arrays of /connections out");
    }
}

TEST_F(ConnectionsTest, GoAlongWithTheirCases) {
    const std::string path = write(connected_content());
    SubsetOptions subset;
    subset.source = path;
    subset.output = folder_.file("second.h5");
    subset.cases = {{1, 1}};
    subset_dataset(subset);
    EXPECT_THAT(Dataset(subset.output).connection_transmissibilities(0), ElementsAre(1.5F, 0.0F));
    subset.output = folder_.file("first.h5");
    subset.cases = {{0, 0}};
    subset_dataset(subset);
    MergeOptions merge;
    merge.sources = {folder_.file("second.h5"), folder_.file("first.h5")};
    merge.output = folder_.file("merged.h5");
    merge_datasets(merge);
    EXPECT_THAT(Dataset(merge.output).connection_transmissibilities(1), ElementsAre(0.5F, 0.25F));
    DatasetContent other = connected_content();
    other.arrays["connection_first"][0] = 2.0F;
    merge.sources[1] = write(other, "other.h5");
    merge.output = folder_.file("again.h5");
    EXPECT_THROW(merge_datasets(merge), InvalidData);
    const std::string copy = folder_.file("copy.h5");
    write_dataset(copy, Dataset(path));
    EXPECT_THAT(Dataset(copy).connection_transmissibilities(1), ElementsAre(1.5F, 0.0F));
}

TEST_F(ConnectionsTest, BelongToWhatACaseIsKnownBy) {
    const std::string one = case_fingerprint(Dataset(write(connected_content())), 0);
    DatasetContent content = connected_content();
    content.arrays["connection_transmissibility"][0] = 0.75F;
    EXPECT_NE(case_fingerprint(Dataset(write(content, "other.h5")), 0), one);
}

}  // namespace
}  // namespace plumecast::testing
