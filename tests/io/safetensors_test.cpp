#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/io/safetensors.hpp>

#include "reservoir/dataset/temporary_folder.hpp"

namespace plumecast {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string length_of(std::uint64_t length) {
    std::string text;
    for (int byte = 0; byte < 8; ++byte) {
        text += static_cast<char>(length >> (8 * byte) & 0xFF);
    }
    return text;
}

std::string file_of(const std::string& header, const std::string& data = "") {
    return length_of(header.size()) + header + data;
}

class SafetensorsTest : public testing::TemporaryFolder {
   protected:
    std::filesystem::path path_ = folder_ / "weights.safetensors";

    /// Message of the InvalidModel that opening such a file throws.
    std::string refusal(const std::string& content) {
        write(path_, content);
        try {
            const SafetensorsFile file(path_);
        } catch (const InvalidModel& error) {
            EXPECT_THAT(error.what(), AllOf(HasSubstr(path_.string()), Not(HasSubstr("\n"))));
            return error.what();
        }
        return "accepted";
    }
    /// An array of one type, read.
    Tensor read_one(const std::string& dtype, std::size_t count, const std::string& data) {
        write(path_, file_of(R"({"a":{"dtype":")" + dtype + R"(","shape":[)" + std::to_string(count) +
                                 R"(],"data_offsets":[0,)" + std::to_string(data.size()) + "]}}",
                             data));
        return SafetensorsFile(path_).read("a");
    }
};

TEST_F(SafetensorsTest, NamesPointersAndArchivesInThePlaceOfTheFile) {
    EXPECT_THAT(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"),
                HasSubstr("no safetensors file (it is a pointer of Git LFS, not the file); fetch the file itself with "
                          "'git lfs pull'"));
    EXPECT_THAT(refusal(std::string("\x1f\x8b\x08\0\0\0\0\0\xff", 9)), HasSubstr("gunzip"));
    EXPECT_THAT(refusal(R"({"metadata": {"total_size": 12}, "weight_map": {}})"), HasSubstr("JSON text"));
    // A header of 0x8b1f bytes begins as gzip does.
    std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    header.resize(0x8b1f, ' ');
    EXPECT_EQ(refusal(file_of(header, std::string(4, '\0'))), "accepted");
}

TEST_F(SafetensorsTest, NamesAShardWhereAnArrayIsMissing) {
    const Tensor a = host_tensor<float>({2}, std::vector<float>{1, 2});
    const auto missing = [&](const char* name) {
        write_safetensors(folder_ / name, std::vector<NamedView>{{"a", a}});
        try {
            SafetensorsFile(folder_ / name).read("b");
        } catch (const InvalidModel& error) {
            return std::string(error.what());
        }
        return std::string("read");
    };
    EXPECT_THAT(missing("model-00001-of-00002.safetensors"), HasSubstr("merge all of them into one file"));
    EXPECT_THAT(missing("whole.safetensors"), HasSubstr("use a file of the same architecture"));
}

TEST_F(SafetensorsTest, RoundTripsArraysNamesShapesAndMetadata) {
    const Tensor a = host_tensor<float>({2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
    const Tensor b = host_tensor<double>({2}, std::vector<double>{0.1, -0.2});
    const Tensor none = host_zeros({0, 4});
    const Tensor scalar = host_tensor<float>({}, std::vector<float>{7});
    write_safetensors(path_, std::vector<NamedView>{{"a", a}, {"b.\xc3\xa9", b}, {"none", none}, {"scalar", scalar}},
                      {{"licence", "Apache-2.0"}, {"note", "a \"b\"\n"}});
    const SafetensorsFile file(path_);
    EXPECT_THAT(file.names(), ElementsAre("b.\xc3\xa9", "a", "none", "scalar"));
    EXPECT_EQ(file.metadata().at("note"), "a \"b\"\n");
    EXPECT_EQ(file.shape("a"), (Shape{2, 3}));
    EXPECT_EQ(file.dtype("b.\xc3\xa9"), "F64");
    EXPECT_THAT(file.read("a").values<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(file.read("b.\xc3\xa9").values<double>(), ElementsAre(0.1, -0.2));
    EXPECT_EQ(file.read("none").shape(), (Shape{0, 4}));
    EXPECT_THAT(file.read("scalar").values<float>(), ElementsAre(7));
    EXPECT_TRUE(file.contains("none"));
    EXPECT_FALSE(file.contains("__metadata__"));
}

TEST_F(SafetensorsTest, ReadsComplexNumbersAsPairs) {
    const std::vector<float> pairs = {1, -2, 3, 4};
    const std::string data(reinterpret_cast<const char*>(pairs.data()), pairs.size() * sizeof(float));
    const Tensor complex = read_one("C64", 2, data);
    EXPECT_EQ(complex.shape(), (Shape{2, 2}));
    EXPECT_THAT(complex.values<float>(), ElementsAre(1, -2, 3, 4));
    EXPECT_EQ(SafetensorsFile(path_).dtype("a"), "F32");
}

TEST_F(SafetensorsTest, NamesFloatsOfEightBits) {
    for (const char* dtype : {"F8_E4M3", "F8_E5M2"}) {
        const std::string header =
            R"({"a":{"dtype":")" + std::string(dtype) + R"(","shape":[2],"data_offsets":[0,2]}})";
        EXPECT_THAT(refusal(file_of(header, "xx")), AllOf(HasSubstr(dtype), HasSubstr("tensor.float()")));
    }
}

TEST_F(SafetensorsTest, KeepsTheGivenOrderAndAlignsTheData) {
    const Tensor a = host_zeros({1});
    write_safetensors(path_, std::vector<NamedView>{{"z", a}, {"a", a}}, {}, ArrayOrder::given);
    EXPECT_THAT(SafetensorsFile(path_).names(), ElementsAre("z", "a"));
    EXPECT_EQ((std::filesystem::file_size(path_) - 8) % 8, 0u);
}

TEST_F(SafetensorsTest, MayHoldNoArray) {
    write_safetensors(path_, {});
    EXPECT_TRUE(SafetensorsFile(path_).names().empty());
}

TEST_F(SafetensorsTest, RefusesToWriteNamesUsedTwiceReservedOrBroken) {
    const Tensor a = host_zeros({1});
    EXPECT_THROW(write_safetensors(path_, std::vector<NamedView>{{"a", a}, {"a", a}}), InvalidInput);
    EXPECT_THROW(write_safetensors(path_, std::vector<NamedView>{{"__metadata__", a}}), InvalidInput);
    EXPECT_THROW(write_safetensors(path_, std::vector<NamedView>{{"\xff", a}}), InvalidInput);
    EXPECT_EQ(entries(), 0u);
}

TEST_F(SafetensorsTest, WidensHalfPrecisionExactly) {
    // 1, -2, smallest subnormal, largest, infinity, -0
    const std::string half("\x00\x3c\x00\xc0\x01\x00\xff\x7b\x00\x7c\x00\x80", 12);
    const Tensor tensor = read_one("F16", 6, half);
    EXPECT_THAT(tensor.values<float>(),
                ElementsAre(1.0f, -2.0f, 0x1p-24f, 65504.0f, std::numeric_limits<float>::infinity(), -0.0f));
    EXPECT_TRUE(std::signbit(tensor.values<float>()[5]));
    EXPECT_TRUE(std::isnan(read_one("F16", 1, std::string("\x01\x7e", 2)).values<float>()[0]));
}

TEST_F(SafetensorsTest, WidensBrainFloatsExactly) {
    EXPECT_THAT(read_one("BF16", 3, std::string("\x80\x3f\x49\x40\x80\xff", 6)).values<float>(),
                ElementsAre(1.0f, 3.140625f, -std::numeric_limits<float>::infinity()));
}

TEST_F(SafetensorsTest, ReadsIntegersAsFloat64) {
    EXPECT_THAT(read_one("I64", 2, length_of(3) + length_of(~std::uint64_t{0})).values<double>(), ElementsAre(3, -1));
    EXPECT_THAT(read_one("I32", 1, std::string("\xfe\xff\xff\xff", 4)).values<double>(), ElementsAre(-2));
    EXPECT_THAT(read_one("U16", 1, std::string("\xff\xff", 2)).values<double>(), ElementsAre(65535));
    EXPECT_THAT(read_one("I8", 2, "\xff\x7f").values<double>(), ElementsAre(-1, 127));
    EXPECT_THAT(read_one("BOOL", 2, std::string("\x00\x01", 2)).values<double>(), ElementsAre(0, 1));
    EXPECT_THAT(read_one("U8", 70000, std::string(70000, '\x05')).values<double>(), ::testing::Each(5.0));
}

TEST_F(SafetensorsTest, RefusesIntegersThatFloat64CannotHold) {
    EXPECT_NO_THROW(read_one("U64", 1, length_of((std::uint64_t{1} << 53) - 1)));
    EXPECT_THROW(read_one("U64", 1, length_of((std::uint64_t{1} << 53) + 1)), InvalidModel);
    EXPECT_THROW(read_one("I64", 1, length_of(std::uint64_t{1} << 63)), InvalidModel);
}

TEST_F(SafetensorsTest, NamesTheNearestArrayWhenOneIsMissing) {
    const Tensor a = host_zeros({1});
    write_safetensors(path_, std::vector<NamedView>{{"blocks.0.weight", a}, {"lift.bias", a}});
    const SafetensorsFile file(path_);
    try {
        file.read("block.0.weight");
        FAIL() << "accepted";
    } catch (const InvalidModel& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr(path_.string()), HasSubstr("nearest is \"blocks.0.weight\"")));
    }
}

TEST_F(SafetensorsTest, RefusesATruncatedFile) {
    const Tensor a = host_zeros({16});
    write_safetensors(path_, std::vector<NamedView>{{"a", a}});
    const std::string whole = read(path_);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_NE(refusal(whole.substr(0, size)), "accepted") << size;
    }
    EXPECT_EQ(refusal(whole), "accepted");
    EXPECT_THAT(refusal(whole + "x"), HasSubstr("1 bytes after the last array"));
}

TEST_F(SafetensorsTest, RefusesAHeaderLongerThanTheFile) {
    EXPECT_THAT(refusal(length_of(~std::uint64_t{0}) + "{}"), HasSubstr("header claims 18446744073709551615 bytes"));
    EXPECT_THAT(refusal(length_of(100'000'001) + "{}"), HasSubstr("header claims"));
    EXPECT_THAT(refusal(length_of(3) + "{}"), HasSubstr("header claims 3"));
    EXPECT_THAT(refusal(length_of(0)), HasSubstr("does not start with '{'"));
}

TEST_F(SafetensorsTest, RefusesAHeaderThatIsNotAJsonObject) {
    for (const char* header : {"[]", " {}", "{", "{}x", "{\"a\":\"\xff\"}", "null", "\xef\xbb\xbf{}"}) {
        EXPECT_NE(refusal(file_of(header)), "accepted") << header;
    }
    EXPECT_EQ(refusal(file_of("{}   ")), "accepted");
}

TEST_F(SafetensorsTest, RefusesDuplicateNames) {
    const std::string entry = R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
    EXPECT_THAT(refusal(file_of("{" + entry + "," + entry + "}", "1234")), HasSubstr("appears twice"));
}

struct Bad {
    const char* what;
    const char* header;
    const char* reason;
};

class HostileSafetensors : public SafetensorsTest, public ::testing::WithParamInterface<Bad> {};

TEST_P(HostileSafetensors, IsRefusedWithItsReason) {
    EXPECT_THAT(refusal(file_of(GetParam().header, "12345678")), HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    Headers, HostileSafetensors,
    ::testing::Values(
        Bad{"Overlap",
            R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})",
            "overlap"},
        Bad{"HoleAtTheStart", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "a hole before byte"},
        Bad{"HoleBetween",
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
            "a hole before byte"},
        Bad{"BytesLeft", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "after the last array"},
        Bad{"PastTheEnd", R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})", "outside the file"},
        Bad{"Backwards", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})", "outside the file"},
        Bad{"NegativeOffset", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}})", "outside the file"},
        Bad{"ThreeOffsets", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", "outside the file"},
        Bad{"WrongSize", R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", "takes 12"},
        Bad{"NegativeShape", R"({"a":{"dtype":"F32","shape":[-1,-2],"data_offsets":[0,8]}})", "impossible shape"},
        Bad{"NineAxes", R"({"a":{"dtype":"F64","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,8]}})", "impossible"},
        Bad{"Overflow", R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", "far more"},
        Bad{"OverflowBehindZero", R"({"a":{"dtype":"F32","shape":[0,4294967296,4294967296],"data_offsets":[0,0]}})",
            "far more"},
        Bad{"UnknownType", R"({"a":{"dtype":"Q8","shape":[8],"data_offsets":[0,8]}})", "unknown element type"},
        Bad{"FractionalShape", R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,8]}})", "shape[0] is a number"},
        Bad{"MissingShape", R"({"a":{"dtype":"F32","data_offsets":[0,8]}})", "shape is missing"},
        Bad{"UnknownKey", R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8],"code":"x"}})", "unknown key 'code'"},
        Bad{"EntryIsNoObject", R"({"a":[0,8]})", "is a list (an object is expected)"},
        Bad{"MetadataIsNoText", R"({"__metadata__":{"a":1}})", "a string is expected"}),
    [](const ::testing::TestParamInfo<Bad>& bad) { return bad.param.what; });

TEST_F(SafetensorsTest, SaysWhyTheSystemCannotReadOrWrite) {
    EXPECT_THROW(SafetensorsFile(folder_ / "none"), IoError);
    EXPECT_THROW(SafetensorsFile{folder_}, InvalidModel);
    EXPECT_THROW(write_safetensors(folder_ / "no" / "file", {}), IoError);
}

}  // namespace
}  // namespace plumecast
