#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/store/file_store.hpp"
#include "reservoir/h5/stored_meaning.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::h5 {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

/// A file with one array that has a number as attribute for each pair.
File with_attributes(const std::string& path, const std::vector<std::pair<std::string, float>>& attributes) {
    File file = File::create(path);
    file.create_array<std::int64_t>("/values", {{3}, false, std::nullopt});
    for (const auto& [name, value] : attributes) {
        file.set_real("/values", name, value);
    }
    file.close();
    return File::open(path);
}

std::vector<double> applied(const StoredMeaning& meaning, std::vector<double> stored) {
    meaning.apply(stored);
    return stored;
}

TEST(StoredMeaning, UnpacksAsNetcdfToolsDo) {
    const ScratchFolder folder;
    const File file = with_attributes(folder.file("a.h5"), {{"scale_factor", 0.5F}, {"add_offset", 10.0F}});
    const StoredMeaning meaning(file, "/values");
    EXPECT_TRUE(meaning.is_packed());
    EXPECT_THAT(applied(meaning, {0.0, 4.0, -2.0}), ::testing::ElementsAre(10.0, 12.0, 9.0));
    EXPECT_EQ(meaning.packing_text(), "scale_factor 0.5, add_offset 10");
}

TEST(StoredMeaning, KnowsNumbersThatStandForNone) {
    const ScratchFolder folder;
    const File file = with_attributes(
        folder.file("a.h5"),
        {{"_FillValue", -999.0F}, {"missing_value", -1.0F}, {"valid_max", 100.0F}, {"scale_factor", 2.0F}});
    const std::vector<double> values = applied(StoredMeaning(file, "/values"), {-999.0, -1.0, 101.0, 7.0});
    EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]) && std::isnan(values[2]));
    EXPECT_EQ(values[3], 14.0);
}

TEST(StoredMeaning, RefusesAScaleThatIsNoNumber) {
    const ScratchFolder folder;
    {
        File file = File::create(folder.file("a.h5"));
        file.create_array<double>("/values", {{3}, false, std::nullopt});
        file.set_text("/values", "scale_factor", "0.1");
        file.close();
    }
    const File file = File::open(folder.file("a.h5"));
    EXPECT_THROW(StoredMeaning(file, "/values"), InvalidData);
}

/// A file with the array /values of a type, as tools of other languages write it, and attributes of double precision.
File foreign_file(const std::string& path, hid_t type, const std::vector<std::pair<const char*, double>>& attributes,
                  const char* is_unsigned = nullptr, hid_t plan = H5P_DEFAULT) {
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t extent = 3;
    const hid_t space = H5Screate_simple(1, &extent, nullptr), scalar = H5Screate(H5S_SCALAR);
    const hid_t data = H5Dcreate2(id, "values", type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    for (const auto& [name, value] : attributes) {
        const hid_t made = H5Acreate2(data, name, H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, H5T_NATIVE_DOUBLE, &value);
        H5Aclose(made);
    }
    if (is_unsigned != nullptr) {
        const hid_t text = H5Tcopy(H5T_C_S1);
        H5Tset_size(text, std::string_view(is_unsigned).size());
        const hid_t made = H5Acreate2(data, "_Unsigned", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, text, is_unsigned);
        H5Aclose(made);
        H5Tclose(text);
    }
    H5Dclose(data);
    H5Sclose(space);
    H5Sclose(scalar);
    H5Fclose(id);
    return File::open(path);
}

TEST(StoredMeaning, ComparesInThePrecisionOfTheArray) {
    const ScratchFolder folder;
    const File file = foreign_file(folder.file("a.h5"), H5T_NATIVE_FLOAT,
                                   {{"_FillValue", 1e20}, {"valid_max", 0.4}, {"valid_min", 0.1}});
    const std::vector<double> stored = {1e20F, 0.4F, 0.1F, 0.5F, 9.9692099683868690e+36F};
    const std::vector<double> values = applied(StoredMeaning(file, "/values"), stored);
    EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[3]) && std::isnan(values[4]));
    EXPECT_EQ(values[1], stored[1]);
    EXPECT_EQ(values[2], stored[2]);
}

TEST(StoredMeaning, TakesNegativeNumbersForLargeOnesWhereTheFileSaysSo) {
    const ScratchFolder folder;
    const File file =
        foreign_file(folder.file("a.h5"), H5T_STD_I8LE, {{"_FillValue", -1.0}, {"scale_factor", 2.0}}, "true");
    const StoredMeaning meaning(file, "/values");
    EXPECT_TRUE(meaning.is_packed());
    EXPECT_EQ(meaning.packing_text(), "scale_factor 2, _Unsigned true");
    const std::vector<double> values = applied(meaning, {-106.0, -1.0, 7.0});
    EXPECT_EQ(values[0], 300.0);
    EXPECT_TRUE(std::isnan(values[1]));
    EXPECT_EQ(values[2], 14.0);
}

