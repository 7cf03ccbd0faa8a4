#include <plumecast/inference/prediction/physical_values.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>

namespace plumecast {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Every `step`-th of the normalised values [..., T] of a case, with scales [T].
template <class T>
void to_physical(std::span<const T> values, std::size_t step, const Field& field, std::span<const double> scales,
                 double limit, std::span<float> out) {
    const bool is_fraction = is_share(field);
    const double low = is_fraction ? 0.0 : -unlimited, high = is_fraction ? std::min(1.0, limit) : limit;
    const double offset = field.offset, cutoff = field.cutoff;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double limited =
            std::clamp(static_cast<double>(values[i * step]) * scales[i % scales.size()] + offset, low, high);
        out[i] = static_cast<float>(std::abs(limited) < cutoff ? 0.0 : limited);
    }
}

/// All cases of field f, with values of type T.
template <class T>
Tensor physical_of(ConstView values, std::size_t f, const Field& field, const Tensor& scales, const Tensor& limits,
                   Limits limiting) {
    const Shape& shape = values.shape;
    const std::int64_t fields = shape[-1];
    Tensor physical(host_memory(), shape.slice(0, shape.rank() - 1), DType::float32);
    const std::span<float> out = physical.values<float>();
    const std::span<const T> in(values.as<T>(), static_cast<std::size_t>(shape.count()));
    const auto step = static_cast<std::size_t>(fields);
    const auto per_case = static_cast<std::size_t>(shape.count(1, shape.rank() - 1));
    std::vector<double> by_time(static_cast<std::size_t>(shape[-2]), field.scale);
    for (std::size_t which = 0, begin = 0; begin < out.size(); ++which, begin += per_case) {
        for (std::size_t t = 0; !scales.empty() && t < by_time.size(); ++t) {
            by_time[t] = scale_at(scales, which, t, f);
        }
        const std::span<const T> of_case = in.subspan(begin * step + f);
        if (limiting == Limits::leave_out) {
            for (std::size_t i = 0; i < per_case; ++i) {
                const double scale = by_time[i % by_time.size()];
                out[begin + i] = static_cast<float>(static_cast<double>(of_case[i * step]) * scale + field.offset);
            }
            continue;
        }
        const double limit = field.below_irreducible_water ? limits.number(which * step + f) : unlimited;
        to_physical<T>(of_case, step, field, by_time, limit, out.subspan(begin, per_case));
    }
    return physical;
}

}  // namespace

Tensor physical_values(ConstView values, std::int64_t f, const Field& field, const Tensor& scales, const Tensor& limits,
                       Limits limiting) {
    const bool has_cases = values.shape[0] > 0;  // a rank may have none of a batch
    if (has_cases && scales.empty() && !field.factors.empty()) {
        throw InvalidInput("the network scales " + field.name + " case by case with " + field.factors.front().source +
                           ", which ready-made channels do not hold; give a data set file with the physical inputs");
    }
    if (has_cases && limiting == Limits::apply && limits.empty() && field.below_irreducible_water) {
        throw InvalidInput("the network limits " + field.name +
                           " by the irreducible water saturation of the case, which ready-made channels do not hold; "
                           "give a data set file with the physical inputs");
    }
    const auto converted = values.type == DType::float64 ? physical_of<double> : physical_of<float>;
    return converted(values, static_cast<std::size_t>(f), field, scales, limits, limiting);
}

}  // namespace plumecast
