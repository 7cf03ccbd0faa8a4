#include "arguments/number_checks.hpp"

#include <cmath>

#include <fmt/format.h>
#include <CLI/TypeTools.hpp>

namespace plumecast::app {
namespace {

constexpr std::size_t longest_number = 40;
constexpr double least_gradient = 0.05;  // [bar/m]; water weighs 0.1, rock 0.2 to 0.27
constexpr double largest_gradient = 0.5;
constexpr double bar_per_metre_of_kpa = 0.01;
constexpr double bar_per_metre_of_psi_per_foot = 0.226206;  // 6894.757 Pa / 0.3048 m

TextCheck number_that(const std::function<std::string(double)>& complaint) {
    return [complaint](const std::string& text) {
        double value = 0.0;
        const std::string shown = text.substr(0, longest_number);
        if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value)) {
            return "'" + shown + "' is no number";
        }
        const std::string problem = complaint(value);
        return problem.empty() ? problem : shown + " " + problem;
    };
}

bool is_gradient(double value) { return value >= least_gradient && value <= largest_gradient; }

}  // namespace

TextCheck not_negative() {
    return number_that([](double value) { return std::string(value < 0.0 ? "is negative; give 0 or more" : ""); });
}

TextCheck above_zero() {
    return number_that([](double value) { return std::string(value > 0.0 ? "" : "is not above 0; give more"); });
}

TextCheck between(double low, double high) {
    return number_that([=](double value) {
        return value >= low && value <= high ? "" : fmt::format("is not between {:g} and {:g}", low, high);
    });
}

TextCheck fracture_gradient() {
    return number_that([](double value) -> std::string {
        if (is_gradient(value)) {
            return "";
        }
        std::string meant = "divide kPa/m or MPa/km by 100, multiply psi/ft by 0.2262";
        if (is_gradient(value * bar_per_metre_of_kpa)) {
            meant = fmt::format("{:g} kPa/m or MPa/km are {:.4g} bar/m", value, value * bar_per_metre_of_kpa);
        } else if (is_gradient(value * bar_per_metre_of_psi_per_foot)) {
            meant = fmt::format("{:g} psi/ft are {:.4g} bar/m", value, value * bar_per_metre_of_psi_per_foot);
        }
        return fmt::format("is no fracture gradient in bar/m (rock breaks at 0.1 to 0.3, {:g} to {:g} are taken); {}",
                           least_gradient, largest_gradient, meant);
    });
}

}  // namespace plumecast::app