/// How a new array is stored: with that fill value, in chunks of one entry.
class Storage {
   public:
    template <class T>
    Storage(hid_t type, T fill) : plan_(H5Pcreate(H5P_DATASET_CREATE)) {
        const hsize_t chunk = 1;
        H5Pset_chunk(plan_, 1, &chunk);
        H5Pset_fill_value(plan_, type, &fill);
    }
    ~Storage() { H5Pclose(plan_); }
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    hid_t plan() const { return plan_; }

   private:
    hid_t plan_;
};

TEST(StoredMeaning, TakesTheFillOfIntegersForNoValueWhereNetcdfStatesIt) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    const auto is_missing = [&](hid_t type, double value, hid_t plan) {
        const File file = foreign_file(path, type, {}, nullptr, plan);
        return std::isnan(applied(StoredMeaning(file, "/values"), {value})[0]);
    };
    const Storage of_short(H5T_NATIVE_SHORT, short{-32767}), of_ushort(H5T_NATIVE_USHORT, std::uint16_t{65535}),
        of_int(H5T_NATIVE_INT, -2147483647), of_uint(H5T_NATIVE_UINT, 4294967295U),
        of_int64(H5T_NATIVE_INT64, std::int64_t{-9223372036854775806}),
        of_uint64(H5T_NATIVE_UINT64, std::uint64_t{18446744073709551614U}),
        of_byte(H5T_NATIVE_SCHAR, std::int8_t{-127}), of_other(H5T_NATIVE_SHORT, short{-999});
    EXPECT_TRUE(is_missing(H5T_STD_I16LE, -32767.0, of_short.plan()));
    EXPECT_TRUE(is_missing(H5T_STD_U16BE, 65535.0, of_ushort.plan()));
    EXPECT_TRUE(is_missing(H5T_STD_I32LE, -2147483647.0, of_int.plan()));
    EXPECT_TRUE(is_missing(H5T_STD_U32LE, 4294967295.0, of_uint.plan()));
    EXPECT_TRUE(is_missing(H5T_STD_I64LE, -9223372036854775806.0, of_int64.plan()));
    EXPECT_TRUE(is_missing(H5T_STD_U64LE, 18446744073709551614.0, of_uint64.plan()));
    EXPECT_FALSE(is_missing(H5T_STD_I16LE, -32767.0, H5P_DEFAULT)) << "nothing says that netCDF wrote it";
    EXPECT_FALSE(is_missing(H5T_STD_I8LE, -127.0, of_byte.plan())) << "each byte is a value";
    EXPECT_FALSE(is_missing(H5T_STD_I16LE, -999.0, of_other.plan())) << "written by somebody";
}

TEST(StoredMeaning, RefusesWhatWasNeverWrittenUnlessItsFillIsKnown) {
    const ScratchFolder folder;
    const auto refusal = [&](double fill, const std::vector<std::pair<const char*, double>>& attributes) {
        const Storage storage(H5T_NATIVE_DOUBLE, fill);
        const File file = foreign_file(folder.file("a.h5"), H5T_NATIVE_FLOAT, attributes, nullptr, storage.plan());
        try {
            StoredMeaning(file, "/values").require_written(file, "/values");
        } catch (const InvalidData& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal(-999.0, {}), HasSubstr("/values: parts of it were never written (HDF5 gives -999 for them)"));
    EXPECT_EQ(refusal(-999.0, {{"_FillValue", -999.0}}), "");
    EXPECT_EQ(refusal(0.0, {}), "");
    EXPECT_EQ(refusal(9.9692099683868690e+36, {}), "");
}

TEST(StoredMeaning, TakesARangeOfTheTypeOfTheScaleForOneOfValues) {
    const ScratchFolder folder;
    const std::vector<std::pair<const char*, double>> attributes = {
        {"scale_factor", 1e-4}, {"valid_min", 0.0}, {"valid_max", 0.3}};
    const auto in_short = foreign_file(folder.file("a.h5"), H5T_NATIVE_SHORT, attributes);
    const std::vector<double> values = applied(StoredMeaning(in_short, "/values"), {2000.0, 3000.0, -1.0, 3001.0});
    EXPECT_EQ(values[0], 0.2);
    EXPECT_DOUBLE_EQ(values[1], 0.3);
    EXPECT_TRUE(std::isnan(values[2]) && std::isnan(values[3]));
    const auto in_long = foreign_file(folder.file("b.h5"), H5T_NATIVE_INT64, attributes);
    EXPECT_EQ(applied(StoredMeaning(in_long, "/values"), {2000.0})[0], 0.2) << "no integers, however wide these are";
    const File offset = with_attributes(folder.file("c.h5"), {{"add_offset", 100.0F}, {"valid_min", 100.0F}});
    const std::vector<double> shifted = applied(StoredMeaning(offset, "/values"), {0.0, 5.0, -1.0});
    EXPECT_EQ(shifted[0], 100.0);
    EXPECT_EQ(shifted[1], 105.0);
    EXPECT_TRUE(std::isnan(shifted[2]));
}

TEST(StoredMeaning, TakesARangeOfIntegersForOneOfStoredNumbersBesideOneOfValues) {
    const ScratchFolder folder;
    {
        File file = File::create(folder.file("a.h5"));
        file.create_array<std::int64_t>("/values", {{3}, false, std::nullopt});
        file.set_real("/values", "scale_factor", 0.5F);
        file.set_integer("/values", "valid_min", 10);
        file.set_real("/values", "valid_max", 10.0F);
        file.close();
    }
    const File file = File::open(folder.file("a.h5"));
    const StoredMeaning meaning(file, "/values");
    const std::vector<double> values = applied(meaning, {9.0, 10.0, 20.0, 21.0});
    EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[3]));
    EXPECT_EQ(values[1], 5.0);
    EXPECT_EQ(values[2], 10.0);
    EXPECT_EQ(meaning.missing_text(), "valid_min, valid_max");
    const File plain = with_attributes(folder.file("b.h5"), {{"valid_max", 10.0F}});
    EXPECT_TRUE(std::isnan(applied(StoredMeaning(plain, "/values"), {11.0})[0])) << "nothing is packed";
}

