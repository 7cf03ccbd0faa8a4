#include <plumecast/architectures/describe.hpp>

#include "architectures/architecture.hpp"

namespace plumecast {

NetworkShapes whole_input(const NetworkConfig& config, std::int64_t batch, const Shape& extents) {
    NetworkShapes shapes{{}, batch, extents};
    Shape values{batch};
    for (const std::int64_t extent : extents.extents()) {
        values = values.append(extent);
    }
    shapes.groups.push_back({"channels", {}, values.append(config.channels)});
    for (std::int64_t channel = 0; channel < config.channels; ++channel) {
        shapes.groups.back().channels.push_back(channel);
    }
    return shapes;
}

Graph describe(const NetworkConfig& config, const NetworkShapes& shapes, ExecutionMode mode) {
    const Statistics statistics = mode == ExecutionMode::training ? Statistics::of_batch : Statistics::running;
    return describe(config, shapes, [statistics](const LayerPath& /*norm*/) { return statistics; });
}

Graph describe(const NetworkConfig& config, const NetworkShapes& shapes, const StatisticsOf& statistics) {
    config.check();
    if (shapes.extents.rank() != static_cast<int>(config.modes.size())) {
        throw InvalidInput("input grid " + shapes.extents.text() + " (the network has " +
                           std::to_string(config.modes.size()) +
                           " axes, time included); use a model for this kind of grid");
    }
    Graph graph;
    std::vector<LiftGroup> groups;
    for (const NetworkShapes::Group& group : shapes.groups) {
        const Value values = graph.input(group.name, {group.values});
        groups.push_back({group.channels, values});
    }
    Shape padded{shapes.batch};
    const Shape cells = config.padded(shapes.extents);
    for (const std::int64_t extent : cells.extents()) {
        padded = padded.append(extent);
    }
    const LayerPath at{"lift"};
    const std::int64_t lifted = config.lifting > 0 ? config.lifting : config.width;
    Value v = lift(groups, config.channels, config.padding_of(shapes.extents), padded.append(lifted), at,
                   config.pad_lifted ? ZeroEdges::lifted : ZeroEdges::inputs);
    if (config.lifting > 0) {
        v = linear(activate(v, config.activation), config.width, at / "second");
    }
    graph.output("prediction", architecture_of(config.architecture).body(v, config, shapes.extents, statistics));
    return graph;
}

}  // namespace plumecast
