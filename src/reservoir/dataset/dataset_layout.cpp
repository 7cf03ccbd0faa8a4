#include "dataset_layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {

std::int64_t DatasetExtents::of(Axis axis) const {
    switch (axis) {
        case Axis::cases:
            return cases;
        case Axis::times:
            return times;
        case Axis::z:
            return rows;
        case Axis::r:
        case Axis::x:
            return columns;
        case Axis::y:
            return lines > 0 ? lines : rows;  // of generic data with two axes
        case Axis::z_edges:
            return rows + 1;
        case Axis::r_edges:
        case Axis::x_edges:
            return columns + 1;
        case Axis::y_edges:
            return lines + 1;
        case Axis::wells:
            return wells;
        case Axis::periods:
            return periods;
        case Axis::connections:
            return connections;
        case Axis::pillar_ends:
            return 6;
        case Axis::z_corners:
            return 2 * rows;
        case Axis::y_corners:
            return 2 * lines;
        case Axis::x_corners:
            return 2 * columns;
    }
    return 0;
}

Shape DatasetExtents::space() const { return lines > 0 ? Shape{rows, lines, columns} : Shape{rows, columns}; }

Geometry geometry_of(const h5::File& file) {
    if (file.text("/", geometry_attribute) == std::string(generic_geometry)) {
        return Geometry::generic;
    }
    return file.has(find_array("x_edges")->path) ? Geometry::cartesian : Geometry::radial;
}

Geometry geometry_of(const DatasetStore& store) {
    if (store.text("/", geometry_attribute) == std::string(generic_geometry)) {
        return Geometry::generic;
    }
    const std::string& path = find_array("x_edges")->path;
    return store.has(path) || !store.link_problem(path).empty() ? Geometry::cartesian : Geometry::radial;
}

std::int64_t cases_of(const DatasetContent& content) {
    const auto size_of = [&](const char* name) {
        const auto found = content.arrays.find(name);
        return found == content.arrays.end() ? std::int64_t{0} : static_cast<std::int64_t>(found->second.size());
    };
    const std::int64_t each = content.wells * static_cast<std::int64_t>(content.schedule_ends.size());
    const std::int64_t cases = content.arrays.contains("injection_rate") || each == 0 ? size_of("injection_rate")
                                                                                      : size_of("schedule_rate") / each;
    if (cases == 0) {
        throw InvalidInput(
            "a data set needs injection_rate, or a schedule (it gives the number of cases); add one of them");
    }
    return cases;
}

const ArraySpec& counting_array(const DatasetStore& store) {
    const ArraySpec &rate = *find_array("injection_rate"), &schedule = *find_array("schedule_rate");
    return !store.has(rate.path) && store.has(schedule.path) ? schedule : rate;
}

bool is_required(const ArraySpec& spec, const DatasetStore& store) {
    return spec.required && (spec.name() != "injection_rate" || counting_array(store).name() == spec.name());
}

int needed_version(const DatasetStore& store) {
    int version = 1;
    for (const ArraySpec& spec : dataset_arrays(geometry_of(store))) {
        version = store.has(spec.path) ? std::max(version, spec.since) : version;
    }
    return version;
}

std::optional<Violation> version_violation(const DatasetStore& store) {
    const auto version = store.integer("/", "format_version");
    for (const ArraySpec& spec : dataset_arrays(geometry_of(store))) {
        if (!spec.path.starts_with("/schedule/") && version && *version < spec.since && store.has(spec.path)) {
            return Violation{"/",
                             "attribute format_version is " + std::to_string(*version) + ", but there is " + spec.path +
                                 " (what reads version " + std::to_string(*version) + " alone would pass over it)",
                             "set it to the integer " + std::to_string(needed_version(store)), true};
        }
    }
    return std::nullopt;
}

std::string cell_text(const Shape& space, std::int64_t cell) {
    Shape position;
    for (int axis = 0; axis < space.rank(); ++axis) {
        position = position.append(cell / space.count(axis + 1, space.rank()) % space[axis]);
    }
    return position.text();
}

std::vector<std::int64_t> DatasetExtents::of(const ArraySpec& spec) const {
    std::vector<std::int64_t> extents;
    for (const Axis axis : spec.axes) {
        extents.push_back(of(axis));
    }
    return extents;
}

