#include <plumecast/reservoir/dataset/ranges.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/json_fields.hpp"
#include "core/units.hpp"
#include "reservoir/dataset/cases/case_inputs.hpp"
#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"

namespace plumecast {
namespace {

template <class Visitor, class OneRange>
void visit_range(Visitor& v, OneRange& range) {
    v.required("min", range.low);
    v.required("max", range.high);
    v.required("unit", range.unit);
}

/// Least and largest of the values; low > high when there are none.
struct Extremes {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();

    bool empty() const { return low > high; }
};

/// By how much a value lies beyond an end of a range, which counts as given to five digits: who writes 2 where the
/// largest value of the training was drawn as 1.999999 extrapolates nothing.
double distance_beyond(double end, double excess) {
    constexpr double negligible = 1e-5;
    return excess > negligible * std::abs(end) ? excess : 0.0;
}

/// Whether a case has no limit where others of the file do: its value is the largest that the format takes.
bool stands_for_no_limit(const ArraySpec& spec, float value) {
    return (spec.name() == "bottom_hole_pressure_limit" || spec.name() == "dissolution_rate_limit") &&
           static_cast<double>(value) >= spec.high;
}

/// Of one input of a case; empty when no cell is active, and for a limit that the case does not have.
Extremes extremes_of(const CaseInputs& inputs, const ArraySpec& spec) {
    if (spec.role == Role::scalar) {
        const float value = inputs.scalar(spec.name());
        return stands_for_no_limit(spec, value) ? Extremes() : Extremes{value, value};
    }
    const std::vector<float>& active = inputs.map("active");
    const std::vector<float>& values = inputs.map(spec.name());
    Extremes result;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool counts = spec.role == Role::series || active[i % active.size()] != 0.0F;
        result.low = counts && values[i] < result.low ? values[i] : result.low;
        result.high = counts && values[i] > result.high ? values[i] : result.high;
    }
    return result;
}

std::optional<double> number_in(const Json& value) {
    if (const auto* whole = value.get_if<std::int64_t>()) {
        return static_cast<double>(*whole);
    }
    const auto* number = value.get_if<double>();
    return number == nullptr ? std::nullopt : std::optional(*number);
}

/// Of the arrays named, those that are inputs of the data set, with or without those that it need not state to be
/// known.
enum class Unstated { left_out, counted };
template <class Names>
std::vector<const ArraySpec*> inputs_among(const Dataset& dataset, const Names& names, Unstated unstated) {
    std::vector<const ArraySpec*> found;
    for (const auto& name : names) {
        const ArraySpec* spec = dataset.find(name);
        const bool is_input = spec != nullptr && (spec->role == Role::scalar || spec->role == Role::map ||
                                                  spec->role == Role::series || spec->role == Role::varying);
        const bool is_known =
            is_input && (dataset.has(name) || (unstated == Unstated::counted && spec->otherwise.has_value()));
        if (is_known) {
            found.push_back(spec);
        }
    }
    return found;
}

/// Ranges of the coordinates and times of generic data, by the paths that channels read them under; none of reservoirs,
/// which are regridded.
std::map<std::string, Range> points_of(const Dataset& dataset) {
    std::map<std::string, Range> ranges;
    if (dataset.geometry() != Geometry::generic) {
        return ranges;
    }
    const auto add = [&](const std::string& path, const ArraySpec* spec, const std::vector<double>& points) {
        ranges[path] = {points.front(), points.back(), spec == nullptr ? "1" : spec->unit};
    };
    const int axes = dataset.space().rank();
    constexpr std::string_view letters = "zyx";
    for (int axis = 0; axis < axes; ++axis) {
        const std::string path =
            std::string("/grid/") + letters[letters.size() - static_cast<std::size_t>(axes - axis)];
        add(path, dataset.find(path), dataset.coordinates(axis));
    }
    if (const ArraySpec* times = dataset.find("times")) {
        add("/grid/times", times, dataset.times());
    }
    return ranges;
}

/// The name of the day on which the injection of a case ends, which a network for schedules has seen early and late.
const std::string injection_end = "schedule_end";

/// Until when a case injects; nothing where it never does.
struct Injecting {
    double day = 0.0;
    bool goes_on = false;  ///< at the last time
};
std::optional<Injecting> injecting_until(const Dataset& dataset, std::int64_t which) {
    const double last = dataset.times().back();
    if (dataset.schedule_ends().empty()) {
        return Injecting{last, true};
    }
    const InjectionSchedule injection = stated_schedule(dataset, which).joined();
    return injection.ends.empty()
               ? std::nullopt
               : std::optional(Injecting{std::min(injection.ends.back(), last), injection.ends.back() >= last});
}

/// How far the end of the injection of a case lies outside; one that goes on at the last time ends late enough.
std::optional<OutOfRange> end_outside(const Range& trained, const Dataset& dataset, std::int64_t which) {
    const std::optional<Injecting> injecting = injecting_until(dataset, which);
    if (!injecting) {
        return std::nullopt;
    }
    const double below = injecting->goes_on ? 0.0 : distance_beyond(trained.low, trained.low - injecting->day);
    const double beyond = std::max(below, distance_beyond(trained.high, injecting->day - trained.high));
    return beyond > 0.0 ? std::optional(OutOfRange{injection_end, trained.unit, which, injecting->day, beyond})
                        : std::nullopt;
}

}  // namespace

