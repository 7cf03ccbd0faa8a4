#include "line_pictures.hpp"

#include <cstddef>
#include <limits>
#include <utility>

#include "plotting/line_chart.hpp"

namespace plumecast::app {
namespace {

/// The lines of one case in a chart; values at points that do not count break them.
void add_lines(LineChart& chart, const CaseOfFile& of, const SectionSource& source, const std::string& field,
               const std::string& words, bool is_dashed) {
    const Dataset& dataset = *of.file;
    std::vector<float> active(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map("active", {&of.which, 1}, active);
    const std::vector<std::vector<float>> maps = read_cells(of, source.snapshots, field);
    const std::size_t shown = is_input_map(dataset, field) ? 1 : maps.size();
    for (std::size_t k = 0; k < shown; ++k) {
        Series line;
        const std::string time = shown == 1 && maps.size() > 1 ? "" : time_in(dataset, source.snapshots[k]);
        line.name = words.empty() || time.empty() ? words + time : words + ", " + time;
        line.x = dataset.coordinates(1);
        for (std::size_t i = 0; i < maps[k].size(); ++i) {
            line.y.push_back(active[i] != 0.0F ? static_cast<double>(maps[k][i])
                                               : std::numeric_limits<double>::quiet_NaN());
        }
        line.colour = static_cast<int>(k);
        line.is_dashed = is_dashed;
        chart.series.push_back(std::move(line));
    }
}

}  // namespace

void draw_lines(const SectionSource& source, const std::vector<std::string>& names, const std::string& title,
                const std::string& output) {
    std::vector<LineChart> charts;
    const ArraySpec* points = source.fields.find("/grid/x");
    for (const std::string& name : names) {
        LineChart& chart = charts.emplace_back();
        chart.title = charts.size() == 1 ? title : "";
        chart.x_label = points == nullptr || points->unit == "1" ? "x" : "x [" + points->unit + "]";
        chart.y_label = label_in(source.fields, name);
        const bool is_compared = source.truth != nullptr && !is_input_map(source.fields, name);
        add_lines(chart, {&source.fields, source.which}, source, name, is_compared ? "predicted" : "", false);
        if (is_compared) {
            add_lines(chart, {source.truth, source.which}, source, name, "simulated", true);
        }
        if (source.beside) {
            add_lines(chart, *source.beside, source, name, "beside", true);
        }
    }
    draw_line_charts(charts, output);
}

}  // namespace plumecast::app
