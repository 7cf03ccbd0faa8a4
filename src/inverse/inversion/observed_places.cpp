#include "inverse/inversion/observed_places.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_fields_gradient.hpp"
#include "reservoir/metrics/well_pressure.hpp"

namespace plumecast {
namespace {

/// By how much of a time a text may be rounded beside it.
constexpr double time_rounding = 1e-6;

/// The cell between increasing edges that holds a place; nothing outside.
std::optional<std::int64_t> cell_between(const std::vector<double>& edges, double place) {
    if (place < edges.front() || place > edges.back()) {
        return std::nullopt;
    }
    const auto above = std::upper_bound(edges.begin(), edges.end(), place);
    const auto cell = std::distance(edges.begin(), above) - 1;
    return std::min<std::int64_t>(cell, static_cast<std::int64_t>(edges.size()) - 2);
}

/// The same, or an error that names the axis.
std::int64_t cell_along(std::string_view axis, const std::vector<double>& edges, double place,
                        const std::string& called) {
    const auto cell = cell_between(edges, place);
    if (!cell) {
        throw InvalidData(fmt::format("{}: {} is {} m (the grid reaches from {} to {} m); leave it out or correct it",
                                      called, axis, number_text(place), number_text(edges.front()),
                                      number_text(edges.back())));
    }
    return *cell;
}

std::int64_t cell_between_edges(const Dataset& grid, const Observation& one, const std::string& called) {
    const bool is_radial = grid.geometry() == Geometry::radial;
    const std::int64_t z = cell_along("z", grid.z_edges(), one.z, called);
    const std::int64_t line = is_radial ? 0 : cell_along("y", grid.y_edges(), one.y, called);
    const std::int64_t lines = is_radial ? 1 : static_cast<std::int64_t>(grid.y_edges().size()) - 1;
    const std::int64_t column = cell_along(is_radial ? "r" : "x", grid.last_edges(), one.x, called);
    return (z * lines + line) * grid.columns() + column;
}

/// Cells of a corner-point grid, which lie where their centres are and not between the edges of the file.
class CellsByCentres {
   public:
    explicit CellsByCentres(const Dataset& grid)
        : grid_(grid),
          x_(grid.cell_values("cell_centre_x")),
          y_(grid.cell_values("cell_centre_y")),
          z_(grid.cell_values("cell_centre_z")),
          volumes_(grid.cell_values("cell_volume")),
          columns_(static_cast<std::size_t>(grid.cells() / grid.rows())) {
        if (x_.empty() || y_.empty() || z_.empty()) {
            throw InvalidData(
                fmt::format("{}: has cells that are not those between its edges, but not their centres (places cannot "
                            "be found in it); add /grid/cell_centre_x, _y and _z",
                            grid.path()));
        }
    }

    /// The cell that holds a place: in the column whose centre is nearest, between the middles of the centres there.
    std::int64_t cell(const Observation& one, const std::string& called) const {
        const std::vector<std::size_t> cells = cells_of(nearest_column(one, called));
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (one.z >= top(cells, i) && one.z <= top(cells, i + 1)) {
                return static_cast<std::int64_t>(cells[i]);
            }
        }
        throw InvalidData(
            fmt::format("{}: z is {} m (the cells of the grid there reach from {} to {} m); leave it out or correct it",
                        called, number_text(one.z), number_text(top(cells, 0)), number_text(top(cells, cells.size()))));
    }

