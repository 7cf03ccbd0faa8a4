#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/field_chunks.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Per channel, what turns x into the normalised value: z = scale x + shift, unit = inverse (x - mean).
struct Channels {
    std::vector<float> scale, shift, mean, inverse;

    Channels(const NormStatistics& s, ConstView weight, ConstView bias) {
        const std::int64_t count = weight.shape.count();
        const double* moments = s.moments.as<double>();
        for (std::int64_t c = 0; c < count; ++c) {
            const double deviation = 1.0 / std::sqrt(moments[count + c] / s.count + s.epsilon);
            const double factor = deviation * static_cast<double>(weight.as<float>()[c]);
            scale.push_back(static_cast<float>(factor));
            shift.push_back(static_cast<float>(static_cast<double>(bias.as<float>()[c]) - factor * moments[c]));
            mean.push_back(static_cast<float>(moments[c]));
            inverse.push_back(static_cast<float>(deviation));
        }
    }
};

float slope_of(Activation f) {
    expects(f.is_identity() || f.kind == Activation::Kind::relu || f.kind == Activation::Kind::leaky_relu,
            "a piecewise linear activation behind a batch norm");
    return f.is_identity() ? 1.0f : f.kind == Activation::Kind::relu ? 0.0f : static_cast<float>(f.slope);
}

/// Sums of two values per channel over all rows, in fixed pieces merged in order. make_row() gives a thread its
/// row(r, sums), which adds row r.
template <class MakeRow>
std::vector<double> channel_sums(int threads, std::int64_t rows, std::int64_t channels, const MakeRow& make_row) {
    const std::int64_t pieces = std::max<std::int64_t>(1, std::min<std::int64_t>(64, rows / 256));
    std::vector<double> partial(static_cast<std::size_t>(pieces * 2 * channels), 0.0);
    parallel_ranges(threads, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        auto row = make_row();
        for (std::int64_t p = begin; p < end; ++p) {
            double* sums = partial.data() + p * 2 * channels;
            for (std::int64_t r = rows * p / pieces; r < rows * (p + 1) / pieces; ++r) {
                row(r, sums);
            }
        }
    });
    std::vector<double> total(partial.begin(), partial.begin() + 2 * channels);
    for (std::int64_t i = 2 * channels; i < pieces * 2 * channels; ++i) {
        total[static_cast<std::size_t>(i % (2 * channels))] += partial[static_cast<std::size_t>(i)];
    }
    return total;
}

}  // namespace

void CpuBackend::moments(ConstView x, View moments) {
    const std::int64_t channels = x.shape[-1], rows = x.shape.count() / channels;
    double* out = moments.as<double>();
    // Two passes: the deviations are summed about the mean, which keeps small variances on large means.
    const auto means = channel_sums(threads_, rows, channels, [&] {
        return [in = RowReader(*simd_, x), channels](std::int64_t r, double* sums) mutable {
            const float* values = in(r);
            for (std::int64_t c = 0; c < channels; ++c) {
                sums[c] += static_cast<double>(values[c]);
            }
        };
    });
    for (std::int64_t c = 0; c < channels; ++c) {
        out[c] = means[static_cast<std::size_t>(c)] / static_cast<double>(rows);
    }
    const auto squares = channel_sums(threads_, rows, channels, [&] {
        return [in = RowReader(*simd_, x), channels, out](std::int64_t r, double* sums) mutable {
            const float* values = in(r);
            for (std::int64_t c = 0; c < channels; ++c) {
                const double deviation = static_cast<double>(values[c]) - out[c];
                sums[c] += deviation * deviation;
            }
        };
    });
    std::copy_n(squares.begin(), channels, out + channels);
}