std::int64_t DatasetExtents::values_per_case(const ArraySpec& spec) const {
    std::int64_t count = 1;
    for (std::size_t axis = 1; axis < spec.axes.size(); ++axis) {
        count *= of(spec.axes[axis]);
    }
    return count;
}

DatasetExtents extents_of(const DatasetContent& frame, std::int64_t cases) {
    const auto cells = [](const std::vector<double>& edges) { return static_cast<std::int64_t>(edges.size()) - 1; };
    const bool is_radial = frame.geometry() == Geometry::radial;
    const auto pairs = frame.arrays.find("connection_first");
    const DatasetExtents extents{cases,
                                 static_cast<std::int64_t>(frame.times.size()),
                                 cells(frame.z_edges),
                                 cells(is_radial ? frame.r_edges : frame.x_edges),
                                 is_radial ? 0 : cells(frame.y_edges),
                                 frame.geometry(),
                                 frame.wells,
                                 static_cast<std::int64_t>(frame.schedule_ends.size()),
                                 pairs == frame.arrays.end() ? 0 : static_cast<std::int64_t>(pairs->second.size())};
    if (cases < 1 || extents.times < 1 || extents.rows < 1 || extents.columns < 1 ||
        (!is_radial && extents.lines < 1)) {
        throw InvalidInput("a data set needs a case, edges and times (they give its extents); add them");
    }
    return extents;
}

void write_axes(h5::File& file, const DatasetContent& frame, const DatasetExtents& extents) {
    const std::pair<const char*, const std::vector<double>*> axes[] = {
        {"r_edges", &frame.r_edges}, {"x_edges", &frame.x_edges}, {"y_edges", &frame.y_edges},
        {"z_edges", &frame.z_edges}, {"times", &frame.times},     {"schedule_end", &frame.schedule_ends}};
    for (const auto& [name, values] : axes) {
        const ArraySpec* spec = find_array(name, extents.geometry);
        if (spec != nullptr && (spec->required || !values->empty())) {
            create_array(file, *spec, extents);
            file.write_rows<double>(spec->path, 0, static_cast<std::int64_t>(values->size()), *values);
        }
    }
}

void write_header(h5::File& file, const FileAttributes& attributes) {
    file.set_text("/", "format", std::string(dataset_format));
    file.set_integer("/", "format_version", 1);
    for (const auto& [name, value] : attributes) {
        if (name != "format" && name != "format_version") {
            file.set_text("/", name, value);
        }
    }
}

void create_array(h5::File& file, const ArraySpec& spec, const DatasetExtents& extents) {
    h5::Layout layout{extents.of(spec), spec.axes.size() > 1, std::nullopt};
    if (spec.role == Role::output) {
        layout.fill = std::numeric_limits<float>::quiet_NaN();
    }
    switch (spec.storage) {
        case Storage::float32:
            file.create_array<float>(spec.path, layout);
            break;
        case Storage::float64:
            file.create_array<double>(spec.path, layout);
            break;
        case Storage::uint8:
            file.create_array<std::uint8_t>(spec.path, layout);
            break;
    }
    annotate_array(file, spec);
}

void convert_from(std::string_view stated_unit, const ArraySpec& spec, std::span<float> values) {
    if (spec.from_other_unit == nullptr || stated_unit != spec.other_unit) {
        return;
    }
    for (float& value : values) {
        value = static_cast<float>(spec.from_other_unit(static_cast<double>(value)));
    }
}

void annotate_array(h5::File& file, const ArraySpec& spec) { annotate_array(file, spec, spec.unit); }

void annotate_array(h5::File& file, const ArraySpec& spec, const std::string& unit) {
    file.set_text(spec.path, "units", unit);
    file.set_text(spec.path, "long_name", spec.long_name);
    if (spec.since > file.integer("/", "format_version").value_or(1)) {
        file.set_integer("/", "format_version", spec.since);
    }
    if (spec.axes.size() < 2) {
        return;
    }
    for (std::size_t axis = 0; axis < spec.axes.size(); ++axis) {
        file.label_axis(spec.path, static_cast<int>(axis), std::string(symbol_of(spec.axes[axis])));
        if (spec.axes[axis] == Axis::times && file.has("/grid/times")) {
            file.attach_scale(spec.path, static_cast<int>(axis), "/grid/times", "time");
        }
    }
}

}  // namespace plumecast
