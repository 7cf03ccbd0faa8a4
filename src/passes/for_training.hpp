#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// A network described for training as what gradients are taken of: the passes whose ops have gradients of their own,
/// which go over less memory. The backend only says how it takes spectral transforms.
Graph before_gradients(Backend& backend, const Graph& described);

/// The same as what a step of training runs, once gradients are among its outputs.
Graph after_gradients(const Graph& graph);

}  // namespace plumecast
