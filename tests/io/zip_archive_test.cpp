#include "io/zip_archive.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// The number of so many bytes at a place of an archive.
std::size_t number_at(const std::string& bytes, std::size_t place, int count) {
    std::size_t value = 0;
    for (int i = count - 1; i >= 0; --i) {
        value = value << 8 | static_cast<unsigned char>(bytes.at(place + static_cast<std::size_t>(i)));
    }
    return value;
}

TEST(ZipArchive, HoldsTheFilesOfAFolderByName) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / "plumecast_zip_test";
    std::filesystem::create_directories(folder / "no_file");
    std::ofstream(folder / "b", std::ios::binary) << "123456789";
    std::ofstream(folder / "a", std::ios::binary) << "";
    std::ofstream(folder / ".mark") << "hidden";
    const std::string archive = zip_archive(folder);
    // The first file, then the second with the checksum that stands for these digits everywhere.
    EXPECT_EQ(number_at(archive, 0, 4), 0x04034b50U);
    const std::string second = "plumecast_zip_test/b";
    const std::size_t name = archive.find(second);
    EXPECT_LT(archive.find("plumecast_zip_test/a"), name);
    EXPECT_EQ(archive.substr(name + second.size(), 9), "123456789");
    EXPECT_EQ(number_at(archive, name - 16, 4), 0xcbf43926U);
    EXPECT_EQ(number_at(archive, name - 12, 4), 9U);
    // The end tells how many there are and where their list begins.
    const std::size_t end = archive.size() - 22;
    EXPECT_EQ(number_at(archive, end, 4), 0x06054b50U);
    EXPECT_EQ(number_at(archive, end + 10, 2), 2U);
    EXPECT_EQ(archive.find("hidden"), std::string::npos);
    EXPECT_EQ(number_at(archive, number_at(archive, end + 16, 4), 4), 0x02014b50U);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace plumecast
