#include "service/picture.hpp"

#include <cmath>

#include <fmt/format.h>

#include <plumecast/reservoir/dataset/schema.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

#include "plotting/section_plot.hpp"
#include "service/answer.hpp"

namespace plumecast::service {
namespace {

std::size_t nearest_time(const std::vector<double>& times, const std::optional<double>& wanted) {
    std::size_t nearest = times.size() - 1;
    for (std::size_t i = 0; wanted && i < times.size(); ++i) {
        nearest = std::abs(times[i] - *wanted) < std::abs(times[nearest] - *wanted) ? i : nearest;
    }
    return nearest;
}

}  // namespace

std::string picture_of(const ComputedCases& computed, const WantedPicture& wanted) {
    std::vector<std::string> drawn = computed.fields;
    std::erase_if(drawn, [](const std::string& name) { return find_array(name, Geometry::radial) == nullptr; });
    require_known(wanted.field, drawn, "picture.field");
    const DatasetContent& content = computed.content;
    const auto rows = static_cast<std::int64_t>(content.z_edges.size()) - 1;
    const auto columns = static_cast<std::int64_t>(content.r_edges.size()) - 1;
    const auto cells = static_cast<std::size_t>(rows * columns);
    const auto which = static_cast<std::size_t>(wanted.which);
    const std::size_t time = nearest_time(content.times, wanted.time);
    const auto map_of = [&](const std::string& name, std::size_t at) {
        const float* begin = content.arrays.at(name).data() + at * cells;
        return std::vector<float>(begin, begin + cells);
    };
    const std::size_t at = which * content.times.size() + time;
    SectionFigure figure;
    figure.title = fmt::format("{} after {:.6g} days: {}", find_array(wanted.field, Geometry::radial)->long_name,
                               content.times[time], std::string(name_of(computed.verdicts.cases[which].trust)));
    figure.r_edges = content.r_edges;
    figure.z_edges = content.z_edges;
    figure.active = map_of("active", which);
    figure.columns = {""};
    figure.panel_width = 560;
    figure.panel_height = 240;
    const ArraySpec& spec = *find_array(wanted.field, Geometry::radial);
    const std::vector<float> map = map_of(wanted.field, at);
    figure.rows = {
        {"", sequential_scale({map}, figure.active, fmt::format("{} [{}]", spec.long_name, spec.unit)), {map}, {}}};
    if (content.arrays.contains("gas_saturation")) {
        const std::vector<float> gas = map_of("gas_saturation", at);
        const ConstView saturation{{rows, columns, 1}, DType::float32, gas.data()};
        const ConstView active{{rows, columns}, DType::float32, figure.active.data()};
        const double radius = plume_sizes(saturation, active, content.r_edges, content.z_edges).front().radius;
        figure.r_max = picture_radius(radius, content.r_edges);
    }
    return encode_sections(figure, PictureFormat::png);
}

}  // namespace plumecast::service
