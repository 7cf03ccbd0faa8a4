#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/number_text.hpp"
#include "dataset_layout.hpp"
#include "reservoir/dataset/attributes/attribute_violations.hpp"
#include "reservoir/dataset/attributes/grid_attributes.hpp"
#include "reservoir/dataset/attributes/stated_attributes.hpp"
#include "reservoir/dataset/cases/case_arrays.hpp"
#include "reservoir/dataset/cases/column_rates.hpp"
#include "reservoir/dataset/connections.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"
#include "reservoir/dataset/plausibility.hpp"
#include "reservoir/dataset/range_text.hpp"
#include "reservoir/dataset/schedule.hpp"
#include "reservoir/dataset/store/file_store.hpp"
#include "reservoir/dataset/store/memory_store.hpp"
#include "reservoir/dataset/value_violations.hpp"

namespace plumecast {
namespace {

/// Splits a message "file: array ... problem; remedy" of the reading layer, without the prefixes where it has them.
Violation violation_of(const Error& error, const std::string& path, const std::vector<std::string>& prefixes) {
    std::string text = error.what();
    for (const std::string& prefix : prefixes) {
        if (text.starts_with(prefix)) {
            text.erase(0, prefix.size());
        }
    }
    const std::size_t cut = text.rfind("; ");
    const bool has_remedy = cut != std::string::npos;
    return {path, text.substr(0, cut), has_remedy ? text.substr(cut + 2) : "write the file again", true};
}

const char* element_text(Storage storage) {
    return storage == Storage::float32 ? "32-bit reals" : storage == Storage::float64 ? "64-bit reals" : "integers";
}

class Validator {
   public:
    Validator(const DatasetStore& store, Checked what) : store_(store), what_(what) {}
    std::vector<Violation> run();

   private:
    void check_header();
    void check_array(const ArraySpec& spec);
    void check_shape(const ArraySpec& spec, const std::vector<std::int64_t>& extents);
    void check_edges(const ArraySpec& spec);
    void check_cells(const ArraySpec& spec);
    void check_cases(const ArraySpec& spec);
    std::vector<double> stated_rates();
    void check_rates();
    void check_apart(const std::string& path, std::vector<Violation> (*find)(const DatasetStore&));
    void check_unknown();
    void learn_extents();
    std::optional<std::vector<float>> read_case(const std::string& path, std::int64_t which, std::size_t size);
    std::optional<StoredArray> info_of(const std::string& path);
    bool is_sound(const std::string& path) const;
    void report(const std::string& path, const std::string& problem, const std::string& remedy, bool is_error = true) {
        violations_.push_back({path, problem, remedy, is_error});
    }
    void report(const std::string& path, const Error& error);

