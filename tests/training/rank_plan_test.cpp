#include "training/rank_plan.hpp"

#include <gmock/gmock.h>

#include <limits>

#include <plumecast/inference/loss.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/training/optimizer.hpp>

#include "support/samples/tiny_run.hpp"
#include "training/training_pass.hpp"

namespace plumecast::testing {
namespace {

const Shape sample_extents{4, 5, 3};

TEST(MemoryPlan, GrowsWithTheBatchAndFromInferenceToTraining) {
    const MemoryPlan one = plan_rank(tiny_network("ufno"), sample_extents, 1, {}).memory;
    const MemoryPlan four = plan_rank(tiny_network("ufno"), sample_extents, 4, {}).memory;
    EXPECT_EQ(one.weights, four.weights);
    EXPECT_LT(one.weights, one.inference);
    EXPECT_LT(one.inference, one.training);
    EXPECT_LT(one.training, four.training);
    EXPECT_LT(four.training, 4 * one.training);
}

TEST(MemoryPlan, OfTheWeightsIsTheirSize) {
    const auto backend = make_planning_backend();
    const FieldNetwork network(*backend, tiny_network("ufno"), 0);
    std::size_t bytes = 0;
    for (const Parameter& parameter : network.parameters().all()) {
        bytes += static_cast<std::size_t>(parameter.weight.shape().count()) * sizeof(float);
    }
    const std::size_t rounding = 256 * network.parameters().all().size();
    const std::size_t planned = plan_rank(tiny_network("ufno"), sample_extents, 1, {}).memory.weights;
    EXPECT_GE(planned, bytes);
    EXPECT_LE(planned, bytes + rounding);
}

/// What training steps on the CPU really use at once.
std::size_t used_by_training(const NetworkDescription& description, const std::string& file, std::int64_t batch_size) {
    const Dataset data(file);
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network(*backend, description, 0);
    Adam adam(network.parameters(), {});
    std::vector<std::int64_t> cases(static_cast<std::size_t>(batch_size), 0);
    const Batch batch = dataset_source(data, description.channels, description.fields)->load(cases);
    const auto uploaded = [&](ConstView host) {
        Tensor device(backend->memory(), host.shape, backend->compute_type());
        backend->upload(host, device);
        return device;
    };
    const std::vector<double> inverse = inverse_center_distances(data.last_edges());
    const Tensor distances = uploaded(host_tensor<double>({data.columns()}, inverse));
    TrainingPass pass(network, {});
    for (int step = 0; step < 2; ++step) {
        const LossTarget target{uploaded(batch.targets), uploaded(batch.active), {distances.view()}};
        StartedLoss loss = pass.run(batch, target);
        adam.step(1e-3);
    }
    return backend->peak_bytes();
}

TEST(MemoryPlan, CoversATrainingStep) {
    const ScratchFolder folder;
    const std::string file = write_sample(folder);
    for (const std::string architecture : {"fno", "ufno", "cnn"}) {
        const NetworkDescription description = tiny_network(architecture);
        const auto planned =
            static_cast<double>(plan_rank(description, sample_extents, 4, {}, {.threads = 1}).memory.training);
        const auto used = static_cast<double>(used_by_training(description, file, 4));
        EXPECT_LE(used, 1.01 * planned) << architecture;
        EXPECT_GE(used, 0.8 * planned) << architecture;
    }
}

TEST(MemoryPlan, IsSmallerWhereBlocksAreComputedAgain) {
    NetworkDescription description = tiny_network("ufno");
    description.network.width = 8;
    description.network.fourier_blocks = description.network.extended_blocks = 3;
    const auto planned = [&](int blocks) {
        return static_cast<double>(
            plan_rank(description, {16, 40, 24}, 8, {}, {.recompute_blocks = blocks}).memory.training);
    };
    EXPECT_LT(planned(1), 0.9 * planned(0));
    EXPECT_LT(planned(2), 0.85 * planned(0));
}

TEST(MemoryPlan, CoversATrainingStepOnThreeAxesOfSpace) {
    const ScratchFolder folder;
    const std::string file = write_cartesian_sample(folder);
    for (const std::string architecture : {"fno", "conv_fno", "ufno"}) {
        const NetworkDescription description = tiny_network_3d(architecture);
        const auto planned =
            static_cast<double>(plan_rank(description, {2, 3, 4, 2}, 4, {}, {.threads = 1}).memory.training);
        const auto used = static_cast<double>(used_by_training(description, file, 4));
        EXPECT_LE(used, 1.01 * planned) << architecture;
        EXPECT_GE(used, 0.8 * planned) << architecture;
    }
}

TEST(MemoryPlan, OfADeviceHoldsWorkspacesOfLibrariesToo) {
    const RankPlan cpu = plan_rank(tiny_network("ufno"), sample_extents, 2, {});
    const RankPlan device = plan_rank(tiny_network("ufno"), sample_extents, 2, {}, {.device = PlannedDevice::cuda});
    EXPECT_EQ(device.memory.weights, cpu.memory.weights);
    EXPECT_GT(device.memory.inference, cpu.memory.inference + (std::size_t{32} << 20));
    EXPECT_GT(device.memory.training, cpu.memory.training + (std::size_t{32} << 20));
}

TEST(MemoryPlan, RefusesAGridTheNetworkDoesNotFit) {
    NetworkDescription description = tiny_network("fno");
    description.network.modes = {2, 2, 20};
    EXPECT_THROW(plan_rank(description, sample_extents, 1, {}), InvalidInput);
}

TEST(RequireMemory, NamesNeedHaveAndRemedy) {
    EXPECT_GT(host_memory_size(), std::size_t{1} << 20);
    EXPECT_NO_THROW(require_memory(1 << 20, 4));
    EXPECT_NO_THROW(require_memory(1 << 20, 4, 1 << 20));
    EXPECT_THROW(require_memory(1 << 20, 4, (1 << 20) - 1), OutOfMemory);
    try {
        require_memory(std::numeric_limits<std::size_t>::max(), 4);
        FAIL();
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(),
                    ::testing::AllOf(::testing::HasSubstr("batches of 4 cases need"),
                                     ::testing::HasSubstr("(there are "), ::testing::HasSubstr("smaller batch_size")));
    }
}

}  // namespace
}  // namespace plumecast::testing
