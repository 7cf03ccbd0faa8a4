#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::h5 {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ScratchFolder;

/// Files with an array each, joined into one.
class JoinedTypeTest : public ::testing::Test {
   protected:
    std::string with_type(hid_t stored, hid_t memory, std::vector<hsize_t> extents, const void* values) {
        const std::string path = folder_.file(std::to_string(files_++) + ".h5");
        const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
        const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
        const Handle array(H5Dcreate2(file.get(), "a", stored, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Dclose);
        EXPECT_GE(H5Dwrite(array.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
        return path;
    }
    std::string integers(hid_t stored, const std::vector<std::int64_t>& values) {
        return with_type(stored, H5T_NATIVE_INT64, {values.size()}, values.data());
    }
    std::string reals(hid_t stored, const std::vector<double>& values) {
        return with_type(stored, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
    }
    std::string truths(const std::vector<std::int8_t>& values) {
        const Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
        const std::int8_t no = 0, yes = 1;
        H5Tenum_insert(type.get(), "FALSE", &no);
        H5Tenum_insert(type.get(), "TRUE", &yes);
        return with_type(type.get(), type.get(), {values.size()}, values.data());
    }
    /// In chunks of an entry each, behind a filter that keeps `bits` of the numbers alone.
    std::string in_few_bits(const std::vector<std::int64_t>& values, int bits) {
        const std::string path = folder_.file(std::to_string(files_++) + ".h5");
        const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
        const hsize_t extent = values.size(), chunk = 1;
        const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose),
            plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(plan.get(), 1, &chunk);
        H5Pset_scaleoffset(plan.get(), H5Z_SO_INT, bits);
        const Handle array(
            H5Dcreate2(file.get(), "a", H5T_STD_I64LE, space.get(), H5P_DEFAULT, plan.get(), H5P_DEFAULT), H5Dclose);
        EXPECT_GE(H5Dwrite(array.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
        return path;
    }
    std::vector<H5Z_filter_t> filters(const std::string& path) {
        const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
        const Handle array(H5Dopen2(file.get(), "a", H5P_DEFAULT), H5Dclose);
        const Handle plan(H5Dget_create_plist(array.get()), H5Pclose);
        std::vector<H5Z_filter_t> found;
        for (int i = 0; i < H5Pget_nfilters(plan.get()); ++i) {
            std::size_t count = 0;
            unsigned flags = 0;
            found.push_back(
                H5Pget_filter2(plan.get(), static_cast<unsigned>(i), &flags, &count, nullptr, 0, nullptr, nullptr));
        }
        return found;
    }
    /// Both arrays in a file of their own, one after the other.
    std::string joined(const std::string& one, const std::string& two) {
        const std::string path = folder_.file("joined.h5");
        const File first = File::open(one), second = File::open(two);
        const std::int64_t rows[] = {first.info("/a").extents[0], second.info("/a").extents[0]};
        File file = File::create(path);
        file.create_like(first, "/a", rows[0] + rows[1], {one, two});
        for (std::int64_t row = 0; row < rows[0] + rows[1]; ++row) {
            row < rows[0] ? file.copy_row(first, "/a", row, row) : file.copy_row(second, "/a", row - rows[0], row);
        }
        file.close();
        return path;
    }
    std::vector<double> numbers(const std::string& one, const std::string& two) {
        return File::open(joined(one, two)).read<double>("/a");
    }
    std::vector<std::int64_t> whole_numbers(const std::string& one, const std::string& two) {
        const File file = File::open(joined(one, two));
        EXPECT_EQ(file.type("/a").element, Element::integer);
        return file.read<std::int64_t>("/a");
    }
    std::string error_of(const std::string& one, const std::string& two) {
        try {
            joined(one, two);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }
    ScratchFolder folder_;

   private:
    int files_ = 0;
};

TEST_F(JoinedTypeTest, HoldsIntegersOfAllFiles) {
    EXPECT_THAT(whole_numbers(integers(H5T_STD_I8LE, {1, -2}), integers(H5T_STD_I64LE, {300, 70000})),
                ElementsAre(1, -2, 300, 70000));
    EXPECT_THAT(whole_numbers(integers(H5T_STD_U8LE, {255}), integers(H5T_STD_I8LE, {-1})), ElementsAre(255, -1));
    EXPECT_THAT(whole_numbers(integers(H5T_STD_U32BE, {4000000000}), integers(H5T_STD_I16LE, {-1})),
                ElementsAre(4000000000, -1));
    EXPECT_THAT(whole_numbers(integers(H5T_STD_U64LE, {1, 2}), integers(H5T_STD_I64LE, {-1})), ElementsAre(1, 2, -1));
    EXPECT_THAT(whole_numbers(integers(H5T_STD_U8LE, {7}), truths({1, 0})), ElementsAre(7, 1, 0));
}

TEST_F(JoinedTypeTest, HoldsRealsOfAllFiles) {
    EXPECT_THAT(numbers(integers(H5T_STD_I32LE, {1, 2000000001}), reals(H5T_IEEE_F32LE, {0.5})),
                ElementsAre(1.0, 2000000001.0, 0.5));
    EXPECT_THAT(numbers(reals(H5T_IEEE_F32LE, {0.5}), reals(H5T_IEEE_F64LE, {1e300})), ElementsAre(0.5, 1e300));
    EXPECT_THAT(numbers(reals(H5T_IEEE_F64LE, {1.5}), integers(H5T_STD_I64LE, {-1, -(1LL << 60), 1LL << 60})),
                ElementsAre(1.5, -1.0, -std::ldexp(1.0, 60), std::ldexp(1.0, 60)));
    EXPECT_EQ(File::open(joined(reals(H5T_IEEE_F32LE, {0.5}), integers(H5T_STD_U8LE, {1}))).type("/a").bytes, 4u);
}

TEST_F(JoinedTypeTest, HoldsRealsOfMoreBitsInAsManyBytes) {
    const Handle coarse(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
    H5Tset_fields(coarse.get(), 31, 20, 8, 0, 20);
    H5Tset_precision(coarse.get(), 32);
    const double fine = 1.0 + std::ldexp(1.0, -23);
    EXPECT_THAT(numbers(reals(coarse.get(), {1.0}), reals(H5T_IEEE_F32LE, {fine})), ElementsAre(1.0, fine));
    const Handle narrow(H5Tcopy(H5T_STD_I32LE), H5Tclose);
    H5Tset_precision(narrow.get(), 8);
    EXPECT_THAT(whole_numbers(integers(narrow.get(), {5}), integers(H5T_STD_I32LE, {70000})), ElementsAre(5, 70000));
}

TEST_F(JoinedTypeTest, KeepsAFilterThatLosesBitsOnlyWhereAllFilesHaveIt) {
    const std::string lossy = in_few_bits({1, 2, 3}, 3);
    EXPECT_THAT(whole_numbers(lossy, integers(H5T_STD_I64LE, {1000, 7000000})), ElementsAre(1, 2, 3, 1000, 7000000));
    EXPECT_THAT(filters(joined(lossy, integers(H5T_STD_I64LE, {1000}))),
                ElementsAre(H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32));
    EXPECT_THAT(filters(joined(lossy, in_few_bits({1000}, 5))),
                ElementsAre(H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32));
    EXPECT_THAT(filters(joined(lossy, in_few_bits({1000}, 3))), ElementsAre(H5Z_FILTER_SCALEOFFSET));
    EXPECT_THAT(whole_numbers(lossy, in_few_bits({1000}, 3)), ElementsAre(1, 2, 3, 1000));
}

TEST_F(JoinedTypeTest, RefusesANumberThatNoTypeHoldsWithTheOthers) {
    const std::int64_t odd = (1LL << 60) + 1;
    for (const std::int64_t number : {odd, -odd}) {
        EXPECT_THAT(error_of(reals(H5T_IEEE_F32LE, {0.5}), integers(H5T_STD_I64LE, {1, number})),
                    HasSubstr("/a entry 1 holds a number that no type holds together with those of the other files"));
    }
    const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    EXPECT_THAT(error_of(with_type(H5T_NATIVE_UINT64, H5T_NATIVE_UINT64, {1}, &largest), integers(H5T_STD_I64LE, {-1})),
                HasSubstr("/a entry 0 holds a number"));
}

TEST_F(JoinedTypeTest, RefusesOtherKindsAndShapes) {
    const std::string words = folder_.file("words.h5");
    File file = File::create(words);
    file.write_texts("/a", {"one", "two"});
    file.close();
    const std::string list = integers(H5T_STD_I64LE, {1, 2});
    EXPECT_THAT(error_of(list, words), HasSubstr("words.h5: /a holds values of another kind than in "));
    const std::int64_t values[] = {1, 2, 3, 4, 5, 6};
    const std::string threes = with_type(H5T_STD_I64LE, H5T_NATIVE_INT64, {2, 3}, values);
    const std::string twos = with_type(H5T_STD_I64LE, H5T_NATIVE_INT64, {3, 2}, values);
    EXPECT_THAT(error_of(threes, twos), HasSubstr("/a has another shape for a case than in "));
    EXPECT_THAT(error_of(list, twos), HasSubstr("/a has another shape for a case than in "));
    const std::string scalar = with_type(H5T_STD_I64LE, H5T_NATIVE_INT64, {}, values);
    const File first = File::open(list);
    File other = File::create(folder_.file("other.h5"));
    EXPECT_THROW(other.create_like(first, "/a", 3, {scalar}), InvalidData);
}

}  // namespace
}  // namespace plumecast::h5
