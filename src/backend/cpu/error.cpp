#include <algorithm>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Extents of prediction and target: `lines` are the cells before the axis of the derivative, per case. Each cell
/// behind it has `each` of the times.
struct Cells {
    std::int64_t batch, lines, radii, times, fields, each;
    const float* mask;

    Cells(const Shape& s, ConstView active)
        : batch(s[0]),
          lines(s.count(1, s.rank() - 3)),
          radii(s[-3]),
          times(s[-2]),
          fields(s[-1]),
          each(s[-2] / active.shape.count(3, active.shape.rank())),
          mask(active.as<float>()) {}

    bool is_active(std::int64_t line, std::int64_t r, std::int64_t t) const {
        return mask[((line * radii + r) * times + t) / each] != 0.0f;
    }

    std::int64_t value(std::int64_t line, std::int64_t r, std::int64_t t, std::int64_t f) const {
        return ((line * radii + r) * times + t) * fields + f;
    }
    bool has_derivative(std::int64_t r) const { return r > 0 && r + 1 < radii; }
};

}  // namespace

void CpuBackend::error_norms(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                             View sums) {
    const Cells cells(prediction.shape, active);
    const float *p = prediction.as<float>(), *y = target.as<float>();
    const float* inverse = inverse_distance.as<float>();
    double* out = sums.as<double>();
    parallel_ranges(threads_, cells.batch * cells.fields, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t pair = begin; pair < end; ++pair) {
            const std::int64_t b = pair / cells.fields, f = pair % cells.fields;
            double total[5] = {};
            for (std::int64_t line = b * cells.lines; line < (b + 1) * cells.lines; ++line) {
                for (std::int64_t r = 0; r < cells.radii; ++r) {
                    for (std::int64_t t = 0; t < cells.times; ++t) {
                        if (t % cells.each == 0 && !cells.is_active(line, r, t)) {
                            t += cells.each - 1;
                            continue;
                        }
                        const std::int64_t at = cells.value(line, r, t, f);
                        const double error = static_cast<double>(p[at]) - static_cast<double>(y[at]);
                        const double truth = static_cast<double>(y[at]);
                        total[0] += error * error;
                        total[1] += truth * truth;
                        total[4] += 1.0;
                        if (cells.has_derivative(r)) {
                            const std::int64_t high = cells.value(line, r + 1, t, f);
                            const std::int64_t low = cells.value(line, r - 1, t, f);
                            const auto factor = static_cast<double>(inverse[r]);
                            const double slope = factor * (static_cast<double>(y[high]) - static_cast<double>(y[low]));
                            const double guess = factor * (static_cast<double>(p[high]) - static_cast<double>(p[low]));
                            total[2] += (guess - slope) * (guess - slope);
                            total[3] += slope * slope;
                        }
                    }
                }
            }
            std::copy_n(total, 5, out + pair * 5);
        }
    });
}

void CpuBackend::error_gradient(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                                ConstView coefficients, View gradient) {
    const Cells cells(prediction.shape, active);
    const float *p = prediction.as<float>(), *y = target.as<float>();
    const float* inverse = inverse_distance.as<float>();
    const double* weights = coefficients.as<double>();
    float* out = gradient.as<float>();
    // Contribution of the derivative at cell r to its neighbours; zero where the derivative is not taken.
    const auto derivative = [&](std::int64_t line, std::int64_t r, std::int64_t t, std::int64_t f) {
        if (!cells.has_derivative(r) || !cells.is_active(line, r, t)) {
            return 0.0;
        }
        const std::int64_t high = cells.value(line, r + 1, t, f), low = cells.value(line, r - 1, t, f);
        const double difference = (static_cast<double>(p[high]) - static_cast<double>(p[low])) -
                                  (static_cast<double>(y[high]) - static_cast<double>(y[low]));
        const auto factor = static_cast<double>(inverse[r]);
        return factor * factor * difference;
    };
    parallel_ranges(threads_, cells.batch * cells.lines, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t line = begin; line < end; ++line) {
            const double* pair = weights + line / cells.lines * cells.fields * 2;
            for (std::int64_t r = 0; r < cells.radii; ++r) {
                for (std::int64_t i = 0; i < cells.times * cells.fields; ++i) {
                    const std::int64_t t = i / cells.fields, f = i % cells.fields;
                    const std::int64_t at = cells.value(line, r, t, f);
                    const double error =
                        cells.is_active(line, r, t) ? static_cast<double>(p[at]) - static_cast<double>(y[at]) : 0.0;
                    const double slope = derivative(line, r - 1, t, f) - derivative(line, r + 1, t, f);
                    out[at] = static_cast<float>(pair[2 * f] * error + pair[2 * f + 1] * slope);
                }
            }
        }
    });
}

}  // namespace plumecast::cpu
