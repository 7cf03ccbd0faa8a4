#include "field_sections.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

#include "plotting/axis.hpp"
#include "verdict_lines.hpp"

namespace plumecast::app {
namespace {

using Maps = std::vector<std::vector<float>>;

/// An input as the data set knows it: those of generic data by their paths.
std::string input_name(const Dataset& dataset, const std::string& name) {
    const std::string path = "/inputs/" + name;
    return dataset.geometry() == Geometry::generic && dataset.find(path) != nullptr ? path : name;
}

}  // namespace

Maps read_cells(const CaseOfFile& source, const std::vector<std::int64_t>& snapshots, const std::string& name) {
    const Dataset& dataset = *source.file;
    const auto size = static_cast<std::size_t>(dataset.cells());
    const std::int64_t cases[] = {source.which};
    if (is_input_map(dataset, name)) {
        std::vector<float> values(size);
        dataset.read_map(input_name(dataset, name), cases, values);
        return Maps(snapshots.size(), values);
    }
    if (std::ranges::find(dataset.outputs(), name) == dataset.outputs().end()) {
        throw InvalidInput(fmt::format("{}: no field '{}' (it holds: {}; and the inputs {}); choose one of them",
                                       dataset.path(), name, fmt::join(dataset.outputs(), ", "),
                                       fmt::join(input_maps(dataset), ", ")));
    }
    std::vector<float> values(size * static_cast<std::size_t>(dataset.snapshots()));
    dataset.read_output(name, cases, values);
    Maps maps;
    for (const std::int64_t snapshot : snapshots) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(size) * snapshot;
        maps.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    return maps;
}

namespace {

/// Maps of a field at the snapshots of a figure, where it is cut.
Maps read_maps(const CaseOfFile& of, const SectionSource& source, const std::string& name) {
    Maps maps = read_cells(of, source.snapshots, name);
    for (std::vector<float>& map : maps) {
        map = source.cut.of(map.data());
    }
    return maps;
}

/// Which cells of a case are active, where it is cut.
std::vector<float> read_active(const CaseOfFile& of, const SectionSource& source) {
    std::vector<float> active(static_cast<std::size_t>(of.file->cells()));
    const std::int64_t cases[] = {of.which};
    of.file->read_map("active", cases, active);
    return source.cut.of(active.data());
}

/// What the rows of a file are called: networks leave a hash of the model, reduced physics its name.
std::string origin_of(const Dataset& fields, const char* usual) {
    if (!fields.attribute("model_hash").empty()) {
        return "predicted";
    }
    return fields.attribute("model").empty() ? usual : "estimated";
}

/// Radius that shows the plume of the last snapshot drawn; the whole grid without a saturation or of another shape.
double shown_radius(const CaseOfFile& of, const SectionSource& source) {
    const Dataset& dataset = *of.file;
    if (dataset.geometry() != Geometry::radial) {
        return 0.0;
    }
    if (std::ranges::find(dataset.outputs(), "gas_saturation") == dataset.outputs().end()) {
        return 0.0;
    }
    double radius = 0.0;
    const std::vector<float> active = read_active(of, source);
    for (const std::vector<float>& map : read_maps(of, source, "gas_saturation")) {
        const ConstView saturation{{dataset.rows(), dataset.columns(), 1}, DType::float32, map.data()};
        const ConstView cells{{dataset.rows(), dataset.columns()}, DType::float32, active.data()};
        radius = std::max(radius, plume_sizes(saturation, cells, dataset.r_edges(), dataset.z_edges()).front().radius);
    }
    return picture_radius(radius, dataset.r_edges());
}

bool is_logarithmic(const std::string& name) { return name.starts_with("permeability"); }

/// Maps of one array in the cells of a case.
struct CaseMaps {
    std::string label;
    Maps maps;
    std::vector<float> active;
};

/// The maps without values in inactive cells, which a scale leaves out.
Maps active_only(const CaseMaps& of) {
    Maps maps = of.maps;
    for (std::vector<float>& map : maps) {
        for (std::size_t i = 0; i < map.size(); ++i) {
            map[i] = of.active[i] != 0.0F ? map[i] : std::numeric_limits<float>::quiet_NaN();
        }
    }
    return maps;
}

ColourScale scale_of(const std::string& name, const std::string& label, const Maps& maps,
                     const std::vector<float>& active) {
    return is_logarithmic(name) ? logarithmic_scale(maps, active, label) : sequential_scale(maps, active, label);
}

/// What tells two scenarios apart beside their rows.
std::pair<std::string, std::string> scenario_names(const SectionSource& source) {
    if (source.beside->file->path() == source.fields.path()) {
        return {fmt::format("case {}", source.which), fmt::format("case {}", source.beside->which)};
    }
    const auto stem = [](const Dataset& file) { return std::filesystem::path(file.path()).stem().string(); };
    const std::string first = stem(source.fields);
    const std::string second = stem(*source.beside->file);
    constexpr std::size_t room = 16;  // letters beside a panel
    return first != second && std::max(first.size(), second.size()) <= room
               ? std::pair(first, second)
               : std::pair<std::string, std::string>("first", "second");
}

/// Two scenarios on one scale, and below them how the first differs from the second where both have cells.
void add_scenarios(SectionFigure& figure, const CaseMaps& first, const CaseMaps& second, const std::string& name,
                   const Dataset& dataset) {
    Maps both = active_only(first);
    const Maps others = active_only(second);
    both.insert(both.end(), others.begin(), others.end());
    const ColourScale scale = scale_of(name, label_in(dataset, name), both, figure.active);
    const bool is_ratio = is_logarithmic(name);
    Maps differences;
    std::vector<float> shared(first.active.size());
    std::ranges::transform(first.active, second.active, shared.begin(), std::multiplies<>());
    for (std::size_t i = 0; i < first.maps.size(); ++i) {
        differences.push_back(is_ratio ? map_ratio(first.maps[i], second.maps[i])
                                       : map_difference(first.maps[i], second.maps[i]));
    }
    figure.rows.push_back({first.label, scale, first.maps, first.active});
    figure.rows.push_back({second.label, scale, second.maps, second.active});
    if (is_ratio) {
        figure.rows.push_back({"first / second", ratio_scale(differences, shared, "ratio [-]"), differences, shared});
    } else {
        figure.rows.push_back({"first - second",
                               symmetric_scale(differences, shared, "difference " + unit_in(dataset, name)),
                               differences, shared});
    }
}

std::string file_name(const Dataset& file) { return std::filesystem::path(file.path()).filename().string(); }

/// "3", or "3 (doubtful)" where the file says so of the case.
std::string marked(const Dataset& file, std::int64_t which) {
    const Trust trust = verdict_in(file.path(), which).trust;
    return trust == Trust::good ? fmt::format("{}", which) : fmt::format("{} ({})", which, name_of(trust));
}

}  // namespace

std::vector<std::string> input_maps(const Dataset& dataset) {
    std::vector<std::string> names;
    for (const ArraySpec& spec : dataset.arrays()) {
        if (spec.role == Role::map && dataset.has(spec.name())) {
            const std::string whole(spec.name()), last = whole.substr(whole.rfind('/') + 1);
            const bool is_output = std::ranges::find(dataset.outputs(), last) != dataset.outputs().end();
            names.push_back(is_output ? whole : last);  // of generic data, where both may be called alike
        }
    }
    return names;
}

bool is_input_map(const Dataset& dataset, const std::string& name) {
    return std::ranges::count(input_maps(dataset), name) > 0;
}

std::string array_words(const std::string& name) {
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    if (words.ends_with("co2")) {
        words.replace(words.size() - 3, 3, "CO2");
    }
    return words;
}

std::string array_unit(const std::string& name) {
    const ArraySpec* spec = find_array(name);
    return fmt::format("[{}]", spec == nullptr || spec->unit == "1" ? "-" : spec->unit);
}

std::string array_label(const std::string& name) { return array_words(name) + " " + array_unit(name); }

std::string unit_in(const Dataset& dataset, const std::string& name) {
    const ArraySpec* spec = dataset.find(input_name(dataset, name));
    return fmt::format("[{}]", spec == nullptr || spec->unit == "1" ? "-" : spec->unit);
}

std::string label_in(const Dataset& dataset, const std::string& name) {
    return array_words(name.substr(name.rfind('/') + 1)) + " " + unit_in(dataset, name);
}

std::string time_in(const Dataset& dataset, std::int64_t snapshot) {
    const double time = dataset.times()[static_cast<std::size_t>(snapshot)];
    if (dataset.geometry() != Geometry::generic) {
        return time_text(time);
    }
    const ArraySpec* stated = dataset.find("times");
    return stated == nullptr ? "" : fmt::format("t = {:.6g}{}", time, stated->unit == "1" ? "" : " " + stated->unit);
}

void require_same_grid(const Dataset& fields, const Dataset& truth) {
    if (fields.r_edges() != truth.r_edges() || fields.x_edges() != truth.x_edges() ||
        fields.y_edges() != truth.y_edges() || fields.z_edges() != truth.z_edges() || fields.times() != truth.times() ||
        fields.cases() != truth.cases()) {
        throw InvalidInput(
            fields.path() + " and " + truth.path() +
            " do not match (cases, grid or times differ); compare with the file that was predicted from");
    }
}

void require_like_cells(const Dataset& first, const Dataset& second, bool has_fields) {
    const bool same_cells = first.r_edges() == second.r_edges() && first.x_edges() == second.x_edges() &&
                            first.y_edges() == second.y_edges() && first.z_edges() == second.z_edges();
    if (!same_cells || (has_fields && first.times() != second.times())) {
        throw InvalidInput(
            fmt::format("{} and {} cannot be set side by side (their {} differ, and with them the "
                        "cells of the difference); take files of one grid",
                        first.path(), second.path(), same_cells ? "times" : "grids"));
    }
}

void require_case(const Dataset& fields, std::int64_t which, const char* option) {
    if (which < 0 || which >= fields.cases()) {
        throw InvalidInput(fmt::format("{} {}: {} has no such case (it holds {}, counted from 0); choose another",
                                       option, which, fields.path(), fields.cases()));
    }
}

std::string title_of(const SectionSource& source) {
    const std::string first = marked(source.fields, source.which);
    if (!source.beside) {
        return fmt::format("Case {} of {}", first, file_name(source.truth ? *source.truth : source.fields));
    }
    const std::string second = marked(*source.beside->file, source.beside->which);
    if (source.beside->file->path() == source.fields.path()) {
        return fmt::format("Cases {} and {} of {}", first, second, file_name(source.fields));
    }
    return fmt::format("Case {} of {} and case {} of {}", first, file_name(source.fields), second,
                       file_name(*source.beside->file));
}

SectionFigure empty_figure(const SectionSource& source) {
    const Dataset& fields = source.fields;
    SectionFigure figure;
    figure.title = title_of(source);
    if (!source.cut.words.empty()) {
        figure.title += ", " + source.cut.words;
    }
    figure.r_edges = source.cut.across;
    figure.z_edges = source.cut.down;
    figure.across = source.cut.across_name;
    figure.down = source.cut.down_name;
    figure.units = source.cut.units;
    if (source.cut.is_layer) {  // a map looks like the ground
        figure.is_plan = true;
        const double ratio =
            (figure.z_edges.back() - figure.z_edges.front()) / (figure.r_edges.back() - figure.r_edges.front());
        figure.panel_height = static_cast<int>(figure.panel_width * std::clamp(ratio, 0.25, 2.0));
    }
    const CaseOfFile own{source.truth ? source.truth : &fields, source.which};
    figure.active = read_active({&fields, source.which}, source);
    figure.r_max = shown_radius(own, source);
    if (source.beside) {
        const std::vector<float> other = read_active(*source.beside, source);
        std::ranges::transform(figure.active, other, figure.active.begin(),
                               [](float a, float b) { return std::max(a, b); });
        const double radius = shown_radius(*source.beside, source);
        figure.r_max = figure.r_max > 0.0 && radius > 0.0 ? std::max(figure.r_max, radius) : 0.0;
    }
    for (const std::int64_t snapshot : source.snapshots) {
        figure.columns.push_back(time_in(fields, snapshot));
    }
    return figure;
}

void add_rows(SectionFigure& figure, const SectionSource& source, const std::string& name) {
    const CaseOfFile own{&source.fields, source.which};
    const Maps maps = read_maps(own, source, name);
    if (source.beside) {
        const auto [first, second] = scenario_names(source);
        add_scenarios(figure, {first, maps, read_active(own, source)},
                      {second, read_maps(*source.beside, source, name), read_active(*source.beside, source)}, name,
                      source.fields);
        return;
    }
    const bool is_input = is_input_map(source.fields, name);
    if (source.truth == nullptr || is_input) {
        SectionRow row{is_input ? "input" : origin_of(source.fields, "simulated"),
                       scale_of(name, label_in(source.fields, name), maps, figure.active), maps};
        if (name == "active") {  // its own zeros are what it shows
            row.active.assign(figure.active.size(), 1.0F);
        }
        figure.rows.push_back(std::move(row));
        return;
    }
    const Maps simulated = read_maps({source.truth, source.which}, source, name);
    Maps both = maps;
    both.insert(both.end(), simulated.begin(), simulated.end());
    Maps errors;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        errors.push_back(map_difference(maps[i], simulated[i]));
    }
    const ColourScale scale = scale_of(name, label_in(source.fields, name), both, figure.active);
    figure.rows.push_back({origin_of(source.fields, "predicted"), scale, maps});
    figure.rows.push_back({"simulated", scale, simulated});
    figure.rows.push_back(
        {"error", symmetric_scale(errors, figure.active, "error of " + label_in(source.fields, name)), errors});
}

}  // namespace plumecast::app
