#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/reporting/report.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/text/ascii.hpp"
#include "core/units.hpp"
#include "plotting/axis.hpp"
#include "plotting/line_chart.hpp"
#include "plotting/section_plot.hpp"
#include "reporting/report_content.hpp"

namespace plumecast {
namespace {

constexpr std::size_t most_faint_lines = 100;
constexpr std::size_t most_lines = 8;  // of one picture that readers tell apart by their colours

/// One chart: the first series with its ensemble, the others beside it.
struct ChartPlan {
    std::string name;
    std::string section;
    std::string title;
    std::string quantity;                                     ///< for the axis: "radius"
    std::vector<std::pair<std::string, std::string>> series;  ///< name and entry of the legend
};

std::vector<double> years(const ReportContent& content) {
    std::vector<double> result;
    for (const double day : content.reader.times()) {
        result.push_back(day / days_per_year);
    }
    return result;
}

std::vector<double> scaled(std::vector<double> values, double factor) {
    for (double& value : values) {
        value *= factor;
    }
    return values;
}

std::vector<double> curve(const std::vector<Percentiles>& all, double Percentiles::*member, double factor) {
    std::vector<double> values;
    for (const Percentiles& at : all) {
        values.push_back(factor * (at.*member));
    }
    return values;
}

double largest_of(const ReportContent& content, const std::string& name) {
    double largest = 0.0;
    for (const MeasuredCase& one : content.cases) {
        for (const double value : find_series(one.series, name)->values) {
            largest = std::max(largest, std::abs(value));
        }
    }
    return largest;
}

/// Lines of single cases behind the percentiles of an ensemble; not more than a reader can tell apart.
void add_cases(LineChart& chart, const ReportContent& content, const std::string& name, double factor) {
    const std::size_t step = (content.cases.size() + most_faint_lines - 1) / most_faint_lines;
    for (std::size_t i = 0; i < content.cases.size(); i += step) {
        const std::vector<double>& values = find_series(content.cases[i].series, name)->values;
        chart.series.push_back({"", years(content), scaled(values, factor), -1, true, false});
    }
}

/// The interval of a series of the one case, as a band of its colour.
void add_interval(LineChart& chart, const ReportContent& content, const NamedSeries& series, double factor,
                  int colour) {
    if (series.has_interval()) {
        chart.bands.push_back({"interval of " + content.interval_text(), years(content), scaled(series.low, factor),
                               scaled(series.high, factor), colour});
    }
}

/// How far the model may be off, around the middle of an ensemble: the middle of what the intervals of the cases reach
/// below and above their values. Apart from the spread of the cases, which is a band.
void add_model_error(LineChart& chart, const ReportContent& content, const std::string& name,
                     const std::vector<Percentiles>& all, double factor) {
    constexpr int colour = 7;
    for (const auto end : {&NamedSeries::low, &NamedSeries::high}) {
        std::vector<double> line;
        for (std::size_t time = 0; time < all.size(); ++time) {
            std::vector<double> away;
            for (const MeasuredCase& one : content.cases) {
                const NamedSeries& series = *find_series(one.series, name);
                if (series.has_interval()) {
                    away.push_back((series.*end)[time] - series.values[time]);
                }
            }
            line.push_back(factor * (all[time].p50 + percentiles(std::move(away)).p50));
        }
        const bool is_first = end == &NamedSeries::low;
        chart.series.push_back({is_first ? "error of the model, " + content.interval_text() : "", years(content),
                                std::move(line), colour, false, true});
    }
}

LineChart chart_of(const ReportContent& content, const ChartPlan& plan) {
    const std::string& first = plan.series.front().first;
    double largest = 0.0;
    for (const auto& [name, legend] : plan.series) {
        largest = std::max(largest, largest_of(content, name));
    }
    const Shown unit = shown_unit(find_series(content.series(), first)->unit, largest);
    LineChart chart;
    chart.title = plan.title;
    chart.x_label = "time since the start of injection [years]";
    chart.y_label = fmt::format("{} [{}]", plan.quantity, unit.unit);
    chart.zero_y = true;
    int colour = 0;
    for (const auto& [name, legend] : plan.series) {
        const bool leads = name == first;
        if (!content.is_ensemble()) {
            add_interval(chart, content, *find_series(content.series(), name), unit.factor, colour);
            chart.series.push_back({legend, years(content),
                                    scaled(find_series(content.series(), name)->values, unit.factor), colour++, false,
                                    false});
            continue;
        }
        const std::vector<Percentiles> all = content.percentiles_of(name);
        if (leads) {
            add_cases(chart, content, name, unit.factor);
            chart.bands.push_back({"low (P90) to high (P10)", years(content),
                                   curve(all, &Percentiles::p90, unit.factor),
                                   curve(all, &Percentiles::p10, unit.factor), colour});
        }
        chart.series.push_back({plan.series.size() > 1 ? legend + ", middle (P50)" : "middle (P50)", years(content),
                                curve(all, &Percentiles::p50, unit.factor), colour++, false, !leads});
        if (leads && content.has_interval(name)) {
            add_model_error(chart, content, name, all, unit.factor);
        }
    }
    return chart;
}

/// Where the CO2 of a case is, one upon the other: mobile, trapped, dissolved, and what is missing from the mass
/// injected.
LineChart ledger_chart(const ReportContent& content) {
    const std::int64_t number = content.typical_case();
    const auto measured = std::ranges::find(content.cases, number, &MeasuredCase::number);
    constexpr double opacity = 0.75;
    constexpr int error_colour = 7;
    const auto values = [&](const char* name) { return find_series(measured->series, name)->values; };
    LineChart chart;
    chart.title = fmt::format("Where the CO2 is, case {}", number);
    chart.x_label = "time since the start of injection [years]";
    chart.y_label = "mass [Mt]";
    chart.zero_y = true;
    std::vector<double> below(content.reader.times().size(), 0.0);
    const auto add = [&](const char* name, const char* legend, int colour) {
        std::vector<double> above = values(name);
        for (std::size_t time = 0; time < above.size(); ++time) {
            above[time] += below[time];
        }
        chart.bands.push_back({legend, years(content), below, above, colour, opacity});
        below = above;
    };
    add("mass_mobile", "mobile", 1);
    add("mass_trapped", "trapped", 4);
    add("mass_dissolved", "dissolved", 0);
    add("closing_error", "closing error", error_colour);
    chart.series.push_back({"injected", years(content), values("mass_injected"), error_colour, false, true});
    return chart;
}

/// Bottom-hole pressures of the wells of a case, a line each.
LineChart wells_chart(const ReportContent& content, const MeasuredCase& measured) {
    LineChart chart;
    chart.title = fmt::format("{} of each well, case {}", short_title("bottom_hole_pressure"), measured.number);
    chart.x_label = "time since the start of injection [years]";
    chart.y_label = "pressure [bar]";
    const auto columns = static_cast<std::size_t>(content.reader.dataset().columns());
    int colour = 0;
    for (const WellCurve& well : measured.wells) {
        chart.series.push_back({fmt::format("well in line {}, column {}", well.column / columns, well.column % columns),
                                years(content), well.bottom_hole, colour++, false, false});
    }
    return chart;
}

/// Whether the pressures of the wells of a case make a picture: of several, and any is known.
bool has_wells_chart(const MeasuredCase& measured) {
    return measured.wells.size() > 1 && measured.wells.size() <= most_lines &&
           std::ranges::any_of(measured.wells, [](const WellCurve& well) {
               return std::ranges::any_of(well.bottom_hole, [](double pressure) { return std::isfinite(pressure); });
           });
}

/// Whether there is a series of that name, with a value in any case.
bool has_values(const ReportContent& content, const std::string& name) {
    return content.has(name) && std::ranges::any_of(content.cases, [&](const MeasuredCase& one) {
               return std::ranges::any_of(find_series(one.series, name)->values,
                                          [](double value) { return std::isfinite(value); });
           });
}

std::vector<ChartPlan> chart_plans(const ReportContent& content) {
    const auto by_threshold = [&](const std::string& name) {
        std::vector<std::pair<std::string, std::string>> series;
        for (const double threshold : content.options.series.thresholds) {
            series.emplace_back(fmt::format("{}_{:g}", name, threshold),
                                fmt::format("saturation above {:g}", threshold));
        }
        return series;
    };
    const std::string radius = content.with_threshold("plume_radius");
    std::vector<std::pair<std::string, std::string>> buildups = {{"max_buildup", "cell"}};
    if (has_values(content, "bottom_hole_buildup")) {
        buildups.insert(buildups.begin(), {"bottom_hole_buildup", "well"});
    }
    std::vector<ChartPlan> plans = {
        {"plume_radius", "plume", short_title("plume_radius"), "radius", by_threshold("plume_radius")},
        {"plume_area", "plume", short_title("plume_area"), "area", by_threshold("plume_area")},
        {"plume_footprint", "plume", "Footprint at the top of the formation", "area", by_threshold("plume_footprint")},
        {"plume_thickness", "plume", short_title("plume_thickness"), "thickness", by_threshold("plume_thickness")},
        {"bottom_hole_pressure",
         "pressure",
         short_title("bottom_hole_pressure"),
         "pressure",
         {{"bottom_hole_pressure", "largest of the wells"}}},
        {"max_buildup", "pressure", "Largest pressure build-up, at the well and in the mean of a cell", "build-up",
         buildups},
        {"front_radius",
         "pressure",
         "Pressure front, build-up above " + content.front_text(),
         "radius",
         {{"front_radius", "front"}}},
        {"fracture_margin", "pressure", "Margin to the allowed pressure", "margin", {{"fracture_margin", "margin"}}},
        {"review_radius",
         "review",
         "Radius of the area of review",
         "radius",
         {{"review_radius", "area of review"}, {radius, "plume"}}},
        {"injection_rate", "mass", short_title("injection_rate"), "rate", {{"injection_rate", "rate"}}},
        {"mass",
         "mass",
         "CO2 injected and free in place",
         "mass",
         {{"mass_free", "free"}, {"mass_injected", "injected"}}},
        {"mass_ledger",
         "mass",
         "CO2 free and dissolved in place, and injected",
         "mass",
         {{"mass_free", "free"}, {"mass_dissolved", "dissolved"}, {"mass_injected", "injected"}}},
        {"mass_balance", "mass", "CO2 in place per CO2 injected", "share", {{"mass_balance", "free and dissolved"}}},
        {"free_share", "mass", "Free CO2 per CO2 injected", "share", {{"free_share", "free"}}}};
    std::erase_if(plans, [&](const ChartPlan& plan) {
        return !std::ranges::all_of(plan.series, [&](const auto& entry) { return has_values(content, entry.first); });
    });
    return plans;
}

bool is_radial(const ReportContent& content) { return content.reader.dataset().geometry() == Geometry::radial; }

/// What a picture shows of values [cells]: all of a section, the largest of each column of a box seen from above.
std::vector<float> seen(const ReportContent& content, std::span<const float> values, const std::vector<float>& active) {
    if (is_radial(content)) {
        return {values.begin(), values.end()};
    }
    const std::size_t columns = values.size() / static_cast<std::size_t>(content.reader.dataset().rows());
    std::vector<float> result(columns, -std::numeric_limits<float>::infinity());
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        if (active[cell] != 0.0F) {
            result[cell % columns] = std::max(result[cell % columns], values[cell]);
        }
    }
    return result;
}

SectionFigure empty_sections(const ReportContent& content, const std::string& title, const std::vector<float>& active) {
    const Dataset& dataset = content.reader.dataset();
    SectionFigure figure;
    figure.title = title;
    figure.r_edges = dataset.last_edges();
    figure.z_edges = is_radial(content) ? dataset.z_edges() : dataset.y_edges();
    figure.active = seen(content, active, active);
    if (!is_radial(content)) {
        std::ranges::replace_if(
            figure.active, [](float mark) { return !(mark > 0.0F); }, 0.0F);
        figure.is_plan = true;
        figure.across = "x";
        figure.down = "y";
        const double shape =
            (figure.z_edges.back() - figure.z_edges.front()) / (figure.r_edges.back() - figure.r_edges.front());
        figure.panel_height = static_cast<int>(std::clamp(shape, 0.4, 1.3) * figure.panel_width);
    }
    for (const std::size_t time : shown_times(content.reader.times())) {
        figure.columns.push_back(time_text(content.reader.times()[time]));
    }
    return figure;
}

/// Radius that shows what a series of radii reaches in nearly all cases.
double radius_for(const ReportContent& content, const std::string& name) {
    double largest = 0.0;
    for (const Percentiles& at : content.percentiles_of(name)) {
        largest = std::max(largest, at.p10);
    }
    return picture_radius(largest, content.reader.dataset().r_edges());
}

void add_probability(const ReportContent& content, std::vector<std::pair<ReportPicture, SectionFigure>>& figures) {
    const SeriesOptions& options = content.options.series;
    const auto add = [&](const char* name, const std::string& title, ExceedanceMap ProbabilityMaps::*member,
                         const std::string& radius) {
        std::vector<std::vector<float>> maps;
        for (const ProbabilityMaps& at : content.maps) {
            maps.push_back(seen(content, (at.*member).probability(), (at.*member).active()));
        }
        SectionFigure figure = empty_sections(content, title, (content.maps.back().*member).active());
        SectionRow row;
        row.label = "all cases";
        row.scale.label = "probability [-]";
        row.maps = maps;
        figure.rows.push_back(std::move(row));
        figure.r_max = is_radial(content) ? radius_for(content, radius) : 0.0;
        figures.push_back({{name, title, "probability", {}, {}}, figure});
    };
    const double threshold = *std::ranges::min_element(options.thresholds);
    if (content.has(content.with_threshold("plume_radius"))) {
        add("probability_plume", fmt::format("Probability of a gas saturation above {:g}", threshold),
            &ProbabilityMaps::plume, content.with_threshold("plume_radius"));
    }
    if (content.has("front_radius")) {
        add("probability_front", "Probability of a build-up above " + content.front_text(), &ProbabilityMaps::front,
            "front_radius");
    }
}

/// When the plume of the case first reached each cell of a section, or each column of a map; grey where it never did.
SectionFigure migration_figure(const ReportContent& content, const MeasuredCase& measured) {
    const Dataset& dataset = content.reader.dataset();
    const bool is_radial_grid = is_radial(content);
    const auto shown_cells =
        static_cast<std::size_t>(is_radial_grid ? dataset.cells() : dataset.cells() / dataset.rows());
    constexpr float never = std::numeric_limits<float>::infinity();
    std::vector<float> first(shown_cells, never), active(static_cast<std::size_t>(dataset.cells()), 0.0F);
    for (const ReachedCell& reached : measured.reached) {
        const double day = arrival_time(reached, content.reader.times()).at_latest;
        float& year = first[reached.cell % shown_cells];
        year = std::min(year, static_cast<float>(day / days_per_year));
        active[reached.cell] = 1.0F;
    }
    SectionFigure figure =
        empty_sections(content, fmt::format("Migration time of the plume, case {}", measured.number), active);
    figure.columns = {"grey: not reached"};
    SectionRow row;
    row.label = fmt::format("case {}", measured.number);
    row.scale = sequential_scale({first}, figure.active, "first reached by [years]");
    row.maps = {std::move(first)};
    figure.rows.push_back(std::move(row));
    return figure;
}

void add_typical(const ReportContent& content, std::vector<std::pair<ReportPicture, SectionFigure>>& figures) {
    const std::int64_t number = content.typical_case();
    const CaseFields fields = content.reader.read(number);
    const auto measured = std::ranges::find(content.cases, number, &MeasuredCase::number);
    const auto add = [&](const char* name, const std::string& label, const std::vector<float>& field,
                         const std::string& radius) {
        std::vector<std::vector<float>> maps;
        for (const std::size_t time : shown_times(content.reader.times())) {
            maps.push_back(seen(content, fields.at(field, time), fields.active));
        }
        std::string title = label.substr(0, label.find(" ["));
        title[0] = upper(title[0]);
        title += fmt::format(", case {}", number);
        title += measured->trust.empty() || measured->trust == "good" ? "" : fmt::format(" ({})", measured->trust);
        SectionFigure figure = empty_sections(content, title, fields.active);
        SectionRow row;
        row.label = fmt::format("case {}", number);
        row.scale = sequential_scale(maps, figure.active, label);
        row.maps = maps;
        figure.rows.push_back(std::move(row));
        const std::vector<double>& radii = find_series(measured->series, radius)->values;
        figure.r_max = is_radial(content) ? picture_radius(*std::ranges::max_element(radii), figure.r_edges) : 0.0;
        figure.log_radius = is_radial(content) && radius == "front_radius";  // pressure falls with the logarithm
        figure.r_max = figure.log_radius ? std::max(figure.r_max, figure.r_edges[1]) : figure.r_max;
        figures.push_back({{name, title, "maps", {}, {}}, figure});
    };
    if (!fields.gas_saturation.empty()) {
        add("gas_saturation", "gas saturation [-]", fields.gas_saturation, content.with_threshold("plume_radius"));
    }
    if (!measured->reached.empty()) {
        SectionFigure figure = migration_figure(content, *measured);
        const std::vector<double>& radii =
            find_series(measured->series, content.with_threshold("plume_radius"))->values;
        figure.r_max = is_radial(content) ? picture_radius(*std::ranges::max_element(radii), figure.r_edges) : 0.0;
        figures.push_back({{"migration_time", figure.title, "maps", {}, {}}, figure});
    }
    if (!fields.pressure_buildup.empty()) {
        add("pressure_buildup", "pressure build-up [bar]", fields.pressure_buildup, "front_radius");
    }
}

}  // namespace

