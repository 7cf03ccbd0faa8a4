#include "inference/prediction/packed_results.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "inference/prediction/file_results.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

/// Three cases of [4, 5] cells at 3 times on their way into a file.
class PackedResultsTest : public ::testing::Test {
   protected:
    static std::shared_ptr<const Tensor> tensor(Shape shape, double step) {
        Tensor values(host_memory(), shape, DType::float32);
        double next = 0.0;
        for (float& value : values.values<float>()) {
            value = static_cast<float>(std::abs(std::sin(next += step)));
        }
        return std::make_shared<const Tensor>(std::move(values));
    }
    static std::shared_ptr<const Tensor> marks() {
        Tensor values(host_memory(), {3, 4, 5}, DType::float32);
        for (std::size_t i = 0; i < 60; ++i) {
            values.values<float>()[i] = i % 7 == 0 ? 0.0F : 1.0F;
        }
        return std::make_shared<const Tensor>(std::move(values));
    }
    /// The bytes of a file whose fields were added so.
    std::string bytes(int busy, int processors) {
        const std::string path = folder_.file("out.h5");
        FileResults writer(path, &dataset_, input_, {"gas_saturation", "pressure_buildup"}, {});
        PackedResults results(writer, busy, processors);
        results.add("gas_saturation", {2, 0, 1}, tensor({3, 4, 5, 3}, 0.3), marks());
        results.add("pressure_buildup", {2, 0, 1}, tensor({3, 4, 5, 3}, 0.2), marks());
        results.finish();
        writer.commit();
        return bytes_of(path);
    }

    ScratchFolder folder_;
    std::string input_ = write_sample(folder_);
    Dataset dataset_{input_};
};

TEST_F(PackedResultsTest, WritesTheSameBytesWhicheverThreadsPack) {
    const std::string in_background = bytes(1, 2);
    EXPECT_EQ(bytes(1, 4), in_background) << "three threads in the background";
    EXPECT_EQ(bytes(1, 1), in_background) << "the caller";
    EXPECT_EQ(bytes(2, 2), in_background) << "two threads with the caller";
    const Dataset fields(folder_.file("out.h5"));
    std::vector<float> values(60);
    const std::int64_t first_added = 2;
    fields.read_output("gas_saturation", {&first_added, 1}, values);
    EXPECT_TRUE(std::isnan(values[0])) << "an inactive cell";
    EXPECT_EQ(values[20 + 1], static_cast<float>(std::abs(std::sin(0.3 * 5.0)))) << "cell 1 at time 1";
}

TEST_F(PackedResultsTest, HandsOnWhatPackingThrows) {
    FileResults writer(folder_.file("out.h5"), &dataset_, input_, {"gas_saturation"}, {});
    PackedResults at_once(writer, 2, 2);
    EXPECT_THROW(at_once.add("gas_saturation", {0}, tensor({1, 4, 4, 3}, 0.3), marks()), Error);
    PackedResults behind(writer, 1, 2);
    behind.add("gas_saturation", {0}, tensor({1, 4, 4, 3}, 0.3), marks());
    EXPECT_THROW(behind.finish(), Error);
}

}  // namespace
}  // namespace plumecast::testing
