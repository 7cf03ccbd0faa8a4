#include <plumecast/training/field_network.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace plumecast {
namespace {

void check_counts(const NetworkDescription& description) {
    const auto channels = static_cast<std::int64_t>(description.channels.size());
    const auto fields = static_cast<std::int64_t>(description.fields.size());
    if (channels != description.network.channels || fields != description.network.fields) {
        throw InvalidInput("network of " + std::to_string(description.network.channels) + " channels and " +
                           std::to_string(description.network.fields) + " fields (the lists name " +
                           std::to_string(channels) + " and " + std::to_string(fields) + "); make them agree");
    }
}

/// Rows of the lift's weight for the channels of a group.
std::vector<std::int64_t> rows_of(const std::vector<std::string>& names, const std::vector<Channel>& channels) {
    std::vector<std::int64_t> rows;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(channels, name, &Channel::name);
        if (found == channels.end()) {
            throw InvalidInput("input channel '" + name +
                               "' is unknown to the network (it was trained without it); "
                               "drop it or use another model");
        }
        rows.push_back(found - channels.begin());
    }
    return rows;
}

void require_all(const Batch& batch, const std::vector<Channel>& channels) {
    for (const Channel& channel : channels) {
        const bool present = std::ranges::any_of(batch.inputs, [&](const InputGroup& group) {
            return std::ranges::find(group.channels, channel.name) != group.channels.end();
        });
        if (!present) {
            throw InvalidInput("input channel '" + channel.name +
                               "' is missing (the network was trained with it); add it to the input file");
        }
    }
}

/// Space extents and T that the groups of a batch span together.
Shape extents_of(const Batch& batch) {
    Shape extents = batch.inputs.front().values.shape();
    for (const InputGroup& group : batch.inputs) {
        for (int axis = 0; axis < extents.rank(); ++axis) {
            extents = extents.with(axis, std::max(extents[axis], group.values.shape()[axis]));
        }
    }
    return extents.slice(1, extents.rank() - 1);
}

}  // namespace

FieldNetwork::FieldNetwork(Backend& backend, NetworkDescription description, std::uint64_t seed,
                           const ProcessGrid* grid)
    : description_(std::move(description)) {
    check_counts(description_);
    network_ = make_network(backend, description_.network, seed, grid);
}

NetworkInput FieldNetwork::input_for(const Batch& batch) const {
    expects(!batch.inputs.empty(), "a batch with inputs");
    require_all(batch, description_.channels);
    NetworkInput input;
    input.batch = static_cast<std::int64_t>(batch.cases.size());
    input.extents = batch.extents.rank() > 0 ? batch.extents : extents_of(batch);
    for (const InputGroup& group : batch.inputs) {
        Tensor values(backend().memory(), group.values.shape(), backend().compute_type());
        input.groups.push_back(
            {rows_of(group.channels, description_.channels), Variable(backend(), std::move(values))});
    }
    return input;
}

Variable FieldNetwork::forward(const Batch& batch, Mode mode) const {
    const NetworkInput input = input_for(batch);
    for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
        backend().upload(batch.inputs[i].values, input.groups[i].values.mutable_value());
    }
    return network_->forward(input, mode);
}

}  // namespace plumecast
