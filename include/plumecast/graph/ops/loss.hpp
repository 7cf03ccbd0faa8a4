#pragma once

#include <span>
#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

/// The relative L2 loss over active cells and its gradient (Wen et al. 2022), see Backend::error_norms(). Fields are
/// [B, space..., T, F], active cells [B, space...].
namespace plumecast {

/// Squared norms of each case and field, [B, F, 4] float64. Inputs prediction, target, active, inverse distances [R].
struct ErrorNormsOp {
    static constexpr const char* name = "error_norms";
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// The loss of each case, [B] float64, from such norms; as a further result the coefficients [B, F, 2] float64 of the
/// gradient of `share` times their sum.
struct ErrorRatiosOp {
    static constexpr const char* name = "error_ratios";
    double derivative_weight = 0.5;
    double share = 1.0;

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    std::vector<ValueType> further_results(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result, std::span<const View> further) const;
};

/// That gradient with respect to the prediction. Inputs those of ErrorNormsOp and the coefficients.
struct ErrorGradientOp {
    static constexpr const char* name = "error_gradient";
    ValueType result(ValueTypes inputs) const { return inputs[0]; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
