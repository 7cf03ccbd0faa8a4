#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/architectures/describe.hpp>

#include "passes/partition/partition.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {

/// What one rank has of a small network and its input: its weights, and the graph of the whole grid.
class RankOfNetwork {
   public:
    RankOfNetwork(Communicator& world, const GridShape& shape, Route route, Backend& backend,
                  const NetworkConfig& config, const Shape& extents, std::int64_t batch)
        : grid(world, shape, route),
          network(small_network(backend, config, &grid)),
          whole(small_input(backend, extents, batch)),
          cases(grid.cases(batch)) {
        own.batch = cases.cells();
        own.extents = extents;
        for (const InputChannels& group : whole.groups) {
            own.groups.push_back(
                {group.channels, part_of(backend, group.values.view(), read_box(group.values.shape()))});
        }
    }

    Graph described(ExecutionMode mode) const { return describe(network->config(), shapes_of(whole), mode); }
    Graph partitioned(ExecutionMode mode) const { return partition(described(mode), grid, cases); }
    /// This rank's arrays by the names of the graph.
    Feed feed() const { return feed_of(*network, own); }
    /// This rank's box of a prediction of the whole grid.
    Box predicted_box(const Shape& prediction) const {
        const Box space = network->output_box(whole.extents);
        Box box = Box(prediction).with(0, cases.low, cases.high);
        for (int axis = 0; axis < space.rank(); ++axis) {
            box = box.with(axis + 1, space.low()[axis], space.high()[axis]);
        }
        return box;
    }
    static Tensor part_of(Backend& backend, ConstView whole, const Box& box) {
        Tensor part(backend.memory(), box.extents(), backend.compute_type());
        if (!box.empty()) {
            backend.copy_box(whole, box.low(), {part}, Box(box.extents()).low(), box.extents());
        }
        return part;
    }

    ProcessGrid grid;
    std::unique_ptr<Network> network;
    NetworkInput whole, own;
    CellRange cases;

   private:
    Box read_box(const Shape& values) const {
        const Box space = network->input_box(whole.extents);
        Box box = values[0] > 1 ? Box(values).with(0, cases.low, cases.high) : Box(values);
        for (int axis = 0; axis < space.rank(); ++axis) {
            box = values[axis + 1] > 1 ? box.with(axis + 1, space.low()[axis], space.high()[axis]) : box;
        }
        return box;
    }
};

}  // namespace plumecast::testing
