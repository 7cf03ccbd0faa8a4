#include "reservoir/dataset/place_attributes.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"

#include <map>
#include <string>

#include <gmock/gmock.h>

#include <functional>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Attributes = std::function<void(h5::File&)>;

class PlaceAttributesTest : public ::testing::Test {
   protected:
    /// A box of one cell, of which only attributes and edges are read.
    GridPlace place_of(const Attributes& write) const {
        h5::File file = h5::File::create(folder_.file("attributes.h5"));
        write(file);
        file.close();
        return read_place(h5::File::open(folder_.file("attributes.h5")));
    }
    std::string sample(const std::string& name, const FileAttributes& attributes) const {
        DatasetContent content = cartesian_content();
        content.attributes.insert(attributes.begin(), attributes.end());
        write_dataset(folder_.file(name), content);
        return folder_.file(name);
    }

    ScratchFolder folder_;
};

TEST_F(PlaceAttributesTest, AreTextsOrNumbers) {
    const GridPlace expected{30.0, {{431000.25, -6.5e6}}};
    for (const auto& [name, value] : attributes_of(expected)) {
        EXPECT_EQ(value, name == "rotation" ? "30" : "x 431000.25 m, y -6500000 m");
    }
    EXPECT_EQ(place_of([&](h5::File& file) {
                  for (const auto& [name, value] : attributes_of(expected)) {
                      file.set_text("/", name, value);
                  }
              }),
              expected);
    EXPECT_EQ(place_of([](h5::File& file) { file.set_integer("/", "rotation", -90); }), (GridPlace{-90.0, {}}));
    EXPECT_EQ(place_of([](h5::File& file) { file.set_real("/", "rotation", 22.5F); }), (GridPlace{22.5, {}}));
    EXPECT_EQ(place_of([](h5::File&) {}), GridPlace());
}

TEST_F(PlaceAttributesTest, AnOriginAloneIsOfAGridAlongTheMap) {
    const GridPlace place =
        place_of([](h5::File& file) { file.set_text("/", "origin", "x 453000 m, y 6.78912e+06 m, depth 800 m"); });
    EXPECT_EQ(place, (GridPlace{0.0, {{453000.0, 6789120.0}}}));
    EXPECT_EQ(place.text(), "rotated by 0 degrees, origin at x 453000 m, y 6789120 m");
    EXPECT_EQ(GridPlace().text(), "");
}

TEST_F(PlaceAttributesTest, RefusesWhatIsNotAdmissibleAndSoDoesValidate) {
    const auto problem_of = [](const std::string& name, const std::string& value) {
        const std::map<std::string, std::string> wanted = {
            {"rotation", "-360 to 360 degree"}, {"top_depth", "-100000 to 100000 m"}, {"well_radius", "0.001 to 10 m"}};
        const auto range = wanted.find(name);
        return range != wanted.end() ? " is '" + value + "' (a number from " + range->second + " is needed)"
                                     : std::string(" is not admissible");
    };
    for (const auto& [name, value] : {std::pair{"rotation", "north"},
                                      {"rotation", "361"},
                                      {"rotation", "nan"},
                                      {"rotation", "30 degrees"},
                                      {"origin", "Sleipner"},
                                      {"origin", "x 1 m"},
                                      {"origin", "x 1 m, y 1e9 m"},
                                      {"origin", "x 1 m, y 2 mm"},
                                      {"top_depth", "deep"},
                                      {"top_depth", "1e6"},
                                      {"well_radius", "0"}}) {
        const std::string path = sample("wrong.h5", {{name, value}});
        try {
            const Dataset dataset(path);
            FAIL() << value;
        } catch (const InvalidData& error) {
            EXPECT_THAT(error.what(), HasSubstr(path + ": attribute " + name + problem_of(name, value)));
            EXPECT_THAT(error.what(), HasSubstr("correct or remove it"));
        }
        const std::vector<Violation> found = validate(path);
        ASSERT_EQ(found.size(), 1U) << value;
        EXPECT_EQ(found[0].path, "/");
        EXPECT_THAT(found[0].problem, HasSubstr(std::string("attribute ") + name + problem_of(name, value)));
        EXPECT_EQ(found[0].remedy, "correct or remove it");
    }
    EXPECT_THAT(validate(sample("right.h5", {{"rotation", "-30.5"}, {"origin", "x 1 m, y 2 m"}})), IsEmpty());
}