void CpuBackend::normalise(ConstView x, const NormStatistics& statistics, ConstView weight, ConstView bias,
                           Activation f, View y) {
    const std::int64_t channels = x.shape[-1], rows = x.shape.count() / channels, most = rows_in_chunk(channels);
    const Channels per(statistics, weight, bias);
    const float slope = slope_of(f);
    parallel_ranges(threads_, rows, 512, [&](std::int64_t begin, std::int64_t end) {
        FieldReader in(*simd_, x, most * channels);
        FieldWriter out(*simd_, y, most * channels);
        for_chunks(begin, end, most, [&](std::int64_t first, std::int64_t count) {
            const float* values = in(first * channels, count * channels);
            out(first * channels, count * channels, false, [&](float* result) {
                for (std::int64_t i = 0; i < count * channels; i += channels) {
                    for (std::int64_t c = 0; c < channels; ++c) {
                        const auto j = static_cast<std::size_t>(c);
                        const float z = per.scale[j] * values[i + c] + per.shift[j];
                        result[i + c] = z >= 0.0f ? z : slope * z;
                    }
                }
            });
        });
    });
}

void CpuBackend::normalise_sums(ConstView x, ConstView gradient_y, const NormStatistics& statistics, ConstView weight,
                                ConstView bias, Activation f, View sums) {
    const std::int64_t channels = x.shape[-1], rows = x.shape.count() / channels;
    const Channels per(statistics, weight, bias);
    const float slope = slope_of(f);
    const auto make_row = [&] {
        return [&per, channels, slope, in = RowReader(*simd_, x), upstreams = RowReader(*simd_, gradient_y)](
                   std::int64_t r, double* partial) mutable {
            const float *values = in(r), *g = upstreams(r);
            for (std::int64_t c = 0; c < channels; ++c) {
                const auto j = static_cast<std::size_t>(c);
                const float upstream = g[c] * (per.scale[j] * values[c] + per.shift[j] > 0.0f ? 1.0f : slope);
                partial[c] += static_cast<double>(upstream);
                partial[channels + c] += static_cast<double>(upstream * (values[c] - per.mean[j]) * per.inverse[j]);
            }
        };
    };
    const auto total = channel_sums(threads_, rows, channels, make_row);
    std::copy(total.begin(), total.end(), sums.as<double>());
}

void CpuBackend::normalise_gradient(ConstView x, ConstView gradient_y, const NormStatistics& statistics,
                                    ConstView weight, ConstView bias, Activation f, ConstView sums, Target gradient_x) {
    const std::int64_t channels = x.shape[-1], rows = x.shape.count() / channels, most = rows_in_chunk(channels);
    const Channels per(statistics, weight, bias);
    const float slope = slope_of(f), beta = static_cast<float>(gradient_x.beta);
    std::vector<float> mean_g, mean_gx;
    for (std::int64_t c = 0; c < channels; ++c) {
        mean_g.push_back(static_cast<float>(sums.as<double>()[c] / statistics.count));
        mean_gx.push_back(static_cast<float>(sums.as<double>()[channels + c] / statistics.count));
    }
    const auto slope_at = [&](float value, float g, std::int64_t c) {
        const auto j = static_cast<std::size_t>(c);
        const float upstream = g * (per.scale[j] * value + per.shift[j] > 0.0f ? 1.0f : slope);
        const float unit = (value - per.mean[j]) * per.inverse[j];
        return per.scale[j] * (upstream - mean_g[j] - unit * mean_gx[j]);
    };
    parallel_ranges(threads_, rows, 512, [&](std::int64_t begin, std::int64_t end) {
        FieldReader in(*simd_, x, most * channels), upstreams(*simd_, gradient_y, most * channels);
        FieldWriter out(*simd_, gradient_x.view, most * channels);
        for_chunks(begin, end, most, [&](std::int64_t first, std::int64_t count) {
            const float* values = in(first * channels, count * channels);
            const float* g = upstreams(first * channels, count * channels);
            out(first * channels, count * channels, beta != 0.0f, [&](float* result) {
                for (std::int64_t i = 0; i < count * channels; i += channels) {
                    for (std::int64_t c = 0; c < channels; ++c) {
                        const float added = slope_at(values[i + c], g[i + c], c);
                        result[i + c] = beta != 0.0f ? beta * result[i + c] + added : added;
                    }
                }
            });
        });
    });
}

}  // namespace plumecast::cpu
