#include "reservoir/import/generic_import.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// An HDF5 file with /u [N = 2, T = 3, X = 4], whose entry is 100 n + 10 t + x, and /k [2].
class GenericImportTest : public testing::TemporaryFolder {
   protected:
    GenericImportTest() {
        h5::File file = h5::File::create(path("source.h5"));
        std::vector<float> values;
        for (int n = 0; n < 2; ++n) {
            for (int t = 0; t < 3; ++t) {
                for (int x = 0; x < 4; ++x) {
                    values.push_back(static_cast<float>(100 * n + 10 * t + x));
                }
            }
        }
        file.create_array<float>("/u", {{2, 3, 4}, false, std::nullopt});
        file.write_rows<float>("/u", 0, 2, values);
        file.create_array<float>("/k", {{2}, false, std::nullopt});
        file.write_rows<float>("/k", 0, 2, std::vector<float>{5, 6});
        file.close();
    }

    std::string path(const char* name) const { return (folder_ / name).string(); }
    ImportReport import(const std::string& map) {
        write(path("map.json"), map);
        ImportOptions options;
        options.sources = {path("source.h5")};
        options.map = path("map.json");
        options.output = path("data.h5");
        return import_models(options);
    }
    std::string refusal(const std::string& map) {
        try {
            import(map);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

constexpr const char* whole_map = R"({"geometry": "generic", "axes": "x",
    "grid": {"times": [0.5, 1.5], "x": [0, 1, 2, 4]},
    "inputs": {"start": {"array": "/u", "axes": "ntx", "entries": {"t": 0}, "unit": "m"},
               "k": {"array": "/k", "axes": "n"},
               "forcing": {"array": "/u", "axes": "ntx", "entries": {"t": [0, 2], "x": 1}},
               "all": {"array": "/u", "axes": "ntx", "entries": {"t": [1, 3]}}},
    "outputs": {"u": {"array": "/u", "axes": "ntx", "entries": {"t": [1, 3]}, "unit": "m"}}})";

TEST_F(GenericImportTest, WritesDataThatAreValidAndReadByName) {
    const ImportReport report = import(whole_map);
    EXPECT_EQ(report.cases, 2);
    EXPECT_EQ(report.snapshots, 2);
    EXPECT_THAT(validate(path("data.h5")), IsEmpty());
    const Dataset data(path("data.h5"));
    EXPECT_EQ(data.geometry(), Geometry::generic);
    EXPECT_EQ(data.space(), (Shape{1, 4}));
    EXPECT_THAT(data.times(), ElementsAre(0.5, 1.5));
    EXPECT_THAT(data.coordinates(1), ElementsAre(0, 1, 2, 4));
    EXPECT_THAT(data.x_edges(), ElementsAre(-0.5, 0.5, 1.5, 3, 5));
    EXPECT_THAT(data.outputs(), ElementsAre("u"));
    EXPECT_EQ(data.find("u")->unit, "m");
    EXPECT_THAT(data.scalar("/inputs/k"), ElementsAre(5, 6));
    std::vector<float> map(4), series(2), field(8), active(4);
    const std::int64_t second[] = {1};
    data.read_map("/inputs/start", second, map);
    EXPECT_THAT(map, ElementsAre(100, 101, 102, 103));
    data.read_varying("/inputs/forcing", second, series);
    EXPECT_THAT(series, ElementsAre(101, 111));
    data.read_varying("/inputs/all", second, field);
    EXPECT_THAT(field, ElementsAre(110, 111, 112, 113, 120, 121, 122, 123));
    data.read_output("u", second, field);
    EXPECT_THAT(field, ElementsAre(110, 111, 112, 113, 120, 121, 122, 123));
    data.read_map("active", second, active);
    EXPECT_THAT(active, ElementsAre(1, 1, 1, 1));
    EXPECT_FALSE(data.injects_nothing(1));
}

TEST_F(GenericImportTest, TakesEveryOtherEntryAndTurnsAxes) {
    import(R"({"geometry": "generic", "axes": "y,x",
               "inputs": {"a": {"array": "/u", "axes": "nxy", "entries": {"y": [0, 4, 2]}}},
               "outputs": {"b": {"array": "/u", "axes": "nxy", "entries": {"y": [1, 4, 2]}}}})");
    const Dataset data(path("data.h5"));
    EXPECT_EQ(data.space(), (Shape{2, 3}));
    std::vector<float> values(6);
    const std::int64_t first[] = {0};
    data.read_map("/inputs/a", first, values);
    EXPECT_THAT(values, ElementsAre(0, 10, 20, 2, 12, 22));
    data.read_output("b", first, values);
    EXPECT_THAT(values, ElementsAre(1, 11, 21, 3, 13, 23));
    EXPECT_THAT(data.coordinates(0), ElementsAre(0, 1));
}

