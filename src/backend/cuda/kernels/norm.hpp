#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/indexing/packs.hpp"
#include "backend/cuda/kernels/pointwise.hpp"
#include "backend/cuda/kernels/reduce.hpp"

namespace plumecast::cuda {
namespace kernel {

/// Per channel, what turns x into the normalised value: z = scale x + shift, unit = inverse (x - mean).
struct Normaliser {
    float scale, shift, mean, inverse;
};

struct MakeNormaliser {
    const double* moments;
    const float *weight, *bias;
    Normaliser* out;
    std::int64_t channels;
    double count, epsilon;

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position c) const {
        const double inverse = 1.0 / std::sqrt(moments[channels + c] / count + epsilon);
        const double factor = inverse * static_cast<double>(weight[c]);
        out[c] = {static_cast<float>(factor), static_cast<float>(static_cast<double>(bias[c]) - factor * moments[c]),
                  static_cast<float>(moments[c]), static_cast<float>(inverse)};
    }
};

/// y = f(z) of x, for kernel::Elementwise.
struct Normalise {
    const Normaliser* per;
    Divisor channels;
    Pointwise f;

    constexpr bool reads_result() const { return false; }
    template <class Position>
    constexpr float operator()(Position channel, float, float x) const {
        const Normaliser n = per[channel];
        return f(n.scale * x + n.shift);
    }
};

/// Sums of g f' and of g f' unit(x) over every `pieces`-th row: partial [pieces, 2 channels].
template <class T>
struct NormaliseSums {
    const T *x, *g;
    const Normaliser* per;
    double* partial;
    std::int64_t rows, pieces;
    Divisor channels;
    Pointwise f;

    constexpr std::int64_t positions() const { return std::max(rows, 2 * pieces) * channels.value(); }

    /// An index is the position of the first row's element.
    template <class Position>
    constexpr void operator()(Position i) const {
        const auto width = static_cast<Position>(channels.value()), end = static_cast<Position>(rows) * width;
        const Position piece = channels.quotient(i), step = static_cast<Position>(pieces) * width;
        const Normaliser n = per[i - piece * width];
        double plain = 0.0, weighted = 0.0;
        for (Position at = i; at < end; at += step) {
            const float value = number(x[at]);
            const float upstream = number(g[at]) * f.derivative(n.scale * value + n.shift);
            plain += static_cast<double>(upstream);
            weighted += static_cast<double>(upstream * (value - n.mean) * n.inverse);
        }
        const Position to = i + piece * width;
        partial[to] = plain;
        partial[to + width] = weighted;
    }
};

/// The gradient of x from x and that of y, for kernel::Elementwise.
struct NormaliseGradient {
    const Normaliser* per;
    const double* sums;
    Divisor channels;
    double share;  ///< of one row: 1 / count
    Pointwise f;
    float beta;

    constexpr bool reads_result() const { return beta != 0.0f; }
    template <class Position>
    constexpr float operator()(Position channel, float before, float x, float g) const {
        const Normaliser n = per[channel];
        const auto mean_g = static_cast<float>(sums[channel] * share),
                   mean_gx = static_cast<float>(sums[channels.value() + channel] * share);
        const float unit = (x - n.mean) * n.inverse, upstream = g * f.derivative(n.scale * x + n.shift);
        const float slope = n.scale * (upstream - mean_g - unit * mean_gx);
        return beta != 0.0f ? beta * before + slope : slope;
    }
};

}  // namespace kernel

/// The Normaliser of every channel, in the executor's memory.
template <class Executor>
class ChannelNormalisers {
   public:
    ChannelNormalisers(Executor& executor, const BatchNormStatistics& s, ConstView weight, ConstView bias, Activation f)
        : channels_(weight.shape.count()), values_(executor.memory(), {channels_, 4}, DType::float32) {
        expects(f.is_identity() || f.kind == Activation::Kind::relu || f.kind == Activation::Kind::leaky_relu,
                "a piecewise linear activation behind a batch norm");
        executor.run(channels_, kernel::MakeNormaliser{s.moments.as<double>(), weight.as<float>(), bias.as<float>(),
                                                       data(), channels_, s.count, s.epsilon});
    }

    std::int64_t channels() const { return channels_; }
    kernel::Normaliser* data() { return static_cast<kernel::Normaliser*>(values_.view().data); }

   private:
    std::int64_t channels_;
    Tensor values_;
};

template <class Executor>
void KernelBackend<Executor>::normalise(ConstView x, const BatchNormStatistics& statistics, ConstView weight,
                                        ConstView bias, Activation f, View y) {
    ChannelNormalisers<Executor> per(executor_, statistics, weight, bias, f);
    with_elements(
        [&](auto* to) {
            const kernel::Normalise normalised{per.data(), Divisor(per.channels()), Pointwise(f)};
            run_elements(executor_, x.shape.count(), normalised, to, x.as<Element<decltype(to)>>());
        },
        y);
}

template <class Executor>
void KernelBackend<Executor>::normalise_sums(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics,
                                             ConstView weight, ConstView bias, Activation f, View sums) {
    ChannelNormalisers<Executor> per(executor_, statistics, weight, bias, f);
    const std::int64_t channels = per.channels(), rows = x.shape.count() / channels;
    const std::int64_t pieces = piece_count(rows, channels);
    Tensor partial(memory(), {pieces, 2 * channels}, DType::float64);
    double* results = partial.view().template as<double>();
    with_elements(
        [&](auto* from) {
            using T = Element<decltype(from)>;
            executor_.run(pieces * channels, kernel::NormaliseSums<T>{from, gradient_y.as<T>(), per.data(), results,
                                                                      rows, pieces, Divisor(channels), Pointwise(f)});
        },
        x);
    add(1.0, summed_rows(executor_, std::move(partial)), {sums});
}

template <class Executor>
void KernelBackend<Executor>::normalise_gradient(ConstView x, ConstView gradient_y,
                                                 const BatchNormStatistics& statistics, ConstView weight,
                                                 ConstView bias, Activation f, ConstView sums, OutputRef gradient_x) {
    ChannelNormalisers<Executor> per(executor_, statistics, weight, bias, f);
    with_elements(
        [&](auto* to) {
            using T = Element<decltype(to)>;
            const kernel::NormaliseGradient slope{per.data(),
                                                  sums.as<double>(),
                                                  Divisor(per.channels()),
                                                  1.0 / statistics.count,
                                                  Pointwise(f),
                                                  static_cast<float>(gradient_x.beta)};
            run_elements(executor_, x.shape.count(), slope, to, x.as<T>(), gradient_y.as<T>());
        },
        gradient_x.view);
}

}  // namespace plumecast::cuda
