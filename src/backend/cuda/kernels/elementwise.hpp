#pragma once

#include <cstdint>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/packs.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

namespace plumecast::cuda {
namespace kernel {

/// What y[i] becomes, for kernel::Elementwise.
template <class T>
struct Fill {
    Wide<T> value;

    constexpr bool reads_result() const { return false; }
    template <class Position>
    constexpr Wide<T> operator()(Position, Wide<T>) const {
        return value;
    }
};

/// y = factor x, in the arithmetic of the result
template <class T>
struct Convert {
    Wide<T> factor;

    constexpr bool reads_result() const { return false; }
    template <class Position>
    constexpr Wide<T> operator()(Position, Wide<T>, Wide<T> x) const {
        return factor * x;
    }
};

/// y = alpha x + beta y
struct Add {
    float alpha, beta;

    constexpr bool reads_result() const { return true; }
    template <class Position>
    constexpr float operator()(Position, float y, float x) const {
        return alpha * x + beta * y;
    }
};

/// y = a x + beta y
struct AddProduct {
    float beta;

    constexpr bool reads_result() const { return beta != 0.0f; }
    template <class Position>
    constexpr float operator()(Position, float y, float a, float x) const {
        return a * x + (beta == 0.0f ? 0.0f : beta * y);
    }
};

struct Activate {
    Pointwise f;

    constexpr bool reads_result() const { return false; }
    template <class Position>
    constexpr float operator()(Position, float, float x) const {
        return f(x);
    }
};

struct ActivationGradient {
    Pointwise f;

    constexpr bool reads_result() const { return true; }
    template <class Position>
    constexpr float operator()(Position, float g, float kept) const {
        return g * f.derivative(kept);
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
        run_elements(executor_, y.shape.count(), kernel::Fill<double>{value}, y.as<double>());
        return;
    }
    with_elements(
        [&](auto* to) {
            const kernel::Fill<Element<decltype(to)>> filled{static_cast<float>(value)};
            run_elements(executor_, y.shape.count(), filled, to);
        },
        y);
}

/// y = alpha x, whatever the types.
template <class Executor>
void KernelBackend<Executor>::convert(double alpha, ConstView x, View y) {
    const auto from_to = [&](const auto* from, auto* to) {
        using To = Element<decltype(to)>;
        run_elements(executor_, x.shape.count(), kernel::Convert<To>{static_cast<Wide<To>>(alpha)}, to, from);
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
            const kernel::Add sum{static_cast<float>(alpha), static_cast<float>(y.beta)};
            run_elements(executor_, x.shape.count(), sum, to, from);
        },
        x, y.view);
}

template <class Executor>
void KernelBackend<Executor>::add_product(ConstView a, ConstView x, OutputRef y) {
    expects(a.shape.count() == y.view.shape.count() && x.shape.count() == y.view.shape.count(), "equal element counts");
    run_elements(executor_, y.view.shape.count(), kernel::AddProduct{static_cast<float>(y.beta)}, y.view.as<float>(),
                 a.as<float>(), x.as<float>());
}

template <class Executor>
void KernelBackend<Executor>::activate(Activation f, ConstView x, View y) {
    with_elements(
        [&](auto* to) {
            run_elements(executor_, y.shape.count(), kernel::Activate{Pointwise(f)}, to, x.as<Element<decltype(to)>>());
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
            run_elements(executor_, g.shape.count(), kernel::ActivationGradient{Pointwise(f)}, to,
                         kept.as<Element<decltype(to)>>());
        },
        g);
}

}  // namespace plumecast::cuda
