#include <cmath>
#include <numbers>

#include "support/oracle_arrays.hpp"
#include "support/oracle_backend.hpp"
#include "support/oracle_class.hpp"

namespace plumecast::testing {
namespace {

double element(ConstView view, std::int64_t i) {
    return view.type == DType::float64 ? view.as<double>()[i] : static_cast<double>(view.as<float>()[i]);
}

void set_element(View view, std::int64_t i, double value) {
    if (view.type == DType::float64) {
        view.as<double>()[i] = value;
    } else {
        view.as<float>()[i] = static_cast<float>(value);
    }
}

}  // namespace

double activated(Activation f, double x) {
    switch (f.kind) {
        case Activation::Kind::identity:
            return x;
        case Activation::Kind::relu:
            return x < 0.0 ? 0.0 : x;
        case Activation::Kind::leaky_relu:
            return x < 0.0 ? f.slope * x : x;
        case Activation::Kind::tanh:
            return std::tanh(x);
        case Activation::Kind::gelu:
            return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);
    }
    throw Error("internal: an activation the oracle does not know (a kind was added); extend it");
}

double activation_slope(Activation f, double x) {
    switch (f.kind) {
        case Activation::Kind::identity:
            return 1.0;
        case Activation::Kind::relu:
            return x > 0.0 ? 1.0 : 0.0;
        case Activation::Kind::leaky_relu:
            return x > 0.0 ? 1.0 : f.slope;
        case Activation::Kind::tanh:
            return 1.0 - std::tanh(x) * std::tanh(x);
        case Activation::Kind::gelu:
            return 0.5 * std::erfc(-x / std::numbers::sqrt2) +
                   x * std::exp(-x * x / 2.0) / std::sqrt(2.0 * std::numbers::pi);
    }
    throw Error("internal: an activation the oracle does not know (a kind was added); extend it");
}

void OracleBackend::upload(ConstView host, View device) { add(1.0, host, {device, 0.0}); }

void OracleBackend::download(ConstView device, View host) { add(1.0, device, {host, 0.0}); }

void OracleBackend::fill(View y, double value) {
    for (std::int64_t i = 0; i < y.shape.count(); ++i) {
        set_element(y, i, value);
    }
}

void OracleBackend::add(double alpha, ConstView x, OutputRef y) {
    expects(x.shape.count() == y.view.shape.count(), "equal element counts");
    for (std::int64_t i = 0; i < x.shape.count(); ++i) {
        const double before = y.beta == 0.0 ? 0.0 : y.beta * element(y.view, i);
        set_element(y.view, i, alpha * element(x, i) + before);
    }
}

void OracleBackend::add_product(ConstView a, ConstView x, OutputRef y) {
    for (std::int64_t i = 0; i < y.view.shape.count(); ++i) {
        const double before = y.beta == 0.0 ? 0.0 : y.beta * y.view.as<double>()[i];
        y.view.as<double>()[i] = a.as<double>()[i] * x.as<double>()[i] + before;
    }
}

void OracleBackend::activate(Activation f, ConstView x, View y) {
    for (std::int64_t i = 0; i < x.shape.count(); ++i) {
        y.as<double>()[i] = activated(f, x.as<double>()[i]);
    }
}

void OracleBackend::activation_gradient(Activation f, ConstView kept, View g) {
    for (std::int64_t i = 0; i < g.shape.count(); ++i) {
        const double value = kept.as<double>()[i];
        // Outputs of relu and leaky_relu have the sign of their inputs; tanh is inverted by 1 - y^2.
        g.as<double>()[i] *= f.kind == Activation::Kind::tanh ? 1.0 - value * value : activation_slope(f, value);
    }
}

void OracleBackend::adam(const AdamStep& step, std::span<const AdamParameter> targets) {
    const auto t = static_cast<double>(step.step);
    const double norm = step.clip_norm > 0.0 ? std::sqrt(*step.squared_norm.as<double>()) : 0.0;
    const double scale = step.gradient_scale * (norm > step.clip_norm ? step.clip_norm / norm : 1.0);
    for (const AdamParameter& target : targets) {
        for (std::int64_t i = 0; i < target.weight.shape.count(); ++i) {
            double& w = target.weight.as<double>()[i];
            double &m = target.first.as<double>()[i], &v = target.second.as<double>()[i];
            const double g =
                scale * target.gradient.as<double>()[i] + (step.decoupled_decay ? 0.0 : step.weight_decay * w);
            m = step.beta1 * m + (1.0 - step.beta1) * g;
            v = step.beta2 * v + (1.0 - step.beta2) * g * g;
            const double unbiased_first = m / (1.0 - std::pow(step.beta1, t));
            const double unbiased_second = v / (1.0 - std::pow(step.beta2, t));
            const double decay = step.decoupled_decay ? step.weight_decay * w : 0.0;
            w -= step.learning_rate * (unbiased_first / (std::sqrt(unbiased_second) + step.epsilon) + decay);
        }
    }
}

std::unique_ptr<Backend> make_oracle_backend() { return std::make_unique<OracleBackend>(); }

}  // namespace plumecast::testing
