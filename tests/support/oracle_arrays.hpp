#pragma once

#include <array>
#include <cstdint>

#include <plumecast/backend/ops.hpp>

namespace plumecast::testing {

/// One index per axis; entries beyond the rank are zero.
using Index = std::array<std::int64_t, Shape::max_rank>;

/// Row-major position of an index.
inline std::int64_t position(const Shape& shape, const Index& index) {
    std::int64_t at = 0;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        at = at * shape[axis] + index[static_cast<std::size_t>(axis)];
    }
    return at;
}

/// Calls visit(index) for every index of a shape, last axis fastest.
template <class Visit>
void each_index(const Shape& shape, const Visit& visit) {
    Index index{};
    const std::int64_t count = shape.count();
    for (std::int64_t visited = 0; visited < count; ++visited) {
        visit(index);
        for (int axis = shape.rank() - 1; axis >= 0; --axis) {
            std::int64_t& at = index[static_cast<std::size_t>(axis)];
            if (++at < shape[axis]) {
                break;
            }
            at = 0;
        }
    }
}

/// float64 elements addressed by index.
template <class T>
struct Array {
    Shape shape;
    T* data;

    T& operator()(const Index& index) const { return data[position(shape, index)]; }
    template <class... I>
    T& operator()(std::int64_t first, I... rest) const {
        return (*this)(Index{first, rest...});
    }
};

inline Array<double> array(View view) { return {view.shape, view.as<double>()}; }
inline Array<const double> array(ConstView view) { return {view.shape, view.as<double>()}; }

/// Multiplies the destination by its beta, so that results can be added; beta 0 clears even a NaN.
inline Array<double> scaled(const OutputRef& target) {
    const Array<double> y = array(target.view);
    for (std::int64_t i = 0; i < y.shape.count(); ++i) {
        y.data[i] = target.beta == 0.0 ? 0.0 : target.beta * y.data[i];
    }
    return y;
}

/// f(x), and its derivative at the input x.
double activated(Activation f, double x);
double activation_slope(Activation f, double x);

}  // namespace plumecast::testing
