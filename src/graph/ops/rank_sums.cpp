#include <plumecast/core/error.hpp>
#include <plumecast/graph/graph.hpp>

#include "core/number_text.hpp"
#include "distributed/moments.hpp"

namespace plumecast {
namespace {

Tensor on_host(Backend& backend, ConstView values) {
    Tensor host = host_zeros(values.shape, DType::float64);
    backend.download(values, host);
    return host;
}

}  // namespace

std::string MergeMomentsOp::text() const { return "of " + number_text(count); }

ValueType MergeMomentsOp::result(ValueTypes inputs) const {
    expects(inputs[0].type == DType::float64, "moments in float64");
    return inputs[0];
}

void MergeMomentsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    Tensor moments = on_host(backend, inputs[0]);
    merge_moments(*ranks, moments.values<double>(), count);
    backend.upload(moments, result);
}

ValueType SumOverRanksOp::result(ValueTypes inputs) const { return inputs[0]; }

void SumOverRanksOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    Tensor sums = on_host(backend, inputs[0]);
    ranks->sum(sums.values<double>());
    backend.upload(sums, result);
}

/// Each number goes into the result of every rank.
std::vector<Value> SumOverRanksOp::gradient(const Value& /*result*/, const Value& g) const {
    return {g.graph().add(*this, {g})};
}

}  // namespace plumecast
