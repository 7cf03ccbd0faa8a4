#include <gmock/gmock.h>

#include "reservoir/dataset/cases/merged_files.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class MergedArraysTest : public MergedFiles {};

void write_seeds(h5::File& file) {
    file.create_array<std::int64_t>("/case/seed", {{3}, false, std::nullopt});
    file.write_rows<std::int64_t>("/case/seed", 0, 3, std::vector<std::int64_t>{300, 70000, -1});
}

/// One number for all cases.
void write_one_seed(const std::string& path) {
    const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const h5::Handle group(H5Gcreate2(file.get(), "/case", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    const h5::Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const h5::Handle array(
        H5Dcreate2(group.get(), "seed", H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    const std::int64_t seed = 5;
    ASSERT_GE(H5Dwrite(array.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &seed), 0);
}

TEST_F(MergedArraysTest, NamesWhatOneFileAloneHas) {
    const std::string bare = with("bare.h5", 0.1F);
    const std::string labelled = with("labelled.h5", 0.3F, [](h5::File& file) {
        write_seeds(file);
        file.write_texts("/case/family", {"a", "b", "c"});
        file.write_texts("/case/notes", {"of one", "of two", ""});
        file.write_texts("/case/rejected_reason", {"none"});
    });
    const std::string third = with("third.h5", 0.5F, write_seeds);
    EXPECT_THAT(merged({bare, labelled, third}).left_out, ElementsAre("/case/family", "/case/seed"));
    EXPECT_THAT(merged({labelled, bare, third}).left_out, ElementsAre("/case/family", "/case/seed"));
    EXPECT_THAT(merged({labelled, third}).left_out, ElementsAre("/case/family"));
}

TEST_F(MergedArraysTest, LeavesOutWhatOneFileHasOnceForAllCases) {
    const std::string listed = with("listed.h5", 0.1F, write_seeds);
    const std::string scalar = with("scalar.h5", 0.3F);
    write_one_seed(scalar);
    for (const std::vector<std::string>& sources : {std::vector{listed, scalar}, std::vector{scalar, listed}}) {
        EXPECT_THAT(merged(sources).left_out, ElementsAre("/case/seed"));
    }
}

TEST_F(MergedArraysTest, KeepsNumbersOfAllTypes) {
    const std::string narrow = with("narrow.h5", 0.1F, [](h5::File& file) {
        file.create_array<std::uint8_t>("/case/seed", {{3}, false, std::nullopt});
        file.write_rows<std::uint8_t>("/case/seed", 0, 3, std::vector<std::uint8_t>{1, 2, 255});
    });
    const std::string wide = with("wide.h5", 0.3F, write_seeds);
    EXPECT_THAT(merged({narrow, wide}).left_out, IsEmpty());
    EXPECT_THAT(h5::File::open(folder_.file("merged.h5")).read<std::int64_t>("/case/seed"),
                ElementsAre(1, 2, 255, 300, 70000, -1));
}

TEST_F(MergedArraysTest, NamesLinksThatLeadToNoArrayOfTheirFile) {
    const std::string whole = with("whole.h5", 0.1F, write_seeds);
    const std::string linked = with("linked.h5", 0.3F, [](h5::File& file) {
        file.write_texts("/case/name", {"a", "b", "c"});
    });
    {
        const h5::Handle file(H5Fopen(linked.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
        H5Lcreate_external("whole.h5", "/case/seed", file.get(), "/case/seed", H5P_DEFAULT, H5P_DEFAULT);
    }
    for (const std::vector<std::string>& sources : {std::vector{whole, linked}, std::vector{linked, whole}}) {
        const CaseReport report = merged(sources);
        EXPECT_THAT(report.left_out, ElementsAre("/case/name"));
        EXPECT_THAT(report.dead_links, ElementsAre(StartsWith(linked + ": /case/seed is a link into another file")));
    }
}

TEST_F(MergedArraysTest, LeaveOutWhatAResultSaysOfItsCases) {
    const std::string result = with("result.h5", 0.1F, [](h5::File& file) {
        file.set_text("/", "trust", "0 good, 2 doubtful, 1 bad");
        file.set_text("/", "skipped_cases", "1");
        file.set_text("/", "model", "reduced physics");
    });
    merged({result, with("other.h5", 0.3F, [](h5::File& file) { file.set_text("/", "model", "reduced physics"); })});
    SubsetOptions options;
    options.source = result;
    options.output = folder_.file("subset.h5");
    options.cases = {{1, 2}};
    subset_dataset(options);
    for (const char* name : {"merged.h5", "subset.h5"}) {
        const h5::File file = h5::File::open(folder_.file(name));
        EXPECT_EQ(file.text("/", "trust"), std::nullopt) << name;
        EXPECT_EQ(file.text("/", "skipped_cases"), std::nullopt) << name;
        EXPECT_EQ(file.text("/", "model"), "reduced physics") << name;
    }
}

}  // namespace
}  // namespace plumecast::testing
