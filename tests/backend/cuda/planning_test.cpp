#include "backend/cuda/planning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/conv/conv_cases.hpp"
#include "backend/cuda/kernels/conv/tile/ops.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "support/counted_memory.hpp"

namespace plumecast::testing {
namespace {

/// Takes the memory that convolutions by tiles take on an H100, and computes nothing.
class TilesOfAnH100 {
   public:
    CountedMemory& memory() { return memory_; }
    int multiprocessors() const { return 132; }
    int most_shared_bytes(int blocks) const { return std::min(227 << 10, (228 << 10) / blocks - 1024); }
    template <class Kernel>
    void run(std::int64_t /*count*/, const Kernel& /*kernel*/) {}
    template <class Kernel>
    void run_blocks(std::int64_t /*blocks*/, int /*shared_bytes*/, const Kernel& /*kernel*/) {}

   private:
    CountedMemory memory_;
};

/// The arrays of a convolution in the memory of a planner.
struct PlannedConv {
    PlannedConv(Backend& backend, const ConvCase& of)
        : y(backend.memory(), of.output(), backend.field_type()),
          weight(backend.memory(), of.weight(), DType::float32),
          slope(backend.memory(), of.weight(), DType::float32) {
        for (std::size_t i = 0; i < of.inputs.size(); ++i) {
            fields.emplace_back(backend.memory(), of.part(i), backend.field_type());
            inputs.emplace_back(fields.back().view());
            gradients.push_back({fields.back().view()});
        }
    }

    Tensor y, weight, slope;
    std::vector<Tensor> fields;
    std::vector<ConstView> inputs;
    std::vector<OutputRef> gradients;
};

/// What an op takes of a planner beside what was taken before [B].
std::size_t counted(Backend& backend, const std::function<void()>& op) {
    backend.reset_peak_bytes();
    const std::size_t before = backend.peak_bytes();
    op();
    return backend.peak_bytes() - before;
}
/// What it takes by tiles; nothing where tiles cannot.
std::size_t taken(const std::function<bool(TilesOfAnH100&)>& op) {
    TilesOfAnH100 tiles;
    op(tiles);
    return tiles.memory().peak_bytes();
}

void expect_tiles_within_plan(Precision precision, const ConvCase& of) {
    const std::string what = of.name + ", precision " + std::to_string(static_cast<int>(precision));
    const std::unique_ptr<Backend> plan = cuda::make_cuda_planner(precision);
    PlannedConv a(*plan, of);
    const ConstView y = a.y.view(), weight = a.weight.view();
    const std::size_t forward = taken([&](TilesOfAnH100& tiles) {
        return cuda::tile::conv(tiles, precision, of.geometry, a.inputs, weight, {}, {a.y.view()}, {});
    });
    EXPECT_GT(forward, 0u) << what;
    EXPECT_GE(counted(*plan, [&] { plan->conv(of.geometry, a.inputs, weight, {}, {a.y.view()}, {}); }), forward)
        << what;
    const std::size_t data = taken([&](TilesOfAnH100& tiles) {
        return cuda::tile::conv_data_gradient(tiles, precision, of.geometry, y, weight, a.gradients);
    });
    EXPECT_GE(counted(*plan, [&] { plan->conv_data_gradient(of.geometry, y, weight, a.gradients); }), data) << what;
    const std::size_t weights = taken([&](TilesOfAnH100& tiles) {
        return cuda::tile::conv_weight_gradient(tiles, precision, of.geometry, a.inputs, y, {a.slope.view()});
    });
    EXPECT_GE(counted(*plan, [&] { plan->conv_weight_gradient(of.geometry, a.inputs, y, {a.slope.view()}); }), weights)
        << what;
}

TEST(CudaPlanner, CountsWhatConvolutionsByTilesTake) {
    for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
        for (const ConvCase& one : conv_cases()) {
            if (one.cells.count() > 0) {
                expect_tiles_within_plan(precision, one);
            }
        }
    }
}

void expect_packed_weights_counted(Precision precision, const ConvCase& one, WeightReader reader) {
    const std::unique_ptr<Backend> plan = cuda::make_cuda_planner(precision);
    PlannedConv a(*plan, one);
    TilesOfAnH100 tiles;
    PackedForms taken;
    cuda::tile::pack_conv_weight(tiles, precision, one.geometry, a.inputs, a.weight.view(), a.y.view(), reader, taken);
    plan->reset_peak_bytes();
    const std::size_t before = plan->peak_bytes();
    const PackedForms kept = plan->pack_conv_weight(one.geometry, a.inputs, a.weight.view(), a.y.view(), reader);
    EXPECT_GE(kept.bytes(),
              taken.bytes() + static_cast<std::size_t>(one.weight().count()) * size_of(plan->field_type()))
        << one.name;
    EXPECT_GE(plan->peak_bytes(), before + kept.bytes()) << one.name;
}

TEST(CudaPlanner, CountsWeightsThatAPlanKeepsPacked) {
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        for (const ConvCase& one : conv_cases()) {
            expect_packed_weights_counted(precision, one, WeightReader::conv);
            expect_packed_weights_counted(precision, one, WeightReader::data_gradient);
        }
    }
}

// Eight classes of taps, each packed as if it had all of them, and 41 channels in two groups of 40: five times the
// weights, more than what is counted for a library.
TEST(CudaPlanner, CountsPackedWeightsWhereTheyAreTheMostThatAConvolutionTakes) {
    const ConvGeometry up{.stride = {2, 2, 2}, .padding_high = {0, 0, 0}, .transposed = true};
    expect_tiles_within_plan(Precision::fp32, {"wide", up, {1, 1, 1, 1}, {4096}, 41});
}

TEST(CudaPlanner, NamesEachKernelThatIsStarted) {
    std::vector<cuda::PlannedKernel> heard;
    const auto plan = cuda::make_cuda_planner(Precision::fp32, [&](const cuda::PlannedKernel& kernel) {
        EXPECT_GT(kernel.indices, 0);
        heard.push_back(kernel);
    });
    const Tensor x(plan->memory(), {3, 5}, DType::float32), none(plan->memory(), {0, 5}, DType::float32);
    Tensor y(plan->memory(), {3, 5}, DType::float32), nothing(plan->memory(), {0, 5}, DType::float32);
    plan->add(1.0, none, {nothing});
    EXPECT_TRUE(heard.empty()) << "nothing to add";
    plan->add(1.0, x, {y});
    ASSERT_EQ(heard.size(), 1u);
    using Copy = cuda::kernel::Elementwise<4, cuda::kernel::Convert<float>, float, float>;
    EXPECT_EQ(heard.front().type, typeid(Copy));
    EXPECT_EQ(heard.front().indices, 4) << "15 elements, four at a time";
    EXPECT_TRUE(heard.front().is_narrow);
}

TEST(CudaPlanner, TakesAsManyRowsAtOnceAsADevice) {
    const auto plan = cuda::make_cuda_planner(Precision::fp32);
    EXPECT_EQ(plan->rows_at_once(std::size_t{1} << 10), std::int64_t{1} << 16) << "64 MiB of rows";
    EXPECT_EQ(plan->rows_at_once(std::size_t{1} << 30), 1);
}

}  // namespace
}  // namespace plumecast::testing