    const DatasetStore& store_;
    Checked what_;
    DatasetExtents extents_;
    bool is_prediction_ = false;
    std::map<std::string, bool> sound_;
    std::vector<Violation> violations_;
};

void Validator::report(const std::string& path, const Error& error) {
    violations_.push_back(violation_of(error, path, {store_.name() + ": ", path + " ", path + ": "}));
}

std::vector<Violation> Validator::run() {
    check_header();
    if (geometry_of(store_) == Geometry::generic) {
        std::ranges::move(generic_violations(store_, what_ == Checked::all && !is_prediction_),
                          std::back_inserter(violations_));
        return std::move(violations_);
    }
    if (!store_.is_file()) {
        violations_ = left_over_arrays(store_);  // before the array that is missing where a name is wrong
    }
    learn_extents();
    for (const ArraySpec& spec : dataset_arrays(extents_.geometry)) {
        if (what_ == Checked::all || spec.role != Role::output) {
            check_array(spec);
        }
    }
    for (const ArraySpec& spec : dataset_arrays(extents_.geometry)) {
        const bool is_of_pairs = spec.role == Role::cell && spec.axes[0] == Axis::connections;
        if (!is_sound(spec.path) || is_of_pairs || spec.path.starts_with("/schedule/")) {
            continue;  // connection_violations() knows the pairs, schedule_violations() the schedule
        }
        if (spec.role == Role::grid) {
            check_edges(spec);
        } else if (spec.role == Role::cell) {
            check_cells(spec);
        } else {
            check_cases(spec);
        }
    }
    check_apart("/schedule", schedule_violations);
    check_rates();
    if (std::ranges::none_of(violations_, &Violation::is_error)) {
        check_apart("/schedule", column_rate_violations);  // of arrays that are sound by themselves
    }
    check_apart("/connections", connection_violations);
    std::ranges::move(attribute_violations(store_), std::back_inserter(violations_));
    if (store_.is_file()) {
        check_unknown();
    }
    return std::move(violations_);
}

void Validator::check_header() {
    const auto format = store_.text("/", "format");
    if (format != std::string(dataset_format)) {
        report("/", "attribute format is " + store_.attribute_text("/", "format"),
               "set it to \"" + std::string(dataset_format) + "\"");
    }
    const auto version = store_.integer("/", "format_version");
    if (version.value_or(0) < 1 || *version > dataset_format_version) {
        report("/", "attribute format_version is " + store_.attribute_text("/", "format_version"),
               "set it to the integer " + std::to_string(needed_version(store_)));
    }
    if (const std::optional<Violation> found = version_violation(store_)) {
        violations_.push_back(*found);
    }
    is_prediction_ = store_.text("/", "model_hash").has_value();
}

std::optional<StoredArray> Validator::info_of(const std::string& path) {
    try {
        return store_.info(path);
    } catch (const InvalidData&) {
        return std::nullopt;  // reported where the array itself is checked
    }
}

void Validator::learn_extents() {
    const auto first_extent = [this](std::string_view name) -> std::int64_t {
        const auto info = info_of(find_array(name)->path);
        return info && !info->extents.empty() ? info->extents[0] : 0;
    };
    const bool is_radial = geometry_of(store_) == Geometry::radial;
    const std::string& pairs = find_array("connection_first")->path;
    const auto rates = info_of(find_array("schedule_rate")->path);
    extents_ = {first_extent(counting_array(store_).name()),
                first_extent("times"),
                first_extent("z_edges") - 1,
                first_extent(is_radial ? "r_edges" : "x_edges") - 1,
                is_radial ? 0 : first_extent("y_edges") - 1,
                geometry_of(store_),
                rates && rates->extents.size() == 3 ? rates->extents[1] : 1,
                first_extent("schedule_end"),
                store_.has(pairs) ? first_extent("connection_first") : 0};
    if (extents_.cases < 1) {
        report("/inputs/injection_rate", "it gives the number of cases, and there is none", "add at least one case");
    }
}

bool Validator::is_sound(const std::string& path) const {
    const auto found = sound_.find(path);
    return found != sound_.end() && found->second;
}

void Validator::check_array(const ArraySpec& spec) {
    if (!store_.has(spec.path)) {
        if (const std::string problem = store_.link_problem(spec.path); !problem.empty()) {
            const std::size_t cut = problem.rfind("; ");
            report(spec.path, problem.substr(0, cut), problem.substr(cut + 2));
        } else if (is_required(spec, store_)) {
            report(spec.path, "the array is missing", "add it: " + spec.long_name + " in " + spec.unit);
        }
        return;
    }
    try {
        const StoredArray info = store_.info(spec.path);
        sound_[spec.path] = true;
        if (!info.is_number) {
            report(spec.path, "the elements are no numbers", std::string("store it as ") + element_text(spec.storage));
            sound_[spec.path] = false;
        }
        check_shape(spec, info.extents);
    } catch (const InvalidData& error) {
        report(spec.path, error);
    }
    const auto units = store_.text(spec.path, "units");
    if (!units || !spec.accepts(*units)) {
        report(spec.path, "attribute units is " + store_.attribute_text(spec.path, "units"),
               "convert the values to " + spec.unit + " and set it to \"" + spec.unit + "\"");
    }
    if (!store_.text(spec.path, "long_name")) {
        report(spec.path, "attribute long_name is missing", "set it to \"" + spec.long_name + "\"", false);
    }
}

void Validator::check_shape(const ArraySpec& spec, const std::vector<std::int64_t>& extents) {
    std::string wanted;
    for (const Axis axis : spec.axes) {
        wanted += (wanted.empty() ? "[" : ", ") + std::string(symbol_of(axis));
    }
    if (extents.size() != spec.axes.size()) {
        report(spec.path, "it has " + std::to_string(extents.size()) + " axes", "shape it as " + wanted + "]");
        sound_[spec.path] = false;
        return;
    }
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        const std::int64_t extent = extents_.of(spec.axes[axis]);
        if (extents[axis] == extent && extent > 0) {
            continue;
        }
        sound_[spec.path] = false;
        if (extents[axis] == extent && spec.axes[axis] == Axis::cases) {
            continue;  // learn_extents() says that there are none
        }
        if (extents[axis] == 0 && spec.axes[axis] == Axis::connections) {
            report(spec.path, "it has no entries (a grid without such connections has no lists of them)",
                   "leave the arrays of /connections out");
            continue;
        }
        report(spec.path,
               "it has " + std::to_string(extents[axis]) + " entries along " + std::string(symbol_of(spec.axes[axis])) +
                   ", the grid has " + std::to_string(extent),
               "make arrays and grid agree");
    }
}

std::string admissible(const ArraySpec& spec) {
    return ", not a finite value from " + number_text(spec.low) + " to " + number_text(spec.high);
}

void Validator::check_edges(const ArraySpec& spec) {
    try {
        const std::vector<double> values = store_.read<double>(spec.path);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::string entry =
                "entry " + std::to_string(i) + " is " + number_text(values[i], spec.low, spec.high);
            if (!std::isfinite(values[i]) || !is_within(spec.low, spec.high, values[i])) {
                report(spec.path, entry + admissible(spec), "give it in " + spec.unit);
            } else if (i > 0 && values[i] <= values[i - 1]) {
                report(spec.path, entry + ", not above the entry before it", "sort the entries, each once");
            }
        }
    } catch (const InvalidData& error) {
        report(spec.path, error);
    }
}

