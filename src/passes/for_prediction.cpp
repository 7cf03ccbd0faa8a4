#include <plumecast/passes/for_prediction.hpp>

#include "passes/choose_transforms.hpp"
#include "passes/fold_constants.hpp"
#include "passes/fold_layers.hpp"
#include "passes/fuse.hpp"
#include "passes/fuse_projections.hpp"
#include "passes/needed_cells.hpp"

namespace plumecast {

Graph for_prediction(Backend& backend, const Graph& described, const Feed& weights) {
    Graph graph = fold_batch_norms(described, most_folded_weights_per_cell);
    graph = fold_linear_layers(graph);
    graph = fuse_concatenations(graph);
    graph = compute_needed_cells(graph);
    graph = fuse_sums_and_activations(lowered(choose_transforms(backend, graph)));
    graph = fuse_projections(graph);
    return fold_constants(backend, graph, weights);
}

}  // namespace plumecast
