#include "reservoir/import/array_import.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>

#include "core/number_text.hpp"
#include "io/text_file.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/place_attributes.hpp"
#include "reservoir/dataset/plausibility.hpp"
#include "reservoir/dataset/range_text.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/import/arrays/mapped_array.hpp"
#include "reservoir/import/case_loop.hpp"

namespace plumecast {
namespace {

/// Throws InvalidInput for the shapes of the cells of a corner-point grid.
void require_mappable(const ArraySpec& spec, const JsonReader& entries) {
    if (spec.role == Role::cell && spec.axes.front() != Axis::z) {
        throw InvalidInput(
            entries.path(std::string(spec.name())) +
            ": cannot be mapped (its axes are those of pillars and corners, for which a map has no letters); "
            "leave it out and give cell_volume and cell_centre_x, _y and _z, or import the grid from an "
            "EGRID or GRDECL file");
    }
}

class ArrayImport {
   public:
    explicit ArrayImport(const ImportOptions& options)
        : options_(options),
          file_(h5::File::open(options.sources[0])),
          map_(Json::parse(read_text(options.map), options.map)) {}
    ImportReport run();

   private:
    void read_map();
    void read_group(JsonReader& map, const char* group);
    void learn_frame();
    void count_rows_from_top();
    void require_increasing(const char* name, const std::vector<double>& values) const;
    void require_in_range(const char* name, const std::vector<double>& values) const;
    void learn_cells();
    std::vector<float> cells_of(const MappedArray& array, const Shape& space) const;
    void check_complete() const;
    std::vector<std::int64_t> extents_of(const ArraySpec& spec) const;
    std::map<std::string, std::vector<float>> case_arrays(std::int64_t which) const;
    const MappedArray& tells_activity() const;
    std::vector<float> active_cells(std::int64_t which) const;
    float thickness(const std::vector<float>& active) const;

