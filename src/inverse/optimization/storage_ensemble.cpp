#include "inverse/optimization/storage_ensemble.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/attributes/number_attributes.hpp"
#include "reservoir/metrics/column_shares.hpp"

namespace plumecast {
namespace {

/// What holds for all cases, without a schedule.
DatasetContent frame_of(const Dataset& dataset) {
    DatasetContent frame{{}, dataset.r_edges(), dataset.z_edges(), dataset.times(),
                         {}, dataset.x_edges(), dataset.y_edges()};
    if (const std::string origin = dataset.attribute("origin"); !origin.empty()) {
        frame.attributes["origin"] = origin;
    }
    for (const NumberAttribute& attribute : number_attributes()) {
        if (const std::optional<double> number = dataset.stated(attribute.name)) {
            frame.attributes[attribute.name] = fmt::format("{}", *number);
        }
    }
    return frame;
}

/// Whether cases that are tried have an array as the geologies have it: inputs, cells and what connects them.
bool is_kept(Role role) {
    return role == Role::map || role == Role::scalar || role == Role::cell || role == Role::connection;
}

std::vector<float> inputs_of(const Dataset& dataset, const ArraySpec& spec, const std::vector<std::int64_t>& cases) {
    if (spec.role == Role::cell) {
        return dataset.cell_values(spec.name());
    }
    if (spec.role == Role::map) {
        std::vector<float> values(cases.size() * static_cast<std::size_t>(dataset.cells()));
        dataset.read_map(spec.name(), cases, values);
        return values;
    }
    std::vector<float> values;
    for (const std::int64_t which : cases) {
        if (spec.role == Role::connection) {
            std::ranges::copy(dataset.connection_transmissibilities(which), std::back_inserter(values));
        } else {
            values.push_back(dataset.scalar(spec.name())[static_cast<std::size_t>(which)]);
        }
    }
    return values;
}

LimitPlace place_of(const StorageLimit& limit, const Dataset& dataset) {
    LimitPlace found;
    if (!limit.polygon.empty()) {
        found.inside = shares_within(dataset, read_polygon(limit.polygon));
    }
    if (const std::vector<double> place = limit.place(); !place.empty()) {
        try {
            found.column = column_at(dataset, place);
        } catch (const InvalidInput& error) {
            throw InvalidInput(fmt::format("limits: {}: {}; correct it", limit.name(), error.what()));
        }
    }
    return found;
}

/// Of the cells of a column.
double column_sum(const std::vector<double>& values, std::size_t column, std::size_t columns) {
    double sum = 0.0;
    for (std::size_t cell = column; cell < values.size(); cell += columns) {
        sum += values[cell];
    }
    return sum;
}

/// All choices of so many of `count` things, each in increasing order.
std::vector<std::vector<std::size_t>> choices_of(std::size_t some, std::size_t count) {
    std::vector<std::vector<std::size_t>> choices{{}};
    for (std::size_t chosen = 0; chosen < some; ++chosen) {
        std::vector<std::vector<std::size_t>> longer;
        for (const std::vector<std::size_t>& choice : choices) {
            for (std::size_t next = choice.empty() ? 0 : choice.back() + 1; next < count; ++next) {
                longer.push_back(choice);
                longer.back().push_back(next);
            }
        }
        choices = std::move(longer);
    }
    return choices;
}

}  // namespace

StorageEnsemble::StorageEnsemble(const Dataset& dataset, std::vector<std::int64_t> cases, const StorageConfig& config)
    : cases_(std::move(cases)) {
    if (dataset.has("saturation_region")) {
        throw InvalidData(
            dataset.path() +
            ": has saturation tables (the cases that are tried are held in memory, which has none); state "
            "/inputs/irreducible_water_saturation and van_genuchten_lambda in the place of "
            "/inputs/saturation_region");
    }
    if (dataset.has("bottom_hole_pressure_limit")) {
        throw InvalidData(dataset.path() +
                          ": has /inputs/bottom_hole_pressure_limit (wells would inject less than the rates that are "
                          "tried); leave it out, and limit bottom_hole_pressure in the configuration");
    }
    frame_ = frame_of(dataset);
    for (const ArraySpec& spec : dataset_arrays(dataset.geometry())) {
        if (is_kept(spec.role) && dataset.has(spec.name()) && spec.name() != "injection_rate") {
            frame_.arrays[std::string(spec.name())] = inputs_of(dataset, spec, cases_);
        }
    }
    const double last = dataset.times().back();
    if (!config.ends.empty() && config.ends.back() > last * (1.0 + 1e-9)) {
        throw InvalidInput(
            fmt::format("rates.ends: the last period ends after {:g} days (the data set {} ends after "
                        "{:g}, and no limit is looked at later); end it there",
                        config.ends.back(), dataset.path(), last));
    }
    ends_ = config.ends.empty() ? std::vector<double>{last} : config.ends;
    const bool is_constant = ends_.size() == 1 && ends_[0] >= last;
    if (!is_constant) {
        frame_.schedule_ends = ends_;
    }
    if (frame_.geometry() == Geometry::cartesian) {
        find_wells(dataset, config);
        frame_.wells = static_cast<std::int64_t>(wells_[0].size());
    }
    if (!config.well_places.empty()) {
        find_placements(dataset, config);
    }
    for (const StorageLimit& limit : config.limits) {
        limit_places_.push_back(place_of(limit, dataset));
        require_active(limit, limit_places_.back().column);
    }
    for (std::int64_t well = 0; well < frame_.wells; ++well) {
        const std::string of_well = frame_.wells == 1 ? "" : fmt::format(" of well {}", well);
        for (const double end : ends_) {
            variables_.push_back({"rate" + of_well + (is_constant ? "" : fmt::format(" until day {:g}", end)),
                                  "Mt/year", config.rate.low, config.rate.high});
        }
    }
    rates_ = variables_.size();
    if (config.top) {
        add_interval(dataset, config);
    }
    const auto values = static_cast<std::size_t>(dataset.cells()) * sizeof(float);
    bytes_ = values * (6 + 4 * dataset.times().size());
}

void StorageEnsemble::find_wells(const Dataset& dataset, const StorageConfig& config) {
    if (config.top) {
        throw InvalidInput("perforation: " + dataset.path() +
                           " has boxes (the interval is chosen of the one well of a radial grid alone); leave it out");
    }
    if (!(config.rate.low > 0.0)) {
        throw InvalidInput("rates.range begins at 0 (a well without a rate is none in the boxes of " + dataset.path() +
                           "); begin above it, at 0.001 for example");
    }
    const std::vector<float>& rates = frame_.arrays.at("cell_injection_rate");
    const std::size_t cells = rates.size() / cases_.size(), columns = cells / (frame_.z_edges.size() - 1);
    for (std::size_t place = 0; place < cases_.size(); ++place) {
        std::vector<std::size_t> wells;
        for (std::size_t column = 0; column < columns; ++column) {
            for (std::size_t cell = column; cell < cells; cell += columns) {
                if (rates[place * cells + cell] > 0.0F) {
                    wells.push_back(column);
                    break;
                }
            }
        }
        if (wells.empty() || (place > 0 && wells.size() != wells_[0].size())) {
            throw InvalidData(fmt::format(
                "{}: case {} has {} wells and case {} has {} (geologies of one reservoir have "
                "the same wells, each with a rate above 0 somewhere); name such cases",
                dataset.path(), cases_[place], wells.size(), cases_[0], place > 0 ? wells_[0].size() : wells.size()));
        }
        wells_.push_back(std::move(wells));
    }
}

void StorageEnsemble::require_active(const StorageLimit& limit, std::optional<std::size_t> column) const {
    const std::vector<float>& active = frame_.arrays.at("active");
    const std::size_t cells = active.size() / cases_.size(), columns = cells / (frame_.z_edges.size() - 1);
    for (std::size_t place = 0; column && place < cases_.size(); ++place) {
        bool is_active = false;
        for (std::size_t cell = *column; cell < cells; cell += columns) {
            is_active = is_active || active[place * cells + cell] != 0.0F;
        }
        if (!is_active) {
            throw InvalidInput(
                fmt::format("limits: {}: case {} has no active cell there; leave the limit or the case out",
                            limit.name(), cases_[place]));
        }
    }
}

void StorageEnsemble::find_placements(const Dataset& dataset, const StorageConfig& config) {
    constexpr std::size_t most = 200;
    if (wells_.empty()) {
        throw InvalidInput("well_places: " + dataset.path() + " has rings around one well; leave it out");
    }
    const std::size_t places = config.well_places.size(), wells = wells_[0].size();
    for (std::size_t i = 0; i < places; ++i) {
        try {
            columns_of_places_.push_back(
                column_at(dataset, std::array{config.well_places[i].x, config.well_places[i].y}));
        } catch (const InvalidInput& error) {
            throw InvalidInput(fmt::format("well_places[{}]: {}; correct it", i, error.what()));
        }
        const auto same = std::ranges::find(columns_of_places_, columns_of_places_.back()) - columns_of_places_.begin();
        if (static_cast<std::size_t>(same) < i) {
            throw InvalidInput(fmt::format(
                "well_places[{}] lies in the column of well_places[{}] (a column has one well); leave one of them out",
                i, same));
        }
    }
    if (places < wells) {
        throw InvalidInput(fmt::format("well_places names {} (the cases of {} have {}); name as many or more",
                                       counted(static_cast<std::int64_t>(places), "place"), dataset.path(),
                                       counted(static_cast<std::int64_t>(wells), "well")));
    }
    std::vector<std::size_t> by_column(places);
    std::iota(by_column.begin(), by_column.end(), std::size_t{0});
    std::ranges::sort(by_column, {}, [&](std::size_t place) { return columns_of_places_[place]; });
    double count = 1.0;
    for (std::size_t i = 0; i < wells; ++i) {
        count *= static_cast<double>(places - i) / static_cast<double>(i + 1);
    }
    if (count > static_cast<double>(most) + 0.5) {
        throw InvalidInput(
            fmt::format("well_places: {} wells have {:.0f} choices of {} places (each is searched); name "
                        "fewer, so that there are up to {}",
                        wells, count, places, most));
    }
    placements_ = choices_of(wells, places);
    for (std::vector<std::size_t>& choice : placements_) {
        std::ranges::transform(choice, choice.begin(), [&](std::size_t which) { return by_column[which]; });
    }
    for (std::size_t place = 0; place < cases_.size(); ++place) {
        for (std::size_t i = 0; i < placements_.size(); ++i) {
            const OpenWells open = wells_of({nullptr, place, i});
            for (std::size_t well = 0; well < wells; ++well) {
                if (column_sum(open.weights, open.columns[well], columns()) <= 0.0) {
                    throw InvalidInput(fmt::format(
                        "well_places[{}]: case {} of {} has no active cell there in the layers that its wells open; "
                        "leave it out",
                        placements_[i][well], cases_[place], dataset.path()));
                }
            }
        }
    }
}

/// Wells that move open the layers that those of the case open, as far as cells are active, and their rates spread by
/// sqrt(k_x k_y) and height, as docs/data_format.md suggests.
OpenWells StorageEnsemble::wells_of(const PlannedCase& planned) const {
    const std::size_t cells = columns() * (frame_.z_edges.size() - 1);
    const auto of_case = [&](const char* name) {
        return std::span(frame_.arrays.at(name)).subspan(planned.place * cells, cells);
    };
    const std::span<const float> perforation = of_case("perforation"), rates = of_case("cell_injection_rate");
    const std::vector<std::size_t>& placement = placements_[planned.placement];
    if (placement.empty()) {
        return {wells_[planned.place], {perforation.begin(), perforation.end()}, {rates.begin(), rates.end()}};
    }
    const std::span<const float> active = of_case("active"), along_x = of_case("permeability_x"),
                                 along_y = of_case("permeability_y");
    OpenWells open{{}, std::vector<float>(cells), std::vector<double>(cells)};
    for (const std::size_t chosen : placement) {
        open.columns.push_back(columns_of_places_[chosen]);
    }
    for (std::size_t row = 0; row * columns() < cells; ++row) {
        const float share = std::ranges::max(perforation.subspan(row * columns(), columns()));
        for (const std::size_t column : open.columns) {
            const std::size_t cell = row * columns() + column;
            if (active[cell] != 0.0F && share > 0.0F) {
                open.perforation[cell] = share;
                open.weights[cell] =
                    std::sqrt(static_cast<double>(along_x[cell]) * static_cast<double>(along_y[cell])) *
                    (frame_.z_edges[row + 1] - frame_.z_edges[row]) * static_cast<double>(share);
            }
        }
    }
    return open;
}

void StorageEnsemble::add_interval(const Dataset& dataset, const StorageConfig& config) {
    std::vector<double> thicknesses;
    for (std::size_t place = 0; place < cases_.size(); ++place) {
        thicknesses.push_back(thickness(place));
    }
    const auto thinnest = std::ranges::min_element(thicknesses);
    const double most = *thinnest - config.length->low;  // so that each formation is opened
    if (config.top->low >= most) {
        throw InvalidInput(fmt::format(
            "perforation.top begins at {:g} m (the formation of case {} of {} has {:g} m, of which an interval of "
            "{:g} m or more is to be opened); begin above {:g} m",
            config.top->low, cases_[static_cast<std::size_t>(thinnest - thicknesses.begin())], dataset.path(),
            *thinnest, config.length->low, most));
    }
    variables_.push_back({"top of the perforation", "m", config.top->low, std::min(config.top->high, most)});
    variables_.push_back({"length of the perforation", "m", config.length->low,
                          std::min(config.length->high, std::ranges::max(thicknesses))});
}

double StorageEnsemble::thickness(std::size_t place) const {
    const std::size_t rows = frame_.z_edges.size() - 1, columns = frame_.r_edges.size() - 1;
    const std::vector<float>& active = frame_.arrays.at("active");
    double depth = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        if (active[(place * rows + row) * columns] != 0.0F) {
            depth = frame_.z_edges[row + 1] - frame_.z_edges[0];
        }
    }
    return depth;
}

