#include <plumecast/passes/for_prediction.hpp>

#include "passes/choose_transforms.hpp"
#include "passes/fold_constants.hpp"
#include "passes/fold_layers.hpp"
#include "passes/fuse.hpp"
#include "passes/fuse_projections.hpp"
#include "passes/needed_cells.hpp"
#include "passes/partition/overlap_messages.hpp"
#include "passes/partition/predict_on_ranks.hpp"

namespace plumecast {

Graph predict_on_ranks(Backend& backend, const Graph& described, const Feed& weights, const ProcessGrid& grid,
                       CellRange cases) {
    Graph graph = fold_batch_norms(described, most_folded_weights_per_cell);
    graph = fold_linear_layers(graph);
    graph = partition(graph, grid, cases);
    if (!grid.partitions_space() && grid.route() != Route::transpose) {
        graph = compute_needed_cells(graph);
    }
    graph = fuse_sums_and_activations(lowered(choose_transforms(backend, graph)));
    graph = fuse_projections(graph);
    return overlap_messages(fold_constants(backend, graph, weights));
}

}  // namespace plumecast
