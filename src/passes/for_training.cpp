#include "passes/for_training.hpp"

#include "passes/choose_transforms.hpp"
#include "passes/fold_layers.hpp"
#include "passes/fuse.hpp"
#include "passes/fuse_projections.hpp"
#include "passes/needed_cells.hpp"

namespace plumecast {

Graph before_gradients(Backend& backend, const Graph& described) {
    Graph graph = fold_linear_layers(described);
    graph = fuse_concatenations(graph);
    graph = compute_needed_cells(graph);
    graph = fuse_activations_of_norms(lowered(choose_transforms(backend, graph)));
    return fuse_projections(graph);
}

Graph after_gradients(const Graph& graph) { return fuse_sums_and_activations(graph); }

}  // namespace plumecast
