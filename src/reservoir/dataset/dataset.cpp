#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "dataset_layout.hpp"
#include "reservoir/dataset/attributes/attribute_violations.hpp"
#include "reservoir/dataset/attributes/grid_attributes.hpp"
#include "reservoir/dataset/attributes/stated_attributes.hpp"
#include "reservoir/dataset/connections.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"
#include "reservoir/dataset/place_attributes.hpp"
#include "reservoir/dataset/schedule.hpp"
#include "reservoir/dataset/store/checked_arrays.hpp"
#include "reservoir/dataset/store/file_store.hpp"
#include "reservoir/dataset/store/memory_store.hpp"
#include "reservoir/dataset/store/window_store.hpp"

namespace plumecast {
namespace {

/// The scalar that every data set has: stated, or of a schedule.
constexpr std::string_view counting_name = "injection_rate";

void check_format(const DatasetStore& store) {
    if (store.text("/", "format") != std::string(dataset_format)) {
        throw InvalidData(store.name() + ": attribute format is not \"" + std::string(dataset_format) +
                          "\" (the file is no data set of this program); write it with that format");
    }
    const auto version = store.integer("/", "format_version");
    if (version.value_or(0) < 1 || *version > dataset_format_version) {
        throw InvalidData(store.name() + ": attribute format_version is " +
                          store.attribute_text("/", "format_version") + " (this program reads 1 to " +
                          std::to_string(dataset_format_version) + "); write the file in that version");
    }
    if (const std::optional<Violation> found = version_violation(store)) {
        throw InvalidData(store.name() + ": " + found->problem + "; " + found->remedy);
    }
}

void refuse_first(const std::string& name, const std::vector<Violation>& found) {
    if (const auto first = std::ranges::find_if(found, &Violation::is_error); first != found.end()) {
        throw InvalidData(name + ": " + (first->path == "/" ? "" : first->path + ": ") + first->problem + "; " +
                          first->remedy);
    }
}

/// In memory, names that nothing reads are mistakes of the caller.
void refuse_left_over(const DatasetStore& store) {
    const std::vector<Violation> found = left_over_arrays(store);
    if (!found.empty()) {
        throw InvalidData(store.name() + ": " + found[0].path + " is left over (" + found[0].problem + "); " +
                          found[0].remedy);
    }
}

}  // namespace

Dataset::Dataset(const std::string& path) : Dataset(std::make_shared<const FileStore>(path)) {}

Dataset::Dataset(const std::string& path, std::string called)
    : Dataset(std::make_shared<const FileStore>(path, std::move(called))) {}

Dataset::Dataset(MemoryCases cases) : Dataset(std::make_shared<const MemoryStore>(std::move(cases))) {}

Dataset::Dataset(std::shared_ptr<const DatasetStore> store) : store_(std::move(store)) {
    check_format(*store_);
    geometry_ = geometry_of(*store_);
    if (!store_->is_file()) {
        refuse_left_over(*store_);
    }
    require_valid_attributes(*store_);
    if (geometry_ == Geometry::generic) {
        read_points();
    } else {
        read_grid();
        read_schedule();
    }
    check_arrays();
    read_scalars();
    read_cell_values();
    check_connections();
    require_fitting_attributes(*store_);
}
Dataset::~Dataset() = default;

Dataset Dataset::windows(const RolloutOptions& rollout) const {
    if (geometry_ != Geometry::generic) {
        throw InvalidInput(path() + ": describes reservoirs (generic data roll over times); leave rollout out");
    }
    std::vector<std::int64_t> starts(
        static_cast<std::size_t>(std::max<std::int64_t>(0, snapshots() - rollout.steps) + 1));
    std::iota(starts.begin(), starts.end(), std::int64_t{0});
    return Dataset(std::make_shared<const WindowStore>(store_, rollout, std::move(starts), nullptr));
}

Dataset Dataset::window(const RolloutOptions& rollout, std::int64_t start, const RolledOutputs& rolled) const {
    return Dataset(std::make_shared<const WindowStore>(store_, rollout, std::vector{start}, &rolled));
}

Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

bool Dataset::is_file() const { return store_->is_file(); }

const std::string& Dataset::path() const { return store_->name(); }

Shape Dataset::space() const {
    const auto cells = [](const std::vector<double>& edges) { return static_cast<std::int64_t>(edges.size()) - 1; };
    return y_edges_.empty() ? Shape{cells(z_edges_), cells(last_edges())}
                            : Shape{cells(z_edges_), cells(y_edges_), cells(x_edges_)};
}

std::span<const ArraySpec> Dataset::arrays() const {
    return geometry_ == Geometry::generic ? std::span<const ArraySpec>(own_arrays_) : dataset_arrays(geometry_);
}

const ArraySpec* Dataset::find(std::string_view name) const {
    const auto all = arrays();
    const auto found = std::ranges::find_if(all, [&](const ArraySpec& spec) { return spec.name() == name; });
    return found == all.end() ? nullptr : &*found;
}

/// Points of generic data: extents of the first array that has axes of space, coordinates where they are stated.
void Dataset::read_points() {
    own_arrays_ = generic_arrays_of(*store_);
    const std::vector<Axis> space = space_axes_of(*store_);
    const auto first = std::ranges::find_if(own_arrays_, [&](const ArraySpec& spec) {
        return spec.axes.front() == Axis::cases && spec.axes.back() == Axis::x;
    });
    if (first == own_arrays_.end()) {
        throw InvalidData(path() +
                          ": no input or output has axes of space (they give the points of generic data); add "
                          "/inputs or /outputs with the axes that the attribute axes names");
    }
    const StoredArray info = checked_info(*store_, *first);
    const std::size_t before = info.extents.size() - space.size();
    std::vector<std::vector<double>> edges;
    for (std::size_t axis = 0; axis < space.size(); ++axis) {
        const std::int64_t count = info.extents[before + axis];
        if (count < 1) {
            throw InvalidData(path() + ": " + first->path + " has no points; write arrays of one point at least");
        }
        const std::string name = std::string("/grid/") + static_cast<char>(symbol_of(space[axis])[0] - 'A' + 'a');
        std::vector<double> points;
        if (const ArraySpec* stated = find(name)) {
            points = increasing(*store_, *stated, 1);
            if (static_cast<std::int64_t>(points.size()) != count) {
                throw InvalidData(path() + ": " + name + " has " + std::to_string(points.size()) + " entries (" +
                                  first->path + " has " + std::to_string(count) +
                                  " along that axis); make the arrays agree");
            }
        } else {
            for (std::int64_t i = 0; i < count; ++i) {
                points.push_back(count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1));
            }
        }
        edges.push_back(edges_around(points));
        coordinates_.push_back(std::move(points));
    }
    x_edges_ = edges.back();
    y_edges_ = edges.size() == 3 ? edges[1] : std::vector<double>();
    z_edges_ = edges.size() == 1 ? std::vector<double>{0.0, 1.0} : edges.front();
    if (edges.size() == 1) {
        coordinates_.insert(coordinates_.begin(), {0.0});
    }
    const ArraySpec* times = find("times");
    times_ = times != nullptr ? increasing(*store_, *times, 1) : std::vector<double>{0.0};
}

