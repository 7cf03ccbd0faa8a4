#include "reservoir/dataset/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/range_text.hpp"
#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {
namespace {

const ArraySpec& end_spec() { return *find_array("schedule_end"); }
const ArraySpec& rate_spec() { return *find_array("schedule_rate"); }

/// The arrays of a schedule as far as their shapes allow to check values.
struct StoredSchedule {
    std::vector<double> ends;
    std::vector<float> rates;
    std::int64_t cases = 0;
    std::int64_t wells = 0;

    std::string place(std::size_t at) const {
        const std::size_t periods = ends.size(), each = periods * static_cast<std::size_t>(wells);
        return fmt::format("case {}, well {}, period {}", at / each, at % each / periods, at % periods);
    }
};

void check_ends(const StoredSchedule& schedule, const DatasetStore& store, std::vector<Violation>& found) {
    const ArraySpec& spec = end_spec();
    double before = 0.0;
    for (std::size_t i = 0; i < schedule.ends.size(); ++i) {
        const double end = schedule.ends[i];
        if (!std::isfinite(end) || end > spec.high) {
            found.push_back({spec.path,
                             fmt::format("entry {} is {}, not a finite value above 0 and up to {}", i, number_text(end),
                                         number_text(spec.high)),
                             "give it in " + spec.unit, true});
            return;
        }
        if (end <= before) {
            found.push_back(
                {spec.path,
                 i == 0 ? fmt::format("entry 0 is {} (the first period begins at 0 and ends later)", number_text(end))
                        : fmt::format("entry {} is {}, the entry before it {} (periods follow each other; none goes "
                                      "back or overlaps another)",
                                      i, number_text(end), number_text(before)),
                 "give the end of each period in days since the start of injection, in their order", true});
            return;
        }
        before = end;
    }
    const std::string& times = find_array("times")->path;
    const std::vector<double> days = store.has(times) ? store.read<double>(times) : std::vector<double>();
    const double last = days.empty() ? before : days.back();
    const auto beyond = std::ranges::upper_bound(schedule.ends, last);
    if (beyond != schedule.ends.end()) {
        found.push_back({spec.path,
                         fmt::format("entry {} is {}, after the last of {}, {} day (no field shows what is injected "
                                     "then)",
                                     beyond - schedule.ends.begin(), number_text(*beyond), times, number_text(last)),
                         "check the unit of both, or leave it so", false});
    }
}

void check_rates(const StoredSchedule& schedule, std::vector<Violation>& found) {
    const ArraySpec& spec = rate_spec();
    const auto bad = std::ranges::find_if(schedule.rates, [&](float rate) {
        const auto value = static_cast<double>(rate);
        return !(value >= spec.low && value <= spec.high);
    });
    if (bad != schedule.rates.end()) {
        const auto more = std::count_if(bad + 1, schedule.rates.end(), [&](float rate) {
            return !(static_cast<double>(rate) >= spec.low && static_cast<double>(rate) <= spec.high);
        });
        found.push_back(
            {spec.path,
             fmt::format("{}: value {} is no rate from {} to {} {}{}",
                         schedule.place(static_cast<std::size_t>(bad - schedule.rates.begin())),
                         number_text(static_cast<double>(*bad), spec.low, spec.high), number_text(spec.low),
                         number_text(spec.high), spec.unit, more > 0 ? fmt::format(" (and {} more)", more) : ""),
             "correct value or unit; a well that is shut has the rate 0", true});
    }
}

/// `injection_rate` may be left out, but where it is there it says the same.
void check_mean(const StoredSchedule& schedule, const DatasetStore& store, std::vector<Violation>& found) {
    const ArraySpec& spec = *find_array("injection_rate");
    if (!store.has(spec.path)) {
        return;
    }
    const std::vector<double> stated = store.read<double>(spec.path);
    if (static_cast<std::int64_t>(stated.size()) != schedule.cases) {
        return;  // its shape is named where it is checked itself
    }
    for (std::size_t which = 0; which < stated.size(); ++which) {
        const double mean = mean_rate(
            schedule_of_all_wells(schedule.ends, schedule.rates, schedule.cases, static_cast<std::int64_t>(which)));
        if (!(std::abs(stated[which] - mean) <= 1e-3 * mean)) {
            found.push_back({spec.path,
                             fmt::format("case {} is {} Mt/year, the mean rate over its injection in /schedule {}",
                                         which, number_text(stated[which]), number_text(mean)),
                             "set it to the mean rate, or leave injection_rate out", true});
            return;
        }
    }
}

/// What is wrong with presence and shapes, without which no value can be checked.
std::vector<Violation> shape_violations(const DatasetStore& store) {
    std::vector<Violation> found;
    for (const auto& [missing, there] : {std::pair{&end_spec(), &rate_spec()}, {&rate_spec(), &end_spec()}}) {
        if (!store.has(missing->path)) {
            found.push_back({missing->path, "the array is missing (there is " + there->path + ")",
                             "add it: " + missing->long_name + " in " + missing->unit + ", or leave both out", true});
        }
    }
    if (!found.empty()) {
        return found;
    }
    if (const auto version = store.integer("/", "format_version"); version && *version < end_spec().since) {
        found.push_back({"/",
                         fmt::format("attribute format_version is {}, but there is a schedule (what reads version {} "
                                     "alone would take the rate for constant)",
                                     *version, *version),
                         fmt::format("set it to the integer {}", end_spec().since), true});
    }
    const StoredArray ends = store.info(end_spec().path), rates = store.info(rate_spec().path);
    if (ends.extents.size() != 1 || ends.extents[0] < 1 || !ends.is_number) {
        found.push_back(
            {end_spec().path, "it is no list of numbers with an entry per period", "shape it as [P]", true});
    }
    const bool has_axes = rates.extents.size() == 3 && rates.is_number;
    if (!has_axes || rates.extents[1] < 1) {
        found.push_back({rate_spec().path, "it is no array of numbers with axes of cases, wells and periods",
                         "shape it as [N, W, P]", true});
    } else if (geometry_of(store) == Geometry::radial && rates.extents[1] != 1) {
        found.push_back({rate_spec().path,
                         fmt::format("it has {} wells (a radial grid has one, in its axis)", rates.extents[1]),
                         "shape it as [N, 1, P], with the rates of that well", true});
    }
    if (found.empty() && rates.extents[2] != ends.extents[0]) {
        found.push_back(
            {rate_spec().path,
             fmt::format("it has {} periods, {} has {}", rates.extents[2], end_spec().path, ends.extents[0]),
             "give each period an end and a rate", true});
    }
    const std::string& counting = find_array("injection_rate")->path;
    if (found.empty() && store.has(counting)) {
        const StoredArray cases = store.info(counting);
        if (cases.extents.size() == 1 && cases.extents[0] != rates.extents[0]) {
            found.push_back({rate_spec().path,
                             fmt::format("it has {} cases, {} has {}", rates.extents[0], counting, cases.extents[0]),
                             "give each case its rates", true});
        }
    }
    return found;
}

}  // namespace