   private:
    bool is_there(std::size_t cell) const { return volumes_.empty() || volumes_[cell] > 0.0F; }
    /// Of a column, from above.
    std::vector<std::size_t> cells_of(std::size_t column) const {
        std::vector<std::size_t> cells;
        for (std::size_t cell = column; cell < z_.size(); cell += columns_) {
            if (is_there(cell)) {
                cells.push_back(cell);
            }
        }
        return cells;
    }
    std::size_t nearest_column(const Observation& one, const std::string& called) const {
        double least = std::numeric_limits<double>::infinity();
        std::size_t nearest = 0;
        for (std::size_t cell = 0; cell < z_.size(); ++cell) {
            const double distance =
                std::hypot(static_cast<double>(x_[cell]) - one.x, static_cast<double>(y_[cell]) - one.y);
            if (is_there(cell) && distance < least) {
                least = distance;
                nearest = cell % columns_;
            }
        }
        const std::vector<double>&x = grid_.x_edges(), &y = grid_.y_edges();
        const std::size_t i = nearest % (x.size() - 1), j = nearest / (x.size() - 1);
        const double to_corner = 0.5 * std::hypot(x[i + 1] - x[i], y[j + 1] - y[j]);
        if (least > to_corner * (1.0 + skewed)) {
            throw InvalidData(fmt::format(
                "{}: x {} m, y {} m is {} m from the nearest centre of a cell (the cell reaches {} m from "
                "it); leave it out or correct it",
                called, number_text(one.x), number_text(one.y), number_text(least), number_text(to_corner)));
        }
        return nearest;
    }
    /// The depth at which cell i of a column begins; that after the last is where the column ends.
    double top(const std::vector<std::size_t>& cells, std::size_t i) const {
        const auto centre = [&](std::size_t which) { return static_cast<double>(z_[cells[which]]); };
        if (cells.size() == 1) {
            const std::vector<double>& edges = grid_.z_edges();
            const std::size_t row = cells[0] / columns_;
            return centre(0) + (static_cast<double>(i) - 0.5) * (edges[row + 1] - edges[row]);
        }
        const std::size_t low = std::min(i == 0 ? 0 : i - 1, cells.size() - 2);
        const double half = 0.5 * (centre(low + 1) - centre(low));
        return i == 0 ? centre(0) - half : i == cells.size() ? centre(i - 1) + half : centre(low) + half;
    }

    static constexpr double skewed = 0.2;  // by which a cell reaches farther than a rectangle
    const Dataset& grid_;
    const std::vector<float>&x_, &y_, &z_, &volumes_;
    std::size_t columns_;
};

/// Days in a span, its first among them, from which on a well has another rate.
std::vector<double> changes_between(const std::vector<InjectionSchedule>& wells, double first, double last) {
    std::set<double> days;
    for (const InjectionSchedule& well : wells) {
        for (const double end : well.joined().ends) {
            if (end >= first && end < last) {
                days.insert(end);
            }
        }
    }
    return {days.begin(), days.end()};
}

/// "the times 1100 and 1200".
std::string times_text(std::vector<double> days) {
    std::ranges::sort(days);
    days.erase(std::unique(days.begin(), days.end()), days.end());
    std::string text = days.size() == 1 ? "the time " : "the times ";
    for (std::size_t i = 0; i < days.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == days.size() ? " and " : ", ") + number_text(days[i]);
    }
    return text;
}

/// Linear between the snapshots around the time of an observation; `at` gives the value of one, of time 0 for -1.
template <class At>
double between(std::int64_t later, double share, const At& at) {
    const double after = at(later);
    return share == 1.0 ? after : share * after + (1.0 - share) * at(later - 1);
}

/// The way back: adds a cotangent to those `of` the snapshots.
template <class Of>
void spread_between(std::int64_t later, double share, double cotangent, const Of& of) {
    of(later) += share * cotangent;
    if (share != 1.0) {
        of(later - 1) += (1.0 - share) * cotangent;
    }
}

/// A case with its wells and fields.
CaseFields case_of(const Dataset& inputs, std::int64_t which, const ObservedFields& fields) {
    CaseFields one = case_with_wells(inputs, which);
    const auto copied = [&](const char* name) {
        const std::span<const float> values = fields.find(name)->second;
        return std::vector<float>(values.begin(), values.end());
    };
    one.pressure_buildup = copied("pressure_buildup");
    one.gas_saturation = copied("gas_saturation");
    return one;
}

}  // namespace

