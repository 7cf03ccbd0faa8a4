#include "support/op_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {

View Arrays::random(const std::string& name, const Shape& shape) {
    return upload(name, random_tensor(shape, DType::float32, name));
}

View Arrays::random64(const std::string& name, const Shape& shape) {
    return upload(name, random_tensor(shape, DType::float32, name), DType::float64);
}

View Arrays::field(const std::string& name, const Shape& shape) {
    const Tensor values = random_tensor(shape, DType::float32, name);
    return upload(name, converted(converted(values, rounded_), DType::float64), backend_->field_type());
}

View Arrays::output(const std::string& name, const Shape& shape) { return nan(name, shape, backend_->compute_type()); }

View Arrays::field_output(const std::string& name, const Shape& shape) {
    return nan(name, shape, backend_->field_type());
}

View Arrays::output64(const std::string& name, const Shape& shape) { return nan(name, shape, DType::float64); }

OutputRef Arrays::target(const std::string& name, const Shape& shape, double beta) {
    return {beta == 0.0 ? output(name, shape) : random(name, shape), beta};
}

OutputRef Arrays::field_target(const std::string& name, const Shape& shape, double beta) {
    return {beta == 0.0 ? field_output(name, shape) : field(name, shape), beta};
}

View Arrays::upload(const std::string& name, ConstView host) { return upload(name, host, backend_->compute_type()); }

View Arrays::upload(const std::string& name, ConstView host, DType type) {
    Tensor& tensor = arrays_[name] = Tensor(backend_->memory(), host.shape, type);
    backend_->upload(host, tensor);
    return tensor;
}

Tensor Arrays::download(const std::string& name) {
    Tensor& tensor = arrays_.at(name);
    Tensor host(host_memory(), tensor.shape(), DType::float64);
    backend_->download(tensor, host);
    return host;
}

View Arrays::nan(const std::string& name, const Shape& shape, DType type) {
    Tensor& tensor = arrays_[name] = Tensor(backend_->memory(), shape, type);
    backend_->fill(tensor, std::numeric_limits<double>::quiet_NaN());
    return tensor;
}

void expect_like_oracle(Backend& backend, const std::vector<std::string>& results,
                        const std::function<void(Arrays&)>& ops, double tolerance, const std::string& what) {
    const auto oracle = make_oracle_backend();
    Arrays tried(backend), right(*oracle, backend.field_type());
    ops(tried);
    ops(right);
    for (const std::string& name : results) {
        const bool is_rounded = tried.type(name) == DType::bfloat16;
        expect_close(tried.download(name), right.download(name),
                     is_rounded ? std::max(tolerance, bfloat16_tolerance) : tolerance, what + ", " + name);
    }
}

void expect_adjoint(Backend& backend, const Shape& x, const Shape& y, const LinearMap& forward,
                    const LinearMap& adjoint, double tolerance, const std::string& what) {
    Arrays arrays(backend);
    forward(arrays.random("x", x), arrays.output("F x", y));
    adjoint(arrays.random("y", y), arrays.output("F* y", x));
    const Tensor fx = arrays.download("F x"), right = arrays.download("y");
    const double left_product = dot(fx, right), right_product = dot(arrays.download("x"), arrays.download("F* y"));
    const double scale = std::sqrt(dot(fx, fx) * dot(right, right));
    EXPECT_LE(std::abs(left_product - right_product), tolerance * scale)
        << what << ": <F x, y> = " << left_product << ", <x, F* y> = " << right_product;
}

Tensor cotangent(Backend& backend, const Shape& shape) {
    Tensor value(backend.memory(), shape, backend.compute_type());
    backend.upload(random_tensor(shape, DType::float32, "cotangent"), value);
    return value;
}

void expect_gradient(View variable, const std::function<double()>& loss, ConstView gradient, double tolerance,
                     double step) {
    Tensor differences = host_zeros(variable.shape, DType::float64);
    double* values = variable.as<double>();
    for (std::int64_t i = 0; i < variable.shape.count(); ++i) {
        const double before = values[i];
        values[i] = before + step;
        const double high = loss();
        values[i] = before - step;
        const double low = loss();
        values[i] = before;
        differences.view().as<double>()[i] = (high - low) / (2.0 * step);
    }
    expect_close(gradient, differences, tolerance, "gradient against differences");
}

double dot(ConstView a, ConstView b) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < a.shape.count(); ++i) {
        sum += a.as<double>()[i] * b.as<double>()[i];
    }
    return sum;
}

}  // namespace plumecast::testing