void Dataset::read_grid() {
    if (geometry_ == Geometry::radial) {
        r_edges_ = increasing(*store_, *find_array("r_edges"), 2);
    } else {
        x_edges_ = increasing(*store_, *find_array("x_edges"), 2);
        y_edges_ = increasing(*store_, *find_array("y_edges"), 2);
        place_ = read_place(*store_);
    }
    top_depth_ = read_top_depth(*store_);
    well_radius_ = read_well_radius(*store_);
    z_edges_ = increasing(*store_, *find_array("z_edges"), 2);
    times_ = increasing(*store_, *find_array("times"), 1);
}

void Dataset::read_schedule() {
    refuse_first(path(), schedule_violations(*store_));
    if (has_schedule(*store_)) {
        for (const char* name : {"schedule_end", "schedule_rate"}) {
            check_units(*store_, *find_array(name));
        }
        schedule_ends_ = store_->read<double>(find_array("schedule_end")->path);
        schedule_rates_ = store_->read<float>(find_array("schedule_rate")->path);
    }
}

void Dataset::check_arrays() {
    const auto is_of_cases = [](const ArraySpec& spec) { return spec.axes.front() == Axis::cases; };
    const ArraySpec& counting =
        geometry_ == Geometry::generic ? *std::ranges::find_if(own_arrays_, is_of_cases) : counting_array(*store_);
    cases_ = checked_info(*store_, counting).extents[0];
    if (cases_ < 1) {
        throw InvalidData(path() + (is_file() ? ": the file holds" : ": there is") + " no case; add at least one");
    }
    const auto periods = static_cast<std::int64_t>(schedule_ends_.size());
    const ArraySpec& pairs = *find_array("connection_first");
    const DatasetExtents extents{
        cases_,
        snapshots(),
        rows(),
        columns(),
        static_cast<std::int64_t>(y_edges_.size()) - 1,
        geometry_,
        periods > 0 ? static_cast<std::int64_t>(schedule_rates_.size()) / (periods * cases_) : 1,
        periods,
        store_->has(pairs.path) ? checked_info(*store_, pairs).extents[0] : 0};
    for (const ArraySpec& spec : arrays()) {
        const bool is_absent = !is_required(spec, *store_) && !store_->has(spec.path);
        if (const std::string problem = is_absent ? store_->link_problem(spec.path) : ""; !problem.empty()) {
            throw InvalidData(path() + ": " + spec.path + " " + problem);
        }
        if (spec.role == Role::grid || is_absent) {
            continue;
        }
        const StoredArray info = checked_info(*store_, spec);
        for (std::size_t axis = 0; axis < spec.axes.size(); ++axis) {
            const std::int64_t extent = extents.of(spec.axes[axis]);
            if (info.extents[axis] != extent) {
                throw InvalidData(path() + ": " + spec.path + " has " + std::to_string(info.extents[axis]) +
                                  " entries along " + std::string(symbol_of(spec.axes[axis])) + " (the grid has " +
                                  std::to_string(extent) + "); make the arrays agree");
            }
        }
        if (spec.role == Role::output) {
            outputs_.emplace_back(spec.name());
        }
    }
}

