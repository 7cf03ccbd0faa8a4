#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/inference/loss.hpp>
#include <plumecast/reservoir/metrics/errors.hpp>
#include <plumecast/training/optimizer.hpp>
#include <plumecast/training/recipe.hpp>

#include "inference/prediction/prediction_slot.hpp"
#include "support/comparison.hpp"
#include "support/heap_use.hpp"
#include "training/training_pass.hpp"

namespace plumecast::testing {
namespace {

constexpr std::int64_t rows = 24, columns = 40, times = 8, width = 8;
// The smallest field at full resolution; the grid is padded, so a pass holds larger ones.
constexpr std::size_t field_bytes = rows * columns * times * width * sizeof(float);
// What oneDNN and a run of a plan take in small pieces, tens of bytes each.
constexpr std::size_t bookkeeping_bytes = std::size_t{1} << 19;

NetworkDescription network_of(const std::string& architecture) {
    NetworkDescription network = Recipe::defaults(architecture).network;
    network.network.width = width;
    network.network.modes = {4, 4, 3};
    return network;
}

Batch batch_for(const NetworkDescription& network, const std::string& seed) {
    std::vector<std::string> names;
    for (const Channel& channel : network.channels) {
        names.push_back(channel.name);
    }
    const auto channels = static_cast<std::int64_t>(names.size());
    const auto fields = static_cast<std::int64_t>(network.fields.size());
    Batch batch;
    batch.cases = {0};
    batch.inputs.push_back({names, random_tensor({1, rows, columns, times, channels}, DType::float32, seed)});
    batch.targets = random_tensor({1, rows, columns, times, fields}, DType::float32, seed + "t");
    batch.active = Tensor(host_memory(), {1, rows, columns}, DType::float32);
    std::ranges::fill(batch.active.values<float>(), 1.0F);
    return batch;
}

/// Uses of the heap by the arena and by the rest, while a pass is repeated on a backend.
class StepMemory : public ::testing::TestWithParam<std::string> {
   protected:
    /// Two passes, after which uses of the heap count anew; what the arena took at most.
    template <class Pass>
    std::size_t warm_up(const Pass& pass) {
        pass();
        pass();
        heap_use();
        return backend_->peak_bytes();
    }
    /// After two passes to warm up: no more of the arena, and nothing of the size of a field from the heap.
    template <class Pass>
    void expect_steady(const Pass& pass) {
        const std::size_t peak = warm_up(pass);
        pass();
        const HeapUse third = heap_use();
        pass();
        const HeapUse fourth = heap_use();
        EXPECT_EQ(backend_->peak_bytes(), peak) << "bytes of the arena at most";
        EXPECT_GT(third.pieces, 0) << "a run alone takes some, if they are counted";
        EXPECT_LT(third.largest, field_bytes / 4) << "largest piece of the heap: tiles of a convolution's weights";
        EXPECT_EQ(fourth.pieces, third.pieces);
        EXPECT_EQ(fourth.bytes, third.bytes);
        RecordProperty("pieces", std::to_string(third.pieces));
        RecordProperty("bytes", std::to_string(third.bytes));
        RecordProperty("largest", std::to_string(third.largest));
    }

    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    FieldNetwork network_{*backend_, network_of(GetParam()), 3};
};

TEST_P(StepMemory, OfAForwardPassIsTakenOnce) {
    const Batch batch = batch_for(network_.description(), "forward");
    FieldInput input = network_.input_for(batch);
    FieldPlans plans(network_);
    const PlannedPass planned = plans.pass(input);
    Tensor fields = planned.output(*backend_);
    expect_steady([&] {
        backend_->upload(batch.inputs[0].values, input.views()[0]);
        planned.run(input, fields);
        ASSERT_EQ(fields.shape()[1], rows);
    });
}

TEST_P(StepMemory, OfATrainingStepIsTakenOnce) {
    const Batch batch = batch_for(network_.description(), "training");
    const auto on_backend = [&](ConstView host) {
        Tensor tensor(backend_->memory(), host.shape, backend_->compute_type());
        backend_->upload(host, tensor);
        return tensor;
    };
    const Tensor distances = on_backend(random_tensor({columns}, DType::float32, "distances"));
    const LossTarget target{on_backend(batch.targets), on_backend(batch.active), {distances.view()}};
    Adam adam(network_.parameters(), OptimizerOptions{});
    TrainingPass pass(network_, LossOptions{});
    expect_steady([&] {
        StartedLoss loss = pass.run(batch, target);
        adam.step(1e-4);
    });
}

TEST_P(StepMemory, OfAPredictionGrowsByTheResultOnly) {
    const Batch batch = batch_for(network_.description(), "prediction");
    FieldPlans plans(network_);
    PredictionSlot slot(network_, plans);
    const std::size_t result = static_cast<std::size_t>(batch.targets.shape().count()) * sizeof(float);
    const auto pass = [&] {
        slot.start(batch);
        ASSERT_EQ(slot.finish().shape(), batch.targets.shape());
    };
    const std::size_t peak = warm_up(pass);
    pass();
    const HeapUse use = heap_use();
    EXPECT_EQ(backend_->peak_bytes(), peak);
    EXPECT_EQ(use.largest, result) << "handed on to be packed and written while the next batch is computed";
    EXPECT_LT(use.bytes, result + bookkeeping_bytes);
}

INSTANTIATE_TEST_SUITE_P(Networks, StepMemory, ::testing::Values("fno", "ufno"),
                         [](const auto& network) { return network.param; });

}  // namespace
}  // namespace plumecast::testing
