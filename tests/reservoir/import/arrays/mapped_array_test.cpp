#include "reservoir/import/arrays/mapped_array.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <hdf5.h>

#include <plumecast/core/error.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ScratchFolder;

/// A file with an array of whole numbers that count up from 0.
h5::File counted_file(const std::string& path, const std::vector<std::int64_t>& extents, bool is_packed = false) {
    h5::File file = h5::File::create(path);
    file.create_array<std::int64_t>("/values", {extents, false, std::nullopt});
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) {
        count *= extent;
    }
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(i);
    }
    file.write_rows<std::int64_t>("/values", 0, extents[0], values);
    if (is_packed) {
        file.set_real("/values", "scale_factor", 0.5F);
        file.set_real("/values", "add_offset", 100.0F);
        file.set_text("/values", "units", "celsius");
    }
    file.close();
    return h5::File::open(path);
}

MappedArray mapped(const h5::File& file, const char* name, const std::string& entry) {
    const Json map = Json::parse("{\"" + std::string(name) + "\": " + entry + "}", "map");
    JsonReader reader(map, "map");
    return {*find_array(name, Geometry::radial), reader, file};
}

TEST(MappedArray, TakesCasesFromAnyAxis) {
    const ScratchFolder folder;
    const h5::File file = counted_file(folder.file("a.h5"), {3, 2, 4});
    const MappedArray array = mapped(file, "permeability_r", R"({"array": "/values", "axes": "r z n", "unit": "mD"})");
    EXPECT_EQ(array.extent('n'), 4);
    EXPECT_THAT(array.values(file, 1, {2, 3}), ElementsAre(1.0F, 9.0F, 17.0F, 5.0F, 13.0F, 21.0F));
    const MappedArray between =
        mapped(file, "permeability_r", R"({"array": "/values", "axes": "r n z", "unit": "mD"})");
    EXPECT_THAT(between.values(file, 1, {4, 3}),
                ElementsAre(4.0F, 12.0F, 20.0F, 5.0F, 13.0F, 21.0F, 6.0F, 14.0F, 22.0F, 7.0F, 15.0F, 23.0F));
}

TEST(MappedArray, LeavesAxesOfExtentOneOut) {
    const ScratchFolder folder;
    for (const std::vector<std::int64_t>& extents :
         {std::vector<std::int64_t>{1, 4}, std::vector<std::int64_t>{4, 1}, std::vector<std::int64_t>{1, 4, 1}}) {
        const h5::File file = counted_file(folder.file("a.h5"), extents);
        const MappedArray array =
            mapped(file, "injection_rate", R"({"array": "/values", "axes": "n", "unit": "Mt/year"})");
        EXPECT_EQ(array.extent('n'), 4);
        EXPECT_THAT(array.values(file, 2, {}), ElementsAre(2.0F));
    }
}

TEST(MappedArray, RefusesTwoUnitsAndTakesNumbersThatStandForNoValueOut) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    {
        h5::File file = h5::File::create(path);
        file.create_array<double>("/values", {{4}, false, std::nullopt});
        file.write_rows<double>("/values", 0, 4, std::vector<double>{20.0, -999.0, 1e30, 0.0});
        file.set_texts("/values", "units", {"%", "1"});
        file.close();
    }
    const h5::File file = h5::File::open(path);
    try {
        mapped(file, "porosity", R"({"array": "/values", "axes": "r"})");
        ADD_FAILURE() << "one of two units was taken";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("/values: attribute units is a list of 2 texts (\"%\", \"1\")"));
    }
    const MappedArray porosity = mapped(file, "porosity", R"({"array": "/values", "axes": "r", "unit": "%"})");
    const std::vector<float> values = porosity.values(file, 0, {1, 4});
    EXPECT_FLOAT_EQ(values[0], 0.2F);
    EXPECT_TRUE(std::isnan(values[1]) && std::isnan(values[2]));
    EXPECT_EQ(values[3], 0.0F);
    EXPECT_THAT(porosity.notes_on_missing(file, 0),
                ElementsAre("porosity of 2 cells is -999, which stands for no value"));
    const MappedArray fraction =
        mapped(file, "van_genuchten_lambda", R"({"array": "/values", "axes": "n", "unit": "1"})");
    EXPECT_THAT(fraction.notes_on_missing(file, 0), ElementsAre()) << "only rock";
}

