#include <new>
#include <numeric>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/file.hpp"
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
    constexpr std::int64_t count = 1 << 24;
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
        // The library unpacks 64 MiB at once, which malloc never has at hand.
        const testing::FewAddresses limit(std::size_t{1} << 22);
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

/// A file with the array /values of integers, in chunks of one row; nothing is written where `values` is empty.
File chunked_file(const std::string& path, const std::vector<hsize_t>& extents, hid_t plan,
                  const std::vector<int>& values) {
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    const hid_t data = H5Dcreate2(id, "values", H5T_STD_I32LE, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (!values.empty()) {
        H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
    H5Pclose(plan);
    H5Dclose(data);
    H5Sclose(space);
    H5Fclose(id);
    return File::open(path);
}

TEST(H5File, ReadsArraysOfWhichLittleIsStored) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    const auto plan_of = [](std::vector<hsize_t> chunk) {
        const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(plan, static_cast<int>(chunk.size()), chunk.data());
        return plan;
    };
    const int fill = 7;
    const hid_t filled = plan_of({1, 64});
    H5Pset_fill_value(filled, H5T_NATIVE_INT, &fill);
    const File sparse = chunked_file(path, {64, 64}, filled, {});
    EXPECT_THAT(sparse.read<std::int64_t>("/values"), ::testing::Each(fill));
    EXPECT_TRUE(sparse.has_unwritten("/values"));
    EXPECT_EQ(sparse.fill_value("/values"), fill);
    const hid_t packed = plan_of({1, 65536});
    H5Pset_scaleoffset(packed, H5Z_SO_INT, H5Z_SO_INT_MINBITS_DEFAULT);
    H5Pset_deflate(packed, 4);
    const File twice = chunked_file(folder.file("b.h5"), {2, 65536}, packed, std::vector<int>(2 * 65536, 5));
    ASSERT_LT(1032 * twice.info("/values").stored_bytes, 2U * 65536 * 4) << "more than deflate packs alone";
    EXPECT_THAT(twice.read<float>("/values"), ::testing::Each(5.0F));
    const hid_t vast = plan_of({1, 1000, 1000});
    H5Pset_fill_value(vast, H5T_NATIVE_INT, &fill);
    const File none = chunked_file(folder.file("c.h5"), {1U << 30, 1000, 1000}, vast, {});
    EXPECT_THROW(none.info("/values"), InvalidData) << "petabytes, whatever the fill value";
}

TEST(H5File, ReadsTextsThatFortranPadsWithBlanks) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_FORTRAN_S1), scalar = H5Screate(H5S_SCALAR);
    H5Tset_size(type, 6);
    const hsize_t extent = 2;
    const hid_t list = H5Screate_simple(1, &extent, nullptr);
    const hid_t data = H5Dcreate2(id, "names", type, list, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "one   two 2 ");
    const hid_t made = H5Acreate2(data, "units", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, type, "mD    ");
    H5Aclose(made);
    H5Dclose(data);
    H5Sclose(list);
    H5Sclose(scalar);
    H5Tclose(type);
    H5Fclose(id);
    const File file = File::open(path);
    EXPECT_EQ(file.text("/names", "units"), "mD");
    EXPECT_THAT(file.read_texts("/names"), ::testing::ElementsAre("one", "two 2"));
}

/// What an action throws as InvalidData.
template <class Action>
std::string invalid(const Action& action) {
    try {
        action();
    } catch (const InvalidData& error) {
        return error.what();
    }
    return "nothing thrown";
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
    EXPECT_EQ(file.link_problem("/link"),
              "is a link into another file, /secret of 'other.h5' (not followed for safety); store the values in this "
              "file");
    EXPECT_EQ(file.link_problem("/nothing"), "");
    std::filesystem::remove(folder.file("other.h5"));
    EXPECT_EQ(invalid([&] { file.info("/link"); }),
              file.path() +
                  ": /link is a link into another file, /secret of 'other.h5', which is not there (not "
                  "followed for safety); store the values in this file");
}

