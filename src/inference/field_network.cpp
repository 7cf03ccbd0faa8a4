#include <plumecast/inference/field_network.hpp>

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

void require_base(const Batch& batch, const NetworkDescription& description) {
    const bool is_guided = description.has_base();
    if (is_guided != (batch.base.shape().rank() > 0)) {
        throw InvalidInput(is_guided
                               ? "the network corrects what is known of a case (the batch has nothing of it); load "
                                 "batches of a data set, with its CasePhysics where the network has physics"
                               : "the batch holds something to correct (the network predicts whole fields); load "
                                 "it with the network's own fields");
    }
}

}  // namespace

bool NetworkDescription::corrects_physics() const {
    return std::ranges::any_of(fields, [](const Field& field) { return !field.base.empty(); });
}

bool NetworkDescription::has_base() const { return std::ranges::any_of(fields, &Field::has_base); }

void check_physics(const NetworkDescription& description) {
    const std::vector<std::string> sources = physics_sources(description.channels, description.fields);
    if (!description.physics) {
        if (!sources.empty()) {
            throw InvalidInput("source " + sources.front() +
                               " comes from the reduced physics (the network has none); give it an entry physics, or "
                               "other channels and fields");
        }
        return;
    }
    const PhysicsSettings& settings = description.physics->settings;
    if (description.network.space_axes() < 2) {
        throw InvalidInput(
            "guided models need a radial or a Cartesian grid (their physics is that of wells in a formation); leave "
            "out the entry physics");
    }
    if (settings.substeps < 1) {
        throw InvalidInput("physics.substeps is " + std::to_string(settings.substeps) +
                           " (it counts time steps of the physics); use 1 or more");
    }
}

std::vector<ConstView> arrays_of(const Batch& batch) {
    std::vector<ConstView> arrays;
    for (const InputGroup& group : batch.inputs) {
        arrays.push_back(group.values.view());
    }
    if (batch.base.shape().rank() > 0) {
        arrays.push_back(batch.base.view());
        arrays.push_back(batch.correction.view());
    }
    return arrays;
}

std::vector<View> FieldInput::views() {
    std::vector<View> views;
    for (InputChannels& group : network.groups) {
        views.push_back(group.values.view());
    }
    if (base.shape().rank() > 0) {
        views.push_back(base.view());
        views.push_back(correction.view());
    }
    return views;
}

FieldNetwork::FieldNetwork(Backend& backend, NetworkDescription description, std::optional<std::uint64_t> seed,
                           const ProcessGrid* grid)
    : description_(std::move(description)) {
    check_counts(description_);
    check_physics(description_);
    network_ = std::make_unique<Network>(backend, description_.network, seed, grid);
}

FieldInput FieldNetwork::input_for(const Batch& batch) const {
    expects(!batch.inputs.empty(), "a batch with inputs");
    require_all(batch, description_.channels);
    require_base(batch, description_);
    const auto room_for = [this](const Tensor& values) {
        return Tensor(backend().memory(), values.shape(), backend().compute_type());
    };
    FieldInput input;
    input.network.batch = static_cast<std::int64_t>(batch.cases.size());
    input.network.extents = batch.extents.rank() > 0 ? batch.extents : extents_of(batch);
    for (const InputGroup& group : batch.inputs) {
        input.network.groups.push_back({rows_of(group.channels, description_.channels), room_for(group.values)});
    }
    if (batch.base.shape().rank() > 0) {
        input.base = room_for(batch.base);
        input.correction = room_for(batch.correction);
    }
    return input;
}

}  // namespace plumecast
