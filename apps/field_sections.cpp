#include "field_sections.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/data/schema.hpp>
#include <plumecast/metrics/plume.hpp>
#include <plumecast/pictures/axis.hpp>

namespace plumecast::app {
namespace {

using Maps = std::vector<std::vector<float>>;

/// Values of all cells of a field at the snapshots of a figure.
Maps read_cells(const Dataset& dataset, const SectionSource& source, const std::string& field) {
    if (std::ranges::find(dataset.outputs(), field) == dataset.outputs().end()) {
        throw InvalidInput(fmt::format("{}: no field '{}' (it holds: {}); choose one of them", dataset.path(), field,
                                       fmt::join(dataset.outputs(), ", ")));
    }
    const auto size = static_cast<std::size_t>(dataset.cells());
    std::vector<float> values(size * static_cast<std::size_t>(dataset.snapshots()));
    const std::int64_t cases[] = {source.which};
    dataset.read_output(field, cases, values);
    Maps maps;
    for (const std::int64_t snapshot : source.snapshots) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(size) * snapshot;
        maps.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    return maps;
}

/// Maps of a field at the snapshots of a figure, where it is cut.
Maps read_maps(const Dataset& dataset, const SectionSource& source, const std::string& field) {
    Maps maps = read_cells(dataset, source, field);
    for (std::vector<float>& map : maps) {
        map = source.cut.of(map.data());
    }
    return maps;
}

std::string label_of(const std::string& field) {
    const ArraySpec* spec = find_array(field);
    std::string name = field;
    std::ranges::replace(name, '_', ' ');
    if (name.ends_with("co2")) {
        name.replace(name.size() - 3, 3, "CO2");
    }
    return fmt::format("{} [{}]", name, spec == nullptr || spec->unit == "1" ? "-" : spec->unit);
}

/// What the rows of a file are called: networks leave a hash of the model, reduced physics its name.
std::string origin_of(const Dataset& fields, const char* usual) {
    if (!fields.attribute("model_hash").empty()) {
        return "predicted";
    }
    return fields.attribute("model").empty() ? usual : "estimated";
}

/// Radius that shows the plume of the last snapshot drawn; the whole grid without a saturation or of another shape.
double shown_radius(const Dataset& dataset, const SectionSource& source, const std::vector<float>& active) {
    if (dataset.geometry() != Geometry::radial) {
        return 0.0;
    }
    if (std::ranges::find(dataset.outputs(), "gas_saturation") == dataset.outputs().end()) {
        return 0.0;
    }
    double radius = 0.0;
    for (const std::vector<float>& map : read_maps(dataset, source, "gas_saturation")) {
        const ConstView saturation{{dataset.rows(), dataset.columns(), 1}, DType::float32, map.data()};
        const ConstView cells{{dataset.rows(), dataset.columns()}, DType::float32, active.data()};
        radius = std::max(radius, plume_sizes(saturation, cells, dataset.r_edges(), dataset.z_edges()).front().radius);
    }
    return picture_radius(radius, dataset.r_edges());
}

}  // namespace

void require_same_grid(const Dataset& fields, const Dataset& truth) {
    if (fields.r_edges() != truth.r_edges() || fields.x_edges() != truth.x_edges() ||
        fields.y_edges() != truth.y_edges() || fields.z_edges() != truth.z_edges() || fields.times() != truth.times() ||
        fields.cases() != truth.cases()) {
        throw InvalidInput(
            fields.path() + " and " + truth.path() +
            " do not match (cases, grid or times differ); compare with the file that was predicted from");
    }
}

void require_case(const Dataset& fields, std::int64_t which) {
    if (which < 0 || which >= fields.cases()) {
        throw InvalidInput(fmt::format("--case {}: {} has no such case (it holds {}, counted from 0); choose another",
                                       which, fields.path(), fields.cases()));
    }
}

SectionFigure empty_figure(const SectionSource& source) {
    const Dataset& fields = source.fields;
    SectionFigure figure;
    figure.title =
        fmt::format("Case {} of {}", source.which,
                    std::filesystem::path(source.truth ? source.truth->path() : fields.path()).filename().string());
    if (!source.cut.words.empty()) {
        figure.title += ", " + source.cut.words;
    }
    figure.r_edges = source.cut.across;
    figure.z_edges = source.cut.down;
    figure.across = source.cut.across_name;
    figure.down = source.cut.down_name;
    if (source.cut.is_layer) {  // a map looks like the ground
        figure.is_plan = true;
        const double ratio =
            (figure.z_edges.back() - figure.z_edges.front()) / (figure.r_edges.back() - figure.r_edges.front());
        figure.panel_height = static_cast<int>(figure.panel_width * std::clamp(ratio, 0.25, 2.0));
    }
    std::vector<float> active(static_cast<std::size_t>(fields.cells()));
    const std::int64_t cases[] = {source.which};
    fields.read_map("active", cases, active);
    figure.active = source.cut.of(active.data());
    for (const std::int64_t snapshot : source.snapshots) {
        figure.columns.push_back(time_text(fields.times()[static_cast<std::size_t>(snapshot)]));
    }
    figure.r_max = shown_radius(source.truth ? *source.truth : fields, source, figure.active);
    return figure;
}

void add_rows(SectionFigure& figure, const SectionSource& source, const std::string& field) {
    const std::string label = label_of(field);
    const Maps maps = read_maps(source.fields, source, field);
    if (source.truth == nullptr) {
        figure.rows.push_back(
            {origin_of(source.fields, "simulated"), sequential_scale(maps, figure.active, label), maps});
        return;
    }
    const Maps simulated = read_maps(*source.truth, source, field);
    Maps both = maps;
    both.insert(both.end(), simulated.begin(), simulated.end());
    Maps errors;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        errors.push_back(map_difference(maps[i], simulated[i]));
    }
    const ColourScale scale = sequential_scale(both, figure.active, label);
    figure.rows.push_back({origin_of(source.fields, "predicted"), scale, maps});
    figure.rows.push_back({"simulated", scale, simulated});
    figure.rows.push_back({"error", symmetric_scale(errors, figure.active, "error of " + label), errors});
}

}  // namespace plumecast::app
