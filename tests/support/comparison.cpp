#include "support/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

namespace plumecast::testing {
namespace {

template <class T>
void assign(Tensor& tensor, const std::vector<double>& values) {
    std::span<T> out = tensor.values<T>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = T(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(values[i]));
    }
}

Tensor from_double(const Shape& shape, DType type, const std::vector<double>& values) {
    Tensor tensor = host_zeros(shape, type);
    switch (type) {
        case DType::float64:
            assign<double>(tensor, values);
            break;
        case DType::float32:
            assign<float>(tensor, values);
            break;
        case DType::bfloat16:
            assign<bfloat16>(tensor, values);
    }
    return tensor;
}

}  // namespace

std::vector<double> as_double(ConstView view) {
    const auto count = static_cast<std::size_t>(view.shape.count());
    if (view.type == DType::float64) {
        return {view.as<double>(), view.as<double>() + count};
    }
    if (view.type == DType::bfloat16) {
        std::vector<double> values;
        std::transform(view.as<bfloat16>(), view.as<bfloat16>() + count, std::back_inserter(values),
                       [](bfloat16 value) { return static_cast<double>(static_cast<float>(value)); });
        return values;
    }
    return {view.as<float>(), view.as<float>() + count};
}

double relative_l2(ConstView a, ConstView b) {
    const std::vector<double> x = as_double(a), y = as_double(b);
    double error = 0.0, norm = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        error += (x[i] - y[i]) * (x[i] - y[i]);
        norm += y[i] * y[i];
    }
    return norm > 0.0 ? std::sqrt(error / norm) : std::sqrt(error);
}

void expect_close(ConstView a, ConstView b, double tolerance, const std::string& what) {
    ASSERT_EQ(a.shape.text(), b.shape.text()) << what;
    const double error = relative_l2(a, b);
    if (error <= tolerance) {
        return;  // also rejects NaN, which compares false
    }
    const std::vector<double> x = as_double(a), y = as_double(b);
    std::size_t worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        worst = !(std::abs(x[i] - y[i]) <= std::abs(x[worst] - y[worst])) ? i : worst;
    }
    ADD_FAILURE() << what << ": relative L2 " << error << " > " << tolerance << ", worst at " << worst << " of "
                  << x.size() << ": " << x[worst] << " against " << y[worst];
}

Tensor random_tensor(const Shape& shape, DType type, const std::string& name, double scale) {
    const RandomStream random(2026, name);
    std::vector<double> values(static_cast<std::size_t>(shape.count()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = scale * random.normal(i);
    }
    return from_double(shape, type, values);
}

Tensor converted(ConstView view, DType type) { return from_double(view.shape, type, as_double(view)); }

}  // namespace plumecast::testing
