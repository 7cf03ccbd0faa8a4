#include "passes/partition/train_on_ranks.hpp"
#include "passes/choose_transforms.hpp"
#include "passes/fold_layers.hpp"
#include "passes/for_training.hpp"
#include "passes/fuse.hpp"
#include "passes/fuse_projections.hpp"
#include "passes/needed_cells.hpp"
#include "passes/partition/overlap_messages.hpp"

namespace plumecast {

Graph before_gradients_on_ranks(Backend& backend, const Graph& described, const ProcessGrid& grid, CellRange cases) {
    Graph graph = fold_linear_layers(described);
    graph = partition(graph, grid, cases);
    if (!grid.partitions_space() && grid.route() != Route::transpose) {
        graph = compute_needed_cells(graph);
    }
    graph = fuse_activations_of_norms(lowered(choose_transforms(backend, graph)));
    return fuse_projections(graph);
}

Graph after_gradients_on_ranks(const Graph& graph) { return overlap_messages(after_gradients(graph)); }

}  // namespace plumecast
