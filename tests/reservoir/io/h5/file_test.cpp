#include <new>
#include <numeric>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/io/h5/file.hpp"
#include "support/limits/few_addresses.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::h5 {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

TEST(H5File, ReadsBackRowsAndAttributes) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    std::vector<float> values(24);
    std::iota(values.begin(), values.end(), 0.0F);
    {
        File file = File::create(path);
        file.create_array<float>("/group/values", {{4, 2, 3}, true, std::nullopt});
        file.write_rows<float>("/group/values", 0, 4, values);
        file.set_text("/group/values", "units", "bar");
        file.set_texts("/", "names", {"one", "two"});
        file.set_integer("/", "count", 7);
        file.close();
    }
    const File file = File::open(path);
    EXPECT_THAT(file.arrays(), ::testing::ElementsAre("/group/values"));
    EXPECT_EQ(file.text("/group/values", "units"), "bar");
    EXPECT_THAT(file.texts("/", "names"), ::testing::ElementsAre("one", "two"));
    EXPECT_EQ(file.integer("/", "count"), 7);
    EXPECT_EQ(file.text("/", "count"), std::nullopt);
    EXPECT_EQ(file.text("/absent", "units"), std::nullopt);
    std::vector<double> rows(12);
    file.read_rows<double>("/group/values", 1, 2, rows);
    EXPECT_EQ(rows.front(), 6.0);
    EXPECT_EQ(rows.back(), 17.0);
}

TEST(H5File, NamesTheArrayWhoseChecksumFails) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    {
        File file = File::create(path);
        file.create_array<float>("/values", {{1, 4096}, true, std::nullopt});
        std::vector<float> values(4096);
        std::uint32_t state = 1;
        for (float& value : values) {  // values deflate cannot shrink much
            state = state * 1664525U + 1013904223U;
            value = static_cast<float>(state);
        }
        file.write_rows<float>("/values", 0, 1, values);
        file.close();
    }
    std::string bytes = testing::bytes_of(path);
    bytes[bytes.size() - 5000] = static_cast<char>(bytes[bytes.size() - 5000] ^ 1);
    testing::write_bytes(path, bytes);
    try {
        File::open(path).read<float>("/values");
        FAIL() << "the flipped bit went unnoticed";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("/values"));
        EXPECT_THAT(error.what(), HasSubstr("checksum"));
    }
}

TEST(H5File, LacksMemoryWhereTheLibraryDoes) {
    constexpr std::int64_t count = 1 << 22;
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    std::vector<float> values(count, 1.0F);
    {
        File file = File::create(path);
        file.create_array<float>("/values", {{1, count}, true, std::nullopt});
        file.write_rows<float>("/values", 0, 1, values);
        file.close();
    }
    if (!testing::FewAddresses::are_possible()) {
        GTEST_SKIP() << "a sanitizer maps most addresses";
    }
    const File file = File::open(path);
    {
        const testing::FewAddresses limit(std::size_t{1} << 22);  // the library unpacks 16 MiB at once
        ASSERT_TRUE(limit.is_set());
        EXPECT_THROW(file.read_rows<float>("/values", 0, 1, values), std::bad_alloc);
    }
    file.read_rows<float>("/values", 0, 1, values);
    EXPECT_EQ(values.back(), 1.0F);
}

TEST(H5File, RefusesExtentsNoFileCouldHold) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    {
        File file = File::create(path);
        file.create_array<float>("/values", {{1LL << 30, 1000, 1000}, true, std::nullopt});
        file.close();
    }
    try {
        File::open(path).read<float>("/values");
        FAIL() << "petabytes were accepted";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("/values: the array declares"));
    }
}

TEST(H5File, DoesNotFollowLinksIntoOtherFiles) {
    const ScratchFolder folder;
    {
        File file = File::create(folder.file("other.h5"));
        file.create_array<double>("/secret", {{2}, false, std::nullopt});
        file.close();
        const hid_t id = H5Fcreate(folder.file("a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_external("other.h5", "/secret", id, "link", H5P_DEFAULT, H5P_DEFAULT);
        H5Fclose(id);
    }
    const File file = File::open(folder.file("a.h5"));
    EXPECT_FALSE(file.has("/link"));
    EXPECT_THROW(file.info("/link"), InvalidData);
}

TEST(H5File, SurvivesAnyFlippedByte) {
    const ScratchFolder folder;
    const std::string whole = testing::bytes_of(testing::write_sample(folder));
    const std::string path = folder.file("flipped.h5");
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); at += 97) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
        testing::write_bytes(path, bytes);
        try {
            const File file = File::open(path);
            for (const std::string& array : file.arrays()) {
                file.read<float>(array);
            }
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 0U);
}

TEST(H5File, LetsTheProcessEndSilentlyAfterADamagedFile) {
    const ScratchFolder folder;
    const std::string whole = testing::bytes_of(testing::write_sample(folder));
    const std::string path = folder.file("flipped.h5");
    const auto read_damaged = [&] {
        for (std::size_t at = 0; at < whole.size(); at += 97) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
            testing::write_bytes(path, bytes);
            try {
                const File file = File::open(path);
                file.arrays();
            } catch (const Error&) {  // the others are read too
            }
        }
        std::filesystem::remove_all(
            std::filesystem::path(path).parent_path());  // exit() leaves the folder's destructor out
        std::exit(0);
    };
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_EXIT(read_damaged(), ::testing::ExitedWithCode(0), ::testing::Not(HasSubstr("HDF5")));
}

}  // namespace
}  // namespace plumecast::h5
