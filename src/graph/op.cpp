#include <plumecast/core/error.hpp>
#include <plumecast/graph/op.hpp>

#include "graph/ops/activation_text.hpp"

namespace plumecast {

DType on_backend(const Backend& backend, DType type) {
    switch (type) {
        case DType::float32:
            return backend.compute_type();
        case DType::bfloat16:
            return backend.field_type();
        case DType::float64:
            return DType::float64;
    }
    throw Error("internal: an element type without a place on backends");
}

std::string Fused::text() const {
    return (addend ? " + addend" : "") + (activation.is_identity() ? std::string() : " " + text_of(activation));
}

ValueType Fused::checked(ValueTypes inputs, const ValueType& result) const {
    expects(!addend || inputs.back() == result, "an addend of the type of the result");
    return result;
}

std::vector<int> Fused::in_place(std::size_t inputs) const {
    return addend ? std::vector<int>{static_cast<int>(inputs) - 1} : std::vector<int>{};
}

OutputRef Fused::target(Backend& backend, OpInputs inputs, View result) const {
    if (addend && inputs.back().data != result.data) {
        backend.add(1.0, inputs.back(), {result});
    }
    return {result, addend ? 1.0 : 0.0};
}

bool is_empty_sum(Backend& backend, ConstView cells, OutputRef target) {
    if (cells.shape.count() > 0) {
        return false;
    }
    if (target.beta == 0.0) {
        backend.fill(target.view, 0.0);
    }
    return true;
}

}  // namespace plumecast
