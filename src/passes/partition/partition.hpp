#pragma once

#include <plumecast/distributed/process_grid.hpp>
#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// A network described for the whole grid as what this rank of a process grid computes of it, with the collectives by
/// which ranks give each other what they need: after the SPMD partitioner of XLA (Xu et al. 2021), but by op, since
/// there are few. The group of this rank takes `cases` of the graph's batch. Then
///   inputs         are those cases and the cells that this rank reads, or of what is added to predictions predicts;
///   fields         are held in boxes of the padded grid, and on coarser levels each cell by who holds its centre;
///   convolutions   get the neighbours' cells from a halo exchange, one for all that read a field;
///   transforms     have this rank's columns of matrices, and their modes come together as SpectrumRoute says;
///   weights        of spectral convolutions are those of the modes that this rank owns (ProcessGrid::owners());
///   moments        are merged over all ranks;
///   outputs        are the cells of the grid that this rank predicts, or what all ranks know alike.
/// Collectives stand in one order on all ranks. Gradients are taken after: see sum_norm_gradients(). The grid outlives
/// the graph. Collective. Throws InvalidInput for an op that knows no ranks and when an axis has fewer cells than
/// parts.
Graph partition(const Graph& whole, const ProcessGrid& grid, CellRange cases);

}  // namespace plumecast