double share_outside(double low, double high, double value, double widest) {
    constexpr double wide = 20.0;
    if (low > 0.0 && high > wide * low) {
        value = value > 0.0 ? std::log(value) : -std::numeric_limits<double>::infinity();
        low = std::log(low);
        high = std::log(high);
    }
    const double beyond = std::max({low - value, value - high, 0.0});
    const double width = high > low ? high - low : std::min(std::max(std::abs(high), 1.0), widest);
    return beyond / width;
}

bool is_within(double low, double high, double value) {
    const auto rounded = [](double end) { return static_cast<double>(static_cast<float>(end)); };
    return value >= std::min(low, rounded(low)) && value <= std::max(high, rounded(high));
}

InputRanges InputRanges::over(const Dataset& dataset, std::span<const std::int64_t> cases) {
    InputRanges result;
    for (const std::int64_t which : cases) {
        result.include(CaseInputs(dataset, which));
    }
    return result;
}

void InputRanges::include(const CaseInputs& inputs) {
    const auto widen = [this](const std::string& name, const Range& of_case) {
        Range& total = ranges_.try_emplace(name, of_case).first->second;
        total.low = std::min(total.low, of_case.low);
        total.high = std::max(total.high, of_case.high);
    };
    std::vector<std::string_view> names;
    for (const ArraySpec& spec : inputs.dataset().arrays()) {
        if (spec.name() != "active") {
            names.push_back(spec.name());
        }
    }
    for (const ArraySpec* spec : inputs_among(inputs.dataset(), names, Unstated::left_out)) {
        const Extremes found = extremes_of(inputs, *spec);
        if (!found.empty()) {
            widen(std::string(spec->name()), {found.low, found.high, spec->unit});
        }
    }
    for (const auto& [name, points] : points_of(inputs.dataset())) {
        widen(name, points);
    }
    if (!inputs.dataset().schedule_ends().empty()) {
        if (const auto end = injecting_until(inputs.dataset(), inputs.which())) {
            widen(injection_end, {end->day, end->day, "day"});
        }
    }
}

