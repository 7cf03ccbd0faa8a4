#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <stdlib.h>

#include <gtest/gtest.h>

namespace plumecast::testing {

/// An empty folder that lives as long as the test.
class TemporaryFolder : public ::testing::Test {
   protected:
    TemporaryFolder() {
        std::string pattern = ::testing::TempDir() + "plumecast_XXXXXX";
        folder_ = ::mkdtemp(pattern.data());
    }
    ~TemporaryFolder() override { std::filesystem::remove_all(folder_); }

    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
    }
    static void write(const std::filesystem::path& path, const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
    }
    static std::string read(const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    std::filesystem::path folder_;
};

}  // namespace plumecast::testing
