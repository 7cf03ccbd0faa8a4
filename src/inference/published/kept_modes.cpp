#include "inference/published/kept_modes.hpp"

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

template <class T>
void place(const Tensor& published, const std::vector<ModesOfAxis>& axes, Tensor& ours) {
    const Shape& shape = published.shape();
    const std::int64_t pairs = shape[0] * shape[1], numbers = shape.count(2, shape.rank());
    const std::int64_t of_mode = shape[-2] * shape[-1];  // times, real and imaginary
    const auto from = published.values<T>();
    auto to = ours.values<T>().begin();
    const auto rows = static_cast<std::int64_t>(ours.shape().count() / (of_mode * pairs));
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t entry = 0, left = row, stride = 1;
        bool is_there = true;
        for (std::size_t axis = axes.size(); axis-- > 0;) {
            const auto modes = static_cast<std::int64_t>(axes[axis].size());
            const std::int64_t at = axes[axis][static_cast<std::size_t>(left % modes)];
            is_there = is_there && at >= 0;
            entry += at * stride;
            stride *= shape[static_cast<int>(axis) + 2];
            left /= modes;
        }
        for (std::int64_t number = 0; number < of_mode; ++number) {
            for (std::int64_t pair = 0; pair < pairs; ++pair, ++to) {
                if (is_there) {
                    *to = from[static_cast<std::size_t>(pair * numbers + entry * of_mode + number)];
                }
            }
        }
    }
}

}  // namespace

ModesOfAxis positive_modes(std::int64_t count) {
    ModesOfAxis entries(static_cast<std::size_t>(2 * count), -1);
    for (std::int64_t k = 0; k < count; ++k) {
        entries[static_cast<std::size_t>(k)] = k;
    }
    return entries;
}

ModesOfAxis negative_modes(std::int64_t count) {
    ModesOfAxis entries(static_cast<std::size_t>(2 * count), -1);
    for (std::int64_t k = 0; k < count; ++k) {
        entries[static_cast<std::size_t>(count + k)] = k;
    }
    return entries;
}

ModesOfAxis ordered_modes(std::int64_t entries) {
    const std::int64_t count = (entries + 1) / 2, lowest = -(entries / 2);
    ModesOfAxis modes(static_cast<std::size_t>(2 * count), -1);
    for (std::int64_t entry = 0; entry < entries; ++entry) {
        const std::int64_t frequency = lowest + entry;
        modes[static_cast<std::size_t>(frequency >= 0 ? frequency : 2 * count + frequency)] = entry;
    }
    return modes;
}

void place_modes(const Tensor& published, const std::vector<ModesOfAxis>& axes, Tensor& ours) {
    const Shape& shape = published.shape();
    Shape expected;
    for (const ModesOfAxis& axis : axes) {
        expected = expected.append(static_cast<std::int64_t>(axis.size()));
    }
    expected = expected.append(shape[-2]).append(2).append(shape[0]).append(shape[1]);
    expects(shape.rank() == static_cast<int>(axes.size()) + 4 && ours.shape() == expected &&
                ours.type() == published.type(),
            "a spectral weight of as many modes and channels");
    if (ours.type() == DType::float32) {
        place<float>(published, axes, ours);
    } else {
        place<double>(published, axes, ours);
    }
}

}  // namespace plumecast
