#include "reservoir/import/arrays/numpy_file.hpp"

#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <zlib.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A whole number of some bytes, the lowest first.
std::string little(std::size_t value, std::size_t count) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) {
        bytes += i < sizeof(value) ? static_cast<char>(value >> (8 * i) & 0xFF) : '\0';
    }
    return bytes;
}

/// A .npy file of version 1 as NEP 1 describes it.
std::string npy(const std::string& type, const std::string& shape, const std::string& data, bool is_fortran = false) {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + (is_fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
    header.resize((header.size() + 10) / 64 * 64 + 53, ' ');
    header += '\n';
    return "\x93NUMPY" + std::string("\1\0", 2) + little(header.size(), 2) + header + data;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::string deflated(const std::string& bytes) {
    std::string packed(bytes.size() + 100, '\0');
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// A ZIP archive of files, stored or deflated.
std::string zip(const std::vector<std::pair<std::string, std::string>>& files, bool is_deflated) {
    std::string archive, list;
    for (const auto& [name, content] : files) {
        const std::string packed = is_deflated ? deflated(content) : content;
        const auto check = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
        const std::string common = little(20, 2) + little(0, 2) + little(is_deflated ? 8 : 0, 2) + little(0, 4) +
                                   little(check, 4) + little(packed.size(), 4) + little(content.size(), 4) +
                                   little(name.size(), 2) + little(0, 2);
        list += "PK\1\2" + little(20, 2) + common + little(0, 10) + little(archive.size(), 4) + name;
        archive += "PK\3\4" + common + name + packed;
    }
    const std::size_t begin = archive.size();
    return archive + list + "PK\5\6" + little(0, 4) + little(files.size(), 2) + little(files.size(), 2) +
           little(list.size(), 4) + little(begin, 4) + little(0, 2);
}

class NumpyFile : public testing::TemporaryFolder {
   protected:
    NumberArray read_written(const std::string& name, const std::string& content, const std::string& array = "") {
        write(folder_ / name, content);
        return read_numpy((folder_ / name).string(), array);
    }
    std::string refusal(const std::string& name, const std::string& content, const std::string& array = "") {
        try {
            read_written(name, content, array);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(NumpyFile, HoldsNumbersOfAnyTypeInRowMajorOrder) {
    const NumberArray reals = read_written("a.npy", npy("<f4", "(2, 3)", bytes_of<float>({1, 2, 3, 4, 5, 6})));
    EXPECT_THAT(reals.extents, ElementsAre(2, 3));
    EXPECT_THAT(reals.values, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(read_written("a.npy", npy("<f8", "(2,)", bytes_of<double>({0.5, -2}))).values, ElementsAre(0.5F, -2));
    EXPECT_THAT(read_written("a.npy", npy("<i8", "(1,)", bytes_of<std::int64_t>({-7}))).values, ElementsAre(-7));
    EXPECT_THAT(read_written("a.npy", npy("<u2", "(1,)", bytes_of<std::uint16_t>({65535}))).values, ElementsAre(65535));
    EXPECT_THAT(read_written("a.npy", npy("|b1", "(2,)", std::string("\1\0", 2))).values, ElementsAre(1, 0));
}

TEST_F(NumpyFile, MayBeOfTheOtherByteOrder) {
    EXPECT_THAT(read_written("a.npy", npy(">f4", "(1,)", std::string("\x3F\x80\0\0", 4))).values, ElementsAre(1.0F));
    EXPECT_THAT(read_written("a.npy", npy(">i2", "(1,)", std::string("\x01\x02", 2))).values, ElementsAre(258.0F));
}

TEST_F(NumpyFile, MayBeInFortranOrder) {
    const NumberArray array = read_written("a.npy", npy("<f4", "(2, 3)", bytes_of<float>({1, 4, 2, 5, 3, 6}), true));
    EXPECT_THAT(array.extents, ElementsAre(2, 3));
    EXPECT_THAT(array.values, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(NumpyFile, ArchivesHoldArraysByName) {
    const std::string a = npy("<f4", "(2,)", bytes_of<float>({1, 2})), b = npy("<f4", "(1,)", bytes_of<float>({3}));
    for (const bool is_deflated : {false, true}) {
        const std::string archive = zip({{"a.npy", a}, {"b.npy", b}}, is_deflated);
        EXPECT_THAT(read_written("both.npz", archive, "b").values, ElementsAre(3));
        EXPECT_THAT(read_written("both.npz", archive, "a").values, ElementsAre(1, 2));
        EXPECT_THAT(refusal("both.npz", archive),
                    HasSubstr("holds several arrays; name one of them as \"array\": a, b"));
        EXPECT_THAT(refusal("both.npz", archive, "c"), HasSubstr("no array c in it"));
        EXPECT_THAT(read_written("one.npz", zip({{"b.npy", b}}, is_deflated)).values, ElementsAre(3));
    }
}

TEST_F(NumpyFile, WhatIsDamagedIsRefusedAndNeverRead) {
    const std::string whole = npy("<f4", "(2, 3)", bytes_of<float>({1, 2, 3, 4, 5, 6}));
    EXPECT_THAT(refusal("a.npy", whole.substr(0, whole.size() - 1)), HasSubstr("23 bytes of numbers"));
    EXPECT_THAT(refusal("a.npy", whole.substr(0, 30)), HasSubstr("ends within its header"));
    EXPECT_THAT(refusal("a.npy", "\x93NUMPY"), HasSubstr("is no array of NumPy"));
    EXPECT_THAT(refusal("a.npy", "hello"), HasSubstr("is no array of NumPy"));
    EXPECT_THAT(refusal("a.npy", npy("<f4", "(99999999999, 99999999999)", "")), HasSubstr("not those of its shape"));
    EXPECT_THAT(refusal("a.npy", npy("<f4", "(99999999999999999999,)", "")), HasSubstr("too large"));
    EXPECT_THAT(refusal("a.npy", npy("|O", "(1,)", "12345678")), HasSubstr("holds no plain numbers"));
    EXPECT_THAT(refusal("a.npy", npy("<f16", "(1,)", "1234567812345678")), HasSubstr("holds no plain numbers"));
    EXPECT_THAT(refusal("a.npy", npy("<f4", "(-2, 2)", "1234567812345678")), HasSubstr("negative extent"));
    EXPECT_THAT(refusal("a.npy", npy("|i1", "(33554432, 549755813889)", std::string(1 << 10, 'a'), true)),
                HasSubstr("not those of its shape"));
    EXPECT_THAT(refusal("a.npy", npy("<f9", "(1,)", "12345678")), HasSubstr("holds no plain numbers"));
    EXPECT_THAT(refusal("a.npy", npy("<c8", "(1,)", "12345678")), HasSubstr("complex numbers (<c8)"));
    EXPECT_THAT(refusal("a.npy", npy("<c16", "(1,)", "1234567812345678")), HasSubstr("array.imag"));
    EXPECT_THAT(refusal("a.npy", npy("<U4", "(1,)", "1234567812345678")), HasSubstr("holds text (<U4)"));
    const std::string archive = zip({{"a.npy", whole}}, true);
    for (const std::size_t length : {archive.size() - 30, archive.size() / 2, std::size_t{10}}) {
        EXPECT_NE(refusal("a.npz", archive.substr(0, length)), "") << length;
    }
    for (const bool is_deflated : {false, true}) {
        std::string flipped = zip({{"a.npy", whole}}, is_deflated);
        flipped[160 - (is_deflated ? 100 : 0)] ^= 0x55;
        EXPECT_NE(refusal("a.npz", flipped), "");
    }
}

}  // namespace
}  // namespace plumecast
