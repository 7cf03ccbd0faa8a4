#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// Spectral convolutions with the transforms that the backend prefers for their fields: Fourier transforms over several
/// axes at once where it has a library for them (Backend::transforms_by_fft), else products along each axis.
Graph choose_transforms(Backend& backend, const Graph& graph);

}  // namespace plumecast
