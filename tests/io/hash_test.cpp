#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "io/durable.hpp"
#include "io/hash.hpp"

namespace plumecast {
namespace {

TEST(Sha256, ReproducesTheVectorsOfTheStandard) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFileEqualsThatOfItsBytes) {
    const auto path = std::filesystem::path(::testing::TempDir()) / "plumecast_hash_test";
    for (std::size_t size : {0u, 1u, 262143u, 262144u, 262145u, 600000u}) {
        const std::string bytes(size, 'a');
        std::ofstream(path, std::ios::binary) << bytes;
        EXPECT_EQ(sha256_of_file(path), sha256(bytes)) << size;
    }
    std::filesystem::remove(path);
}

TEST(Sha256, RefusesAMissingFileAndAFolder) {
    EXPECT_THROW(sha256_of_file("/nowhere/at/all"), IoError);
    EXPECT_THROW(sha256_of_file(::testing::TempDir()), IoError);
}

TEST(IoErrors, NameTheRemedyForReadingAndForWriting) {
    const auto message = [](const std::string& action) {
        try {
            throw_io_error(action, "weights.safetensors", EACCES);
        } catch (const IoError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(message("read").find("; let yourself read it"), std::string::npos);
    EXPECT_NE(message("write").find("; choose a folder you may write to"), std::string::npos);
}

}  // namespace
}  // namespace plumecast
