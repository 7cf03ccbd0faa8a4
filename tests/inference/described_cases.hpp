#pragma once

#include <cstdint>

#include <plumecast/distributed/process_grid.hpp>
#include <plumecast/inference/field_network.hpp>

namespace plumecast::testing {

/// A network of that configuration with channels and fields of some names.
NetworkDescription described(const NetworkConfig& config);
/// The same that corrects physics.
NetworkDescription guided(const NetworkConfig& config);
/// A network with running statistics of its own, ready to predict.
FieldNetwork network_on(Backend& backend, const NetworkDescription& description, const ProcessGrid* ranks = nullptr);

/// Maps, in another order than the network's, and a channel of time.
Batch batch_of(const NetworkDescription& description, std::int64_t cases, const Shape& extents);
/// A batch of three cases, with base and correction where the network corrects physics.
Batch three_cases(const NetworkDescription& description, const Shape& extents);
/// What a rank reads of it.
Batch shard_of(const FieldNetwork& network, const ProcessGrid& ranks, const Shape& extents);
/// Cases of a group and cells of a box of space, where an array varies.
Tensor cut(const Tensor& whole, CellRange cases, const Box& space);

}  // namespace plumecast::testing
