#pragma once

#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

class Communicator;

/// Moments of the values of all ranks, from those of `count` values of this rank (MomentsOp), joined in rank order. All
/// ranks compute it together; the communicator outlives the graph.
struct MergeMomentsOp {
    static constexpr const char* name = "merge_moments";
    static constexpr bool is_collective = true;
    Communicator* ranks = nullptr;
    double count = 0.0;

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// Sums over the ranks of each number, added in rank order in float64; the same on all of them. All ranks compute it
/// together; the communicator outlives the graph.
struct SumOverRanksOp {
    static constexpr const char* name = "sum_over_ranks";
    static constexpr bool is_collective = true;
    Communicator* ranks = nullptr;

    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

}  // namespace plumecast