/// A map whose points lie at /x and whose input is an array [N = 2, X = 2] of source.h5, as its output is.
std::string map_of(const std::string& array) {
    const std::string entry = R"({"array": ")" + array + R"(", "axes": "nx"})";
    return R"({"geometry": "generic", "axes": "x", "grid": {"x": {"array": "/x", "axes": "x"}}, "inputs": {"a": )" +
           entry + R"(}, "outputs": {"u": )" + entry + "}}";
}

TEST_F(GenericImportTest, TakesAttributesForWhatTheySayOfTheNumbers) {
    {
        h5::File file = h5::File::create(path("source.h5"));
        file.create_array<std::int64_t>("/x", {{2}, false, std::nullopt});
        file.write_rows<std::int64_t>("/x", 0, 2, std::vector<std::int64_t>{1, 3});
        file.set_real("/x", "scale_factor", 0.5F);
        file.create_array<std::int64_t>("/packed", {{2, 2}, false, std::nullopt});
        file.write_rows<std::int64_t>("/packed", 0, 2, std::vector<std::int64_t>{1000, 2000, -1, 3000});
        file.set_real("/packed", "scale_factor", 0.125F);
        file.set_real("/packed", "add_offset", 5.0F);
        file.set_real("/packed", "_FillValue", -1.0F);
        file.create_array<float>("/plain", {{2, 2}, false, std::nullopt});
        file.write_rows<float>("/plain", 0, 2, std::vector<float>{1, -999, 3, 4});
        file.set_real("/plain", "missing_value", -999.0F);
        file.close();
    }
    import(map_of("/packed"));
    std::vector<float> values = h5::File::open(path("data.h5")).read<float>("/outputs/u");
    EXPECT_TRUE(std::isnan(values[2]));
    values[2] = 0.0F;
    EXPECT_THAT(values, ElementsAre(130, 255, 0, 380));
    EXPECT_THAT(Dataset(path("data.h5")).coordinates(1), ElementsAre(0.5, 1.5));
    import(map_of("/plain"));
    values = h5::File::open(path("data.h5")).read<float>("/inputs/a");
    EXPECT_TRUE(std::isnan(values[1]));
    EXPECT_EQ(values[3], 4.0F);
}

TEST_F(GenericImportTest, TellsNumbersThatStandForNoValueFromThoseBesideThem) {
    {
        h5::File file = h5::File::create(path("source.h5"));
        file.create_array<float>("/x", {{2}, false, std::nullopt});
        file.write_rows<float>("/x", 0, 2, std::vector<float>{1, 3});
        file.create_array<double>("/real", {{2, 2}, false, std::nullopt});
        file.write_rows<double>("/real", 0, 2, std::vector<double>{0.25, 0.50000000001, 0.5, 1e300});
        file.set_real("/real", "valid_max", 0.5F);
        file.create_array<std::int64_t>("/whole", {{2, 2}, false, std::nullopt});
        file.write_rows<std::int64_t>("/whole", 0, 2, std::vector<std::int64_t>{16777216, 16777217, 16777218, 3});
        file.set_integer("/whole", "missing_value", 16777217);
        file.close();
    }
    const auto imported = [&](const char* array) {
        import(map_of(array));
        return h5::File::open(path("data.h5")).read<float>("/outputs/u");
    };
    EXPECT_THAT(imported("/real"), ElementsAre(0.25F, ::testing::IsNan(), 0.5F, ::testing::IsNan()));
    EXPECT_THAT(imported("/whole"), ElementsAre(16777216.0F, ::testing::IsNan(), 16777218.0F, 3.0F));
}