void Validator::check_cells(const ArraySpec& spec) {
    try {
        const std::vector<double> values = store_.read<double>(spec.path);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::isfinite(values[i]) || !is_within(spec.low, spec.high, values[i])) {
                const bool is_of_cells = spec.axes.front() == Axis::z;
                const std::string place = is_of_cells
                                              ? "cell " + cell_text(extents_.space(), static_cast<std::int64_t>(i))
                                              : "value " + std::to_string(i);
                report(spec.path, place + " is " + number_text(values[i], spec.low, spec.high) + admissible(spec),
                       "give it in " + spec.unit);
                return;  // one cell tells what is wrong with an array
            }
        }
    } catch (const InvalidData& error) {
        report(spec.path, error);
    }
}

/// What each case injects [Mt/year]: injection_rate, or the mean of the schedule in its place; none that is not sound.
std::vector<double> Validator::stated_rates() {
    const ArraySpec& total = counting_array(store_);
    const bool is_scheduled = total.name() == "schedule_rate";
    const bool is_wrong = std::ranges::any_of(
        violations_, [](const Violation& one) { return one.is_error && one.path.starts_with("/schedule"); });
    if (!is_sound(total.path) || (is_scheduled && is_wrong)) {
        return {};
    }
    try {
        if (!is_scheduled) {
            return store_.read<double>(total.path);
        }
        const std::vector<double> ends = store_.read<double>(find_array("schedule_end")->path);
        const std::vector<float> rates = store_.read<float>(total.path);
        std::vector<double> means;
        for (std::int64_t which = 0; which < extents_.cases; ++which) {
            means.push_back(mean_rate(schedule_of_all_wells(ends, rates, extents_.cases, which)));
        }
        return means;
    } catch (const InvalidData&) {
        return {};  // reported where the arrays themselves are checked
    }
}

// What the cells take in is what the case injects.
void Validator::check_rates() {
    const ArraySpec& part = *find_array("cell_injection_rate");
    if (!is_sound(part.path)) {
        return;
    }
    const bool is_scheduled = counting_array(store_).name() == "schedule_rate";
    const std::string what = is_scheduled ? "the mean rate over the injection in /schedule" : "injection_rate";
    const std::vector<double> stated = stated_rates();
    const auto cells = static_cast<std::size_t>(extents_.space().count());
    for (std::size_t which = 0; which < stated.size(); ++which) {
        const auto rates = read_case(part.path, static_cast<std::int64_t>(which), cells);
        if (!rates) {
            return;
        }
        const double sum = std::accumulate(rates->begin(), rates->end(), 0.0);
        if (std::abs(sum - stated[which]) > 1e-3 * std::abs(sum)) {
            report(part.path,
                   "case " + std::to_string(which) + ": the cells add up to " + number_text(sum) + " Mt/year, " + what +
                       " is " + number_text(stated[which]),
                   "make the rates agree");
        }
    }
}

