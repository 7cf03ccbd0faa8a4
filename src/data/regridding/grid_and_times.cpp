#include <plumecast/data/regridding/grid_and_times.hpp>

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>
#include <plumecast/data/dataset.hpp>

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

}  // namespace

GridAndTimes GridAndTimes::of(const Dataset& dataset) {
    return {dataset.r_edges(), dataset.x_edges(), dataset.y_edges(), dataset.z_edges(), dataset.times()};
}

std::string GridAndTimes::text() const {
    const std::string lines = is_radial() ? "" : std::to_string(y_edges.size() - 1) + " x ";
    return std::to_string(rows()) + " x " + lines + std::to_string(columns()) + " x " + std::to_string(times.size());
}

bool GridAndTimes::has_grid_of(const GridAndTimes& other) const {
    return are_close(r_edges, other.r_edges) && are_close(x_edges, other.x_edges) &&
           are_close(y_edges, other.y_edges) && are_close(z_edges, other.z_edges);
}

bool GridAndTimes::has_times_of(const GridAndTimes& other) const { return are_close(times, other.times); }

Json GridAndTimes::to_json() const {
    Json json = Json::Object{{"z_edges", list_of(z_edges)}, {"times", list_of(times)}};
    if (is_radial()) {
        json["r_edges"] = list_of(r_edges);
    } else {
        json["x_edges"] = list_of(x_edges);
        json["y_edges"] = list_of(y_edges);
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
    }
    result.z_edges = increasing(grid, "z_edges", 2, true);
    result.times = increasing(grid, "times", 1, true);
    grid.reject_unknown();
    return result;
}

GridAndTimes aligned_with(GridAndTimes grid, const GridAndTimes& other) {
    const auto shift = [](std::vector<double>& edges, const std::vector<double>& to) {
        if (!edges.empty() && !to.empty()) {
            const double by = to.front() - edges.front();
            std::ranges::for_each(edges, [by](double& edge) { edge += by; });
        }
    };
    shift(grid.x_edges, other.x_edges);
    shift(grid.y_edges, other.y_edges);
    return grid;
}

bool is_beyond(double value, const std::vector<double>& known) {
    constexpr double tolerance = 1e-3;
    return value > known.back() + tolerance * std::abs(known.back());
}

}  // namespace plumecast
