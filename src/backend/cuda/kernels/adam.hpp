#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/reduce.hpp"

namespace plumecast::cuda {
namespace kernel {

/// Several ranges of indices as one: which of them an index falls into.
template <std::size_t most>
struct Ranges {
    std::array<std::int64_t, most + 1> starts{};  ///< the end of the last one comes after it
    std::size_t count = 0;

    void append(std::int64_t extent) {
        starts[count + 1] = starts[count] + extent;
        ++count;
    }
    bool is_full() const { return count == most; }
    std::int64_t total() const { return starts[count]; }
    /// The range that index i of total() lies in; empty ranges hold none.
    template <class Position>
    constexpr std::uint32_t find(Position i) const {
        std::uint32_t low = 0, high = static_cast<std::uint32_t>(count);  // starts[low] <= i < starts[high]
        while (high - low > 1) {
            const std::uint32_t middle = (low + high) / 2;
            (static_cast<Position>(starts[middle]) <= i ? low : high) = middle;
        }
        return low;
    }
};

/// Sum of squares of several arrays, each over every n-th of its elements, n being the number of its pieces.
struct SquareSums {
    static constexpr std::size_t most = 1024;

    Ranges<most> pieces{};
    std::array<const float*, most> x{};
    std::array<std::int64_t, most> counts{};
    double* partial = nullptr;

    constexpr std::int64_t positions() const { return *std::ranges::max_element(counts); }

    template <class Position>
    constexpr void operator()(Position i) const {
        const std::uint32_t array = pieces.find(i);
        const auto first = static_cast<Position>(pieces.starts[array]);
        const Position step = static_cast<Position>(pieces.starts[array + 1]) - first;
        const auto end = static_cast<Position>(counts[array]);
        const float* values = x[array];
        double sum = 0.0;
        for (Position at = i - first; at < end; at += step) {
            sum += static_cast<double>(values[at]) * static_cast<double>(values[at]);
        }
        partial[i] = sum;
    }
};

/// min(1, largest / norm), by which clipping multiplies gradients.
struct ClipFactor {
    const double* squared_norm;
    float* factor;
    double largest;

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position) const {
        const double norm = std::sqrt(*squared_norm);
        *factor = static_cast<float>(norm > largest ? largest / norm : 1.0);
    }
};

/// One element of an Adam step over several arrays; `rate` and `root` hold the bias corrections.
struct Adam {
    /// As many as fit into what a launch takes by value, 32,764 bytes since compute capability 7.0.
    static constexpr std::size_t most = 640;
    struct Arrays {
        const float* g;
        float *w, *m, *v;
    };

    float scale = 1.0f, decay = 0.0f, b1 = 0.0f, b2 = 0.0f, rest1 = 1.0f, rest2 = 1.0f;
    float rate = 0.0f, root = 1.0f, epsilon = 0.0f, shrink = 0.0f;
    const float* clip = nullptr;  ///< one more factor of the gradient, or null
    Ranges<most> elements{};
    std::array<Arrays, most> arrays{};

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position i) const {
        const std::uint32_t range = elements.find(i);
        const Position at = i - static_cast<Position>(elements.starts[range]);
        const Arrays& a = arrays[range];
        const float factor = clip != nullptr ? scale * *clip : scale;
        const float slope = factor * a.g[at] + decay * a.w[at];
        const float m = b1 * a.m[at] + rest1 * slope, v = b2 * a.v[at] + rest2 * slope * slope;
        a.m[at] = m;
        a.v[at] = v;
        a.w[at] -= rate * m / (std::sqrt(v) * root + epsilon) + shrink * a.w[at];
    }
};
static_assert(sizeof(Adam) + sizeof(std::int64_t) <= 32764 && sizeof(SquareSums) + sizeof(std::int64_t) <= 32764,
              "arguments of a launch");

}  // namespace kernel

template <class Executor>
void KernelBackend<Executor>::squared_norm(std::span<const ConstView> arrays, View sum) {
    std::int64_t pieces = 0;
    for (const ConstView& x : arrays) {
        pieces += piece_count(x.shape.count(), 1);
    }
    Tensor partial(memory(), {std::max<std::int64_t>(pieces, 1), 1}, DType::float64);
    double* sums = partial.view().template as<double>();
    if (arrays.empty()) {
        fill(partial, 0.0);
    }
    for (std::size_t next = 0; next < arrays.size();) {
        kernel::SquareSums some;
        some.partial = sums;
        for (; next < arrays.size() && !some.pieces.is_full(); ++next) {
            const std::int64_t count = arrays[next].shape.count();
            some.x[some.pieces.count] = arrays[next].as<float>();
            some.counts[some.pieces.count] = count;
            some.pieces.append(piece_count(count, 1));
        }
        executor_.run(some.pieces.total(), some);
        sums += some.pieces.total();
    }
    add(1.0, summed_rows(executor_, std::move(partial)), {sum});
}

template <class Executor>
void KernelBackend<Executor>::adam(const AdamStep& step, std::span<const AdamParameter> targets) {
    const double correction1 = 1.0 - std::pow(step.beta1, static_cast<double>(step.step));
    const double correction2 = 1.0 - std::pow(step.beta2, static_cast<double>(step.step));
    kernel::Adam adam;
    adam.scale = static_cast<float>(step.gradient_scale);
    adam.decay = static_cast<float>(step.decoupled_decay ? 0.0 : step.weight_decay);
    adam.shrink = static_cast<float>(step.decoupled_decay ? step.learning_rate * step.weight_decay : 0.0);
    adam.b1 = static_cast<float>(step.beta1);
    adam.b2 = static_cast<float>(step.beta2);
    // Rounded once: 1 - float(beta2) would be off by 1e-5 of itself.
    adam.rest1 = static_cast<float>(1.0 - step.beta1);
    adam.rest2 = static_cast<float>(1.0 - step.beta2);
    adam.rate = static_cast<float>(step.learning_rate / correction1);
    adam.root = static_cast<float>(1.0 / std::sqrt(correction2));
    adam.epsilon = static_cast<float>(step.epsilon);
    Tensor clip;
    if (step.clip_norm > 0.0) {
        clip = Tensor(memory(), {1}, DType::float32);
        adam.clip = clip.view().template as<float>();
        executor_.run(
            1, kernel::ClipFactor{step.squared_norm.as<double>(), clip.view().template as<float>(), step.clip_norm});
    }
    for (std::size_t next = 0; next < targets.size();) {
        adam.elements = {};
        for (; next < targets.size() && !adam.elements.is_full(); ++next) {
            const AdamParameter& t = targets[next];
            adam.arrays[adam.elements.count] = {t.gradient.as<float>(), t.weight.as<float>(), t.first.as<float>(),
                                                t.second.as<float>()};
            adam.elements.append(t.weight.shape.count());
        }
        executor_.run(adam.elements.total(), adam);
    }
}

}  // namespace plumecast::cuda