std::vector<OutOfRange> InputRanges::outside(const Dataset& dataset, std::span<const std::int64_t> cases) const {
    std::vector<std::string_view> names;
    for (const auto& [name, range] : ranges_) {
        names.push_back(name);
    }
    const std::vector<const ArraySpec*> specs = inputs_among(dataset, names, Unstated::counted);
    std::vector<std::vector<OutOfRange>> found(specs.size());
    for (const std::int64_t which : specs.empty() ? std::span<const std::int64_t>() : cases) {
        const CaseInputs inputs(dataset, which);
        for (std::size_t i = 0; i < specs.size(); ++i) {
            const std::string name(specs[i]->name());
            const Range& trained = ranges_.at(name);
            const Extremes of_case = extremes_of(inputs, *specs[i]);
            const double below = distance_beyond(trained.low, trained.low - static_cast<double>(of_case.low));
            const double above = distance_beyond(trained.high, static_cast<double>(of_case.high) - trained.high);
            if (!of_case.empty() && std::max(below, above) > 0.0) {
                const double value = below > above ? of_case.low : of_case.high;
                found[i].push_back({name, trained.unit, which, value, std::max(below, above)});
            }
        }
    }
    std::vector<OutOfRange> all;                             // input by input
    for (const auto& [name, points] : points_of(dataset)) {  // which are the same in all cases
        const auto trained = ranges_.find(name);
        if (trained == ranges_.end() || cases.empty()) {
            continue;
        }
        const double below = distance_beyond(trained->second.low, trained->second.low - points.low);
        const double above = distance_beyond(trained->second.high, points.high - trained->second.high);
        if (std::max(below, above) > 0.0) {
            all.push_back(
                {name, points.unit, cases.front(), below > above ? points.low : points.high, std::max(below, above)});
        }
    }
    for (std::vector<OutOfRange>& of_input : found) {
        std::ranges::move(of_input, std::back_inserter(all));
    }
    if (const auto trained = ranges_.find(injection_end); trained != ranges_.end()) {
        for (const std::int64_t which : cases) {
            if (const auto end = end_outside(trained->second, dataset, which)) {
                all.push_back(*end);
            }
        }
    }
    return all;
}

namespace {

/// What `generate` states of the cases it drew; nothing where another program states what made a file.
Json laws_of(const std::string& generator) {
    try {
        return generator.empty() ? Json() : Json::parse(generator, "attribute generator");
    } catch (const InvalidInput&) {
        return {};
    }
}

}  // namespace

void InputRanges::include_drawn_from(const std::string& generator) {
    const Json laws_drawn = laws_of(generator);
    const Json* inputs = laws_drawn.find("inputs");
    const Json::Object* laws = inputs == nullptr ? nullptr : inputs->get_if<Json::Object>();
    for (auto& [name, range] : ranges_) {
        const bool is_end = name == injection_end;  // stated as years
        const Json* of_law = is_end && laws != nullptr ? inputs->find("schedule") : inputs;
        const Json* law = laws == nullptr || of_law == nullptr ? nullptr : of_law->find(is_end ? "stop" : name);
        const Json::Array* ends = law == nullptr ? nullptr : law->get_if<Json::Array>();
        if (ends == nullptr || ends->size() != 2) {
            continue;
        }
        const std::optional<double> low = number_in((*ends)[0]), high = number_in((*ends)[1]);
        const double unit = is_end ? days_per_year : 1.0;
        if (low && high && !(is_end && *high == 0.0)) {
            range.low = std::min(range.low, *low * unit);
            range.high = std::max(range.high, *high * unit);
        }
    }
}

void InputRanges::include(const InputRanges& other) {
    for (const auto& [name, range] : other.ranges_) {
        const auto [widened, is_new] = ranges_.emplace(name, range);
        if (!is_new) {
            widened->second.low = std::min(widened->second.low, range.low);
            widened->second.high = std::max(widened->second.high, range.high);
        }
    }
}

void InputRanges::include_unstated() {
    if (ranges_.empty()) {
        return;
    }
    for (const ArraySpec& spec : dataset_arrays()) {
        if (spec.otherwise) {
            ranges_.try_emplace(std::string(spec.name()), Range{*spec.otherwise, *spec.otherwise, spec.unit});
        }
    }
}

Json InputRanges::to_json() const {
    return written([&](FieldWriter& v) {
        for (const auto& one : ranges_) {
            v.section(one.first, [&](FieldWriter& entry) { visit_range(entry, one.second); });
        }
    });
}

InputRanges InputRanges::read(JsonReader& object, std::string_view key) {
    InputRanges result;
    JsonReader list = object.object(key);
    for (const std::string& name : list.keys()) {
        JsonReader item = list.object(name);
        Range range;
        read_whole(item, [&](FieldReader& v) { visit_range(v, range); });
        const ArraySpec* spec = find_array(name);
        if (!is_path(name) && (spec == nullptr || spec->unit != range.unit)) {
            throw InvalidInput(list.path(name) + ": no input of that name in " + range.unit +
                               " (ranges are compared with inputs of the data set format); correct name or unit");
        }
        result.ranges_.emplace(name, std::move(range));
    }
    return result;
}

}  // namespace plumecast
