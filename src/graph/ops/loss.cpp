#include <string>
#include <utility>

#include <plumecast/graph/graph.hpp>

#include "core/number_text.hpp"
#include "graph/ops/shapes.hpp"

namespace plumecast {
namespace {

/// The place among the axes of active cells [B, space...] of an axis of space.
int place_of(int axis, const Shape& active) { return axis == ErrorNormsOp::last_axis ? active.rank() - 1 : axis + 1; }

/// Prediction, target and active cells as the backend takes them: the axes of space before that of the derivative as
/// one, and those behind it too.
struct Compared {
    ConstView prediction, target, active;

    Compared(OpInputs inputs, int axis)
        : prediction(inputs[0].reshaped(about(axis, inputs[0].shape, inputs[2].shape).append(inputs[0].shape[-1]))),
          target(inputs[1].reshaped(prediction.shape)),
          active(inputs[2].reshaped(about(axis, inputs[2].shape.append(1), inputs[2].shape))) {}

   private:
    /// [B, before, axis, behind] of [B, space..., T], whatever follows.
    static Shape about(int axis, const Shape& shape, const Shape& active) {
        const int at = place_of(axis, active);
        return {shape[0], shape.count(1, at), shape[at], shape.count(at + 1, active.rank() + 1)};
    }
};

std::string text_of(int axis) { return axis == ErrorNormsOp::last_axis ? "" : "axis " + std::to_string(axis); }

}  // namespace

std::string ErrorNormsOp::text() const { return text_of(axis); }

ValueType ErrorNormsOp::result(ValueTypes inputs) const {
    const Shape &fields = inputs[0].shape, &active = inputs[2].shape;
    expects(inputs[1].shape == fields && active == fields.slice(0, fields.rank() - 2) &&
                inputs[3].shape == Shape{active[place_of(axis, active)]},
            "targets like the prediction, active cells of its grid and a distance for each cell of the axis");
    return {{fields[0], fields[-1], 5}, DType::float64};
}

void ErrorNormsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    if (is_empty_sum(backend, inputs[0], {result})) {
        return;
    }
    const Compared of(inputs, axis);
    backend.error_norms(of.prediction, of.target, of.active, inputs[3], result);
}

std::string ErrorRatiosOp::text() const {
    const std::string kind = measure.kind == LossKind::h1 ? "h1"
                             : measure.kind == LossKind::mse
                                 ? "mse"
                                 : "derivative_weight " + number_text(measure.derivative_weight);
    return kind + " share " + number_text(share);
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
    const Shape one = inputs[0].shape;
    Tensor several;
    ConstView sums = inputs[0].reshaped({1, one[0], one[1], one[2]});
    if (inputs.size() > 1) {
        const auto axes = static_cast<std::int64_t>(inputs.size());
        several = Tensor(backend.memory(), {axes, one[0], one[1], one[2]}, DType::float64);
        for (std::int64_t axis = 0; axis < axes; ++axis) {
            backend.add(1.0, inputs[static_cast<std::size_t>(axis)], {several.view().rows(axis, axis + 1)});
        }
        sums = std::as_const(several).view();
    }
    backend.error_ratios(sums, measure, share, result, coefficients);
}

std::string ErrorGradientOp::text() const { return text_of(axis); }

void ErrorGradientOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const Compared of(inputs, axis);
    backend.error_gradient(of.prediction, of.target, of.active, inputs[3], inputs[4],
                           result.reshaped(of.prediction.shape));
}

}  // namespace plumecast