TEST(H5File, FollowsSoftLinksWithinTheFile) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    {
        File file = File::create(path);
        file.create_array<double>("/deep/values", {{2}, false, std::nullopt});
        file.write_rows<double>("/deep/values", 0, 2, std::vector<double>{3.0, 4.0});
        file.set_text("/deep/values", "units", "bar");
        file.close();
        const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        H5Lcreate_soft("/deep/values", id, "absolute", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("deep", id, "group", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("values", id, "deep/relative", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/nowhere", id, "dangling", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/circle", id, "circle", H5P_DEFAULT, H5P_DEFAULT);
        H5Fclose(id);
    }
    const File file = File::open(path);
    for (const char* array : {"/absolute", "/group/values", "/deep/relative", "/group/relative"}) {
        ASSERT_TRUE(file.has(array)) << array;
        EXPECT_THAT(file.read<double>(array), ::testing::ElementsAre(3.0, 4.0)) << array;
        EXPECT_EQ(file.text(array, "units"), "bar") << array;
    }
    EXPECT_THAT(file.arrays(), ::testing::ElementsAre("/absolute", "/deep/relative", "/deep/values"));
    EXPECT_THAT(invalid([&] { file.info("/dangling"); }), HasSubstr("is a soft link to /nowhere, which is missing"));
    EXPECT_THAT(invalid([&] { file.info("/circle"); }), HasSubstr("a circle of links"));
}

TEST(H5File, ListsDeepGroupsInTimeThatGrowsWithTheirNumber) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    {
        const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        hid_t group = H5Gopen2(id, "/", H5P_DEFAULT);
        for (int level = 0; level < 3000; ++level) {
            const hid_t inner = H5Gcreate2(group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            H5Gclose(group);
            group = inner;
        }
        H5Gclose(group);
        H5Fclose(id);
    }
    EXPECT_TRUE(File::open(path).arrays().empty());
}

TEST(H5File, RefusesHardLinksInACircle) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(id, "/", id, "again", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(id);
    EXPECT_THAT(invalid([&] { File::open(path).arrays(); }), HasSubstr("circle"));
}

TEST(H5File, NamesTheFilterThatIsMissing) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    constexpr H5Z_filter_t zstd = 32015;
    if (H5Zfilter_avail(zstd) > 0) {
        GTEST_SKIP() << "this HDF5 has the filter";
    }
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t extent = 4;
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &extent, nullptr);
    H5Pset_chunk(plan, 1, &extent);
    H5Pset_filter(plan, zstd, H5Z_FLAG_OPTIONAL, 0, nullptr);
    const hid_t data = H5Dcreate2(id, "values", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    const hsize_t offset = 0;
    const std::vector<char> chunk(16, 'x');
    H5Dwrite_chunk(data, H5P_DEFAULT, 0, &offset, chunk.size(), chunk.data());
    H5Dclose(data);
    H5Fclose(id);
    const std::string message = invalid([&] { File::open(path).read<float>("/values"); });
    EXPECT_THAT(message, HasSubstr("has no filter zstd, number 32015"));
    EXPECT_THAT(message, HasSubstr("HDF5_PLUGIN_PATH"));
    EXPECT_THAT(message, ::testing::Not(HasSubstr("damaged")));
}

TEST(H5File, TellsWhyAFileCannotBeOpened) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    {
        File file = File::create(path);
        file.create_array<double>("/values", {{1000}, false, std::nullopt});
        file.write_rows<double>("/values", 0, 1000, std::vector<double>(1000, 1.0));
        file.close();
    }
    const std::string whole = testing::bytes_of(path);
    const auto message_of = [&](const std::string& bytes) {
        testing::write_bytes(path, bytes);
        return invalid([&] { File::open(path); });
    };
    EXPECT_THAT(message_of(whole.substr(0, 4000)),
                HasSubstr("truncated: 4000 of " + std::to_string(whole.size()) + " bytes"));
    std::string newer = whole;
    newer[8] = 9;  // version of the superblock
    EXPECT_THAT(message_of(newer), HasSubstr("superblock has version 9, newer than HDF5"));
    EXPECT_THAT(message_of("CDF\x02" + std::string(100, '\0')), HasSubstr("nccopy"));
    EXPECT_THAT(message_of("MATLAB 5.0 MAT-file" + std::string(100, ' ')), HasSubstr("-v7.3"));
    EXPECT_THAT(message_of("\x0e\x03\x13\x01" + std::string(100, ' ')), HasSubstr("h4toh5"));
    EXPECT_THAT(message_of("\x1f\x8b" + std::string(100, ' ')), HasSubstr("compressed with gzip"));
    EXPECT_THAT(message_of("version https://git-lfs.github.com/spec/v1"), HasSubstr("git lfs pull"));
    EXPECT_THAT(message_of("<!DOCTYPE html>"), HasSubstr("a web page"));
    EXPECT_THAT(message_of(""), HasSubstr("it is empty"));
}

TEST(H5File, SaysThatAWriterHasItOpen) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    const hid_t writer = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Fflush(writer, H5F_SCOPE_LOCAL);
    const std::string bytes = testing::bytes_of(path);
    H5Fclose(writer);
    testing::write_bytes(path, bytes);  // as after a writer that was killed
    EXPECT_THAT(invalid([&] { File::open(path); }), HasSubstr("has it open for writing"));
}

TEST(H5File, KeepsTextsOfAnyLength) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const hsize_t extent = 2;
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    const hid_t data = H5Dcreate2(id, "texts", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const char* texts[] = {"a", "a reason that is longer"};
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
    H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(id);
    EXPECT_THAT(File::open(path).read_texts("/texts"), ::testing::ElementsAre("a", "a reason that is longer"));
}

TEST(H5File, CopiesEntriesThatWereNeverWrittenAsWhatStandsForThem) {
    const ScratchFolder folder;
    const auto half_written = [&](const char* name, float fill) {
        File file = File::create(folder.file(name));
        file.create_array<float>("/a", {{2, 2}, true, fill});
        file.write_rows<float>("/a", 0, 1, std::vector<float>{1.0F, 2.0F});
        file.close();
        return File::open(folder.file(name));
    };
    const File first = half_written("first.h5", 0.25F), second = half_written("second.h5", 0.75F);
    File file = File::create(folder.file("copies.h5"));
    file.copy_array(first, "/a");
    EXPECT_THAT(file.read<float>("/a"), ::testing::ElementsAre(1.0F, 2.0F, 0.25F, 0.25F));
    file.close();
    File joined = File::create(folder.file("joined.h5"));
    joined.create_like(first, "/a", 4);
    for (std::int64_t row = 0; row < 4; ++row) {
        joined.copy_row(row < 2 ? first : second, "/a", row % 2, row);
    }
    EXPECT_THAT(joined.read<float>("/a"), ::testing::ElementsAre(1.0F, 2.0F, 0.25F, 0.25F, 1.0F, 2.0F, 0.75F, 0.75F));
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
