#pragma once

#include <plumecast/layers/epilogue.hpp>
#include <plumecast/layers/parameters.hpp>

namespace plumecast {

/// y = f(x W^T + b + addend) on the channels of x [..., I] -> [..., O]; weight [O, I], bias [O] or undefined.
Variable linear(const Variable& x, const Variable& weight, const Variable& bias, Epilogue epilogue = {});

/// Weight and bias of linear(), uniform in +-1/sqrt(inputs).
struct Linear {
    Variable weight, bias;

    Linear(const Scope& scope, std::int64_t inputs, std::int64_t outputs);
    Variable operator()(const Variable& x, Epilogue epilogue = {}) const {
        return linear(x, weight, bias, std::move(epilogue));
    }
};

}  // namespace plumecast