bool has_schedule(const DatasetStore& store) { return store.has(end_spec().path) || store.has(rate_spec().path); }

std::vector<Violation> schedule_violations(const DatasetStore& store) {
    if (!has_schedule(store)) {
        return {};
    }
    std::vector<Violation> found = shape_violations(store);
    if (!found.empty()) {
        return found;
    }
    const StoredArray rates = store.info(rate_spec().path);
    const StoredSchedule schedule{store.read<double>(end_spec().path), store.read<float>(rate_spec().path),
                                  rates.extents[0], rates.extents[1]};
    check_ends(schedule, store, found);
    check_rates(schedule, found);
    if (std::ranges::none_of(found, &Violation::is_error)) {
        check_mean(schedule, store, found);
    }
    return found;
}

InjectionSchedule schedule_of_all_wells(const std::vector<double>& ends, const std::vector<float>& rates,
                                        std::int64_t cases, std::int64_t which) {
    const std::size_t periods = ends.size();
    const std::size_t each = cases > 0 ? rates.size() / static_cast<std::size_t>(cases) : 0;
    InjectionSchedule all{ends, std::vector<double>(periods)};
    for (std::size_t at = 0; at < each; ++at) {
        all.rates[at % periods] += static_cast<double>(rates[static_cast<std::size_t>(which) * each + at]);
    }
    return all;
}

double mean_rate(const InjectionSchedule& given) {
    const InjectionSchedule schedule = given.joined();
    if (schedule.ends.empty()) {
        return 0.0;
    }
    double above = 0.0;  // the first rate, so that one rate is its own mean
    for (std::size_t i = 1; i < schedule.ends.size(); ++i) {
        above += (schedule.rates[i] - schedule.rates[0]) * (schedule.ends[i] - schedule.ends[i - 1]);
    }
    return schedule.rates[0] + above / schedule.ends.back();
}

}  // namespace plumecast
