#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

class Exchange;

/// What this rank holds of an array, from one layout of the ranks to another: a linear map that copies cells to whoever
/// needs them or, its adjoint, adds them up in rank order. All ranks compute it together. The exchange says which cells
/// go where and knows nothing of fields or modes; what it is used for here:
///   halo   a field on this rank's own cells -> on those that convolutions need
///   modes  the modes that this rank owns -> all of them (gather); adjoint, its partial sums of all modes -> the sums
///          of those that it owns (reduce_scatter)
///   lines  its cells of all lines of an axis -> all cells of its lines (transpose)
struct ExchangeOp {
    static constexpr const char* name = "exchange";
    enum class Kind { halo, modes, lines };
    Kind kind = Kind::halo;
    bool adjoint = false;
    std::shared_ptr<const Exchange> exchange;
    Shape sent, received;  ///< this rank's array before and after, with the axes of the exchange
    Shape shape;           ///< of the result, as many numbers as `received`

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

}  // namespace plumecast
