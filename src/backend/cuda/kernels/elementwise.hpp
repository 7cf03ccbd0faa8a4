#pragma once

#include <cstdint>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
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
    Wide<To> factor;

    constexpr void operator()(std::int64_t i) const {
        y[i] = static_cast<To>(factor * static_cast<Wide<To>>(number(x[i])));
    }
};

/// y = alpha x + beta y
template <class From, class To>
struct Add {
    const From* x;
    To* y;
    float alpha, beta;

    constexpr void operator()(std::int64_t i) const {
        y[i] = static_cast<To>(alpha * number(x[i]) + beta * number(y[i]));
    }
};

/// y = a x + beta y
struct AddProduct {
    const float *a, *x;
    float* y;
    float beta;

    constexpr void operator()(std::int64_t i) const { y[i] = a[i] * x[i] + (beta == 0.0f ? 0.0f : beta * y[i]); }
};

template <class T>
struct Activate {
    Pointwise f;
    const T* x;
    T* y;

    constexpr void operator()(std::int64_t i) const { y[i] = static_cast<T>(f(number(x[i]))); }
};

template <class T>
struct ActivationGradient {
    Pointwise f;
    const T* kept;
    T* g;

    constexpr void operator()(std::int64_t i) const {
        g[i] = static_cast<T>(number(g[i]) * f.derivative(number(kept[i])));
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
        return;
    }
    with_elements(
        [&](auto* to) {
            using T = Element<decltype(to)>;
            executor_.run(y.shape.count(), kernel::Fill<T>{to, static_cast<T>(static_cast<float>(value))});
        },
        y);
}

/// y = alpha x, whatever the types.
template <class Executor>
void KernelBackend<Executor>::convert(double alpha, ConstView x, View y) {
    const auto from_to = [&](const auto* from, auto* to) {
        using From = Element<decltype(from)>;
        using To = Element<decltype(to)>;
        executor_.run(x.shape.count(), kernel::Convert<From, To>{from, to, static_cast<Wide<To>>(alpha)});
    };
    if (x.type == DType::float64 && y.type == DType::float64) {
        from_to(x.as<double>(), y.as<double>());
    } else if (x.type == DType::float64) {
        with_elements([&](auto* to) { from_to(x.as<double>(), to); }, y);
    } else if (y.type == DType::float64) {
        with_elements([&](auto* from) { from_to(from, y.as<double>()); }, x);
    } else {
        with_elements(from_to, x, y);
    }
}

template <class Executor>
void KernelBackend<Executor>::add(double alpha, ConstView x, OutputRef y) {
    expects(x.shape.count() == y.view.shape.count(), "equal element counts");
    if (y.beta == 0.0) {
        convert(alpha, x, y.view);
        return;
    }
    with_elements(
        [&](const auto* from, auto* to) {
            executor_.run(x.shape.count(), kernel::Add<Element<decltype(from)>, Element<decltype(to)>>{
                                               from, to, static_cast<float>(alpha), static_cast<float>(y.beta)});
        },
        x, y.view);
}

template <class Executor>
void KernelBackend<Executor>::add_product(ConstView a, ConstView x, OutputRef y) {
    expects(a.shape.count() == y.view.shape.count() && x.shape.count() == y.view.shape.count(), "equal element counts");
    executor_.run(y.view.shape.count(),
                  kernel::AddProduct{a.as<float>(), x.as<float>(), y.view.as<float>(), static_cast<float>(y.beta)});
}

template <class Executor>
void KernelBackend<Executor>::activate(Activation f, ConstView x, View y) {
    with_elements(
        [&](auto* to) {
            using T = Element<decltype(to)>;
            executor_.run(y.shape.count(), kernel::Activate<T>{Pointwise(f), x.as<T>(), to});
        },
        y);
}

template <class Executor>
void KernelBackend<Executor>::activation_gradient(Activation f, ConstView kept, View g) {
    if (f.is_identity()) {
        return;
    }
    with_elements(
        [&](auto* to) {
            using T = Element<decltype(to)>;
            executor_.run(g.shape.count(), kernel::ActivationGradient<T>{Pointwise(f), kept.as<T>(), to});
        },
        g);
}

}  // namespace plumecast::cuda
