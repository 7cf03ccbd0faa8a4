#include "inverse/optimization/storage_ensemble.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

#include "reservoir/dataset/attributes/number_attributes.hpp"
#include "reservoir/metrics/column_shares.hpp"

namespace plumecast {
namespace {

/// What holds for all cases, without a schedule.
DatasetContent frame_of(const Dataset& dataset) {
    DatasetContent frame{{}, dataset.r_edges(), dataset.z_edges(), dataset.times(),
                         {}, dataset.x_edges(), dataset.y_edges()};
    if (const std::string origin = dataset.attribute("origin"); !origin.empty()) {
        frame.attributes["origin"] = origin;  // as a text, with the depth that may stand in it
    } else if (const auto& numbers = dataset.place().origin) {
        frame.attributes["origin"] = fmt::format("x {} m, y {} m", (*numbers)[0], (*numbers)[1]);
    }
    for (const NumberAttribute& attribute : number_attributes()) {
        if (const std::optional<double> number = dataset.stated(attribute.name)) {
            frame.attributes[attribute.name] = fmt::format("{}", *number);
        }
    }
    return frame;
}

/// When the last well stops [day], by rates [W, P].
double end_of_injection(std::span<const double> rates, const std::vector<double>& ends) {
    std::size_t last = 0;
    for (std::size_t at = 0; at < rates.size(); ++at) {
        last = rates[at] > 0.0 ? std::max(last, at % ends.size()) : last;
    }
    return ends[last];
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

void require_rates_of_boxes(const StorageConfig& config, const std::string& path) {
    if (config.top) {
        throw InvalidInput("perforation: " + path +
                           " has boxes (the interval is chosen of the one well of a radial grid alone); leave it out");
    }
    if (!(config.rate.low > 0.0)) {
        throw InvalidInput("rates.range begins at 0 (a well without a rate is none in the boxes of " + path +
                           "); begin above it, at 0.001 for example");
    }
}

LimitPlace place_of(const StorageLimit& limit, const Dataset& dataset) {
    LimitPlace found;
    if (!limit.polygon.empty()) {
        try {
            found.inside = shares_within(dataset, read_polygon(limit.polygon));
        } catch (const InvalidData& error) {
            throw InvalidData(fmt::format("limits: {}: {}", limit.name(), error.what()));
        }
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
        require_rates_of_boxes(config, dataset.path());
        placement_ = well_placement(dataset, cases_, frame_, config.well_places);
        frame_.wells = placement_.count();
    } else if (!config.well_places.empty()) {
        throw InvalidInput("well_places: " + dataset.path() + " has rings around one well; leave it out");
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
    if (placement_.wells.empty()) {
        return;
    }
    const OpenWells open = open_wells(frame_, placement_, planned.place, planned.placement);
    const std::size_t columns = (frame_.x_edges.size() - 1) * (frame_.y_edges.size() - 1);
    std::vector<float> spread(open.weights.size());
    const double end = end_of_injection({point.data(), rates_}, ends_);
    for (std::size_t well = 0; well < wells; ++well) {
        double mean = 0.0;  // of the well until the last of them stops
        for (std::size_t period = 0; period < periods; ++period) {
            mean += point[well * periods + period] * (ends_[period] - (period > 0 ? ends_[period - 1] : 0.0));
        }
        mean /= end;
        const double sum = column_sum(open.weights, open.columns[well], columns);
        for (std::size_t cell = open.columns[well]; cell < spread.size(); cell += columns) {
            spread[cell] = static_cast<float>(open.weights[cell] * mean / sum);
        }
    }
    std::ranges::copy(spread, std::back_inserter(content.arrays["cell_injection_rate"]));
    std::ranges::copy(open.perforation, std::back_inserter(content.arrays["perforation"]));
    if (!open.connection_factors.empty()) {
        std::ranges::copy(open.connection_factors, std::back_inserter(content.arrays["well_connection_factor"]));
    }
}

DatasetContent StorageEnsemble::planned(const std::vector<PlannedCase>& plan) const {
    DatasetContent content{frame_.attributes, frame_.r_edges, frame_.z_edges, frame_.times, {},
                           frame_.x_edges,    frame_.y_edges};
    content.schedule_ends = frame_.schedule_ends;
    content.wells = frame_.wells;
    for (const auto& [name, values] : frame_.arrays) {
        const bool is_of_wells =
            name == "cell_injection_rate" || name == "perforation" || name == "well_connection_factor";
        if (is_of_wells && !placement_.wells.empty()) {
            continue;
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