ObservedPlaces::ObservedPlaces(const std::vector<Observation>& observations, const Dataset& grid,
                               const std::string& path)
    : cells_(grid.cells()) {
    std::optional<CellsByCentres> cells;
    if (grid.geometry() != Geometry::radial && !is_box(grid)) {
        cells.emplace(grid);
    }
    const std::vector<double>& times = grid.times();
    for (const Observation& one : observations) {
        const std::string called = one.place(path);
        Place place;
        place.field = one.field;
        place.called = called;
        if (one.is_of_well()) {
            has_wells_ = true;
            place.well = one.well;
            place.names_well = one.names_well;
            add_field("pressure_buildup");
            add_field("gas_saturation");
        } else {
            add_field(one.field);
            place.cell = cells ? cells->cell(one, called) : cell_between_edges(grid, one, called);
        }
        place.time = one.time;
        set_snapshots(times, place);
        places_.push_back(place);
    }
}

void ObservedPlaces::set_snapshots(const std::vector<double>& times, Place& place) {
    if (place.time < 0.0 || place.time > times.back() * (1.0 + time_rounding)) {
        throw InvalidData(
            fmt::format("{}: time is {} day (the case reaches from 0 to {} day); leave it out or "
                        "extend the case's times",
                        place.called, number_text(place.time), number_text(times.back())));
    }
    const double first = times.front() > 0.0 || times.size() == 1 ? times.front() : times[1];  // after day 0
    if (place.time > 0.0 && place.time < first * (1.0 - time_rounding)) {
        throw InvalidData(fmt::format(
            "{}: time is {} day, before the first time of the case after day 0, {} day (a build-up does not grow "
            "linearly until then); add the time {} to the case, or leave it out",
            place.called, number_text(place.time), number_text(first), number_text(place.time)));
    }
    place.later = std::distance(times.begin(), std::ranges::lower_bound(times, place.time * (1.0 - time_rounding)));
    const double before = place.later == 0 ? 0.0 : times[static_cast<std::size_t>(place.later - 1)];
    const double after = times[static_cast<std::size_t>(place.later)];
    const bool is_between = place.time < after * (1.0 - time_rounding);
    place.share = is_between ? (place.time - before) / (after - before) : 1.0;
}

void ObservedPlaces::add_field(std::string_view name) {
    if (std::ranges::find(fields_, name) == fields_.end()) {
        fields_.emplace_back(name);
    }
}

void ObservedPlaces::sample(std::string_view field, std::span<const float> values, std::span<double> out) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        if (place.field == field) {
            out[i] = between(place.later, place.share, [&](std::int64_t time) {
                return time < 0 ? 0.0
                                : static_cast<double>(values[static_cast<std::size_t>(time * cells_ + place.cell)]);
            });
        }
    }
}

void ObservedPlaces::sample(const Dataset& inputs, std::int64_t which, const ObservedFields& fields,
                            std::span<double> out) const {
    for (const auto& [name, values] : fields) {
        sample(name, values, out);
    }
    if (has_wells_) {
        sample_wells(inputs, which, fields, out);
    }
}

void ObservedPlaces::sample_wells(const Dataset& inputs, std::int64_t which, const ObservedFields& fields,
                                  std::span<double> out) const {
    const CaseFields one = case_of(inputs, which, fields);
    const std::vector<double> rates = injection_rates(one, inputs.times());
    const WellPressures wells(one, inputs.times());
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        if (place.field != observed_well_pressure) {
            continue;
        }
        const auto well = static_cast<std::size_t>(place.well);
        out[i] = between(place.later, place.share, [&](std::int64_t time) {
            if (time < 0) {
                return one.initial_pressures[one.wells.at(well).connections.front().cell];
            }
            const auto at = static_cast<std::size_t>(time);
            return wells.at(at, rates[at]).at(well).bottom_hole;
        });
    }
}