std::vector<float> StorageEnsemble::perforation(const std::vector<double>& point, std::size_t place) const {
    const std::size_t rows = frame_.z_edges.size() - 1, columns = frame_.r_edges.size() - 1;
    const std::vector<float>& active = frame_.arrays.at("active");
    const double top = point[rates_], bottom = top + point[rates_ + 1];
    std::vector<float> open(rows * columns);
    for (std::size_t row = 0; row < rows; ++row) {
        const double upper = frame_.z_edges[row] - frame_.z_edges[0],
                     lower = frame_.z_edges[row + 1] - frame_.z_edges[0];
        const double share = (std::min(lower, bottom) - std::max(upper, top)) / (lower - upper);
        if (active[(place * rows + row) * columns] != 0.0F) {
            open[row * columns] = static_cast<float>(std::clamp(share, 0.0, 1.0));
        }
    }
    return open;
}

void StorageEnsemble::add_rates(const PlannedCase& planned, DatasetContent& content) const {
    const std::vector<double>& point = *planned.point;
    const std::size_t periods = ends_.size(), wells = rates_ / periods;
    std::vector<float>& rates = content.arrays[content.schedule_ends.empty() ? "injection_rate" : "schedule_rate"];
    if (!content.schedule_ends.empty()) {
        std::transform(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(rates_), std::back_inserter(rates),
                       [](double rate) { return static_cast<float>(rate); });
    } else {
        rates.push_back(static_cast<float>(
            std::accumulate(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(wells), 0.0)));
    }
    if (wells_.empty()) {
        return;
    }
    const OpenWells open = wells_of(planned);
    std::vector<float> spread(open.weights.size());
    for (std::size_t well = 0; well < wells; ++well) {
        double mean = 0.0;  // of the well over the periods
        for (std::size_t period = 0; period < periods; ++period) {
            mean += point[well * periods + period] * (ends_[period] - (period > 0 ? ends_[period - 1] : 0.0));
        }
        mean /= ends_.back();
        const double sum = column_sum(open.weights, open.columns[well], columns());
        for (std::size_t cell = open.columns[well]; cell < spread.size(); cell += columns()) {
            spread[cell] = static_cast<float>(open.weights[cell] * mean / sum);
        }
    }
    std::ranges::copy(spread, std::back_inserter(content.arrays["cell_injection_rate"]));
    std::ranges::copy(open.perforation, std::back_inserter(content.arrays["perforation"]));
}

