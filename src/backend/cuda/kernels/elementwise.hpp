#pragma once

#include <cmath>
#include <cstdint>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

namespace plumecast::cuda {
namespace kernel {

template <class T>
struct Fill {
    T* y;
    T value;

    constexpr void operator()(std::int64_t i) const { y[i] = value; }
};

/// y = factor x
template <class From, class To>
struct Convert {
    const From* x;
    To* y;
    To factor;

    constexpr void operator()(std::int64_t i) const { y[i] = factor * static_cast<To>(x[i]); }
};

/// y = alpha x + beta y
struct Add {
    const float* x;
    float* y;
    float alpha, beta;

    constexpr void operator()(std::int64_t i) const { y[i] = alpha * x[i] + beta * y[i]; }
};

struct Activate {
    Pointwise f;
    const float* x;
    float* y;

    constexpr void operator()(std::int64_t i) const { y[i] = f(x[i]); }
};

struct ActivationGradient {
    Pointwise f;
    const float* kept;
    float* g;

    constexpr void operator()(std::int64_t i) const { g[i] *= f.derivative(kept[i]); }
};

/// One element of an Adam step; `rate` and `root` hold the bias corrections.
struct Adam {
    const float* g;
    float *w, *m, *v;
    float scale = 1.0f, decay = 0.0f, b1 = 0.0f, b2 = 0.0f, rest1 = 1.0f, rest2 = 1.0f;
    float rate = 0.0f, root = 1.0f, epsilon = 0.0f;

    constexpr void operator()(std::int64_t i) const {
        const float slope = scale * g[i] + decay * w[i];
        m[i] = b1 * m[i] + rest1 * slope;
        v[i] = b2 * v[i] + rest2 * slope * slope;
        w[i] -= rate * m[i] / (std::sqrt(v[i]) * root + epsilon);
    }
};

}  // namespace kernel

template <class Executor>
void KernelBackend<Executor>::upload(ConstView host, View device) {
    expects(host.shape.count() == device.shape.count(), "equal element counts");
    const std::size_t bytes = static_cast<std::size_t>(host.shape.count()) * size_of(host.type);
    if (host.type == device.type) {
        executor_.copy_in(host.data, device.data, bytes);
        return;
    }
    Tensor raw(memory(), host.shape, host.type);
    executor_.copy_in(host.data, raw.view().data, bytes);
    add(1.0, raw, {device});
}

template <class Executor>
void KernelBackend<Executor>::download(ConstView device, View host) {
    expects(host.shape.count() == device.shape.count(), "equal element counts");
    const std::size_t bytes = static_cast<std::size_t>(host.shape.count()) * size_of(host.type);
    if (host.type == device.type) {
        executor_.copy_out(device.data, host.data, bytes);
        return;
    }
    Tensor converted(memory(), host.shape, host.type);
    add(1.0, device, {converted});
    executor_.copy_out(converted.view().data, host.data, bytes);
}

template <class Executor>
void KernelBackend<Executor>::fill(View y, double value) {
    if (y.type == DType::float64) {
        executor_.run(y.shape.count(), kernel::Fill<double>{y.as<double>(), value});
    } else {
        executor_.run(y.shape.count(), kernel::Fill<float>{y.as<float>(), static_cast<float>(value)});
    }
}

template <class Executor>
void KernelBackend<Executor>::add(double alpha, ConstView x, Target y) {
    expects(x.shape.count() == y.view.shape.count(), "equal element counts");
    const std::int64_t count = x.shape.count();
    const auto factor = static_cast<float>(alpha);
    const View to = y.view;
    if (y.beta != 0.0) {
        executor_.run(count, kernel::Add{x.as<float>(), to.as<float>(), factor, static_cast<float>(y.beta)});
    } else if (x.type == DType::float32 && to.type == DType::float32) {
        executor_.run(count, kernel::Convert<float, float>{x.as<float>(), to.as<float>(), factor});
    } else if (x.type == DType::float32) {
        executor_.run(count, kernel::Convert<float, double>{x.as<float>(), to.as<double>(), alpha});
    } else if (to.type == DType::float32) {
        executor_.run(count, kernel::Convert<double, float>{x.as<double>(), to.as<float>(), factor});
    } else {
        executor_.run(count, kernel::Convert<double, double>{x.as<double>(), to.as<double>(), alpha});
    }
}

template <class Executor>
void KernelBackend<Executor>::activate(Activation f, ConstView x, View y) {
    executor_.run(y.shape.count(), kernel::Activate{Pointwise(f), x.as<float>(), y.as<float>()});
}

template <class Executor>
void KernelBackend<Executor>::activation_gradient(Activation f, ConstView kept, View g) {
    if (!f.is_identity()) {
        executor_.run(g.shape.count(), kernel::ActivationGradient{Pointwise(f), kept.as<float>(), g.as<float>()});
    }
}

template <class Executor>
void KernelBackend<Executor>::adam(const AdamStep& step, ConstView gradient, View weight, View first, View second) {
    const double correction1 = 1.0 - std::pow(step.beta1, static_cast<double>(step.step));
    const double correction2 = 1.0 - std::pow(step.beta2, static_cast<double>(step.step));
    kernel::Adam adam{gradient.as<float>(), weight.as<float>(), first.as<float>(), second.as<float>()};
    adam.scale = static_cast<float>(step.gradient_scale);
    adam.decay = static_cast<float>(step.weight_decay);
    adam.b1 = static_cast<float>(step.beta1);
    adam.b2 = static_cast<float>(step.beta2);
    // Rounded once: 1 - float(beta2) would be off by 1e-5 of itself.
    adam.rest1 = static_cast<float>(1.0 - step.beta1);
    adam.rest2 = static_cast<float>(1.0 - step.beta2);
    adam.rate = static_cast<float>(step.learning_rate / correction1);
    adam.root = static_cast<float>(1.0 / std::sqrt(correction2));
    adam.epsilon = static_cast<float>(step.epsilon);
    executor_.run(weight.shape.count(), adam);
}

}  // namespace plumecast::cuda
