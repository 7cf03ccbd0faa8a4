#include "inference/guided/model_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/inference/bundle/training_grids.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "inference/guided/known_grids.hpp"
#include "reservoir/batches/data_kind.hpp"
#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/regridding/rotated_overlap.hpp"

namespace plumecast {
namespace {

constexpr const char* cost_of_the_way = "what that costs: docs/benchmarks/other_grids.md";

/// "grid and times ".
std::string difference(const GridAndTimes& users, const GridAndTimes& own) {
    const bool grid = !users.has_grid_of(own), times = !users.has_times_of(own);
    return grid && times ? "grid and times " : grid ? "grid " : "times ";
}

/// "r_edges entry 3 (12.5 and 12.6 m)": the first entry in which two axes of as many entries differ; empty where none
/// does.
std::string first_difference(const char* axis, const char* unit, const std::vector<double>& users,
                             const std::vector<double>& own) {
    constexpr double tolerance = 1e-6;
    const auto [mine, known] = std::ranges::mismatch(users, own, [](double a, double b) {
        return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
    });
    return mine == users.end() || known == own.end()
               ? ""
               : fmt::format("{} entry {} ({:.9g} and {:.9g} {})", axis, mine - users.begin(), *mine, *known, unit);
}

/// ", in times entry 2 (30 and 31 days)": where the numbers of cells and times are the same and tell nothing.
std::string differing_axes(const GridAndTimes& users, const GridAndTimes& own) {
    if (users.text() != own.text()) {
        return "";
    }
    std::vector<std::string> found = {first_difference("r_edges", "m", users.r_edges, own.r_edges),
                                      first_difference("x_edges", "m", users.x_edges, own.x_edges),
                                      first_difference("y_edges", "m", users.y_edges, own.y_edges),
                                      first_difference("z_edges", "m", users.z_edges, own.z_edges),
                                      first_difference("times", "days", users.times, own.times)};
    std::erase(found, "");
    return found.empty() ? ", in its place on the map" : fmt::format(", in {}", fmt::join(found, ", "));
}

/// ", rotated by 30 degrees against the model's,", where it is.
std::string rotation_text(const GridAndTimes& users, const GridAndTimes& own) {
    return turn_between(users.place, own.place).is_none()
               ? ""
               : fmt::format(", rotated by {:.6g} degrees against the model's,",
                             *users.place.rotation - *own.place.rotation);
}

/// Says in what way a grid or times reach beyond those of a model: "the grid reaches 200 m below the top, that of the
/// model 100 m", with `depth` of the last active row.
std::vector<std::string> excesses(const GridAndTimes& users, const GridAndTimes& own, double depth) {
    std::vector<std::string> found;
    if (is_beyond(users.times.back(), own.times)) {
        found.push_back(fmt::format("times up to {:.6g} days lie beyond those of the model, which end at {:.6g} days",
                                    users.times.back(), own.times.back()));
    }
    const auto compare = [&](double value, const std::vector<double>& known, const char* where) {
        if (is_beyond(value, known)) {
            found.push_back(
                fmt::format("the grid reaches {:.6g} m {}, that of the model {:.6g} m", value, where, known.back()));
        }
    };
    // Only what lies as on the map can begin before.
    const auto compare_lowest = [&](double value, const std::vector<double>& known, const char* where) {
        if (is_before(value, known)) {
            found.push_back(
                fmt::format("the grid begins at {:.6g} m {}, that of the model at {:.6g} m, as both state "
                            "their origin on the map",
                            value, where, known.front()));
        }
    };
    if (users.is_radial()) {
        compare(users.r_edges.back(), own.r_edges, "from the well");
    } else {
        const Rectangle seen = turn_between(users.place, own.place).around(PlanView::of(users).all());
        compare(seen.high_x, own.x_edges, "along x");
        compare_lowest(seen.low_x, own.x_edges, "along x");
        compare(seen.high_y, own.y_edges, "along y");
        compare_lowest(seen.low_y, own.y_edges, "along y");
    }
    compare(depth, own.z_edges, "below the top");
    return found;
}

/// Lower edge of the deepest row that is active in any case [m].
double active_depth(const Dataset& dataset) {
    const std::size_t plane = static_cast<std::size_t>(dataset.cells() / dataset.rows());
    std::vector<float> active(static_cast<std::size_t>(dataset.cells()));
    std::size_t rows = 0;
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        dataset.read_map("active", {&which, 1}, active);
        for (std::size_t cell = rows * plane; cell < active.size(); ++cell) {
            rows = active[cell] != 0.0F ? cell / plane + 1 : rows;
        }
    }
    return dataset.z_edges()[rows];
}

/// Says what the corrections of a guided network cannot make up for.
void warn_of_uncorrected(const std::vector<std::string>& beyond, const LogSink& log) {
    for (const std::string& what : beyond) {
        const bool is_time = what.starts_with("times");
        log(Severity::warning,
            what + (is_time ? " (the correction stays what it is then)" : " (beyond it the physics is not corrected)") +
                "; check the prediction against a simulation");
    }
}

/// Refuses what a network that predicts whole fields knows nothing of, or says that it is left out.
void judge_unknown(const std::vector<std::string>& beyond, const Dataset& dataset, Beyond then, const LogSink& log) {
    if (beyond.empty()) {
        return;
    }
    if (then == Beyond::refuse) {
        throw InvalidData(dataset.path() + ": " + beyond.front() +
                          " (a network knows nothing beyond what it was trained on); end the grid and the times there, "
                          "or have NaN beyond with PredictionOptions::beyond = Beyond::leave_nan");
    }
    for (const std::string& what : beyond) {
        log(Severity::warning, what + " (fields hold NaN beyond); check the rest against a simulation");
    }
}

/// Before the first time of a network nothing is known but that all begins with nothing.
void warn_of_early(const std::vector<double>& times, const std::vector<double>& known, const LogSink& log) {
    const auto first = std::ranges::find_if(times, [](double time) { return time > 0.0; });
    constexpr double tolerance = 1e-3;  // as of is_beyond()
    if (first != times.end() && *first < (1.0 - tolerance) * known.front()) {
        log(Severity::warning,
            fmt::format("times from {:.6g} days lie before those of the model, which begin at {:.6g} days (what the "
                        "network says falls linearly to 0 at the start of injection); check the prediction against a "
                        "simulation",
                        *first, known.front()));
    }
}

/// Where the grid of the model reaches beyond one that is turned against it.
void warn_of_uncovered(const GridAndTimes& users, const GridAndTimes& own, const LogSink& log) {
    const Rectangle seen = turn_between(own.place, users.place).around(PlanView::of(own).all());
    if (is_beyond(seen.high_x, users.x_edges) || is_before(seen.low_x, users.x_edges) ||
        is_beyond(seen.high_y, users.y_edges) || is_before(seen.low_y, users.y_edges)) {
        log(Severity::warning,
            "the grid does not cover that of the model, against which it is rotated (the network takes the outermost "
            "cells to go on to there); check the build-up against a simulation");
    }
}

/// The outer boundary of a network's own grid is elsewhere than that of a smaller one.
void warn_of_smaller(const GridAndTimes& users, const GridAndTimes& own, const LogSink& log) {
    const auto compare = [&log](const std::vector<double>& edges, const std::vector<double>& known, const char* where) {
        if (is_beyond(known.back(), edges)) {
            log(Severity::warning,
                fmt::format("the grid ends at {:.6g} m {}, that of the model at {:.6g} m (the network takes the "
                            "outermost cells to go on to there); check the build-up against a simulation",
                            edges.back(), where, known.back()));
        }
    };
    if (users.is_radial()) {
        compare(users.r_edges, own.r_edges, "from the well");
    } else if (turn_between(users.place, own.place).is_none()) {
        compare(users.x_edges, own.x_edges, "along x");
        compare(users.y_edges, own.y_edges, "along y");
    } else {
        warn_of_uncovered(users, own, log);
    }
}

/// Where only one of two grids says how it is rotated, their axes are put on each other.
void warn_of_unknown_rotation(const GridPlace& users, const GridPlace& own, const LogSink& log) {
    const bool is_stated_once = users.rotation.has_value() != own.rotation.has_value();
    const double rotation = users.rotation.value_or(own.rotation.value_or(0.0));
    if (is_stated_once && !Turn::by(rotation).is_none()) {
        log(Severity::warning,
            fmt::format(
                "the grid of the {} is rotated by {:.6g} degrees, of that of the {} no rotation is known (the axes "
                "of the two are put on each other); state the attribute rotation of both, or of neither",
                users.rotation ? "data set" : "model", rotation, users.rotation ? "model" : "data set"));
    }
}

/// What its networks predict: corrections of physics, or whole fields.
bool has_fields(const Bundle& bundle, bool of_physics) {
    return std::ranges::any_of(bundle.networks, [=](const BundleNetwork& network) {
        return std::ranges::any_of(network.network->description().fields,
                                   [=](const Field& field) { return field.base.empty() != of_physics; });
    });
}

}  // namespace

