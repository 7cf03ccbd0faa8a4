#include "graph/ops/fft.hpp"

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>
#include <plumecast/graph/graph.hpp>

namespace plumecast {
namespace {

std::string text_of_fft(const FourierGeometry& geometry) {
    return "modes " + geometry.modes.text() + " of " + geometry.extents.text() +
           (geometry.by_multiplicity ? " by_multiplicity" : "");
}

/// The shape with other extents along the transformed axes.
Shape with_transformed(Shape shape, const Shape& extents) {
    const int first = shape.rank() - 1 - extents.rank();
    for (int axis = 0; axis < extents.rank(); ++axis) {
        shape = shape.with(first + axis, extents[axis]);
    }
    return shape;
}

/// The transformed axes of a field or a spectrum.
Shape transformed(const Shape& shape, const FourierGeometry& geometry) {
    expects(shape.rank() > geometry.extents.rank() + 1, "axes before and after those of a Fourier transform");
    return shape.slice(shape.rank() - 1 - geometry.extents.rank(), shape.rank() - 1);
}

/// Of real transforms of a whole field, by the usual count of the radix-2 algorithm.
double fft_operations(const Shape& field, const FourierGeometry& geometry) {
    const auto points = static_cast<double>(geometry.extents.count());
    const double transforms =
        static_cast<double>(field.count(0, field.rank() - 1 - geometry.extents.rank()) * field[-1]);
    return 2.5 * transforms * points * std::log2(std::max(points, 2.0));
}

}  // namespace

Shape around_fft(const Shape& shape, const FourierGeometry& geometry) {
    const int first = shape.rank() - 1 - geometry.extents.rank();
    Shape around{shape.count(0, first)};
    for (int axis = first; axis < shape.rank(); ++axis) {
        around = around.append(shape[axis]);
    }
    return around;
}

std::string ForwardFftOp::text() const { return text_of_fft(geometry); }

ValueType ForwardFftOp::result(ValueTypes inputs) const {
    const Shape& x = inputs[0].shape;
    const Shape cells = transformed(x, geometry);
    for (int axis = 0; axis < cells.rank(); ++axis) {
        expects(cells[axis] <= geometry.extents[axis], "no more cells than a Fourier transform has");
    }
    return {with_transformed(x, geometry.spectrum())};
}

double ForwardFftOp::operations(ValueTypes inputs, const Shape& /*result*/) const {
    return fft_operations(inputs[0].shape, geometry);
}

void ForwardFftOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.forward_fft(geometry, inputs[0].reshaped(around_fft(inputs[0].shape, geometry)),
                        result.reshaped(around_fft(result.shape, geometry)));
}

std::vector<Value> ForwardFftOp::gradient(const Value& result, const Value& g) const {
    const ValueType x = result.input(0).type();
    return {g.graph().add(InverseFftOp{.geometry = geometry, .cells = transformed(x.shape, geometry), .type = x.type},
                          {g})};
}

std::string InverseFftOp::text() const { return text_of_fft(geometry) + " first " + cells.text() + fused.text(); }

ValueType InverseFftOp::result(ValueTypes inputs) const {
    expects(transformed(inputs[0].shape, geometry) == geometry.spectrum(), "the kept modes of a Fourier transform");
    return fused.checked(inputs, {with_transformed(inputs[0].shape, cells), type});
}

double InverseFftOp::operations(ValueTypes /*inputs*/, const Shape& result) const {
    return fft_operations(result, geometry);
}

void InverseFftOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    OutputRef target = fused.target(backend, inputs, result);
    target.view = result.reshaped(around_fft(result.shape, geometry));
    backend.inverse_fft(geometry, inputs[0].reshaped(around_fft(inputs[0].shape, geometry)), target, fused.activation);
}

std::vector<Value> InverseFftOp::gradient(const Value& /*result*/, const Value& g) const {
    expects(fused.is_nothing(), "a transform alone");
    return {g.graph().add(ForwardFftOp{geometry}, {g})};
}

}  // namespace plumecast
