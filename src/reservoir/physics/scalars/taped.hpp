#pragma once

#include <cstddef>
#include <vector>

#include <plumecast/core/error.hpp>

namespace plumecast {

class Tape;

/// A number whose cotangent goes back to what it was computed from. What is stated once for any scalar gives values
/// with `double`, slopes by few numbers with Dual and the adjoint with this.
struct Taped {
    double value = 0.0;
    double* by = nullptr;  ///< where its cotangent is added up; nowhere for a constant
    Tape* tape = nullptr;

    Taped() = default;
    // One by one, since a wide load of what was just stored in parts has to wait.
    [[gnu::always_inline]] Taped(const Taped& of) : value(of.value), by(of.by), tape(of.tape) {}
    Taped& operator=(const Taped& of) = default;
    // A constant; implicit, so that formulas can be written as for double.
    Taped(double constant) : value(constant) {}
    Taped(double at, double& cotangent, Tape& of) : value(at), by(&cotangent), tape(&of) {}

    /// Without a cotangent, so that there is none by what it is multiplied with.
    [[gnu::always_inline]] bool is_constant_zero() const { return by == nullptr && value == 0.0; }
    /// Adds to the cotangent.
    void pull(double cotangent) const {
        if (by != nullptr) {
            *by += cotangent;
        }
    }
    Taped& operator+=(const Taped& more);
};

/// Arithmetic on Taped numbers in its order. Inlined always, so that constants cost nothing.
class Tape {
   public:
    /// For so many operations between two calls of back().
    explicit Tape(std::size_t most) : operations_(most), next_(operations_.data()), end_(next_ + most) {}
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;

    /// A number that others are computed from, and where its cotangent is added up.
    Taped operator()(double value, double& cotangent) { return {value, cotangent, *this}; }
    /// Takes the cotangents of all results back to what they were computed from, and forgets these.
    void back() {
        while (next_ != operations_.data()) {
            const Operation& last = *--next_;
            const double by_x = last.by_x * last.by, by_y = last.by_y * last.by;
            double *const x = last.x, *const y = last.y;
            *x += by_x;
            *y += by_y;
        }
    }
    /// The same once there are many: rows of cells go back faster than one by one.
    void back_if_many() {
        if (next_ - operations_.data() > many) {
            back();
        }
    }
    /// Of two numbers, by slopes.
    [[gnu::always_inline]] static Taped result(double value, const Taped& x, double by_x, const Taped& y, double by_y) {
        if (x.by == nullptr && y.by == nullptr) {
            return value;
        }
        Tape& tape = x.by != nullptr ? *x.tape : *y.tape;
        if (tape.next_ == tape.end_) [[unlikely]] {
            expects(false, "no more operations than a tape has places for");
        }
        Operation& next = *tape.next_++;
        next = {0.0, by_x, by_y, x.by != nullptr ? x.by : &next.by_x, y.by != nullptr ? y.by : &next.by_y};
        return {value, next.by, tape};
    }

   private:
    /// A result's cotangent, and where that goes; from constants to a number that is no longer needed.
    struct Operation {
        double by, by_x, by_y;
        double *x, *y;
    };

    static constexpr std::ptrdiff_t many = 128;

    std::vector<Operation> operations_;
    Operation *next_, *end_;
};

[[gnu::always_inline]] inline Taped operator+(const Taped& x, const Taped& y) {
    if (x.by == nullptr || y.by == nullptr) {
        Taped sum = x.by == nullptr ? y : x;  // whose cotangent it shares
        sum.value = x.value + y.value;
        return sum;
    }
    return Tape::result(x.value + y.value, x, 1.0, y, 1.0);
}
[[gnu::always_inline]] inline Taped operator-(const Taped& x, const Taped& y) {
    if (y.by == nullptr) {
        return x + -y.value;
    }
    return Tape::result(x.value - y.value, x, 1.0, y, -1.0);
}
[[gnu::always_inline]] inline Taped operator-(const Taped& x) { return 0.0 - x; }
[[gnu::always_inline]] inline Taped operator*(const Taped& x, const Taped& y) {
    if (x.is_constant_zero() || y.is_constant_zero()) {
        return x.value * y.value;
    }
    return Tape::result(x.value * y.value, x, y.value, y, x.value);
}
[[gnu::always_inline]] inline Taped operator/(const Taped& x, const Taped& y) {
    if (x.is_constant_zero()) {
        return x.value / y.value;
    }
    // What is divided by 0 is not chosen; without slopes nothing goes back to it.
    const double part = y.value != 0.0 ? 1.0 / y.value : 0.0;
    return Tape::result(x.value / y.value, x, part, y, -x.value * part * part);
}
[[gnu::always_inline]] inline Taped& Taped::operator+=(const Taped& more) { return *this = *this + more; }
inline bool operator<(const Taped& x, const Taped& y) { return x.value < y.value; }
inline bool operator>(const Taped& x, const Taped& y) { return y < x; }

inline double value_of(const Taped& number) { return number.value; }
/// In two operations in the place of three.
[[gnu::always_inline]] inline Taped between(const Taped& low, const Taped& high, const Taped& part) {
    const double step = high.value - low.value;
    const Taped there = Tape::result(low.value + part.value * step, low, 1.0 - part.value, high, part.value);
    return part.by == nullptr ? there : Tape::result(there.value, there, 1.0, part, step);
}
inline Taped chosen(bool is_first, const Taped& first, const Taped& second) { return is_first ? first : second; }

}  // namespace plumecast
