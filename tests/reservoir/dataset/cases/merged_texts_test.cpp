#include <gmock/gmock.h>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/dataset/cases/case_texts.hpp"
#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

/// The three sample cases at other rates, with a text each.
std::string with_reasons(const ScratchFolder& folder, const std::string& name, float rate,
                         const std::vector<std::string>& reasons) {
    DatasetContent content = sample_content();
    for (float& value : content.arrays["injection_rate"]) {
        value = rate += 0.01F;
    }
    write_dataset(folder.file("plain_" + name), content);
    return with_case_texts(folder.file("plain_" + name), folder.file(name), "reason", reasons);
}

TEST(MergedTexts, AreAsLongAsTheLongestOfAllFiles) {
    const ScratchFolder folder;
    MergeOptions options;
    options.sources = {with_reasons(folder, "first.h5", 0.1F, {"", "short", "b"}),
                       with_reasons(folder, "second.h5", 0.5F, {"a reason that is much longer", "x", ""})};
    options.output = folder.file("merged.h5");
    merge_datasets(options);
    EXPECT_THAT(h5::File::open(folder.file("merged.h5")).read_texts("/case/reason"),
                ::testing::ElementsAre("", "short", "b", "a reason that is much longer", "x", ""));
}

}  // namespace
}  // namespace plumecast::testing
