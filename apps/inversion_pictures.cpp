#include "inversion_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "plotting/line_chart.hpp"
#include "plotting/section_plot.hpp"

namespace plumecast::app {
namespace {

constexpr const char* observations_picture = "observations.svg";
constexpr const char* unknowns_picture = "unknowns.svg";
constexpr double within_ninety_percent = 1.645;  // deviations of a normal distribution
constexpr std::size_t most_charts = 12;

/// What distinguishes the charts: field, place and well.
using Place = std::tuple<std::string, double, double, double, int>;

Place place_of(const Observation& one) { return {one.field, one.x, one.y, one.z, one.well}; }

std::string title_of(const Observation& one, bool is_radial) {
    if (one.is_of_well()) {
        return fmt::format("{} of well {}", one.field, one.well);
    }
    return is_radial ? fmt::format("{} at r = {:g} m, z = {:g} m", one.field, one.x, one.z)
                     : fmt::format("{} at x = {:g} m, y = {:g} m, z = {:g} m", one.field, one.x, one.y, one.z);
}

/// Adds mean and band of what is known before or after the data.
void add_band(LineChart& chart, const std::string& name, const std::vector<const ObservationMisfit*>& rows, int colour,
              double ObservationMisfit::*mean, double ObservationMisfit::*deviation) {
    Band band{name + ", 90 %", {}, {}, {}, colour};
    Series line{name + ", mean", {}, {}, colour};
    for (const ObservationMisfit* row : rows) {
        line.x.push_back(row->observation.time);
        line.y.push_back(row->*mean);
        band.x.push_back(row->observation.time);
        band.low.push_back(row->*mean - within_ninety_percent * (row->*deviation));
        band.high.push_back(row->*mean + within_ninety_percent * (row->*deviation));
    }
    chart.series.push_back(std::move(line));
    chart.bands.push_back(std::move(band));
}

LineChart chart_of(std::vector<const ObservationMisfit*> rows, bool is_radial) {
    std::ranges::stable_sort(rows, {}, [](const ObservationMisfit* row) { return row->observation.time; });
    const Observation& first = rows.front()->observation;
    LineChart chart;
    chart.title = title_of(first, is_radial);
    chart.x_label = "time [day]";
    chart.y_label =
        fmt::format("{} [{}]", first.is_of_well() ? "pressure" : first.field, unit_of_observed(first.field));
    chart.height = 260;
    add_band(chart, "prior", rows, 0, &ObservationMisfit::prior_mean, &ObservationMisfit::prior_deviation);
    add_band(chart, "posterior", rows, 1, &ObservationMisfit::posterior_mean, &ObservationMisfit::posterior_deviation);
    Series data{"observed", {}, {}, 2};
    data.is_dot = true;
    for (const ObservationMisfit* row : rows) {
        const Observation& one = row->observation;
        data.x.push_back(one.time);
        data.y.push_back(one.value);
        chart.series.push_back({"", {one.time, one.time}, {one.value - row->error, one.value + row->error}, 2});
    }
    chart.series.push_back(std::move(data));
    return chart;
}

void draw_observations(const InversionReport& report, bool is_radial, const std::filesystem::path& path) {
    std::vector<Place> order;
    std::map<Place, std::vector<const ObservationMisfit*>> by_place;
    for (const ObservationMisfit& row : report.observations) {
        const Place place = place_of(row.observation);
        if (!by_place.contains(place)) {
            order.push_back(place);
        }
        by_place[place].push_back(&row);
    }
    std::vector<LineChart> charts;
    for (const Place& place : order) {
        if (charts.size() < most_charts) {
            charts.push_back(chart_of(by_place.at(place), is_radial));
        }
    }
    draw_line_charts(charts, path);
}

/// Mean and deviation of an input over cases, of permeabilities as decimal logarithms.
struct MapMoments {
    std::vector<float> mean, deviation;
};

MapMoments moments_of(const Dataset& dataset, const std::string& name, std::int64_t members) {
    const bool is_logarithm = name.starts_with("permeability");
    const auto cells = static_cast<std::size_t>(dataset.cells());
    std::vector<double> sum(cells, 0.0), squares(cells, 0.0);
    std::vector<float> values(cells);
    for (std::int64_t which = 0; which < members; ++which) {
        dataset.read_map(name, {&which, 1}, values);
        for (std::size_t i = 0; i < cells; ++i) {
            const auto plain = static_cast<double>(values[i]);
            const double value = is_logarithm ? std::log10(std::max(plain, 1e-12)) : plain;
            sum[i] += value;
            squares[i] += value * value;
        }
    }
    const auto count = static_cast<double>(members);
    MapMoments moments{std::vector<float>(cells), std::vector<float>(cells)};
    for (std::size_t i = 0; i < cells; ++i) {
        const double mean = sum[i] / count;
        moments.mean[i] = static_cast<float>(mean);
        moments.deviation[i] =
            static_cast<float>(std::sqrt(std::max(0.0, squares[i] - count * mean * mean) / std::max(1.0, count - 1.0)));
    }
    return moments;
}

SectionRow row_of(const std::string& label, const std::string& scale, std::vector<std::vector<float>> maps,
                  const std::vector<float>& active) {
    return {label, sequential_scale(maps, active, scale), std::move(maps)};
}

void draw_unknowns(const InversionConfig& config, const std::filesystem::path& folder) {
    const Dataset prior(config.prior), posterior((folder / posterior_file).string());
    if (prior.geometry() != Geometry::radial) {
        return;  // a section of rings shows all of them
    }
    SectionFigure figure;
    figure.title = "Unknowns before and after the data";
    figure.r_edges = posterior.last_edges();
    figure.z_edges = posterior.z_edges();
    figure.active.resize(static_cast<std::size_t>(posterior.cells()));
    const std::int64_t first = 0;
    posterior.read_map("active", {&first, 1}, figure.active);
    figure.columns = {"prior", "posterior"};
    figure.log_radius = true;
    const bool is_whole = config.members == 0 || config.method == InversionMethod::smc;
    for (const std::string& name : config.unknown) {
        if (find_array(name)->role != Role::map) {
            continue;
        }
        const MapMoments before = moments_of(prior, name, is_whole ? prior.cases() : config.members);
        const MapMoments after = moments_of(posterior, name, posterior.cases());
        const std::string what =
            name.starts_with("permeability") ? "log10 " + name + " [mD]" : name + " [" + find_array(name)->unit + "]";
        figure.rows.push_back(row_of("mean", what, {before.mean, after.mean}, figure.active));
        figure.rows.push_back(row_of("deviation", "of " + what, {before.deviation, after.deviation}, figure.active));
    }
    if (!figure.rows.empty()) {
        draw_sections(figure, folder / unknowns_picture);
    }
}

}  // namespace

std::vector<std::string> inversion_pictures() { return {observations_picture, unknowns_picture}; }

void draw_inversion(const InversionConfig& config, const InversionReport& report) {
    const std::filesystem::path folder = config.output;
    const bool is_radial = Dataset(config.case_file).geometry() == Geometry::radial;
    draw_observations(report, is_radial, folder / observations_picture);
    draw_unknowns(config, folder);
}

}  // namespace plumecast::app
