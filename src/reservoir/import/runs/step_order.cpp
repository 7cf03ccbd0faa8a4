#include "reservoir/import/runs/step_order.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"

namespace plumecast {
namespace {

using Steps = std::vector<std::size_t>;

bool increase(const std::vector<double>& values, const Steps& steps, auto is_after) {
    return std::ranges::adjacent_find(
               steps, [&](std::size_t a, std::size_t b) { return !is_after(values[b], values[a]); }) == steps.end();
}

/// What is left when each step takes the place of earlier ones that it goes back on: of later days, and of later
/// numbers where steps have any.
Steps last_written(const std::vector<double>& days, const std::vector<double>& numbers, bool has_numbers) {
    Steps kept;
    for (std::size_t step = 0; step < days.size(); ++step) {
        while (!kept.empty() &&
               (days[kept.back()] >= days[step] || (has_numbers && numbers[kept.back()] >= numbers[step]))) {
            kept.pop_back();
        }
        kept.push_back(step);
    }
    return kept;
}

}  // namespace

StepOrder step_order(const std::string& run, const std::vector<double>& days, const std::vector<double>& numbers) {
    StepOrder order;
    order.steps.resize(days.size());
    std::iota(order.steps.begin(), order.steps.end(), std::size_t{0});
    if (increase(days, order.steps, std::greater<>())) {
        return order;
    }
    const bool has_numbers = std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
    Steps sorted = order.steps;
    std::ranges::stable_sort(sorted, std::less<>(), [&](std::size_t step) { return numbers[step]; });
    const bool repeats = has_numbers && !increase(numbers, sorted, std::greater<>());
    if (has_numbers && !repeats && increase(days, sorted, std::greater<>())) {
        return {std::move(sorted),
                "report steps do not stand in the order of time in the restart file (they are read in it)"};
    }
    const auto back =
        std::ranges::adjacent_find(order.steps, [&](std::size_t a, std::size_t b) { return days[b] < days[a]; });
    if (!repeats && back != order.steps.end()) {
        throw InvalidData(fmt::format(
            "{}: the state of day {:.6g} stands behind that of day {:.6g} (files of two runs, or steps that were "
            "written by hand); give the files of one run",
            run, days[*back + 1], days[*back]));
    }
    order.steps = last_written(days, numbers, repeats);
    const auto left_out = static_cast<std::int64_t>(days.size() - order.steps.size());
    order.note = fmt::format(
        "{} written again later in the restart file, or of a day after which the run was started anew (what was "
        "written last counts)",
        counted(left_out, "state") + (left_out == 1 ? " is left out that is" : " are left out that are"));
    return order;
}

}  // namespace plumecast