RadialCaseGradient ObservedPlaces::spread_wells(const Dataset& inputs, std::int64_t which, const ObservedFields& fields,
                                                std::span<const double> cotangents, FieldSums& of_values) const {
    require_well_derivatives(inputs);
    const CaseFields one = case_of(inputs, which, fields);
    std::vector<double> of_pressures(inputs.times().size());
    double at_rest = 0.0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        if (place.field == observed_well_pressure) {
            spread_between(place.later, place.share, cotangents[i], [&](std::int64_t time) -> double& {
                return time < 0 ? at_rest : of_pressures[static_cast<std::size_t>(time)];
            });
        }
    }
    CaseFieldsCotangents found(one, inputs.times().size());
    WellPressures(one, inputs.times()).pull_back(injection_rates(one, inputs.times()), of_pressures, found);
    found.initial_pressures[one.wells.front().connections.front().cell] += at_rest;
    const auto add_to = [&](const char* field, const std::vector<double>& more) {
        std::vector<double>& sum = of_values[field];
        sum.resize(more.size());
        std::ranges::transform(more, sum, sum.begin(), std::plus<>());
    };
    add_to("pressure_buildup", found.pressure_buildup);
    add_to("gas_saturation", found.gas_saturation);
    return case_fields_gradient(inputs, one, found);
}

void ObservedPlaces::spread(std::string_view field, std::span<const double> cotangents,
                            std::span<double> of_values) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        if (place.field != field) {
            continue;
        }
        double still = 0.0;  // all fields are 0 at day 0
        spread_between(place.later, place.share, cotangents[i], [&](std::int64_t time) -> double& {
            return time < 0 ? still : of_values[static_cast<std::size_t>(time * cells_ + place.cell)];
        });
    }
}

void ObservedPlaces::require_wells(const Dataset& inputs, std::int64_t which) const {
    if (!has_wells_) {
        return;
    }
    const std::size_t wells = case_with_wells(inputs, which).wells.size();
    for (const Place& place : places_) {
        if (place.field == observed_well_pressure && !place.names_well && wells > 1) {
            throw InvalidData(fmt::format(
                "{}: is a {} of no named well (case {} of {} has {} wells, counted from 0); state which one "
                "in the column well",
                place.called, observed_well_pressure, which, inputs.path(), wells));
        }
        if (place.field == observed_well_pressure && static_cast<std::size_t>(place.well) >= wells) {
            throw InvalidData(fmt::format("{}: there is no well {} (case {} of {} has {}, counted from 0); correct it",
                                          place.called, place.well, which, inputs.path(),
                                          counted(static_cast<std::int64_t>(wells), "well")));
        }
    }
}

void ObservedPlaces::require_steady_rates(const Dataset& inputs, std::int64_t which) const {
    const std::vector<double>& times = inputs.times();
    const std::vector<InjectionSchedule> wells = schedules_of_wells(inputs, which);
    for (const Place& place : places_) {
        if (place.field == "gas_saturation" || place.share == 1.0 || place.later == 0) {
            continue;
        }
        const double before = times[static_cast<std::size_t>(place.later - 1)];
        const double after = times[static_cast<std::size_t>(place.later)];
        const std::vector<double> days = changes_between(wells, before, after);
        if (days.empty()) {
            continue;
        }
        std::vector<double> wanted{place.time};
        std::ranges::copy_if(days, std::back_inserter(wanted), [&](double day) { return day > before; });
        throw InvalidData(fmt::format(
            "{}: time is {} day, between the times {} and {} day of case {} of {}, and from day {} on a well "
            "has another rate (no line leads across what a pressure does then); add {} to the case",
            place.called, number_text(place.time), number_text(before), number_text(after), which, inputs.path(),
            number_text(days.front()), times_text(std::move(wanted))));
    }
}

}  // namespace plumecast