    const ImportOptions& options_;
    h5::File file_;
    Json map_;
    Geometry geometry_ = Geometry::radial;
    std::map<std::string, MappedArray> arrays_;
    DatasetContent frame_;
    std::int64_t cases_ = 0;
    double top_ = 0.0;       // [m], from which rows count
    std::string of_depths_;  // what is to be said of the edges of rows
};

void ArrayImport::read_group(JsonReader& map, const char* group) {
    if (!map.has(group)) {
        return;
    }
    JsonReader entries = map.object(group);
    std::vector<std::string> known;
    for (const ArraySpec& spec : dataset_arrays(geometry_)) {
        if (spec.path.starts_with("/" + std::string(group) + "/")) {
            known.emplace_back(spec.name());
            if (entries.has(spec.name())) {
                require_mappable(spec, entries);
                arrays_.emplace(std::string(spec.name()), MappedArray(spec, entries, file_));
            }
        }
    }
    if (geometry_ == Geometry::cartesian && std::string_view(group) == "grid") {
        frame_.attributes = attributes_of(GridPlace::read(entries));
    }
    entries.reject_unknown();
}

void ArrayImport::read_map() {
    JsonReader map(map_, options_.map);
    if (!map.has("grid")) {
        throw InvalidInput(options_.map + ": no grid (edges and times are needed); add it");
    }
    geometry_ = map.object("grid").has("x_edges") ? Geometry::cartesian : Geometry::radial;
    for (const char* group : {"grid", "inputs", "outputs"}) {
        read_group(map, group);
    }
    map.reject_unknown();
    check_complete();
}

void ArrayImport::check_complete() const {
    for (const ArraySpec& spec : dataset_arrays(geometry_)) {
        const bool is_derived = spec.name() == "active" || spec.name() == "thickness";
        if (spec.required && !is_derived && !arrays_.contains(std::string(spec.name()))) {
            throw InvalidInput(options_.map + ": nothing for " + spec.path + " (" + spec.long_name + " in " +
                               spec.unit + "); map it to an array, or give a number");
        }
    }
}

void ArrayImport::learn_frame() {
    const auto edges = [&](const char* name) {
        const auto found = arrays_.find(name);
        return found == arrays_.end() ? std::vector<double>() : found->second.edges(file_);
    };
    frame_.r_edges = edges("r_edges");
    frame_.x_edges = edges("x_edges");
    frame_.y_edges = edges("y_edges");
    frame_.z_edges = edges("z_edges");
    frame_.times = edges("times");
    const std::pair<const char*, const std::vector<double>*> axes[] = {{"r_edges", &frame_.r_edges},
                                                                       {"x_edges", &frame_.x_edges},
                                                                       {"y_edges", &frame_.y_edges},
                                                                       {"z_edges", &frame_.z_edges},
                                                                       {"times", &frame_.times}};
    for (const auto& [name, values] : axes) {
        require_increasing(name, *values);
    }
    count_rows_from_top();
    for (const auto& [name, values] : axes) {
        require_in_range(name, *values);
    }
    for (const auto& [name, array] : arrays_) {
        const std::int64_t count = array.extent('n');
        if (count > 0 && cases_ > 0 && count != cases_) {
            throw InvalidData(
                fmt::format("{}: the array of {} has {} cases, others have {} (all hold the same cases); "
                            "correct the map",
                            file_.path(), name, count, cases_));
        }
        cases_ = std::max(cases_, count);
    }
    cases_ = std::max<std::int64_t>(cases_, 1);
    const std::string program = "plumecast " + std::string(version());
    frame_.attributes.merge(
        FileAttributes{{"title", options_.title.empty() ? "imported arrays" : options_.title},
                       {"source", "an HDF5 file of another layout, read by " + program},
                       {"history", fmt::format("{} import of {}", program, counted(cases_, "case"))}});
}

/// Throws InvalidData for an axis that holds a number which stands for no value, or that does not increase.
void ArrayImport::require_increasing(const char* name, const std::vector<double>& values) const {
    const auto bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
    if (bad != values.end()) {
        throw InvalidData(fmt::format("{}: {}: entry {} is {} (an axis has all of its values); write the whole array",
                                      file_.path(), name, bad - values.begin(), number_text(*bad)));
    }
    if (std::ranges::adjacent_find(values, std::greater_equal<>()) != values.end()) {
        throw InvalidData(fmt::format(
            "{}: {} does not increase (cells follow each other); correct the array or its kind", file_.path(), name));
    }
}

/// Throws InvalidData for values of an axis that the format does not have, naming the first one.
void ArrayImport::require_in_range(const char* name, const std::vector<double>& values) const {
    const ArraySpec& spec = *find_array(name);
    const auto bad = std::ranges::find_if(values, [&](double value) { return !is_within(spec.low, spec.high, value); });
    if (bad == values.end()) {
        return;
    }
    const bool is_above = *bad < spec.low && spec.name() == "z_edges";
    throw InvalidData(fmt::format("{}: {}: entry {} is {} ({}, from {} to {} {}); {}", file_.path(), name,
                                  bad - values.begin(), number_text(*bad, spec.low, spec.high), spec.long_name,
                                  number_text(spec.low), number_text(spec.high), spec.unit,
                                  arrays_.at(name).holds_centres()
                                      ? "give edges: those half-way between centres are not the ones of the grid"
                                  : is_above ? "store depths below the top of the formation, the uppermost first"
                                             : "correct the array or its unit"));
}

/// Arrays of cells, which all cases share, go into the frame.
void ArrayImport::learn_cells() {
    const Shape space = plumecast::extents_of(frame_, cases_).space();
    for (const auto& [name, array] : arrays_) {
        if (array.spec().role == Role::cell) {
            frame_.arrays[name] = cells_of(array, space);
        }
    }
}

std::vector<float> ArrayImport::cells_of(const MappedArray& array, const Shape& space) const {
    const ArraySpec& spec = array.spec();
    std::vector<float> values = array.values(file_, 0, extents_of(spec));
    const bool is_depth = spec.name() == "cell_centre_z" && top_ != 0.0;
    if (is_depth && std::ranges::all_of(values, [&](float depth) { return depth <= static_cast<float>(top_); })) {
        throw InvalidData(fmt::format(
            "{}: cell_centre_z lies above the first of z_edges, {:.6g} m, everywhere (these are depths below "
            "the surface); count both from the surface, or both from the top of the formation",
            file_.path(), top_));
    }
    if (is_depth) {
        std::ranges::transform(values, values.begin(), [&](float depth) { return depth - static_cast<float>(top_); });
    }
    const auto bad = std::ranges::find_if(
        values, [&](float value) { return !std::isfinite(value) || !is_within(spec.low, spec.high, value); });
    if (bad != values.end()) {
        throw InvalidData(fmt::format(
            "{}: {} of cell {} is {} (every cell has one, an inactive one too, from {} to {} {}); correct it, or its "
            "unit",
            file_.path(), spec.name(), cell_text(space, bad - values.begin()), number_text(*bad, spec.low, spec.high),
            number_text(spec.low), number_text(spec.high), spec.unit));
    }
    return values;
}

/// Extents of one case of an array.
std::vector<std::int64_t> ArrayImport::extents_of(const ArraySpec& spec) const {
    std::vector<std::int64_t> extents;
    for (const Axis axis : spec.axes) {
        const char letter = letter_of(axis);
        if (letter != 'n') {
            const auto cells = [](const std::vector<double>& edges) {
                return static_cast<std::int64_t>(edges.size()) - 1;
            };
            extents.push_back(letter == 't'   ? static_cast<std::int64_t>(frame_.times.size())
                              : letter == 'z' ? cells(frame_.z_edges)
                              : letter == 'r' ? cells(frame_.r_edges)
                              : letter == 'y' ? cells(frame_.y_edges)
                                              : cells(frame_.x_edges));
        }
    }
    return extents;
}

/// The array that tells which cells are active.
const MappedArray& ArrayImport::tells_activity() const {
    const auto marks = arrays_.find("active");
    return marks != arrays_.end() ? marks->second : arrays_.at("porosity");
}

/// As the map says, else the cells with a porosity.
std::vector<float> ArrayImport::active_cells(std::int64_t which) const {
    const bool has_marks = arrays_.contains("active");
    std::vector<float> active = tells_activity().values(file_, which, extents_of(*find_array("porosity", geometry_)));
    std::ranges::transform(active, active.begin(), [has_marks](float value) {
        // A negative porosity is refused, not taken for rock without pores.
        return value > 0.0F || (!has_marks && value < 0.0F) ? 1.0F : 0.0F;
    });
    return active;
}

float ArrayImport::thickness(const std::vector<float>& active) const {
    double base = 0.0;
    const std::size_t per_row = active.size() / (frame_.z_edges.size() - 1);
    for (std::size_t cell = 0; cell < active.size(); ++cell) {
        base = active[cell] != 0.0F ? std::max(base, frame_.z_edges[cell / per_row + 1]) : base;
    }
    return static_cast<float>(std::max(base - frame_.z_edges.front(), 0.0));
}

/// Depths below the surface become those below the first edge, whose own depth the data set keeps.
void ArrayImport::count_rows_from_top() {
    if (frame_.z_edges.empty() || !count_from_surface(frame_.z_edges)) {
        return;
    }
    top_ = frame_.z_edges.front();
    std::ranges::transform(frame_.z_edges, frame_.z_edges.begin(), [this](double edge) { return edge - top_; });
    frame_.attributes["top_depth"] = fmt::format("{:.10g}", top_);
    of_depths_ = fmt::format(
        "z_edges begin at {:.6g} m and are taken for depths below the surface: rows{} count from there, and "
        "top_depth is {:.6g} m",
        top_, arrays_.contains("cell_centre_z") ? " and cell_centre_z" : "", top_);
}

std::map<std::string, std::vector<float>> ArrayImport::case_arrays(std::int64_t which) const {
    std::map<std::string, std::vector<float>> result;
    const std::vector<float> active = active_cells(which);
    if (std::ranges::count(active, 0.0F) == std::ssize(active)) {
        throw InvalidData(fmt::format(
            "{}: no cell of case {} is active ({} is 0 or NaN everywhere, or was never written, so that HDF5 gives its "
            "fill value, or stands for no value by _FillValue, missing_value, valid_min, valid_max or valid_range); "
            "write the array whole, and correct it or these attributes",
            file_.path(), which, arrays_.contains("active") ? "active" : "porosity"));
    }
    for (const auto& [name, array] : arrays_) {
        if (array.spec().role == Role::grid || array.spec().role == Role::cell) {
            continue;
        }
        std::vector<float> values = array.values(file_, which, extents_of(array.spec()));
        for (std::size_t i = 0; array.spec().role != Role::scalar && i < values.size(); ++i) {
            values[i] = active[i % active.size()] != 0.0F ? values[i] : 0.0F;
        }
        const auto bad = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
        if (bad != values.end()) {
            throw InvalidData(
                fmt::format("{}: {} of case {} is not finite at place {} (active cells need a value); correct it, "
                            "or map active",
                            file_.path(), name, which, bad - values.begin()));
        }
        result[name] = std::move(values);
    }
    result.try_emplace("thickness", std::vector<float>{thickness(active)});
    result["active"] = active;
    return result;
}

ImportReport ArrayImport::run() {
    read_map();
    learn_frame();
    learn_cells();
    std::vector<std::string> names = {"active", "thickness"};
    for (const auto& [name, array] : arrays_) {
        const bool is_of_cases = array.spec().role != Role::grid && array.spec().role != Role::cell;
        if (is_of_cases && std::ranges::find(names, name) == names.end()) {
            names.push_back(name);
        }
    }
    std::vector<std::string> notes;
    if (!of_depths_.empty()) {
        notes.push_back(of_depths_);
    }
    for (const auto& [name, array] : arrays_) {
        if (!array.note().empty() && std::ranges::find(notes, array.note()) == notes.end()) {
            notes.push_back(array.note());
        }
    }
    std::vector<std::string> of_cases(static_cast<std::size_t>(cases_), text_of_notes(notes));
    const auto read_case = [&](std::int64_t which) {
        std::vector<std::string> of_case = notes;
        for (const std::string& missing : tells_activity().notes_on_missing(file_, which)) {
            of_case.push_back(missing + ": made inactive");
        }
        of_cases[static_cast<std::size_t>(which)] = text_of_notes(of_case);
        return case_arrays(which);
    };
    ImportReport report = import_cases(options_, {frame_, cases_, names, {}}, read_case, of_cases);
    report.notes = grouped_notes(of_cases);
    return report;
}

}  // namespace

ImportReport import_arrays(const ImportOptions& options) {
    const bool has_others =
        !options.like.empty() || !options.values.empty() || !options.set.get_if<Json::Object>()->empty();
    if (options.sources.size() != 1 || options.map.empty() || has_others) {
        throw InvalidInput(
            "an HDF5 file is imported by a map, one at a time and without ImportOptions::like, values and settings "
            "(the map "
            "says what its arrays mean, since the file does not); write one, docs/import.md has examples");
    }
    return ArrayImport(options).run();
}

}  // namespace plumecast