std::vector<ReportPicture> draw_pictures(const ReportContent& content) {
    const std::filesystem::path folder = content.options.folder / "pictures";
    std::vector<ReportPicture> pictures;
    const auto add = [&](const std::string& name, const std::string& section, const LineChart& chart) {
        draw_line_chart(chart, folder / (name + ".png"));
        draw_line_chart(chart, folder / (name + ".pdf"));
        pictures.push_back({name, chart.title, section, encode_line_chart(chart, PictureFormat::svg), {}});
    };
    for (const ChartPlan& plan : chart_plans(content)) {
        add(plan.name, plan.section, chart_of(content, plan));
    }
    if (const MeasuredCase& typical = *std::ranges::find(content.cases, content.typical_case(), &MeasuredCase::number);
        has_wells_chart(typical)) {
        add("bottom_hole_pressure_wells", "pressure", wells_chart(content, typical));
    }
    if (has_values(content, "closing_error")) {
        add("ledger", "mass", ledger_chart(content));
    }
    std::vector<std::pair<ReportPicture, SectionFigure>> figures;
    if (content.is_ensemble()) {
        add_probability(content, figures);
    }
    add_typical(content, figures);
    for (auto& [picture, figure] : figures) {
        draw_sections(figure, folder / (picture.name + ".png"));
        draw_sections(figure, folder / (picture.name + ".pdf"));
        picture.png = encode_sections(figure, PictureFormat::png);
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

}  // namespace plumecast
