#include <plumecast/training/memory_plan.hpp>

#include <unistd.h>

#include <string>
#include <utility>

#include <plumecast/data/batch.hpp>
#include <plumecast/training/loss.hpp>
#include <plumecast/training/optimizer.hpp>

namespace plumecast {
namespace {

/// One input group per variation, as a data set gives them, with the channels split evenly; only sizes matter.
Batch planned_batch(const NetworkDescription& description, const Shape& extents, std::int64_t batch) {
    Batch result;
    result.cases.resize(static_cast<std::size_t>(batch));
    const std::int64_t time = extents[-1];
    Shape map{batch};
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        map = map.append(extents[axis]);
    }
    std::vector<std::string> maps, rest;
    for (const Channel& channel : description.channels) {
        (variation_of(channel.source) == Variation::time ? rest : maps).push_back(channel.name);
    }
    if (!maps.empty()) {
        const Shape shape = map.append(1).append(static_cast<std::int64_t>(maps.size()));
        result.inputs.push_back({maps, host_zeros(shape)});
    }
    if (!rest.empty()) {
        Shape shape{1};
        for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
            shape = shape.append(1);
        }
        result.inputs.push_back({rest, host_zeros(shape.append(time).append(static_cast<std::int64_t>(rest.size())))});
    }
    return result;
}

/// Two steps: from the second on, the gradients of the weights are there before the forward pass.
std::size_t training_bytes(const NetworkDescription& description, const Shape& extents, const Batch& batch) {
    const auto backend = make_planning_backend();
    const auto planned = [&](const Shape& shape) { return Tensor(backend->memory(), shape, backend->compute_type()); };
    const FieldNetwork network(*backend, description, 0);
    Adam adam(network.parameters(), {});
    const Tensor inverse_distance = planned({extents[-2]});
    Shape map{static_cast<std::int64_t>(batch.cases.size())};
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        map = map.append(extents[axis]);
    }
    for (int step = 0; step < 2; ++step) {
        const LossTarget target{planned(map.append(extents[-1]).append(description.network.fields)), planned(map),
                                inverse_distance.view()};
        const Variable prediction = network.forward(batch, Mode::training);
        Loss loss = relative_l2_loss(prediction, target, {}, true);
        backward(prediction, std::move(loss.gradient));
        adam.step(1.0);
    }
    return backend->peak_bytes();
}

}  // namespace

MemoryPlan plan_memory(const NetworkDescription& description, const Shape& extents, std::int64_t batch) {
    const Batch input = planned_batch(description, extents, batch);
    MemoryPlan plan;
    plan.training = training_bytes(description, extents, input);
    const auto backend = make_planning_backend();
    const FieldNetwork network(*backend, description, 0);
    network.parameters().set_trainable(false);
    plan.weights = backend->peak_bytes();
    network.forward(input, Mode::evaluation);
    plan.inference = backend->peak_bytes();
    return plan;
}

std::size_t host_memory_size() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void require_memory(std::size_t needed, std::int64_t batch) {
    const std::size_t present = host_memory_size();
    if (needed > present) {
        throw DeviceError("batches of " + std::to_string(batch) + " cases need " + std::to_string(needed >> 20) +
                          " MiB (this machine has " + std::to_string(present >> 20) +
                          " MiB); use a smaller batch_size, width or modes");
    }
}

}  // namespace plumecast
