#include <plumecast/passes/fold_layers.hpp>
#include <plumecast/passes/for_training.hpp>
#include <plumecast/passes/fuse.hpp>
#include <plumecast/passes/fuse_projections.hpp>
#include <plumecast/passes/needed_cells.hpp>
#include <plumecast/passes/partition/overlap_messages.hpp>
#include <plumecast/passes/partition/train_on_ranks.hpp>

namespace plumecast {

Graph before_gradients_on_ranks(const Graph& described, const ProcessGrid& grid, CellRange cases) {
    Graph graph = fold_linear_layers(described);
    graph = partition(graph, grid, cases);
    if (!grid.partitions_space() && grid.route() != Route::transpose) {
        graph = compute_needed_cells(graph);
    }
    graph = fuse_activations_of_norms(graph);
    return fuse_projections(graph);
}

Graph after_gradients_on_ranks(const Graph& graph) { return overlap_messages(after_gradients(graph)); }

}  // namespace plumecast
