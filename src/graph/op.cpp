#include <plumecast/core/error.hpp>
#include <plumecast/graph/op.hpp>

#include "graph/ops/activation_text.hpp"

namespace plumecast {

std::string Fused::text() const {
    return (addend ? " + addend" : "") + (activation.is_identity() ? std::string() : " " + text_of(activation));
}

ValueType Fused::checked(ValueTypes inputs, const ValueType& result) const {
    expects(!addend || inputs.back() == result, "an addend of the type of the result");
    return result;
}

OutputRef Fused::target(Backend& backend, OpInputs inputs, View result) const {
    if (addend) {
        backend.add(1.0, inputs.back(), {result});
    }
    return {result, addend ? 1.0 : 0.0};
}

}  // namespace plumecast
