#include "network_inputs.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace plumecast::bench {
namespace {

Tensor random_values(const Shape& shape, const std::string& name) {
    Tensor values = host_zeros(shape);
    const RandomStream random(0, name);
    std::uint64_t index = 0;
    for (float& value : values.values<float>()) {
        value = static_cast<float>(random.normal(index++));
    }
    return values;
}

/// 0 for a map, 1 for a scalar, 2 for time.
std::size_t group_of(const Channel& channel) {
    const Variation variation = variation_of(channel.source);
    if (variation == Variation::time) {
        return 2;
    }
    return variation == Variation::scalar && !channel.mask_inactive ? 1 : 0;
}

std::int64_t row_of(const std::vector<Channel>& channels, const std::string& name) {
    return std::ranges::find(channels, name, &Channel::name) - channels.begin();
}

/// Writes channel c of a group to channel `row` of all inputs.
void repeat_channel(const Tensor& group, std::int64_t c, std::int64_t row, Tensor& all) {
    const Shape &from = group.shape(), &to = all.shape();
    std::array<std::int64_t, 4> step{};
    for (int axis = 0; axis < 4; ++axis) {
        step[static_cast<std::size_t>(axis)] = from[axis] == 1 ? 0 : from.count(axis + 1, 5);
    }
    const float* x = group.view().as<float>() + c;
    float* y = all.view().as<float>() + row;
    for (std::int64_t b = 0; b < to[0]; ++b) {
        for (std::int64_t z = 0; z < to[1]; ++z) {
            for (std::int64_t r = 0; r < to[2]; ++r) {
                const float* line = x + b * step[0] + z * step[1] + r * step[2];
                for (std::int64_t t = 0; t < to[3]; ++t, y += to[4]) {
                    *y = line[t * step[3]];
                }
            }
        }
    }
}

}  // namespace

Batch random_batch(const NetworkDescription& description, const Shape& extents, std::int64_t cases) {
    Batch batch;
    batch.cases.resize(static_cast<std::size_t>(cases));
    std::iota(batch.cases.begin(), batch.cases.end(), std::int64_t{0});
    std::array<std::vector<std::string>, 3> names;
    for (const Channel& channel : description.channels) {
        names[group_of(channel)].push_back(channel.name);
    }
    const std::array<Shape, 3> shapes{Shape{cases, extents[0], extents[1], 1}, Shape{cases, 1, 1, 1},
                                      Shape{1, 1, 1, extents[2]}};
    for (std::size_t group = 0; group < names.size(); ++group) {
        if (!names[group].empty()) {
            const Shape shape = shapes[group].append(static_cast<std::int64_t>(names[group].size()));
            batch.inputs.push_back({names[group], random_values(shape, "inputs " + std::to_string(group))});
        }
    }
    const auto fields = static_cast<std::int64_t>(description.fields.size());
    batch.targets = random_values({cases, extents[0], extents[1], extents[2], fields}, "targets");
    batch.active = host_zeros({cases, extents[0], extents[1]});
    std::ranges::fill(batch.active.values<float>(), 1.0f);
    return batch;
}

Tensor repeated_inputs(const NetworkDescription& description, const Batch& batch, const Shape& extents) {
    const auto cases = static_cast<std::int64_t>(batch.cases.size());
    Tensor all = host_zeros({cases, extents[0], extents[1], extents[2], description.network.channels});
    for (const InputGroup& group : batch.inputs) {
        for (std::size_t c = 0; c < group.channels.size(); ++c) {
            repeat_channel(group.values, static_cast<std::int64_t>(c), row_of(description.channels, group.channels[c]),
                           all);
        }
    }
    return all;
}

std::vector<double> radial_edges(std::int64_t cells) {
    std::vector<double> edges{0.1};
    double width = 1.0;
    for (std::int64_t i = 0; i < cells; ++i, width *= 1.035) {
        edges.push_back(edges.back() + width);
    }
    return edges;
}

}  // namespace plumecast::bench
