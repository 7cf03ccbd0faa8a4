#include <cmath>
#include <numbers>
#include <string>

#include <plumecast/core/error.hpp>

#include "spectral/modes.hpp"

namespace plumecast {
namespace {

void check_count(std::int64_t count, std::int64_t most, std::int64_t cells, const char* axis) {
    if (count < 1 || count > most) {
        throw InvalidInput(std::to_string(count) + " modes on a " + axis + " axis of " + std::to_string(cells) +
                           " padded cells (1 to " + std::to_string(most) + " exist); change `modes` or the padding");
    }
}

/// Angle 2 pi k n / N with k n reduced modulo N first, so that large products lose no digits.
double angle(std::int64_t k, std::int64_t n, std::int64_t cells) {
    return 2.0 * std::numbers::pi * static_cast<double>(k * n % cells) / static_cast<double>(cells);
}

}  // namespace

void SpaceModes::check() const { check_count(count, cells, cells, "space"); }

std::vector<double> SpaceModes::rows(std::int64_t low, std::int64_t high) const {
    std::vector<double> matrix;
    for (int part = 0; part < 2; ++part) {
        for (std::int64_t k = 0; k <= count; ++k) {
            for (std::int64_t n = low; n < high; ++n) {
                matrix.push_back(part == 0 ? std::cos(angle(k, n, cells)) : std::sin(angle(k, n, cells)));
            }
        }
    }
    return matrix;
}

void TimeModes::check() const { check_count(count, cells / 2 + 1, cells, "time"); }

double TimeModes::multiplicity(std::int64_t mode) const { return mode == 0 || 2 * mode == cells ? 1.0 : 2.0; }

std::vector<double> TimeModes::rows(std::int64_t low, std::int64_t high) const {
    std::vector<double> matrix;
    for (int part = 0; part < 2; ++part) {
        for (std::int64_t k = 0; k < count; ++k) {
            for (std::int64_t n = low; n < high; ++n) {
                matrix.push_back(part == 0 ? std::cos(angle(k, n, cells)) : -std::sin(angle(k, n, cells)));
            }
        }
    }
    return matrix;
}

std::vector<double> TimeModes::weighted_rows(std::int64_t low, std::int64_t high, double scale) const {
    std::vector<double> matrix = rows(low, high);
    const std::int64_t steps = high - low;
    for (std::int64_t row = 0; row < 2 * count; ++row) {
        for (std::int64_t n = 0; n < steps; ++n) {
            matrix[static_cast<std::size_t>(row * steps + n)] *= scale * multiplicity(row % count);
        }
    }
    return matrix;
}

std::vector<double> transposed(const std::vector<double>& matrix, std::int64_t rows) {
    const auto height = static_cast<std::size_t>(rows);
    const std::size_t width = matrix.size() / height;
    std::vector<double> result(matrix.size());
    for (std::size_t i = 0; i < height; ++i) {
        for (std::size_t j = 0; j < width; ++j) {
            result[j * height + i] = matrix[i * width + j];
        }
    }
    return result;
}

}  // namespace plumecast
