#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

#include "reservoir/dataset/channel_layout.hpp"
#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using testing::ScratchFolder;

std::string write_channels(const ScratchFolder& folder, const std::vector<std::string>& names) {
    const std::string path = folder.file("channels.h5");
    h5::File file = h5::File::create(path);
    file.create_array<float>("/channels", {{2, 2, 3, 4, 2}, true, std::nullopt});
    std::vector<float> values(96);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i / 8 % 3 == 2 ? 0.0F : static_cast<float>(i + 1);
    }
    file.write_rows<float>("/channels", 0, 2, values);
    if (!names.empty()) {
        file.set_texts("/channels", "names", names);
    }
    file.close();
    return path;
}

TEST(ChannelFileSource, GivesOneDenseGroupAndTheMask) {
    const ScratchFolder folder;
    const std::string path = write_channels(folder, {"time", "permeability_r"});
    EXPECT_TRUE(is_channel_file(path));
    const auto source = channel_file_source(path);
    EXPECT_EQ(source->extents(), (Shape{2, 3, 4}));
    const std::int64_t which = 1;
    const Batch batch = source->load({&which, 1});
    ASSERT_EQ(batch.inputs.size(), 1U);
    EXPECT_EQ(batch.inputs[0].values.shape(), (Shape{1, 2, 3, 4, 2}));
    EXPECT_EQ(batch.inputs[0].values.values<float>()[0], 49.0F);
    EXPECT_THAT(batch.active.values<float>(), ::testing::ElementsAre(1, 1, 0, 1, 1, 0));
    EXPECT_TRUE(batch.targets.empty());
}

TEST(ChannelFileSource, RefusesNamesThatDoNotMatch) {
    const ScratchFolder folder;
    EXPECT_THROW(channel_file_source(write_channels(folder, {"one", "two", "three"})), InvalidData);
}

TEST(ChannelFileSource, FeedsAResultFileWithoutAGrid) {
    const ScratchFolder folder;
    const std::string path = write_channels(folder, {});
    const Tensor values = host_zeros({2, 2, 3, 4});
    const Tensor active = host_zeros({2, 2, 3});
    const std::vector<std::int64_t> cases = {0, 1};
    FieldsWriter writer(folder.file("out.h5"), path, {"pressure_buildup"}, {});
    writer.write("pressure_buildup", cases, values, active);
    writer.commit();
    EXPECT_THAT(h5::File::open(folder.file("out.h5")).arrays(), ::testing::ElementsAre("/outputs/pressure_buildup"));
}

}  // namespace
}  // namespace plumecast
