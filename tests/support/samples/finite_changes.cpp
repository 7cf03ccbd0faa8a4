#include "support/samples/finite_changes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace plumecast::testing {

void FiniteChanges::add(const std::string& name, double derivative, const std::array<double, 3>& differences) {
    constexpr double agreement = 0.02;
    std::array<double, 3> sorted = differences;
    std::ranges::sort(sorted);
    const double middle = sorted[1];
    if (!(sorted[2] - sorted[0] <= agreement * std::abs(middle)) || middle == 0.0) {
        return;
    }
    const double error = std::abs(derivative / middle - 1.0);
    if (errors_.empty() || error > largest()) {
        worst_ = fmt::format("{}: derivative {:.5g}, differences {:.5g}, {:.5g}, {:.5g}", name, derivative,
                             differences[0], differences[1], differences[2]);
    }
    errors_.push_back(error);
}

double FiniteChanges::median() const {
    std::vector<double> sorted = errors_;
    std::ranges::sort(sorted);
    return sorted.at(sorted.size() / 2);
}

double FiniteChanges::largest() const { return std::ranges::max(errors_); }

}  // namespace plumecast::testing
