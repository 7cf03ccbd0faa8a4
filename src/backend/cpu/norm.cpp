#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/channel_sums.hpp"
#include "backend/cpu/piecewise_linear.hpp"

namespace plumecast::cpu {
namespace {

/// Per channel, what turns x into the normalised value: z = scale x + shift, unit = inverse (x - mean); and what its
/// gradient subtracts. Held for a whole period.
class Channels {
   public:
    Channels(const BatchNormStatistics& s, ConstView weight, ConstView bias, Activation f, const double* sums = nullptr)
        : period_(weight.shape.count()), slope_(negative_slope(f)) {
        expects(is_piecewise_linear(f), "a piecewise linear activation behind a batch norm");
        const std::int64_t count = weight.shape.count();
        const double* moments = s.moments.as<double>();
        std::array<std::vector<float>, 6> rows;
        for (std::int64_t c = 0; c < count; ++c) {
            const double deviation = 1.0 / std::sqrt(moments[count + c] / s.count + s.epsilon);
            const double factor = deviation * static_cast<double>(weight.as<float>()[c]);
            const double shift = static_cast<double>(bias.as<float>()[c]) - factor * moments[c];
            const std::array<double, 6> row{factor,
                                            shift,
                                            moments[c],
                                            deviation,
                                            sums == nullptr ? 0.0 : sums[c] / s.count,
                                            sums == nullptr ? 0.0 : sums[count + c] / s.count};
            for (std::size_t k = 0; k < row.size(); ++k) {
                rows[k].push_back(static_cast<float>(row[k]));
            }
        }
        for (std::size_t k = 0; k < rows.size(); ++k) {
            held_[k] = period_.repeated(rows[k]);
        }
    }
    const ChannelPeriod& period() const { return period_; }
    NormRows rows() const {
        return {held_[0].data(), held_[1].data(), held_[2].data(),   held_[3].data(),
                held_[4].data(), held_[5].data(), period_.numbers(), slope_};
    }

   private:
    ChannelPeriod period_;
    float slope_;
    std::array<std::vector<float>, 6> held_;
};

}  // namespace

void CpuBackend::moments(ConstView x, View moments) {
    const std::int64_t channels = x.shape[-1], rows = x.shape.count() / channels;
    const ChannelPeriod period(channels);
    double* out = moments.as<double>();
    // Two passes: the deviations are summed about the mean, which keeps small variances on large means.
    std::vector<double> means =
        channel_sums(threads_, rows, period, 1, [&] { return ColumnAdder(*simd_, simd_->fields->add_up, x, period); });
    for (double& mean : means) {
        mean /= static_cast<double>(rows);
    }
    const std::vector<double> about = period.repeated(means);
    const auto squares = channel_sums(threads_, rows, period, 1, [&] {
        return [&, in = FieldReader(*simd_, x, period.chunk_rows() * channels)](std::int64_t first, std::int64_t count,
                                                                                double* sums) mutable {
            simd_->fields->add_squares(in(first * channels, count * channels), count * channels, about.data(), sums,
                                       period.numbers());
        };
    });
    std::ranges::copy(means, out);
    std::ranges::copy(squares, out + channels);
}

void CpuBackend::normalise(ConstView x, const BatchNormStatistics& statistics, ConstView weight, ConstView bias,
                           Activation f, View y) {
    const std::int64_t channels = x.shape[-1], rows = x.shape.count() / channels;
    const Channels per(statistics, weight, bias, f);
    const std::int64_t most = per.period().chunk_rows();
    parallel_ranges(threads_, rows, 512, [&](std::int64_t begin, std::int64_t end) {
        FieldReader in(*simd_, x, most * channels);
        FieldWriter out(*simd_, y, most * channels);
        for_chunks(begin, end, most, [&](std::int64_t first, std::int64_t count) {
            const float* values = in(first * channels, count * channels);
            out(first * channels, count * channels, false,
                [&](float* result) { simd_->fields->normalise(per.rows(), values, result, count * channels); });
        });
    });
}

void CpuBackend::normalise_sums(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics,
                                ConstView weight, ConstView bias, Activation f, View sums) {
    const std::int64_t channels = x.shape[-1], rows = x.shape.count() / channels;
    const Channels per(statistics, weight, bias, f);
    const std::int64_t most = per.period().chunk_rows() * channels;
    const auto total = channel_sums(threads_, rows, per.period(), 2, [&] {
        return [&, in = FieldReader(*simd_, x, most), upstreams = FieldReader(*simd_, gradient_y, most)](
                   std::int64_t first, std::int64_t count, double* partial) mutable {
            const float *values = in(first * channels, count * channels),
                        *g = upstreams(first * channels, count * channels);
            simd_->fields->normalise_sums(per.rows(), values, g, count * channels, partial,
                                          partial + per.period().numbers());
        };
    });
    std::ranges::copy(total, sums.as<double>());
}

void CpuBackend::normalise_gradient(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics,
                                    ConstView weight, ConstView bias, Activation f, ConstView sums,
                                    OutputRef gradient_x) {
    const std::int64_t channels = x.shape[-1], rows = x.shape.count() / channels;
    const Channels per(statistics, weight, bias, f, sums.as<double>());
    const std::int64_t most = per.period().chunk_rows();
    const auto beta = static_cast<float>(gradient_x.beta);
    parallel_ranges(threads_, rows, 512, [&](std::int64_t begin, std::int64_t end) {
        FieldReader in(*simd_, x, most * channels), upstreams(*simd_, gradient_y, most * channels);
        FieldWriter out(*simd_, gradient_x.view, most * channels);
        for_chunks(begin, end, most, [&](std::int64_t first, std::int64_t count) {
            const float* values = in(first * channels, count * channels);
            const float* g = upstreams(first * channels, count * channels);
            out(first * channels, count * channels, beta != 0.0f, [&](float* result) {
                simd_->fields->normalise_gradient(per.rows(), values, g, result, count * channels, beta);
            });
        });
    });
}

}  // namespace plumecast::cpu