bool needs_regrid(const Bundle& bundle, const Dataset& dataset, Beyond then, const LogSink& sink) {
    const LogSink log = sink ? sink : [](Severity, std::string_view) {};
    for (const BundleNetwork& one : bundle.networks) {
        require_kind(dataset, one.network->description().channels);
    }
    if (dataset.geometry() == Geometry::generic || is_among_more_grids(bundle, dataset)) {
        return false;  // generic data go through the network on the points that they have
    }
    const std::optional<GridAndTimes> own = recorded_grid(bundle);
    if (!own) {
        log(Severity::warning,
            "the model does not say on which grid and for which times it was trained (it has no training.grid); "
            "use it on those only");
        return false;
    }
    const GridAndTimes users = GridAndTimes::of(dataset);
    warn_of_unknown_rotation(users.place, own->place, log);
    if (users.has_grid_of(*own) && users.has_times_of(*own)) {
        return false;
    }
    if (users.is_radial() != own->is_radial()) {
        throw InvalidData(dataset.path() + ": has a " + (users.is_radial() ? "radial" : "Cartesian") +
                          " grid, where the networks need a " + (own->is_radial() ? "radial" : "Cartesian") +
                          " grid (the kind of grid that they were trained on); use a model for the other kind");
    }
    const std::string what =
        "the " + difference(users, *own) + users.text() + rotation_text(users, *own) +
        (users.has_times_of(*own) ? " is not that of the model (" : " are not those of the model (") + own->text() +
        ")" + differing_axes(users, *own);
    if (!users.is_radial() && !is_box(dataset)) {
        throw InvalidData(dataset.path() +
                          ": has a corner-point grid whose cells are not those of a box, where the networks "
                          "were trained on another grid (it cannot be brought onto theirs and back); "
                          "take reduced physics, estimate, or a model that was trained on this grid");
    }
    if (!dataset.cell_values("cell_volume").empty()) {
        log(Severity::warning, what +
                                   ", onto which cells with volumes of their own cannot be brought; check the "
                                   "prediction against a simulation");
        return false;
    }
    const GridAndTimes aligned = aligned_with(users, *own);
    const std::vector<std::string> beyond = excesses(aligned, *own, active_depth(dataset));
    if (has_fields(bundle, true)) {
        log(Severity::info, what + ": physics on yours, correction from the model's (" + cost_of_the_way + ")");
        warn_of_uncorrected(beyond, log);
    }
    if (has_fields(bundle, false)) {
        judge_unknown(beyond, dataset, then, log);
        log(Severity::info, what + ": inputs brought onto the model's, fields brought back by volume and log time (" +
                                cost_of_the_way + ")");
        warn_of_smaller(aligned, *own, log);
    }
    warn_of_early(users.times, own->times, log);
    return true;
}

bool physics_follows_snapshots(const Bundle& bundle) {
    return std::ranges::any_of(bundle.networks, [](const BundleNetwork& one) {
        const auto& physics = one.network->description().physics;
        return physics && steps_follow_snapshots(physics->settings);
    });
}

Resampling resampling_of(const Bundle& bundle, const Dataset& dataset) {
    const std::optional<GridAndTimes> own = recorded_grid(bundle);
    const bool is_same_grid = own && GridAndTimes::of(dataset).has_grid_of(*own);
    return is_same_grid && !has_fields(bundle, false) && !physics_follows_snapshots(bundle) ? Resampling::correction
                                                                                            : Resampling::fields;
}

}  // namespace plumecast