void Dataset::read_scalars() {
    for (const ArraySpec& spec : arrays()) {
        if (spec.role != Role::scalar) {
            continue;
        }
        if (spec.name() == counting_name && !schedule_ends_.empty()) {
            std::vector<float>& means = scalars_[std::string(spec.name())];
            for (std::int64_t which = 0; which < cases_; ++which) {
                means.push_back(static_cast<float>(
                    mean_rate(schedule_of_all_wells(schedule_ends_, schedule_rates_, cases_, which))));
            }
            continue;
        }
        if (!store_->has(spec.path)) {  // that nothing required is missing has been checked
            if (spec.otherwise) {
                scalars_.emplace(spec.name(), std::vector<float>(static_cast<std::size_t>(cases_),
                                                                 static_cast<float>(*spec.otherwise)));
            }
            continue;
        }
        std::vector<float> values = store_->read<float>(spec.path);
        convert_from(store_->text(spec.path, "units").value_or(""), spec, values);
        const auto bad = std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
        if (bad != values.end()) {
            throw InvalidData(path() + ": " + spec.path + " of case " + std::to_string(bad - values.begin()) +
                              " is not finite; give a value in " + spec.unit);
        }
        scalars_.emplace(spec.name(), std::move(values));
    }
}

void Dataset::read_cell_values() {
    for (const ArraySpec& spec : arrays()) {
        if (spec.role == Role::cell && store_->has(spec.path)) {
            cell_values_.emplace(spec.name(), store_->read<float>(spec.path));
        }
    }
}

void Dataset::check_connections() const { refuse_first(path(), connection_violations(*store_)); }

bool Dataset::has(std::string_view name) const {
    const ArraySpec* spec = find(name);
    return spec != nullptr && (store_->has(spec->path) || name == counting_name);
}

void Dataset::require_reservoir(std::string_view what) const {
    if (geometry_ == Geometry::generic) {
        throw InvalidData(path() + ": holds generic data, no reservoirs (" + std::string(what) +
                          " needs these); networks can be trained on it, predict and be evaluated");
    }
}

bool Dataset::injects_nothing(std::int64_t which) const {
    const auto rates = scalars_.find(counting_name);
    return geometry_ != Geometry::generic && rates->second[static_cast<std::size_t>(which)] == 0.0F;
}

const std::vector<float>& Dataset::cell_values(std::string_view name) const {
    static const std::vector<float> none;
    const auto found = cell_values_.find(name);
    return found == cell_values_.end() ? none : found->second;
}

std::vector<float> Dataset::connection_transmissibilities(std::int64_t which) const {
    std::vector<float> values(cell_values("connection_first").size());
    if (!values.empty()) {
        read_cases(find_array("connection_transmissibility")->path, static_cast<std::int64_t>(values.size()),
                   {&which, 1}, values);
    }
    return values;
}

