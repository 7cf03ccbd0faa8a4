#pragma once

#include <string>
#include <vector>

#include <plumecast/architectures/network_config.hpp>
#include <plumecast/graph/layers.hpp>

namespace plumecast {

/// Shapes of what a network reads of a batch.
struct NetworkShapes {
    /// Channels that vary along the same axes.
    struct Group {
        std::string name;                    ///< of the input
        std::vector<std::int64_t> channels;  ///< rows of the lift's weight
        Shape values;                        ///< [B|1, space|1..., T|1, channels]
    };
    std::vector<Group> groups;
    std::int64_t batch = 1;
    Shape extents;  ///< space extents and T of a case, before padding
};

/// All channels in one group, `channels`, that varies along all axes.
NetworkShapes whole_input(const NetworkConfig& config, std::int64_t batch, const Shape& extents);

/// A network as a graph, as its paper writes it: the groups as inputs, weights under the names of
/// Network::parameters(), and the output `prediction` [B, space..., T, fields]; in training, the running statistics
/// that a step leaves are outputs before it. Throws InvalidInput for an unusable configuration or grid.
Graph describe(const NetworkConfig& config, const NetworkShapes& shapes, ExecutionMode mode);
/// The same where norms may differ, as those of frozen layers do in training. Of several members, whose weights are
/// named "members.0. ..." and so on, the prediction is the mean; `with_spread` adds the output `spread`, as large, the
/// mean of how far they are from it. Throws InvalidInput for several in training.
Graph describe(const NetworkConfig& config, const NetworkShapes& shapes, const StatisticsOf& statistics,
               bool with_spread = false);

/// What the names of the weights of a member begin with: "members.0.".
std::string member_prefix(std::int64_t member);

}  // namespace plumecast