TEST(MappedArray, NotesNumbersThatAttributesTakeOut) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    {
        h5::File file = h5::File::create(path);
        file.create_array<double>("/values", {{2, 3}, false, std::nullopt});
        file.write_rows<double>(
            "/values", 0, 2,
            std::vector<double>{0.2, -1.0, -999.0, 0.3, 5.0, std::numeric_limits<double>::quiet_NaN()});
        file.set_real("/values", "_FillValue", -1.0F);
        file.set_real("/values", "valid_max", 1.0F);
        file.close();
    }
    const h5::File file = h5::File::open(path);
    const MappedArray porosity = mapped(file, "porosity", R"({"array": "/values", "axes": "n r", "unit": "1"})");
    EXPECT_THAT(porosity.notes_on_missing(file, 0),
                ElementsAre("porosity of 1 cell stands for no value by _FillValue, valid_max",
                            "porosity of 1 cell is -999, which stands for no value"));
    EXPECT_THAT(porosity.notes_on_missing(file, 1),
                ElementsAre("porosity of 1 cell stands for no value by _FillValue, valid_max"))
        << "a NaN that is stored was taken out by nobody";
}

TEST(MappedArray, SaysWhyThereIsNoUnit) {
    const ScratchFolder folder;
    const auto why = [&](const std::function<void(h5::File&)>& state, const std::string& entry) {
        {
            h5::File file = h5::File::create(folder.file("a.h5"));
            file.create_array<double>("/values", {{4}, false, std::nullopt});
            file.write_rows<double>("/values", 0, 4, std::vector<double>(4, 0.2));
            state(file);
            file.close();
        }
        try {
            mapped(h5::File::open(folder.file("a.h5")), "porosity", entry);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string entry = R"({"array": "/values", "axes": "r"})";
    EXPECT_THAT(why([](h5::File&) {}, entry), HasSubstr("no unit (/values has no attribute units)"));
    EXPECT_THAT(why([](h5::File& file) { file.set_text("/values", "units", " "); }, entry),
                HasSubstr("no unit (/values has an attribute units that is empty)"));
    EXPECT_THAT(why([](h5::File& file) { file.set_integer("/values", "units", 1); }, entry),
                HasSubstr("no unit (attribute units of /values is 1)"));
    EXPECT_THAT(why([](h5::File&) {}, R"({"array": "/values", "axes": "r", "unit": ""})"),
                HasSubstr("no unit (the one of the map is empty)"));
}

TEST(MappedArray, RefusesAxesThatFitInTwoWays) {
    const ScratchFolder folder;
    const h5::File file = counted_file(folder.file("a.h5"), {1, 4, 1});
    EXPECT_THROW(mapped(file, "permeability_r", R"({"array": "/values", "axes": "z r", "unit": "mD"})"), InvalidInput);
}

TEST(MappedArray, UnpacksNumbersBeforeTheUnitIsConverted) {
    const ScratchFolder folder;
    const h5::File file = counted_file(folder.file("a.h5"), {3}, true);
    const MappedArray array = mapped(file, "temperature", R"({"array": "/values", "axes": "n"})");
    EXPECT_THAT(array.values(file, 2, {}), ElementsAre(101.0F));
}

std::string refusal(const h5::File& file, const char* name, const std::string& entry) {
    try {
        mapped(file, name, entry);
    } catch (const InvalidData& error) {
        return error.what();
    }
    return "";
}

/// A file made by the library itself, with the array /values of 2 x 3.
class ForeignArray {
   public:
    ForeignArray(const std::string& path, hid_t type, hsize_t rows = 2, bool has_chunks = false)
        : path_(path), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {
        const std::array<hsize_t, 2> extents = {rows, 3}, chunk = {1, 3};
        const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
        if (has_chunks) {
            H5Pset_chunk(plan, 2, chunk.data());
            H5Pset_shuffle(plan);
            H5Pset_deflate(plan, 4);
        }
        space_ = H5Screate_simple(2, extents.data(), nullptr);
        data_ = H5Dcreate2(file_, "values", type, space_, H5P_DEFAULT, plan, H5P_DEFAULT);
        H5Pclose(plan);
    }
    void write(hid_t type, const void* values) const { H5Dwrite(data_, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values); }
    void write_first_row(const std::array<double, 3>& values) const {
        const std::array<hsize_t, 2> start = {0, 0}, count = {1, 3};
        const hid_t memory = H5Screate_simple(2, count.data(), nullptr);
        H5Sselect_hyperslab(space_, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
        H5Dwrite(data_, H5T_NATIVE_DOUBLE, memory, space_, H5P_DEFAULT, values.data());
        H5Sclose(memory);
    }
    void attribute(const char* name, const char* text) const {
        const hid_t type = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
        H5Tset_size(type, std::string_view(text).size());
        const hid_t made = H5Acreate2(data_, name, type, scalar, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, type, text);
        H5Aclose(made);
        H5Sclose(scalar);
        H5Tclose(type);
    }
    h5::File opened() const {
        H5Dclose(data_);
        H5Sclose(space_);
        H5Fclose(file_);
        return h5::File::open(path_);
    }

   private:
    std::string path_;
    hid_t file_;
    hid_t space_ = H5I_INVALID_HID;
    hid_t data_ = H5I_INVALID_HID;
};

constexpr const char* mask = R"({"array": "/values", "axes": "z r", "unit": "1"})";

TEST(MappedArray, ReadsTruthValuesAndRefusesCodes) {
    const ScratchFolder folder;
    const auto enumeration = [](const char* none, const char* all) {
        const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
        const std::array<std::int8_t, 2> numbers = {0, 1};
        H5Tenum_insert(type, none, &numbers[0]);
        H5Tenum_insert(type, all, &numbers[1]);
        return type;
    };
    const std::array<std::int8_t, 6> marks = {0, 1, 1, 1, 1, 0};
    const hid_t truth = enumeration("FALSE", "TRUE"), rocks = enumeration("SAND", "SHALE");
    const ForeignArray of_truth(folder.file("a.h5"), truth), of_rocks(folder.file("b.h5"), rocks);
    of_truth.write(truth, marks.data());
    of_rocks.write(rocks, marks.data());
    const h5::File file = of_truth.opened();
    EXPECT_THAT(mapped(file, "active", mask).values(file, 0, {2, 3}), ElementsAre(0.0F, 1.0F, 1.0F, 1.0F, 1.0F, 0.0F));
    EXPECT_THAT(refusal(of_rocks.opened(), "active", mask), HasSubstr("/values holds no numbers but an enumeration"));
    H5Tclose(truth);
    H5Tclose(rocks);
}

TEST(MappedArray, RefusesArraysThatHoldNothing) {
    const ScratchFolder folder;
    const ForeignArray empty(folder.file("a.h5"), H5T_NATIVE_DOUBLE, 0);
    EXPECT_THAT(refusal(empty.opened(), "active", mask), HasSubstr("/values holds nothing (an extent is 0)"));
    const std::array<double, 6> ones = {1, 1, 1, 1, 1, 1};
    const ForeignArray part(folder.file("b.h5"), H5T_NATIVE_DOUBLE, 2, true);
    part.write_first_row({1, 1, 1});
    EXPECT_THAT(refusal(part.opened(), "active", mask), HasSubstr("/values: parts of it were never written"));
    const ForeignArray whole(folder.file("c.h5"), H5T_NATIVE_DOUBLE, 2, true);
    whole.write(H5T_NATIVE_DOUBLE, ones.data());
    EXPECT_EQ(refusal(whole.opened(), "active", mask), "");
    const ForeignArray characters(folder.file("d.h5"), H5T_NATIVE_DOUBLE);
    characters.write(H5T_NATIVE_DOUBLE, ones.data());
    characters.attribute("MATLAB_class", "char");
    EXPECT_THAT(refusal(characters.opened(), "active", mask), HasSubstr("holds characters"));
}

TEST(MappedArray, RefusesAnAxisThatCountsUpwards) {
    const ScratchFolder folder;
    const ForeignArray axis(folder.file("a.h5"), H5T_NATIVE_DOUBLE, 1);
    const std::array<double, 3> edges = {0, 10, 20};
    axis.write(H5T_NATIVE_DOUBLE, edges.data());
    axis.attribute("positive", "UP ");
    const h5::File file = axis.opened();
    EXPECT_THAT(refusal(file, "z_edges", R"({"array": "/values", "unit": "m"})"), HasSubstr("/values counts upwards"));
    EXPECT_EQ(refusal(file, "r_edges", R"({"array": "/values", "unit": "m"})"), "");
}

TEST(MappedArray, KnowsUnitsAsFilesOfOthersSpellThem) {
    const ScratchFolder folder;
    const auto value_of = [&](const char* array, const char* unit) {
        h5::File file = counted_file(folder.file("a.h5"), {3});
        const std::string entry = R"({"array": "/values", "axes": "n", "unit": ")" + std::string(unit) + "\"}";
        return mapped(file, array, entry).values(file, 2, {})[0];
    };
    for (const char* unit : {"kg s-1", "kg s^-1", "kg.s-1", "kg/s"}) {
        EXPECT_NEAR(value_of("injection_rate", unit), 2.0 * 365.25 * 86400.0 * 1e-9, 1e-8) << unit;
    }
    EXPECT_NEAR(value_of("injection_rate", "t d-1"), 2.0 * 365.25e-6, 1e-9);
    EXPECT_EQ(value_of("injection_rate", "Mt/yr"), 2.0F);
    EXPECT_NEAR(value_of("initial_pressure", "Pascal"), 2e-5, 1e-9);
    EXPECT_NEAR(value_of("initial_pressure", "MPa"), 20.0, 1e-5);
    for (const char* unit : {"hPa", "mbar"}) {
        EXPECT_NEAR(value_of("initial_pressure", unit), 2e-3, 1e-8) << unit;
    }
    EXPECT_NEAR(value_of("initial_pressure", "N m-2"), 2e-5, 1e-9);
    EXPECT_NEAR(value_of("initial_pressure", "psia"), 2.0 * 0.0689475729, 1e-6);
    EXPECT_EQ(value_of("initial_pressure", "barsa"), 2.0F);
    EXPECT_EQ(value_of("initial_pressure", "Bar"), 2.0F);
    EXPECT_EQ(value_of("van_genuchten_lambda", "m3/m3"), 2.0F);
    EXPECT_EQ(value_of("van_genuchten_lambda", "Fraction"), 2.0F);
    EXPECT_NEAR(value_of("injection_rate", "tonnes/day"), 2.0 * 365.25e-6, 1e-9);
    EXPECT_NEAR(value_of("injection_rate", "kg/d"), 2.0 * 365.25e-9, 1e-12);
    EXPECT_NEAR(value_of("temperature", "degrees_fahrenheit"), -30.0 / 1.8, 1e-4);
    EXPECT_NEAR(value_of("temperature", "degree_kelvin"), 2.0 - 273.15, 1e-4);
    EXPECT_NEAR(value_of("temperature", "kelvins"), 2.0 - 273.15, 1e-4);
    EXPECT_THROW(value_of("initial_pressure", "mPa"), InvalidInput) << "a thousandth, not a million";
    EXPECT_EQ(value_of("temperature", "\u00b0C"), 2.0F);
    EXPECT_NEAR(value_of("temperature", "Kelvin"), 2.0 - 273.15, 1e-4);
    const h5::File maps = counted_file(folder.file("b.h5"), {1, 1, 3});
    for (const auto& [unit, millidarcy] : {std::pair("D", 1000.0F), {"Millidarcy", 1.0F}, {"mDarcy", 1.0F}}) {
        const std::string entry = R"({"array": "/values", "axes": "n z r", "unit": ")" + std::string(unit) + "\"}";
        EXPECT_THAT(mapped(maps, "permeability_r", entry).values(maps, 0, {1, 3}),
                    ElementsAre(0.0F, millidarcy, 2.0F * millidarcy));
    }
}

TEST(MappedArray, NotesUnitsThatItDoesNotKnow) {
    const ScratchFolder folder;
    const ForeignArray rock(folder.file("a.h5"), H5T_NATIVE_DOUBLE);
    const std::array<double, 6> values = {1, 2, 3, 1, 2, 3};
    rock.write(H5T_NATIVE_DOUBLE, values.data());
    rock.attribute("units", "log10(mD)");
    const h5::File file = rock.opened();
    EXPECT_EQ(mapped(file, "permeability_r", R"({"array": "/values", "axes": "z r", "unit": "mD"})").note(),
              "/values has the attribute units \"log10(mD)\", which is not known here; the map says \"mD\", which "
              "counts");
}

TEST(MappedArray, NotesOtherUnitsAndTimesThatCountFromADate) {
    const ScratchFolder folder;
    const ForeignArray axis(folder.file("a.h5"), H5T_NATIVE_DOUBLE, 1);
    const std::array<double, 3> times = {24, 48, 72};
    axis.write(H5T_NATIVE_DOUBLE, times.data());
    axis.attribute("units", "hours since 2020-01-01 ");
    const h5::File file = axis.opened();
    const MappedArray stated = mapped(file, "times", R"({"array": "/values"})");
    EXPECT_THAT(stated.edges(file), ElementsAre(1.0, 2.0, 3.0));
    EXPECT_EQ(stated.note(), "/values counts from 2020-01-01 (units), which is taken for the start of injection");
    const MappedArray other = mapped(file, "times", R"({"array": "/values", "unit": "day"})");
    EXPECT_THAT(other.edges(file), ElementsAre(24.0, 48.0, 72.0));
    EXPECT_THAT(other.note(), HasSubstr("but the map says \"day\", which counts"));
    EXPECT_EQ(mapped(file, "times", R"({"array": "/values", "unit": "h"})").note(), "");
}

}  // namespace
}  // namespace plumecast
