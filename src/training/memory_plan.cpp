#include <plumecast/training/memory_plan.hpp>

#include <unistd.h>

#include <string>
#include <utility>

#include <plumecast/data/batch.hpp>
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

std::size_t training_bytes(const NetworkDescription& description, const Batch& batch) {
    const auto backend = make_planning_backend();
    const FieldNetwork network(*backend, description, 0);
    Adam adam(network.parameters(), {});
    const Variable prediction = network.forward(batch, Mode::training);
    backward(prediction, Tensor(backend->memory(), prediction.shape(), backend->compute_type()));
    return backend->peak_bytes();
}

}  // namespace

MemoryPlan plan_memory(const NetworkDescription& description, const Shape& extents, std::int64_t batch) {
    const Batch input = planned_batch(description, extents, batch);
    MemoryPlan plan;
    plan.training = training_bytes(description, input);
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