std::string refusal(const File& file) {
    try {
        StoredMeaning(file, "/values");
    } catch (const InvalidData& error) {
        return error.what();
    }
    return "";
}

TEST(StoredMeaning, ReadsEverySpellingOfWhetherIntegersHaveASign) {
    const ScratchFolder folder;
    const auto least = [&](const char* is_unsigned, hid_t type, double stored) {
        return applied(StoredMeaning(foreign_file(folder.file("a.h5"), type, {}, is_unsigned), "/values"), {stored})[0];
    };
    for (const char* text : {"true", "True", "TRUE"}) {
        EXPECT_EQ(least(text, H5T_STD_I8LE, -106.0), 150.0) << text;
        EXPECT_EQ(least(text, H5T_STD_U8LE, 150.0), 150.0) << text;
    }
    for (const char* text : {"false", "False"}) {
        EXPECT_EQ(least(text, H5T_STD_I8LE, -106.0), -106.0) << text;
        EXPECT_EQ(least(text, H5T_STD_U8LE, 150.0), -106.0) << text;
        EXPECT_EQ(least(text, H5T_STD_U8LE, 127.0), 127.0) << text;
    }
    const auto in_number = [&](hid_t type, double number, double stored) {
        const File file = foreign_file(folder.file("a.h5"), type, {{"_Unsigned", number}});
        return applied(StoredMeaning(file, "/values"), {stored})[0];
    };
    EXPECT_EQ(in_number(H5T_STD_I16LE, 1.0, -1.0), 65535.0);
    EXPECT_EQ(in_number(H5T_STD_U16LE, 0.0, 65535.0), -1.0);
    EXPECT_THAT(refusal(foreign_file(folder.file("a.h5"), H5T_STD_I8LE, {}, "yes")),
                HasSubstr("/values: attribute _Unsigned is \"yes\""));
    EXPECT_THAT(refusal(foreign_file(folder.file("a.h5"), H5T_STD_I8LE, {{"_Unsigned", 2.0}})),
                HasSubstr("/values: attribute _Unsigned is 2"));
}

TEST(StoredMeaning, MarksWhatStandsForNoValueWithTheSignThatIsMeant) {
    const ScratchFolder folder;
    const File file =
        foreign_file(folder.file("a.h5"), H5T_STD_U8LE, {{"_FillValue", 255.0}, {"scale_factor", 2.0}}, "false");
    const StoredMeaning meaning(file, "/values");
    EXPECT_EQ(meaning.packing_text(), "scale_factor 2, _Unsigned false");
    const std::vector<double> values = applied(meaning, {255.0, 254.0});
    EXPECT_TRUE(std::isnan(values[0]));
    EXPECT_EQ(values[1], -4.0);
}

TEST(StoredMeaning, RefusesAScaleOrAnOffsetThatLeavesNoValues) {
    const ScratchFolder folder;
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [name, number, text] : {std::tuple("scale_factor", 0.0, "0 (all values would be the same)"),
                                             {"scale_factor", nan, "NaN (no value"},
                                             {"scale_factor", infinity, "infinity (no value"},
                                             {"add_offset", nan, "NaN (no value"},
                                             {"add_offset", -infinity, "-infinity (no value"}}) {
        EXPECT_THAT(refusal(foreign_file(folder.file("a.h5"), H5T_NATIVE_SHORT, {{name, number}})),
                    HasSubstr("/values: attribute " + std::string(name) + " is " + text));
    }
    EXPECT_EQ(refusal(foreign_file(folder.file("a.h5"), H5T_NATIVE_SHORT, {{"add_offset", 0.0}})), "");
}