TEST_F(PlaceAttributesTest, AreKeptInResultsAndInPartsOfADataSet) {
    const std::string path = sample("rotated.h5", {{"rotation", "-30.5"}, {"origin", "x 1 m, y 2 m, depth 900 m"}});
    const GridPlace expected{-30.5, {{1.0, 2.0}}};
    EXPECT_EQ(Dataset(path).place(), expected);
    {
        FieldsWriter writer(folder_.file("fields.h5"), path, {}, {});
        writer.commit();
    }
    const Dataset fields(folder_.file("fields.h5"));
    EXPECT_EQ(fields.place(), expected);
    EXPECT_EQ(fields.attribute("origin"), "x 1 m, y 2 m, depth 900 m");
    SubsetOptions options;
    options.source = path;
    options.output = folder_.file("part.h5");
    options.cases = {{1, 1}};
    subset_dataset(options);
    EXPECT_EQ(Dataset(folder_.file("part.h5")).place(), expected);
}

TEST_F(PlaceAttributesTest, TellTheDepthOfTheFormationAndTheRadiusOfWells) {
    EXPECT_EQ(Dataset(sample("none.h5", {})).top_depth(), std::nullopt);
    EXPECT_EQ(Dataset(sample("end.h5", {{"origin", "x 1 m, y 2 m, depth 900 m"}})).top_depth(), 900.0);
    const std::string path =
        sample("both.h5", {{"origin", "x 1 m, y 2 m, depth 900 m"}, {"top_depth", "1325"}, {"well_radius", "0.15"}});
    {
        FieldsWriter writer(folder_.file("fields.h5"), path, {}, {});
        writer.commit();
    }
    for (const std::string& file : {path, folder_.file("fields.h5")}) {
        EXPECT_EQ(Dataset(file).top_depth(), 1325.0);
        EXPECT_EQ(Dataset(file).well_radius(), 0.15);
    }
    MergeOptions options;
    options.sources = {path, sample("other.h5", {{"origin", "x 1 m, y 2 m"}, {"top_depth", "1400"}})};
    options.output = folder_.file("all.h5");
    try {
        merge_datasets(options);
        FAIL();
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("the depth of the top of the formation is 1400 m, that of " + path + " is 1325 m"));
    }
}

TEST_F(PlaceAttributesTest, AreKeptWhereTheirTextIsEmpty) {
    const std::string path = sample("empty.h5", {{"rotation", ""}, {"top_depth", ""}, {"well_radius", "0.15"}});
    {
        FieldsWriter writer(folder_.file("fields.h5"), path, {}, {});
        writer.commit();
    }
    const Dataset fields(folder_.file("fields.h5"));
    EXPECT_EQ(fields.place(), GridPlace());
    EXPECT_EQ(fields.top_depth(), std::nullopt);
    EXPECT_EQ(fields.well_radius(), 0.15);
}

TEST_F(PlaceAttributesTest, OfFilesThatAreMergedAgree) {
    const std::string first = sample("first.h5", {{"rotation", "30"}});
    MergeOptions options;
    options.sources = {first, sample("second.h5", {{"rotation", "31"}})};
    options.output = folder_.file("all.h5");
    options.duplicates = Duplicates::keep;
    try {
        merge_datasets(options);
        FAIL();
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("the place of the grid is rotated by 31 degrees, that of " + first +
                                            " is rotated by 30 degrees"));
    }
    options.sources[1] = sample("second.h5", {{"rotation", "30.0"}});
    merge_datasets(options);
    EXPECT_EQ(Dataset(options.output).place(), (GridPlace{30.0, {}}));
    options.sources[1] = sample("second.h5", {});
    EXPECT_THROW(merge_datasets(options), InvalidData);
}

}  // namespace
}  // namespace plumecast::testing
