#pragma once

#include <plumecast/layers/linear.hpp>

namespace plumecast {

/// y = second(f(first(x))) on the channels, [..., W] -> [..., F]. The hidden layer, several times wider than the field,
/// only ever exists for a block of rows; backward computes it again.
struct Projection {
    Linear first, second;
    Activation activation = Activation::relu();

    Projection(const Scope& scope, std::int64_t width, std::int64_t hidden, std::int64_t fields);
    Variable operator()(const Variable& x) const;
};

}  // namespace plumecast
