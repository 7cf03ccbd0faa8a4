#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/import/case_arrays.hpp"

namespace plumecast {
namespace {

constexpr double time_tolerance = 1e-4;   // relative
constexpr double start_tolerance = 1e-6;  // [day]

bool is_at(double time, double wanted) { return std::abs(time - wanted) <= time_tolerance * wanted; }

std::size_t initial_step(ReservoirModel& model, double start) {
    const std::vector<double>& days = model.times();
    for (std::size_t step = days.size(); step-- > 0;) {
        if (std::abs(days[step] - start) <= start_tolerance) {
            return step;
        }
    }
    throw InvalidData(
        fmt::format("{}: no state on day {:.6g} (the build-up counts from the start of injection); let the simulator "
                    "write it (RPTRST "
                    "BASIC=2 in section SOLUTION), or set injection_start to a day with a state: {:.6g} ...",
                    model.name(), start, days.front()));
}

}  // namespace

CaseSteps steps_of(ReservoirModel& model, const CaseValues& values) {
    CaseSteps steps;
    const std::vector<double>& days = model.times();
    if (days.empty()) {
        steps.times = values.times;
        return steps;
    }
    steps.initial = initial_step(model, values.injection_start);
    for (std::size_t step = 0; step < days.size(); ++step) {
        const double time = days[step] - values.injection_start;
        const bool is_next = steps.times.empty() || time > steps.times.back();
        const std::size_t wanted = steps.times.size();
        const bool is_wanted =
            values.times.empty() || (wanted < values.times.size() && is_at(time, values.times[wanted]));
        if (time > start_tolerance && is_next && is_wanted) {
            steps.snapshots.push_back(step);
            steps.times.push_back(time);
        }
    }
    if (steps.times.size() < values.times.size()) {
        throw InvalidData(fmt::format(
            "{}: no state {:.6g} days after the start of injection (times or ImportOptions::like asks for it); choose "
            "days that were simulated",
            model.name(), values.times[steps.times.size()]));
    }
    if (steps.times.empty()) {
        throw InvalidData(
            fmt::format("{}: no state after day {:.6g} (an import of results needs one); run the case longer",
                        model.name(), values.injection_start));
    }
    return steps;
}

}  // namespace plumecast
