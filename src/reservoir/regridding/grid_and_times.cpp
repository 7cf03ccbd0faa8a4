#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/regridding/rotated_overlap.hpp"

namespace plumecast {
namespace {

bool are_close(const std::vector<double>& some, const std::vector<double>& others) {
    constexpr double tolerance = 1e-6;
    return std::ranges::equal(some, others, [](double a, double b) {
        return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
    });
}

Json list_of(const std::vector<double>& values) { return Json::Array(values.begin(), values.end()); }

/// Increasing numbers from 0 on or, where a grid may lie anywhere, from any.
std::vector<double> increasing(JsonReader& object, std::string_view key, std::size_t least, bool from_zero) {
    auto values = object.get<std::vector<double>>(key);
    const bool is_increasing = std::ranges::adjacent_find(values, std::greater_equal<>()) == values.end() &&
                               std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
    if (values.size() < least || !is_increasing || (from_zero && values.front() < 0.0)) {
        throw InvalidInput(object.path(key) + " is no list of increasing numbers (" + std::to_string(least) +
                           " or more are needed); correct or remove the record of the grid");
    }
    return values;
}

/// Whether two grids of the same edges lie on each other, as far as both say where they lie.
bool lie_alike(const GridAndTimes& some, const GridAndTimes& other) {
    if (!turn_between(some.place, other.place).is_none()) {
        return false;
    }
    if (some.is_radial() || !some.place.origin || !other.place.origin) {
        return true;
    }
    const double extent =
        std::max(some.x_edges.back() - some.x_edges.front(), some.y_edges.back() - some.y_edges.front());
    return std::hypot((*some.place.origin)[0] - (*other.place.origin)[0],
                      (*some.place.origin)[1] - (*other.place.origin)[1]) <= 1e-6 * extent;
}

/// How far a grid is to be moved along its own axes to count from the same point as another one.
MapPoint way_to(const GridAndTimes& grid, const GridAndTimes& other) {
    const Turn turn = turn_between(grid.place, other.place);
    if (grid.place.origin && other.place.origin) {
        const auto &from = *other.place.origin, &to = *grid.place.origin;
        return Turn::by(*grid.place.rotation).back().of({to[0] - from[0], to[1] - from[1]});
    }
    const Rectangle seen = turn.around(PlanView::of(grid).all());
    return turn.back().of({other.x_edges.front() - seen.low_x, other.y_edges.front() - seen.low_y});
}

}  // namespace

GridAndTimes GridAndTimes::of(const Dataset& dataset) {
    // The edges of a corner-point grid are those of a box that resembles it, which lies nowhere.
    const GridPlace place = dataset.cell_values("cell_volume").empty() ? dataset.place() : GridPlace();
    return {dataset.r_edges(), dataset.x_edges(), dataset.y_edges(), dataset.z_edges(), dataset.times(), place};
}

std::string GridAndTimes::text() const {
    const std::string lines = is_radial() ? "" : std::to_string(y_edges.size() - 1) + " x ";
    return std::to_string(rows()) + " x " + lines + std::to_string(columns()) + " x " + std::to_string(times.size());
}

bool GridAndTimes::has_grid_of(const GridAndTimes& other) const {
    return are_close(r_edges, other.r_edges) && are_close(x_edges, other.x_edges) &&
           are_close(y_edges, other.y_edges) && are_close(z_edges, other.z_edges) && lie_alike(*this, other);
}

bool GridAndTimes::has_times_of(const GridAndTimes& other) const { return are_close(times, other.times); }

Json GridAndTimes::to_json() const {
    Json json = Json::Object{{"z_edges", list_of(z_edges)}, {"times", list_of(times)}};
    if (is_radial()) {
        json["r_edges"] = list_of(r_edges);
    } else {
        json["x_edges"] = list_of(x_edges);
        json["y_edges"] = list_of(y_edges);
        place.put(json);
    }
    return json;
}

GridAndTimes GridAndTimes::read(JsonReader& object, std::string_view key) {
    JsonReader grid = object.object(key);
    GridAndTimes result;
    if (grid.has("r_edges")) {
        result.r_edges = increasing(grid, "r_edges", 2, true);
    } else {
        result.x_edges = increasing(grid, "x_edges", 2, false);
        result.y_edges = increasing(grid, "y_edges", 2, false);
        result.place = GridPlace::read(grid);
    }
    result.z_edges = increasing(grid, "z_edges", 2, true);
    result.times = increasing(grid, "times", 1, true);
    grid.reject_unknown();
    return result;
}

GridAndTimes aligned_with(GridAndTimes grid, const GridAndTimes& other) {
    if (grid.is_radial() || other.is_radial()) {
        return grid;
    }
    const MapPoint by = way_to(grid, other);
    std::ranges::for_each(grid.x_edges, [&](double& edge) { edge += by.x; });
    std::ranges::for_each(grid.y_edges, [&](double& edge) { edge += by.y; });
    const bool are_known = grid.place.rotation && other.place.rotation;
    grid.place = {are_known ? grid.place.rotation : other.place.rotation, other.place.origin};
    return grid;
}

bool is_beyond(double value, const std::vector<double>& known) {
    constexpr double tolerance = 1e-3;
    return value > known.back() + tolerance * std::abs(known.back());
}

bool is_before(double value, const std::vector<double>& known) {
    constexpr double tolerance = 1e-3;
    return value < known.front() - tolerance * (known.back() - known.front());
}

}  // namespace plumecast