TEST(Dataset, RefusesPackedNumbersByName) {
    const ScratchFolder folder;
    const std::string path = testing::write_sample(folder);
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t data = H5Dopen2(id, "/inputs/temperature", H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    ASSERT_GE(data, 0);
    const hid_t attribute = H5Acreate2(data, "scale_factor", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    const double scale = 0.5;
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &scale);
    H5Aclose(attribute);
    H5Dclose(data);
    H5Fclose(id);
    const std::vector<Violation> violations = validate(path);
    ASSERT_FALSE(violations.empty());
    EXPECT_TRUE(std::ranges::any_of(violations, [](const Violation& violation) {
        return violation.is_error && violation.problem.find("scale_factor 0.5") != std::string::npos;
    }));
    EXPECT_THROW(Dataset{path}, InvalidData);
}

/// What is wrong with a data set.
std::string errors_of(const std::string& path) {
    std::string all;
    for (const Violation& violation : validate(path)) {
        all += violation.is_error ? violation.path + ": " + violation.problem + "\n" : "";
    }
    return all;
}

TEST(Dataset, RefusesArraysThatWereWrittenInPartOrCountUpwards) {
    const ScratchFolder folder;
    const std::string path = testing::write_sample(folder);
    EXPECT_EQ(errors_of(path), "");
    {
        const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t old = H5Dopen2(id, "/inputs/temperature", H5P_DEFAULT), space = H5Dget_space(old);
        hsize_t cases = 0;
        H5Sget_simple_extent_dims(space, &cases, nullptr);
        ASSERT_GT(cases, 1U);
        H5Dclose(old);
        H5Ldelete(id, "/inputs/temperature", H5P_DEFAULT);
        const hsize_t chunk = 1, first = 0;
        const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(plan, 1, &chunk);
        const hid_t data =
            H5Dcreate2(id, "/inputs/temperature", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, plan, H5P_DEFAULT);
        const hid_t memory = H5Screate_simple(1, &chunk, nullptr);
        const float value = 60.0F;
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &chunk, nullptr);
        H5Dwrite(data, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, &value);
        H5Dclose(data);
        H5Sclose(memory);
        H5Sclose(space);
        H5Pclose(plan);
        H5Fclose(id);
    }
    EXPECT_THAT(errors_of(path), HasSubstr("/inputs/temperature: parts of it were never written"));
    const std::string other = testing::write_sample(folder);
    const hid_t id = H5Fopen(other.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t data = H5Dopen2(id, "/grid/z_edges", H5P_DEFAULT), scalar = H5Screate(H5S_SCALAR);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 3);
    const hid_t made = H5Acreate2(data, "positive", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, text, "Up ");
    H5Aclose(made);
    H5Tclose(text);
    H5Sclose(scalar);
    H5Dclose(data);
    H5Fclose(id);
    EXPECT_THAT(errors_of(other), HasSubstr("/grid/z_edges: counts upwards"));
}

TEST(Dataset, HasNoValueWhereAnOutputHoldsItsFillValue) {
    const ScratchFolder folder;
    const std::string path = testing::write_sample(folder);
    const float first = File::open(path).read<float>("/outputs/pressure_buildup")[0];
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t data = H5Dopen2(id, "/outputs/pressure_buildup", H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    H5Adelete(data, "_FillValue");
    const hid_t made = H5Acreate2(data, "_FillValue", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, H5T_NATIVE_FLOAT, &first);
    H5Aclose(made);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(id);
    EXPECT_THAT(errors_of(path), HasSubstr("/outputs/pressure_buildup: case 0, cell [0, 0], time 0: value NaN"));
}

TEST(StoredMeaning, IsReadOnceForEachArrayOfADataSet) {
    const ScratchFolder folder;
    File file = File::create(folder.file("a.h5"));
    file.create_array<float>("/inputs/values", {{3}, false, std::nullopt});
    file.write_rows<float>("/inputs/values", 0, 3, std::vector<float>{1.0F, 2.0F, 3.0F});
    file.set_real("/inputs/values", "_FillValue", 1.0F);
    const auto missing = [](const FileStore& store) {
        std::vector<float> values(3);
        store.read_rows("/inputs/values", 0, 3, values);
        return std::ranges::count_if(values, [](float value) { return std::isnan(value); });
    };
    const FileStore store(file);
    EXPECT_EQ(missing(store), 1);
    file.set_real("/inputs/values", "valid_max", 2.5F);
    EXPECT_EQ(missing(store), 1);
    EXPECT_EQ(missing(FileStore(file)), 2);
}

}  // namespace
}  // namespace plumecast::h5