TEST_F(GenericImportTest, RefusesPointsThatAreNoListAlongTheirAxis) {
    {
        h5::File file = h5::File::create(path("source.h5"));
        file.create_array<float>("/plane", {{2, 2}, false, std::nullopt});
        file.write_rows<float>("/plane", 0, 2, std::vector<float>{0, 1, 2, 3});
        file.create_array<double>("/points", {{2}, false, std::nullopt});
        file.write_rows<double>("/points", 0, 2, std::vector<double>{0.1, 0.2});
        file.close();
    }
    const auto with = [](const std::string& points) {
        return R"({"geometry": "generic", "axes": "x", "grid": {"x": )" + points +
               R"(}, "inputs": {"a": {"array": "/plane", "axes": "nx"}}, "outputs": {"u": {"array": "/plane", "axes": "nx"}}})";
    };
    EXPECT_THAT(refusal(with(R"({"array": "/plane", "axes": "x"})")), HasSubstr("grid.x: axes \"x\" names 1 axes"));
    EXPECT_THAT(refusal(with(R"({"array": "/plane", "axes": "yx"})")), HasSubstr("axes \"yx\" are more than x"));
    EXPECT_THAT(refusal(with(R"({"array": "/points", "axes": "q"})")), HasSubstr("no axis x (axes is \"q\")"));
    EXPECT_EQ(refusal(with(R"({"array": "/points", "axes": "x"})")), "");
    EXPECT_THAT(Dataset(path("data.h5")).coordinates(1), ElementsAre(0.1, 0.2)) << "in double precision";
    EXPECT_EQ(refusal(with(R"({"array": "/plane", "axes": "yx", "entries": {"y": 1}})")), "");
    EXPECT_THAT(Dataset(path("data.h5")).coordinates(1), ElementsAre(2, 3));
}

