#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/reservoir/batches/batch.hpp>

namespace plumecast::bench {

/// Random standard normal inputs for a network, grouped as a data set gives them: maps [B, Z, R, 1, C], scalars
/// [B, 1, 1, 1, C] and times [1, 1, 1, T, C]; targets of the network's fields; every cell active. `extents` [Z, R, T].
Batch random_batch(const NetworkDescription& description, const Shape& extents, std::int64_t cases);

/// All input channels in the order of the network, repeated along the axes they do not vary over: [B, Z, R, T, C].
Tensor repeated_inputs(const NetworkDescription& description, const Batch& batch, const Shape& extents);

/// Edges [cells + 1] [m] of a grid whose cells widen outwards, as radial ones do; only the loss sees them.
std::vector<double> radial_edges(std::int64_t cells);

}  // namespace plumecast::bench
