#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
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

/// A file of two arrays of numbers, as a program other than ours writes it.
hid_t foreign_file(const std::string& path) { return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT); }

void add_shorts(hid_t file, const char* name, const std::vector<std::int16_t>& values) {
    const hsize_t extent = values.size();
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    const hid_t data = H5Dcreate2(file, name, H5T_STD_I16LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(data);
    H5Sclose(space);
}

void add_attribute(hid_t file, const char* array, const char* name, double value) {
    const hid_t data = H5Dopen2(file, array, H5P_DEFAULT);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(data, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Dclose(data);
}

TEST(H5File, UnpacksWhatAttributesSayOfTheStoredNumbers) {
    const ScratchFolder folder;
    const hid_t id = foreign_file(folder.file("a.h5"));
    add_shorts(id, "/packed", {10, 20, -1});
    add_attribute(id, "/packed", "scale_factor", 0.1);
    add_attribute(id, "/packed", "add_offset", 5.0);
    add_attribute(id, "/packed", "_FillValue", -1.0);
    add_shorts(id, "/marked", {3, 4, 9});
    add_attribute(id, "/marked", "missing_value", 9.0);
    H5Fclose(id);
    const File file = File::open(folder.file("a.h5"));
    const std::vector<float> values = file.read<float>("/packed");
    EXPECT_FLOAT_EQ(values[0], 6.0F);
    EXPECT_FLOAT_EQ(values[1], 7.0F);
    EXPECT_TRUE(std::isnan(values[2]));
    std::vector<std::int64_t> whole(2);
    file.read_rows<std::int64_t>("/marked", 0, 2, whole);
    EXPECT_THAT(whole, ::testing::ElementsAre(3, 4));
    EXPECT_THROW(file.read<std::int64_t>("/marked"), InvalidData);
}

TEST(H5File, RefusesAttributesOfStoredNumbersThatItDoesNotUnderstand) {
    const ScratchFolder folder;
    const hid_t id = foreign_file(folder.file("a.h5"));
    add_shorts(id, "/unsigned", {1});
    add_attribute(id, "/unsigned", "_Unsigned", 1.0);
    add_shorts(id, "/endless", {1});
    add_attribute(id, "/endless", "scale_factor", std::numeric_limits<double>::infinity());
    H5Fclose(id);
    const File file = File::open(folder.file("a.h5"));
    for (const auto& [array, attribute] :
         {std::pair("/unsigned", "_Unsigned"), std::pair("/endless", "scale_factor")}) {
        try {
            file.read<float>(array);
            ADD_FAILURE() << array << " was read";
        } catch (const InvalidData& error) {
            EXPECT_THAT(error.what(), ::testing::AllOf(HasSubstr(array), HasSubstr(attribute)));
        }
    }
}

TEST(H5File, ReadsAnIndexAlongAnyAxis) {
    const ScratchFolder folder;
    std::vector<float> values(24);
    std::iota(values.begin(), values.end(), 0.0F);
    {
        File file = File::create(folder.file("a.h5"));
        file.create_array<float>("/values", {{2, 3, 4}, false, std::nullopt});
        file.write_rows<float>("/values", 0, 2, values);
        file.close();
    }
    const File file = File::open(folder.file("a.h5"));
    EXPECT_THAT(file.read_slice("/values", 2, 1), ::testing::ElementsAre(1, 5, 9, 13, 17, 21));
    EXPECT_THAT(file.read_slice("/values", 0, 1), ::testing::ElementsAreArray(values.begin() + 12, values.end()));
}

TEST(H5File, FollowsSoftLinksWithinTheFile) {
    const ScratchFolder folder;
    const hid_t id = foreign_file(folder.file("a.h5"));
    H5Gclose(H5Gcreate2(id, "/data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    add_shorts(id, "/data/k", {7});
    H5Lcreate_soft("/data", id, "/folder", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("k", id, "/data/sibling", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/folder/sibling", id, "/far", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/around", id, "/around", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/nothing", id, "/dangling", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/k", id, "/outside", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(id);
    const File file = File::open(folder.file("a.h5"));
    for (const char* name : {"/folder/k", "/data/sibling", "/far"}) {
        EXPECT_THAT(file.read<float>(name), ::testing::ElementsAre(7.0F)) << name;
    }
    const std::pair<const char*, const char*> refused[] = {{"/around", "without an end"},
                                                           {"/dangling", "link to /nothing, where /nothing is missing"},
                                                           {"/outside", "link into another file ('other.h5')"}};
    for (const auto& [name, problem] : refused) {
        EXPECT_FALSE(file.has(name));
        try {
            file.info(name);
            ADD_FAILURE() << name << " was read";
        } catch (const InvalidData& error) {
            EXPECT_THAT(error.what(), HasSubstr(problem));
        }
    }
}

TEST(H5File, RefusesGroupsNestedWithoutMeasure) {
    const ScratchFolder folder;
    const hid_t id = foreign_file(folder.file("a.h5"));
    hid_t group = H5Gopen2(id, "/", H5P_DEFAULT);
    for (int depth = 0; depth < 3000; ++depth) {
        const hid_t next = H5Gcreate2(group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Gclose(group);
        group = next;
    }
    H5Gclose(group);
    H5Fclose(id);
    try {
        File::open(folder.file("a.h5")).arrays();
        FAIL() << "3,000 groups were walked";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("nested more than 64 deep"));
    }
}

/// Passes values on, under the number of a filter that is registered only while a test writes.
constexpr H5Z_filter_t foreign_filter = 32015;
std::size_t pass_on(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) { return bytes; }

TEST(H5File, NamesTheFilterThatIsMissing) {
    const ScratchFolder folder;
    const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, foreign_filter, 1, 1, "zstd", nullptr, nullptr, pass_on};
    ASSERT_GE(H5Zregister(&filter), 0);
    const hid_t id = foreign_file(folder.file("a.h5"));
    const hsize_t extent = 4;
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plan, 1, &extent);
    H5Pset_filter(plan, foreign_filter, H5Z_FLAG_MANDATORY, 0, nullptr);
    const hid_t data = H5Dcreate2(id, "/k", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    const std::vector<float> values(4, 1.0F);
    ASSERT_GE(H5Dwrite(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(data);
    H5Pclose(plan);
    H5Sclose(space);
    H5Fclose(id);
    H5Zunregister(foreign_filter);
    try {
        File::open(folder.file("a.h5")).read<float>("/k");
        FAIL() << "values behind an unknown filter were read";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), ::testing::AllOf(HasSubstr("'zstd' (number 32015)"), HasSubstr("HDF5_PLUGIN_PATH"),
                                                   HasSubstr("sound"), ::testing::Not(HasSubstr("damaged"))));
    }
}

std::string opening_problem(const std::string& path) {
    try {
        File::open(path);
    } catch (const InvalidData& error) {
        return error.what();
    }
    return "opened";
}

TEST(H5File, SaysWhyAFileCannotBeOpened) {
    const ScratchFolder folder;
    const std::string whole = testing::bytes_of(testing::write_sample(folder));
    const std::string path = folder.file("other.h5");
    testing::write_bytes(path, whole.substr(0, whole.size() / 2));
    EXPECT_THAT(opening_problem(path), HasSubstr("not written or copied to its end"));
    std::string newer = whole;
    newer[8] = 77;  // the version of the superblock
    testing::write_bytes(path, newer);
    EXPECT_THAT(opening_problem(path), HasSubstr("newer format"));
    const pid_t writer = ::fork();
    if (writer == 0) {  // writes by the newest format, whose files say that they are being written, and is ended
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        H5Fflush(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5F_SCOPE_GLOBAL);
        std::_Exit(0);
    }
    ASSERT_EQ(::waitpid(writer, nullptr, 0), writer);
    EXPECT_THAT(opening_problem(path), HasSubstr("has not closed it"));
}

/// Writes a file of many arrays; where it cannot, says why.
std::string written(const std::string& path) {
    try {
        File file = File::create(path, "known.h5");
        const std::vector<float> row(500, 1.5F);
        for (int array = 0; array < 12; ++array) {
            const std::string name = "/group" + std::to_string(array % 3) + "/a" + std::to_string(array);
            file.create_array<float>(name, {{4, 500}, array % 2 == 0, std::nullopt});
            for (std::int64_t at = 0; at < 4; ++at) {
                file.write_rows<float>(name, at, 1, row);
            }
            file.set_text(name, "units", "bar");
        }
        file.write_texts("/texts", std::vector<std::string>(100, "a text"));
        file.close();
    } catch (const IoError& error) {
        return error.what();
    }
    return "written";
}

TEST(H5File, FailsByOneMessageWhereverTheDiskIsFullAndLetsTheProcessEnd) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.h5");
    ASSERT_EQ(written(path), "written");
    const auto whole = static_cast<rlim_t>(std::filesystem::file_size(path));
    const auto write_with_limits = [&] {
        std::signal(SIGXFSZ, SIG_IGN);
        int failures = 0;
        for (rlim_t limit = 0; limit < whole; limit += 211) {
            const rlimit most{limit, RLIM_INFINITY};
            setrlimit(RLIMIT_FSIZE, &most);
            const std::string told = written(path);
            const bool is_clear =
                told.starts_with("known.h5: ") && told.find("(File too large); free space") != std::string::npos;
            failures += is_clear ? 0 : 1;
        }
        const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &none);
        failures += written(path) == "written" ? 0 : 1;
        std::filesystem::remove_all(std::filesystem::path(path).parent_path());
        std::exit(std::min(failures, 100));
    };
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_EXIT(write_with_limits(), ::testing::ExitedWithCode(0), "");
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
