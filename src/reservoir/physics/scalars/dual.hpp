#pragma once

#include <array>
#include <cstddef>

namespace plumecast {

/// A number with its derivatives by N others, which arithmetic carries along. What is stated once for any scalar gives
/// values with `double` and slopes with this. Inlined always, as loops over cells are compiled per instruction set.
template <std::size_t N>
struct Dual {
    double value = 0.0;
    std::array<double, N> by{};

    constexpr Dual() = default;
    // A constant; implicit, so that formulas can be written as for double.
    [[gnu::always_inline]] constexpr Dual(double constant) : value(constant) {}
    [[gnu::always_inline]] constexpr Dual(double at, const std::array<double, N>& slopes) : value(at), by(slopes) {}

    /// a x + b y, with another value.
    [[gnu::always_inline]] static constexpr Dual combined(double at, double a, const Dual& x, double b, const Dual& y) {
        Dual result(at);
        for (std::size_t i = 0; i < N; ++i) {
            result.by[i] = a * x.by[i] + b * y.by[i];
        }
        return result;
    }
    [[gnu::always_inline]] constexpr Dual scaled(double at, double factor) const {
        Dual result(at);
        for (std::size_t i = 0; i < N; ++i) {
            result.by[i] = factor * by[i];
        }
        return result;
    }

    [[gnu::always_inline]] friend constexpr Dual operator-(const Dual& x) { return x.scaled(-x.value, -1.0); }
    [[gnu::always_inline]] friend constexpr Dual operator+(const Dual& x, const Dual& y) {
        return combined(x.value + y.value, 1.0, x, 1.0, y);
    }
    [[gnu::always_inline]] friend constexpr Dual operator-(const Dual& x, const Dual& y) {
        return combined(x.value - y.value, 1.0, x, -1.0, y);
    }
    [[gnu::always_inline]] friend constexpr Dual operator*(const Dual& x, const Dual& y) {
        return combined(x.value * y.value, y.value, x, x.value, y);
    }
    [[gnu::always_inline]] friend constexpr Dual operator/(const Dual& x, const Dual& y) {
        const double part = 1.0 / y.value, quotient = x.value / y.value;
        return combined(quotient, part, x, -quotient * part, y);
    }
    [[gnu::always_inline]] friend constexpr Dual operator*(const Dual& x, double factor) {
        return x.scaled(x.value * factor, factor);
    }
    [[gnu::always_inline]] friend constexpr Dual operator*(double factor, const Dual& x) { return x * factor; }
    [[gnu::always_inline]] friend constexpr Dual operator/(const Dual& x, double divisor) {
        return x.scaled(x.value / divisor, 1.0 / divisor);
    }
    [[gnu::always_inline]] constexpr Dual& operator+=(const Dual& more) { return *this = *this + more; }

    [[gnu::always_inline]] friend constexpr bool operator<(const Dual& x, const Dual& y) { return x.value < y.value; }
    [[gnu::always_inline]] friend constexpr bool operator>(const Dual& x, const Dual& y) { return y < x; }
    [[gnu::always_inline]] friend constexpr bool operator>=(const Dual& x, const Dual& y) { return x.value >= y.value; }
};

[[gnu::always_inline]] constexpr double value_of(double number) { return number; }
template <std::size_t N>
[[gnu::always_inline]] constexpr double value_of(const Dual<N>& number) {
    return number.value;
}

/// A part of the way from one number to another.
template <typename Number>
[[gnu::always_inline]] constexpr Number between(const Number& low, const Number& high, const Number& part) {
    return low + part * (high - low);
}

/// One of two numbers, which loops over cells take without a branch.
[[gnu::always_inline]] constexpr double chosen(bool is_first, double first, double second) {
    return is_first ? first : second;
}
template <std::size_t N>
[[gnu::always_inline]] constexpr Dual<N> chosen(bool is_first, const Dual<N>& first, const Dual<N>& second) {
    Dual<N> result(chosen(is_first, first.value, second.value));
    for (std::size_t i = 0; i < N; ++i) {
        result.by[i] = chosen(is_first, first.by[i], second.by[i]);
    }
    return result;
}

}  // namespace plumecast