std::string Dataset::attribute(const std::string& name) const { return store_->text("/", name).value_or(""); }

std::optional<double> Dataset::stated(std::string_view attribute) const {
    const NumberAttribute* known = find_number_attribute(attribute);
    expects(known != nullptr, "an attribute of the format");
    return stated_number(*store_, *known);
}

const std::vector<float>& Dataset::scalar(std::string_view name) const {
    const auto found = scalars_.find(name);
    if (found == scalars_.end()) {
        const ArraySpec* spec = find_array(name);
        if (spec != nullptr && spec->role == Role::scalar) {
            throw InvalidData(path() + ": " + spec->path + " is missing (a file without it is valid, but here it is " +
                              "needed); add it in " + spec->unit);
        }
        std::vector<std::string> known = array_names(Role::scalar);
        if (geometry_ == Geometry::generic) {
            known.clear();
            std::ranges::transform(scalars_, std::back_inserter(known), [](const auto& one) { return one.first; });
        }
        const std::string meant = nearest(name, known);
        throw InvalidInput(fmt::format("no input {} with one value per case (known: {}); use a name of the data set{}",
                                       name, meant.empty() ? fmt::to_string(fmt::join(known, ", ")) : meant,
                                       geometry_ == Geometry::generic ? "" : " format"));
    }
    return found->second;
}

void Dataset::read_map(std::string_view name, std::span<const std::int64_t> cases, std::span<float> out) const {
    const ArraySpec* spec = geometry_ == Geometry::generic ? find(name) : find_array(name);
    if (geometry_ == Geometry::generic && name == find_array("active")->name() && spec == nullptr) {
        std::ranges::fill(out, 1.0F);
        return;
    }
    if (geometry_ == Geometry::generic && (spec == nullptr || spec->role != Role::map)) {
        throw InvalidData(
            path() + ": no input map " + std::string(name) +
            " (the data are generic, with inputs of their own); use a network that was trained on such data");
    }
    if (spec == nullptr || spec->role != Role::map) {
        throw InvalidInput("no input map " + std::string(name) + " (the format has none of that name); use one of it");
    }
    if (geometry_ != Geometry::generic && find_array(name, geometry_) == nullptr) {
        const std::string kind = geometry_ == Geometry::radial ? "radial" : "Cartesian";
        throw InvalidData(path() + ": no input map " + std::string(name) + " (the grid is " + kind +
                          ", and such files have none); use a model for this kind of grid");
    }
    read_cases(spec->path, cells(), cases, out);
}

void Dataset::read_varying(std::string_view name, std::span<const std::int64_t> cases, std::span<float> out) const {
    const ArraySpec* spec = find(name);
    if (spec == nullptr || (spec->role != Role::series && spec->role != Role::varying)) {
        throw InvalidInput(path() + ": no input " + std::string(name) +
                           " that varies in time; use one of generic data, [N, T] or [N, T, space]");
    }
    read_cases(spec->path, snapshots() * (spec->role == Role::varying ? cells() : 1), cases, out);
}

std::vector<double> Dataset::coordinates(int axis) const { return coordinates_[static_cast<std::size_t>(axis)]; }

void Dataset::read_output(std::string_view name, std::span<const std::int64_t> cases, std::span<float> out) const {
    if (std::find(outputs_.begin(), outputs_.end(), name) == outputs_.end()) {
        throw InvalidData(path() + ": no output " + std::string(name) +
                          " (needed as the truth); use a file that has it");
    }
    read_cases("/outputs/" + std::string(name), snapshots() * cells(), cases, out);
}

void Dataset::read_cases(const std::string& path, std::int64_t per_case, std::span<const std::int64_t> cases,
                         std::span<float> out) const {
    const auto size = static_cast<std::size_t>(per_case);
    expects(out.size() == size * cases.size(), "room for exactly the cases read");
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (cases[i] < 0 || cases[i] >= cases_) {
            throw InvalidInput(store_->name() + ": no case " + std::to_string(cases[i]) +
                               (is_file() ? " (the file has cases 0 to " : " (there are cases 0 to ") +
                               std::to_string(cases_ - 1) + "); choose one of them");
        }
        store_->read_rows(path, cases[i], 1, out.subspan(i * size, size));
    }
}

}  // namespace plumecast
