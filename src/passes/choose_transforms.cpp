#include "passes/choose_transforms.hpp"

#include <plumecast/graph/ops/spectral_conv.hpp>

#include "graph/fourier.hpp"
#include "graph/ops/fft.hpp"
#include "graph/transform_matrices.hpp"

namespace plumecast {
namespace {

/// Both transforms of a spectral convolution of this field.
bool prefers_fft(Backend& backend, const SpectralConvOp& op, const ValueType& field) {
    const Shape extents = of_transformed(field.shape.slice(1, field.shape.rank() - 1), op.modes);
    if (extents.rank() < 2) {
        return false;  // a line: its product is small
    }
    const FourierGeometry geometry = fft_of(extents, of_transformed(op.modes));
    Shape transformed{field.shape[0]};
    for (int axis = 0; axis < extents.rank(); ++axis) {
        transformed = transformed.append(extents[axis]);
    }
    return backend.transforms_by_fft(geometry, around_fft(transformed.append(field.shape[-1]), geometry),
                                     on_backend(backend, field.type));
}

}  // namespace

Graph choose_transforms(Backend& backend, const Graph& graph) {
    return rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) {
        const auto* op = graph.nodes()[static_cast<std::size_t>(node)].op.as<SpectralConvOp>();
        if (op == nullptr || !prefers_fft(backend, *op, inputs[0].type())) {
            return Value();
        }
        SpectralConvOp chosen = *op;
        chosen.by_fft = true;
        return copy.add(chosen, inputs);
    });
}

}  // namespace plumecast
