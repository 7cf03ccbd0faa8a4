#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
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

    constexpr void operator()(std::int64_t c) const {
        const double inverse = 1.0 / std::sqrt(moments[channels + c] / count + epsilon);
        const double factor = inverse * static_cast<double>(weight[c]);
        out[c] = {static_cast<float>(factor), static_cast<float>(static_cast<double>(bias[c]) - factor * moments[c]),
                  static_cast<float>(moments[c]), static_cast<float>(inverse)};
    }
};

struct Normalise {
    const float* x;
    float* y;
    const Normaliser* per;
    std::int64_t channels;
    Pointwise f;

    constexpr void operator()(std::int64_t i) const {
        const Normaliser n = per[i % channels];
        y[i] = f(n.scale * x[i] + n.shift);
    }
};

/// Sums of g f' and of g f' unit(x) over every `pieces`-th row: partial [pieces, 2 channels].
struct NormaliseSums {
    const float *x, *g;
    const Normaliser* per;
    double* partial;
    std::int64_t rows, channels, pieces;
    Pointwise f;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t piece = i / channels, c = i % channels;
        const Normaliser n = per[c];
        double plain = 0.0, weighted = 0.0;
        for (std::int64_t row = piece; row < rows; row += pieces) {
            const float value = x[row * channels + c];
            const float upstream = g[row * channels + c] * f.derivative(n.scale * value + n.shift);
            plain += static_cast<double>(upstream);
            weighted += static_cast<double>(upstream * (value - n.mean) * n.inverse);
        }
        partial[piece * 2 * channels + c] = plain;
        partial[(piece * 2 + 1) * channels + c] = weighted;
    }
};

struct NormaliseGradient {
    const float *x, *g;
    const Normaliser* per;
    const double* sums;
    float* out;
    std::int64_t channels;
    double count;
    Pointwise f;
    float beta;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t c = i % channels;
        const Normaliser n = per[c];
        const auto mean_g = static_cast<float>(sums[c] / count),
                   mean_gx = static_cast<float>(sums[channels + c] / count);
        const float upstream = g[i] * f.derivative(n.scale * x[i] + n.shift), unit = (x[i] - n.mean) * n.inverse;
        const float slope = n.scale * (upstream - mean_g - unit * mean_gx);
        out[i] = beta != 0.0f ? beta * out[i] + slope : slope;
    }
};

}  // namespace kernel

/// The Normaliser of every channel, in the executor's memory.
template <class Executor>
class ChannelNormalisers {
   public:
    ChannelNormalisers(Executor& executor, const NormStatistics& s, ConstView weight, ConstView bias, Activation f)
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
void KernelBackend<Executor>::normalise(ConstView x, const NormStatistics& statistics, ConstView weight, ConstView bias,
                                        Activation f, View y) {
    ChannelNormalisers<Executor> per(executor_, statistics, weight, bias, f);
    executor_.run(x.shape.count(),
                  kernel::Normalise{x.as<float>(), y.as<float>(), per.data(), per.channels(), Pointwise(f)});
}

template <class Executor>
void KernelBackend<Executor>::normalise_sums(ConstView x, ConstView gradient_y, const NormStatistics& statistics,
                                             ConstView weight, ConstView bias, Activation f, View sums) {
    ChannelNormalisers<Executor> per(executor_, statistics, weight, bias, f);
    const std::int64_t channels = per.channels(), rows = x.shape.count() / channels;
    const std::int64_t pieces = piece_count(rows, channels);
    Tensor partial(memory(), {pieces, 2 * channels}, DType::float64);
    executor_.run(pieces * channels,
                  kernel::NormaliseSums{x.as<float>(), gradient_y.as<float>(), per.data(),
                                        partial.view().template as<double>(), rows, channels, pieces, Pointwise(f)});
    add(1.0, summed_rows(executor_, std::move(partial)), {sums});
}

template <class Executor>
void KernelBackend<Executor>::normalise_gradient(ConstView x, ConstView gradient_y, const NormStatistics& statistics,
                                                 ConstView weight, ConstView bias, Activation f, ConstView sums,
                                                 Target gradient_x) {
    ChannelNormalisers<Executor> per(executor_, statistics, weight, bias, f);
    executor_.run(x.shape.count(),
                  kernel::NormaliseGradient{x.as<float>(), gradient_y.as<float>(), per.data(), sums.as<double>(),
                                            gradient_x.view.as<float>(), per.channels(), statistics.count, Pointwise(f),
                                            static_cast<float>(gradient_x.beta)});
}

}  // namespace plumecast::cuda