TEST_F(GenericImportTest, RefusesArraysThatHoldNoNumbers) {
    {
        h5::File file = h5::File::create(path("source.h5"));
        file.create_array<float>("/x", {{2}, false, std::nullopt});
        file.write_rows<float>("/x", 0, 2, std::vector<float>{1, 3});
        file.create_array<float>("/part", {{2, 2}, true, std::nullopt});
        file.write_rows<float>("/part", 0, 1, std::vector<float>{1, 2});
        file.close();
        const hid_t id = H5Fopen(path("source.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hsize_t extents[] = {2, 2};
        const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8};
        const signed char rocks[] = {1, 2, 1, 2};
        const hid_t space = H5Screate_simple(2, extents, nullptr), complex = H5Tcreate(H5T_COMPOUND, 16),
                    rock = H5Tenum_create(H5T_NATIVE_SCHAR);
        H5Tinsert(complex, "r", 0, H5T_NATIVE_DOUBLE);
        H5Tinsert(complex, "i", 8, H5T_NATIVE_DOUBLE);
        H5Tenum_insert(rock, "SAND", &rocks[0]);
        H5Tenum_insert(rock, "SHALE", &rocks[1]);
        const auto add = [&](const char* name, hid_t type, const void* values) {
            const hid_t data = H5Dcreate2(id, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
            H5Dclose(data);
        };
        add("complex", complex, numbers);
        add("rock", rock, rocks);
        H5Tclose(complex);
        H5Tclose(rock);
        H5Sclose(space);
        H5Fclose(id);
    }
    EXPECT_THAT(refusal(map_of("/part")), HasSubstr("/part: parts of it were never written"));
    EXPECT_THAT(refusal(map_of("/complex")),
                HasSubstr("/complex holds no numbers but compound values (as complex numbers and tables are); map a "
                          "to another array"));
    EXPECT_THAT(refusal(map_of("/rock")), HasSubstr("/rock holds no numbers but an enumeration"));
}

TEST_F(GenericImportTest, RefusesMapsThatContradictTheArrays) {
    const auto with = [](const std::string& output) {
        return R"({"geometry": "generic", "axes": "x", "inputs": {"k": {"array": "/k", "axes": "n"}}, "outputs": {"u": )" +
               output + "}}";
    };
    EXPECT_THAT(refusal(with(R"({"array": "/u", "axes": "ntx"})")), HasSubstr("\"ntx\" are more than nx"));
    EXPECT_THAT(refusal(with(R"({"array": "/u", "axes": "nx"})")), HasSubstr("names 2 axes"));
    EXPECT_THAT(refusal(with(R"({"array": "/u", "axes": "nty", "entries": {"t": 0}})")), HasSubstr("no axis x"));
    EXPECT_THAT(refusal(with(R"({"array": "/u", "axes": "ntx", "entries": {"t": 3}})")),
                HasSubstr("entry 3 of axis t (there are 3)"));
    EXPECT_THAT(refusal(with(R"({"array": "/u", "axes": "ntx", "entries": {"t": [2, 1]}})")),
                HasSubstr("the end lies behind"));
    EXPECT_THAT(refusal(with(R"({"array": "/u", "axes": "ntx", "entries": {"z": 1}})")),
                HasSubstr("name one of its letters"));
    EXPECT_THAT(refusal(with(R"({"axes": "ntx"})")), HasSubstr("/k, /u"));
    EXPECT_THAT(refusal(with(R"({"array": "/u", "axes": "ntx", "file": "other.npy"})")),
                HasSubstr("no file other.npy"));
    EXPECT_THAT(refusal(R"({"geometry": "generic", "axes": "x,y"})"), HasSubstr("use \"x\", \"y,x\" or"));
    EXPECT_THAT(refusal(R"({"geometry": "generic", "axes": "x", "grid": {"y": [1]}})"),
                HasSubstr("no axis of that name"));
    EXPECT_THAT(refusal(with(R"({"array": "/u", "axes": "ntx", "entries": {"t": 0, "x": [0, 5]}})")),
                HasSubstr("entry 4 of axis x"));
    EXPECT_THAT(refusal(R"({"geometry": "Generic", "axes": "x"})"), HasSubstr("geometry is \"Generic\""));
    const auto input = [](const std::string& entry) {
        return R"({"geometry": "generic", "axes": "x", "inputs": {"a": )" + entry + "}}";
    };
    EXPECT_THAT(refusal(input(R"({"array": "/k", "axes": "t"})")), HasSubstr("no axis of cases"));
    EXPECT_THAT(refusal(input(R"({"array": "/u", "axes": "ntx", "entries": {"n": 0, "t": 0, "x": 0}})")),
                HasSubstr("no axis of cases"));
    EXPECT_THAT(
        refusal(
            R"({"geometry": "generic", "axes": "x", "inputs": {"active": {"array": "/u", "axes": "ntx", "entries": {"t": 0}}}})"),
        HasSubstr("/inputs/active: entry 2 is 2"));
    EXPECT_FALSE(std::filesystem::exists(path("data.h5")));
}

TEST_F(GenericImportTest, ValidationNamesWhatIsWrong) {
    import(whole_map);
    {
        h5::File file = h5::File::create(path("wrong.h5"));
        file.set_text("/", "format", "plumecast-dataset");
        file.set_integer("/", "format_version", 3);
        file.set_text("/", "geometry", "generic");
        file.set_text("/", "axes", "y,x");
        const auto add = [&](const char* name, std::vector<std::int64_t> extents, float value) {
            file.create_array<float>(name, {extents, false, std::nullopt});
            std::vector<float> values(
                static_cast<std::size_t>(extents[0] * (extents.size() > 1 ? extents[1] * extents[2] : 1)), value);
            file.write_rows<float>(name, 0, extents[0], values);
        };
        add("/inputs/a", {2, 3, 4}, 1.0F);
        file.set_text("/inputs/a", "units", "1");
        add("/inputs/b", {3}, 1.0F);
        file.set_text("/inputs/b", "units", "1");
        add("/outputs/u", {2, 3, 5}, 1.0F);
        file.set_text("/outputs/u", "units", "1");
        add("/outputs/v", {2, 3, 4}, 1.0F);
        file.close();
    }
    std::string all;
    for (const Violation& one : validate(path("wrong.h5"))) {
        all += one.path + ": " + one.problem + "\n";
    }
    EXPECT_THAT(all, HasSubstr("/inputs/b: it has 3 entries along N, other arrays have 2"));
    EXPECT_THAT(all, HasSubstr("/outputs/u: it has 5 entries along X, other arrays have 4"));
    EXPECT_THAT(all, HasSubstr("/outputs/v: attribute units is missing"));
}

}  // namespace
}  // namespace plumecast
