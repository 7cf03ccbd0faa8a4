#include <plumecast/graph/graph.hpp>

#include "core/number_text.hpp"
#include "graph/ops/shapes.hpp"

namespace plumecast {
namespace {

/// The axes of space before the last as one: [B, space..., T, F] as the backend takes it, or [B, space...].
Shape with_two_space_axes(const Shape& shape, int after) {
    const int last = shape.rank() - after - 1;
    Shape result{shape[0], shape.count(1, last)};
    for (int axis = last; axis < shape.rank(); ++axis) {
        result = result.append(shape[axis]);
    }
    return result;
}

/// Prediction, target and active cells as the backend takes them.
struct Compared {
    ConstView prediction, target, active;

    explicit Compared(OpInputs inputs)
        : prediction(inputs[0].reshaped(with_two_space_axes(inputs[0].shape, 2))),
          target(inputs[1].reshaped(prediction.shape)),
          active(inputs[2].reshaped(with_two_space_axes(inputs[2].shape, 0))) {}
};

}  // namespace

ValueType ErrorNormsOp::result(ValueTypes inputs) const {
    const Shape &fields = inputs[0].shape, &active = inputs[2].shape;
    expects(inputs[1].shape == fields && active == fields.slice(0, fields.rank() - 2) &&
                inputs[3].shape == Shape{active[-1]},
            "targets like the prediction, active cells of its grid and a distance for each cell of its last axis");
    return {{fields[0], fields[-1], 4}, DType::float64};
}

void ErrorNormsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    if (is_empty_sum(backend, inputs[0], {result})) {
        return;
    }
    const Compared of(inputs);
    backend.error_norms(of.prediction, of.target, of.active, inputs[3], result);
}

std::string ErrorRatiosOp::text() const {
    return "derivative_weight " + number_text(derivative_weight) + " share " + number_text(share);
}

ValueType ErrorRatiosOp::result(ValueTypes inputs) const { return {{inputs[0].shape[0]}, DType::float64}; }

std::vector<ValueType> ErrorRatiosOp::further_results(ValueTypes inputs) const {
    return {{inputs[0].shape.with(-1, 2), DType::float64}};
}

void ErrorRatiosOp::evaluate(Backend& backend, OpInputs inputs, View result, std::span<const View> further) const {
    View coefficients = further_view(further, 0);
    Tensor unread;
    if (coefficients.data == nullptr) {
        unread = Tensor(backend.memory(), inputs[0].shape.with(-1, 2), DType::float64);
        coefficients = unread.view();
    }
    backend.error_ratios(inputs[0], derivative_weight, share, result, coefficients);
}

void ErrorGradientOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const Compared of(inputs);
    backend.error_gradient(of.prediction, of.target, of.active, inputs[3], inputs[4],
                           result.reshaped(of.prediction.shape));
}

}  // namespace plumecast
