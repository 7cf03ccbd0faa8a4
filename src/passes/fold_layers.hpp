#pragma once

#include <cstdint>
#include <limits>

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// Each convolution whose result only a batch norm with running statistics reads, as one convolution with other weights
/// (Jacob et al. 2018, section 3.2), unless these are `most` or more for each cell of the field. The nodes that make
/// them depend on weights alone: see fold_constants().
Graph fold_batch_norms(const Graph& graph, std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// Each linear layer that is added to a convolution of the same field, or of that field and others after it, as a part
/// of the convolution: its weight joins those of the kernel's centre, its bias the bias. For odd kernels and stride 1.
Graph fold_linear_layers(const Graph& graph);

}  // namespace plumecast
