#pragma once

#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>
#include <plumecast/graph/ops/rank_sums.hpp>

namespace plumecast {

/// Mean and sum of squared deviations of each channel, [..., C] -> [2, C] float64; zeros where there is no value.
struct MomentsOp {
    static constexpr const char* name = "moments";
    ValueType result(ValueTypes inputs) const;
    MergeMomentsOp merging(double values, Communicator& ranks) const { return {&ranks, values}; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// The same from running statistics, mean [C] and variance [C], of one value.
struct RunningMomentsOp {
    static constexpr const char* name = "running_moments";
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// A running statistic [C] moved towards that of a batch, (1 - momentum) running + momentum factor moments[row].
struct MoveRunningOp {
    static constexpr const char* name = "move_running";
    int row = 0;
    double momentum = 0.1, factor = 1.0;
    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    std::vector<int> in_place(std::size_t /*inputs*/) const { return {0}; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// Batch normalisation (Ioffe and Szegedy 2015): f(weight (x - mean) / sqrt(deviations / count + epsilon) + bias).
/// Inputs x, moments, weight, bias. Where `of_batch`, the moments are those of x, and its gradient passes through them.
struct NormaliseOp {
    static constexpr const char* name = "normalise";
    static constexpr bool fuses_activation = true;
    double count = 1.0;
    double epsilon = 1e-5;
    bool of_batch = false;
    Activation activation = {};  ///< of the result

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    std::vector<int> in_place(std::size_t /*inputs*/) const { return {0}; }
    /// Through moments of the batch, gradients reach all cells.
    std::size_t fields() const { return of_batch ? 0 : 1; }
    bool is_by_cell() const { return true; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Sums [2, C] float64 that make the gradients of bias and weight. Inputs those of NormaliseOp and the gradient.
struct NormaliseSumsOp {
    static constexpr const char* name = "normalise_sums";
    NormaliseOp of;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// The gradient with respect to x. Inputs those of NormaliseOp, the gradient and, where of_batch, the sums.
struct NormaliseGradientOp {
    static constexpr const char* name = "normalise_gradient";
    NormaliseOp of;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// One row of sums [n, C] float64 as [C] in the type computed with.
struct SumsRowOp {
    static constexpr const char* name = "row";
    int row = 0;
    std::string text() const { return std::to_string(row); }
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
