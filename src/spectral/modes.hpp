#pragma once

#include <cstdint>
#include <vector>

/// Which frequencies a truncated transform keeps, and the rows of its matrices. Forward e^{-2 pi i k n / N}, unscaled;
/// inverse scaled by 1/N. Space axes keep k = -m..m-1; time, real and last, keeps k = 0..mt-1.
namespace plumecast {

/// A space axis of `cells` cells that keeps the modes -count..count-1, stored as 0..count-1, -count..-1.
struct SpaceModes {
    std::int64_t cells = 0;
    std::int64_t count = 0;

    /// Throws InvalidInput unless 1 <= count <= cells.
    void check() const;
    /// First non-negative mode that a negative one repeats on a small grid; the negative one is kept, as published.
    std::int64_t repeated_from() const { return cells - count; }
    /// [2, count + 1, high - low]: cos(2 pi k n / N), then sin, for k = 0..count and the cells low <= n < high.
    std::vector<double> rows(std::int64_t low, std::int64_t high) const;
    /// The same for all cells.
    std::vector<double> rows() const { return rows(0, cells); }
};

/// The time axis of `cells` steps that keeps the modes 0..count-1.
struct TimeModes {
    std::int64_t cells = 0;
    std::int64_t count = 0;

    /// Throws InvalidInput unless 1 <= count <= cells / 2 + 1.
    void check() const;
    /// How often a mode counts in the inverse of a real signal: once for 0 and Nyquist, else twice.
    double multiplicity(std::int64_t mode) const;
    /// [2, count, high - low]: cos(2 pi k n / N), then -sin, for the steps low <= n < high.
    std::vector<double> rows(std::int64_t low, std::int64_t high) const;
    /// The same for all steps.
    std::vector<double> rows() const { return rows(0, cells); }
    /// The same rows, each times multiplicity(k) * scale: transposed, the inverse.
    std::vector<double> weighted_rows(std::int64_t low, std::int64_t high, double scale) const;
    std::vector<double> weighted_rows(double scale) const { return weighted_rows(0, cells, scale); }
};

/// Transpose of a row-major matrix [rows, columns].
std::vector<double> transposed(const std::vector<double>& matrix, std::int64_t rows);

}  // namespace plumecast
