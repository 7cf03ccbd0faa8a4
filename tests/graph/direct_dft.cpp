#include "graph/direct_dft.hpp"

#include <map>
#include <numbers>

namespace plumecast::testing {
namespace {

using Complex = std::complex<double>;

double multiplicity(std::int64_t k, std::int64_t cells) { return k == 0 || 2 * k == cells ? 1.0 : 2.0; }

/// Order in which the published code writes a stored mode: corner (+,+), (-,+), (+,-), (-,-), first axis fastest.
std::size_t corner(const std::vector<std::int64_t>& stored, const std::vector<std::int64_t>& modes) {
    std::size_t result = 0;
    for (std::size_t axis = 0; axis < stored.size(); ++axis) {
        result += stored[axis] >= modes[axis] ? std::size_t{1} << axis : 0;
    }
    return result;
}

}  // namespace

DirectDft::DirectDft(const Shape& extents, const std::vector<std::int64_t>& modes) : extents_(extents), modes_(modes) {
    const std::size_t space = modes.size() - 1;
    std::vector<std::int64_t> stored(space, 0);
    std::vector<std::size_t> corners;
    std::map<Frequency, std::size_t> last_corner;
    for (bool done = false; !done;) {
        Frequency k;
        for (std::size_t axis = 0; axis < space; ++axis) {
            k.push_back(frequency_at(axis, stored[axis]));
        }
        frequencies_.push_back(k);
        corners.push_back(corner(stored, modes));
        std::size_t& last = last_corner.try_emplace(k, corners.back()).first->second;
        last = std::max(last, corners.back());
        done = true;
        for (std::size_t axis = space; done && axis-- > 0;) {
            done = ++stored[axis] == 2 * modes[axis];
            stored[axis] = done ? 0 : stored[axis];
        }
    }
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
        live_.push_back(last_corner.at(frequencies_[i]) == corners[i]);
    }
}

std::int64_t DirectDft::frequency_at(std::size_t axis, std::int64_t stored) const {
    const std::int64_t m = modes_[axis];
    return stored < m ? stored : extents_[static_cast<int>(axis)] - 2 * m + stored;
}

Complex DirectDft::factor(const Frequency& k, std::int64_t kt, std::int64_t cell) const {
    const std::int64_t steps = extents_[-1];
    double turns = static_cast<double>(kt * (cell % steps) % steps) / static_cast<double>(steps);
    cell /= steps;
    for (std::size_t axis = k.size(); axis-- > 0;) {
        const std::int64_t cells = extents_[static_cast<int>(axis)];
        turns += static_cast<double>(k[axis] * (cell % cells) % cells) / static_cast<double>(cells);
        cell /= cells;
    }
    return std::polar(1.0, -2.0 * std::numbers::pi * turns);
}

Tensor DirectDft::forward(ConstView field) const {
    const std::int64_t batch = field.shape[0], channels = field.shape[-1], cells = extents_.count();
    Tensor spectrum = host_zeros({batch, space_modes(), 2, time_modes(), channels}, DType::float64);
    double* out = spectrum.view().as<double>();
    const std::int64_t half = time_modes() * channels;
    for (std::int64_t row = 0; row < space_modes() * time_modes() * cells; ++row) {
        const std::int64_t cell = row % cells, t = row / cells % time_modes(), k = row / cells / time_modes();
        if (!live_[static_cast<std::size_t>(k)]) {
            continue;
        }
        const Complex w = factor(frequencies_[static_cast<std::size_t>(k)], t, cell);
        for (std::int64_t bc = 0; bc < batch * channels; ++bc) {
            const std::int64_t b = bc / channels, c = bc % channels;
            const double value = field.as<double>()[(b * cells + cell) * channels + c];
            const std::int64_t at = (b * space_modes() + k) * 2 * half + t * channels + c;
            out[at] += value * w.real();
            out[at + half] += value * w.imag();
        }
    }
    return spectrum;
}

Tensor DirectDft::inverse(ConstView spectrum) const {
    const std::int64_t batch = spectrum.shape[0], channels = spectrum.shape[-1], cells = extents_.count();
    const std::vector<std::int64_t> one(extents_.extents().begin(), extents_.extents().end());
    Shape shape{batch};
    for (std::int64_t extent : one) {
        shape = shape.append(extent);
    }
    Tensor field = host_zeros(shape.append(channels), DType::float64);
    double* out = field.view().as<double>();
    const std::int64_t half = time_modes() * channels;
    const std::vector<double> counted = multiplicities();
    for (std::int64_t row = 0; row < space_modes() * time_modes() * cells; ++row) {
        const std::int64_t cell = row % cells, t = row / cells % time_modes(), k = row / cells / time_modes();
        const Complex w = std::conj(factor(frequencies_[static_cast<std::size_t>(k)], t, cell)) *
                          counted[static_cast<std::size_t>(k * time_modes() + t)] / static_cast<double>(cells);
        for (std::int64_t bc = 0; bc < batch * channels; ++bc) {
            const std::int64_t b = bc / channels, c = bc % channels;
            const std::int64_t at = (b * space_modes() + k) * 2 * half + t * channels + c;
            const Complex value(spectrum.as<double>()[at], spectrum.as<double>()[at + half]);
            out[(b * cells + cell) * channels + c] += (value * w).real();
        }
    }
    return field;
}

std::vector<double> DirectDft::multiplicities() const {
    std::vector<double> result;
    for (std::int64_t k = 0; k < space_modes(); ++k) {
        for (std::int64_t t = 0; t < time_modes(); ++t) {
            result.push_back(live_[static_cast<std::size_t>(k)] ? multiplicity(t, extents_[-1]) : 0.0);
        }
    }
    return result;
}

}  // namespace plumecast::testing
