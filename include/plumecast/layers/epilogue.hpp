#pragma once

#include <plumecast/layers/variable.hpp>

namespace plumecast {

/// What a linear operation does with its result before writing it: result = f(operation + addend). The addend's memory
/// becomes the result's when nobody else holds it, so branches accumulate in place and nothing is added in a pass of
/// its own.
struct Epilogue {
    Variable addend;  ///< may be undefined
    Activation activation = Activation::identity();
};

/// Runs a linear operation under an epilogue, on the tape when needed.
class FusedResult {
   public:
    /// Space for a result of a shape that depends on `inputs`.
    FusedResult(Backend& backend, const Shape& shape, std::vector<Variable> inputs, Epilogue epilogue);

    /// Where the operation writes and with which activation.
    OutputRef target();
    Activation activation() const { return fused_; }
    /// The result; `gradient` gets the gradient before the addition and activation.
    Variable finish(Variable::Gradient gradient);

   private:
    Backend* backend_;
    std::vector<Variable> inputs_;
    Epilogue epilogue_;
    Activation fused_;
    Tensor value_;
    double beta_ = 0.0;
};

/// An operation whose result has no cells, on a rank that has no cases or no cells of a level: gradients that others
/// wait for still pass through it, as zeros. Undefined parents are left out.
Variable empty_result(Backend& backend, const Shape& shape, DType type, std::vector<Variable> parents);

/// y = f(x).
Variable activate(Variable x, Activation f);

/// y = f(a + b).
Variable add(Variable a, const Variable& b, Activation f = Activation::identity());

/// y = base + weight x, element by element, in compute_type(): what a network adds to a field that is known without it,
/// where it may. `weight` is a constant. Memory of the result; x and base are not kept.
Variable corrected(const Variable& base, const Variable& weight, const Variable& x);

/// x in the backend's compute_type(): itself where it has that type, as every prediction must.
Variable widened(const Variable& x);

}  // namespace plumecast
