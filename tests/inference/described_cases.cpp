#include "inference/described_cases.hpp"

#include "reservoir/batches/box_source.hpp"
#include "support/comparison.hpp"

namespace plumecast::testing {

NetworkDescription described(const NetworkConfig& config) {
    NetworkDescription description;
    description.network = config;
    for (std::int64_t channel = 0; channel < config.channels; ++channel) {
        description.channels.emplace_back().name = "channel " + std::to_string(channel);
        description.channels.back().source = "porosity";
    }
    for (std::int64_t field = 0; field < config.fields; ++field) {
        description.fields.emplace_back().name = "field " + std::to_string(field);
    }
    return description;
}

NetworkDescription guided(const NetworkConfig& config) {
    NetworkDescription description = described(config);
    description.physics = NetworkPhysics{};
    for (Field& field : description.fields) {
        field.base = "gas_saturation";
    }
    return description;
}

FieldNetwork network_on(Backend& backend, const NetworkDescription& description, const ProcessGrid* ranks) {
    FieldNetwork network(backend, description, 7, ranks);
    for (const Parameter& parameter : network.parameters().all()) {
        const bool is_variance = parameter.name.ends_with("running_variance");
        if (is_variance || parameter.name.ends_with("running_mean")) {
            backend.fill(parameter.weight.mutable_value(), is_variance ? 0.03 : 0.05);
        }
    }
    return network;
}

Batch batch_of(const NetworkDescription& description, std::int64_t cases, const Shape& extents) {
    Batch batch;
    batch.cases.resize(static_cast<std::size_t>(cases));
    Shape map{cases}, time{1};
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        map = map.append(extents[axis]);
        time = time.append(1);
    }
    const std::vector<Channel>& channels = description.channels;
    batch.inputs.push_back(
        {{channels[2].name, channels[0].name}, random_tensor(map.append(1).append(2), DType::float32, "maps")});
    batch.inputs.push_back(
        {{channels[1].name}, random_tensor(time.append(extents[-1]).append(1), DType::float32, "times")});
    return batch;
}

Tensor cut(const Tensor& whole, CellRange cases, const Box& space) {
    const Shape& shape = whole.shape();
    Box box(shape.slice(0, space.rank() + 1));
    box = shape[0] > 1 ? box.with(0, cases.low, cases.high) : box;
    for (int axis = 0; axis < space.rank(); ++axis) {
        box = shape[axis + 1] > 1 ? box.with(axis + 1, space.low()[axis], space.high()[axis]) : box;
    }
    return box_of(whole, box);
}

Batch three_cases(const NetworkDescription& description, const Shape& extents) {
    constexpr std::int64_t cases = 3;
    Batch batch = batch_of(description, cases, extents);
    batch.extents = extents;
    if (description.corrects_physics()) {
        Shape fields{cases};
        for (const std::int64_t extent : extents.extents()) {
            fields = fields.append(extent);
        }
        fields = fields.append(description.network.fields);
        batch.base = random_tensor(fields, DType::float32, "base");
        batch.correction = random_tensor(fields, DType::float32, "correction");
    }
    return batch;
}

Batch shard_of(const FieldNetwork& network, const ProcessGrid& ranks, const Shape& extents) {
    Batch batch = three_cases(network.description(), extents);
    const CellRange own = ranks.cases(static_cast<std::int64_t>(batch.cases.size()));
    batch.cases.resize(static_cast<std::size_t>(own.cells()));
    for (InputGroup& group : batch.inputs) {
        group.values = cut(group.values, own, network.network().input_box(extents));
    }
    if (network.description().corrects_physics()) {
        const Box predicted = network.network().output_box(extents);
        batch.base = cut(batch.base, own, predicted);
        batch.correction = cut(batch.correction, own, predicted);
    }
    return batch;
}

}  // namespace plumecast::testing
