#pragma once

#include <span>
#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

/// Losses over active cells and their gradients, see Backend::error_norms(). Fields are [B, space..., T, F], active
/// cells [B, space...].
namespace plumecast {

/// Squared norms of each case and field, [B, F, 5] float64, with derivatives along an axis of space, by default the
/// last. Inputs prediction, target, active, inverse distances of the cells along that axis.
struct ErrorNormsOp {
    static constexpr const char* name = "error_norms";
    int axis = last_axis;  ///< of space, counted from 0

    static constexpr int last_axis = -1;
    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// The loss of each case, [B] float64, from such norms by one or several axes; as a further result the coefficients
/// [B, F, 2] float64 of the gradient of `share` times their sum.
struct ErrorRatiosOp {
    static constexpr const char* name = "error_ratios";
    LossMeasure measure;
    double share = 1.0;

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    std::vector<ValueType> further_results(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result, std::span<const View> further) const;
};

/// What the norms by one axis add to that gradient with respect to the prediction. Inputs those of ErrorNormsOp and the
/// coefficients.
struct ErrorGradientOp {
    static constexpr const char* name = "error_gradient";
    int axis = ErrorNormsOp::last_axis;

    std::string text() const;
    ValueType result(ValueTypes inputs) const { return inputs[0]; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
