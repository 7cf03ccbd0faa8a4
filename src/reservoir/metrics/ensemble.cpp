#include "reservoir/metrics/ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// Quantile of sorted values, linear between ranks.
double quantile(const std::vector<double>& sorted, double q) {
    const double place = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double part = place - static_cast<double>(below);
    return below + 1 < sorted.size() ? (1.0 - part) * sorted[below] + part * sorted[below + 1] : sorted.back();
}

/// Probability of at most `held` in `of` independent trials of a probability.
double at_most(std::int64_t held, std::int64_t of, double probability) {
    if (probability <= 0.0 || held >= of) {
        return 1.0;
    }
    if (probability >= 1.0) {
        return 0.0;
    }
    const auto log_factorial = [](std::int64_t n) { return std::lgamma(static_cast<double>(n) + 1.0); };
    double sum = 0.0;
    for (std::int64_t k = 0; k <= held; ++k) {
        sum += std::exp(log_factorial(of) - log_factorial(k) - log_factorial(of - k) +
                        static_cast<double>(k) * std::log(probability) +
                        static_cast<double>(of - k) * std::log1p(-probability));
    }
    return std::min(sum, 1.0);
}

/// The probability at which at most `held` of `of` have the probability `tail`, which falls with it.
double probability_with_tail(std::int64_t held, std::int64_t of, double tail) {
    constexpr int halvings = 60;
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < halvings; ++i) {
        const double middle = 0.5 * (low + high);
        (at_most(held, of, middle) > tail ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

Proportion proportion_of(std::int64_t held, std::int64_t of) {
    expects(held >= 0 && held <= of, "0 <= held <= of");
    constexpr double tail = 0.5 * (1.0 - proportion_confidence);
    return {held, of, held == 0 ? 0.0 : probability_with_tail(held - 1, of, 1.0 - tail),
            held == of ? 1.0 : probability_with_tail(held, of, tail)};
}

Percentiles percentiles(std::vector<double> values) {
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none, none};
    }
    std::ranges::sort(values);
    return {quantile(values, 0.9), quantile(values, 0.5), quantile(values, 0.1)};
}

void ExceedanceMap::add(std::span<const std::uint8_t> marks, std::span<const float> active) {
    if (marks.size() != counts_.size() || active.size() != counts_.size()) {
        throw InvalidInput(std::to_string(marks.size()) + " marks do not fit the map (it has " +
                           std::to_string(counts_.size()) + " cells); give maps of one grid");
    }
    for (std::size_t cell = 0; cell < counts_.size(); ++cell) {
        const bool is_active = active[cell] != 0.0F;
        counts_[cell].active += is_active ? 1 : 0;
        counts_[cell].held += is_active && marks[cell] != 0 ? 1 : 0;
    }
    ++cases_;
}

std::vector<float> ExceedanceMap::probability() const {
    std::vector<float> result(counts_.size(), 0.0F);
    for (std::size_t cell = 0; cell < counts_.size() && cases_ > 0; ++cell) {
        result[cell] = static_cast<float>(counts_[cell].held) / static_cast<float>(cases_);
    }
    return result;
}

std::vector<float> ExceedanceMap::active() const {
    std::vector<float> result(counts_.size());
    std::ranges::transform(counts_, result.begin(), [](const Count& count) { return count.active > 0 ? 1.0F : 0.0F; });
    return result;
}

}  // namespace plumecast