DatasetContent StorageEnsemble::planned(const std::vector<PlannedCase>& plan) const {
    DatasetContent content{frame_.attributes, frame_.r_edges, frame_.z_edges, frame_.times, {},
                           frame_.x_edges,    frame_.y_edges};
    content.schedule_ends = frame_.schedule_ends;
    content.wells = frame_.wells;
    for (const auto& [name, values] : frame_.arrays) {
        if (!wells_.empty() && (name == "cell_injection_rate" || name == "perforation")) {
            continue;
        }
        if (!placements_[0].empty() && name == "well_connection_factor") {
            continue;  // Peaceman's of wells that move
        }
        if (find_array(name, frame_.geometry())->role == Role::cell) {
            content.arrays[name] = values;  // the same of all cases
            continue;
        }
        const std::size_t each = values.size() / cases_.size();
        std::vector<float>& chosen = content.arrays[name];
        for (const PlannedCase& one : plan) {
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(one.place * each);
            chosen.insert(chosen.end(), begin, begin + static_cast<std::ptrdiff_t>(each));
        }
    }
    if (variables_.size() > rates_) {
        std::vector<float>& open = content.arrays["perforation"];
        open.clear();
        for (const PlannedCase& one : plan) {
            std::ranges::copy(perforation(*one.point, one.place), std::back_inserter(open));
        }
    }
    for (const PlannedCase& one : plan) {
        add_rates(one, content);
    }
    return content;
}

}  // namespace plumecast