void Validator::check_apart(const std::string& path, std::vector<Violation> (*find)(const DatasetStore&)) {
    try {
        for (Violation& one : find(store_)) {
            if (std::ranges::find(violations_, one.path, &Violation::path) == violations_.end()) {
                violations_.push_back(std::move(one));  // one fault of an array is enough to begin with
            }
        }
    } catch (const InvalidData& error) {
        report(path, error);
    }
}

std::optional<std::vector<float>> Validator::read_case(const std::string& path, std::int64_t which, std::size_t size) {
    try {
        std::vector<float> values(size);
        store_.read_rows(path, which, 1, std::span<float>(values));
        return values;
    } catch (const InvalidData& error) {
        report(path, error);
        return std::nullopt;
    }
}

void Validator::check_cases(const ArraySpec& spec) {
    const auto size = static_cast<std::size_t>(extents_.values_per_case(spec));
    const std::string mask = find_array("active")->path;
    const bool is_of_cells = spec.axes.size() > 1 && spec.role != Role::connection;
    const bool has_mask = is_of_cells && is_sound(mask) && spec.path != mask;
    const Shape space = is_of_cells ? extents_.space() : Shape();
    const auto cells = is_of_cells ? static_cast<std::size_t>(space.count()) : size;
    const std::string stated_unit = store_.text(spec.path, "units").value_or("");
    for (std::int64_t which = 0; which < extents_.cases; ++which) {
        auto values = read_case(spec.path, which, size);
        if (values) {
            convert_from(stated_unit, spec, *values);
        }
        std::vector<float> active(cells, 1.0F);
        if (has_mask) {
            try {
                store_.read_rows(mask, which, 1, std::span<float>(active));
            } catch (const InvalidData&) {
                continue;  // reported where the mask itself is checked
            }
        }
        if (values) {
            const bool is_free = is_prediction_ && spec.role == Role::output;
            std::ranges::move(value_violations(spec, which, *values, active, space, is_free),
                              std::back_inserter(violations_));
        }
    }
}

void Validator::check_unknown() {
    const auto specs = dataset_arrays(extents_.geometry);
    std::vector<std::string> arrays;
    try {
        arrays = store_.arrays();
    } catch (const InvalidData& error) {
        report("/", error);
    }
    for (const std::string& path : arrays) {
        const bool is_known = std::ranges::find(specs, path, &ArraySpec::path) != specs.end();
        if (extents_.geometry == Geometry::cartesian && path == "/inputs/bottom_hole_pressure_limit") {
            report(path, "wells of Cartesian grids have no limit (all that is asked for would be injected)",
                   "lower the rates to what the limit lets in, and leave it out");
        } else if (extents_.geometry == Geometry::cartesian && path == "/inputs/dissolution_rate_limit") {
            report(path, "on Cartesian grids gas and brine are in equilibrium (all that brine can hold would dissolve)",
                   "leave it out, or take a radial grid");
        } else if (!is_known && !path.starts_with("/case/")) {
            report(path, "the format knows no such array", "put it under /case or leave it out", false);
        }
    }
}

/// What validate() finds in a store, of which `open` makes a data set.
template <class Open>
std::vector<Violation> violations_of(const DatasetStore& store, Checked what, const Open& open) {
    std::vector<Violation> violations = Validator(store, what).run();
    if (std::ranges::none_of(violations, &Violation::is_error)) {
        const Dataset dataset = open();  // which finds what is left to find
        std::ranges::move(case_array_violations(dataset), std::back_inserter(violations));
        if (dataset.geometry() == Geometry::generic) {
            return violations;
        }
        std::ranges::move(idle_attributes(store), std::back_inserter(violations));
        std::ranges::move(implausible_inputs(dataset), std::back_inserter(violations));
    }
    return violations;
}

}  // namespace

std::vector<Violation> validate(const std::string& path, Checked what) {
    try {
        return violations_of(FileStore(path), what, [&] { return Dataset(path); });
    } catch (const InvalidData& error) {
        return {violation_of(error, "/", {path + ": "})};
    }
}

std::vector<Violation> validate(const MemoryCases& cases, Checked what) {
    try {
        return violations_of(MemoryStore(cases), what, [&] { return Dataset(cases); });
    } catch (const InvalidData& error) {
        return {violation_of(error, "/", {cases.name + ": "})};
    }
}

}  // namespace plumecast
