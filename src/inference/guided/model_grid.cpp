#include "inference/guided/model_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/inference/bundle/training_grids.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "inference/guided/recorded_grids.hpp"
#include "reservoir/batches/data_kind.hpp"
#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/regridding/rotated_overlap.hpp"

namespace plumecast {
namespace {

constexpr const char* cost_of_the_way = "what that costs: docs/benchmarks/other_grids.md";

/// "grid and times ".
std::string difference(const GridAndTimes& case_grid, const GridAndTimes& model_grid) {
    const bool grid = !case_grid.has_grid_of(model_grid), times = !case_grid.has_times_of(model_grid);
    return grid && times ? "grid and times " : grid ? "grid " : "times ";
}

/// "r_edges entry 3 (12.5 and 12.6 m)": the first entry in which two axes of as many entries differ; empty where none
/// does.
std::string first_difference(const char* axis, const char* unit, const std::vector<double>& of_cases,
                             const std::vector<double>& of_model) {
    constexpr double tolerance = 1e-6;
    const auto [here, there] = std::ranges::mismatch(of_cases, of_model, [](double a, double b) {
        return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
    });
    return here == of_cases.end() || there == of_model.end()
               ? ""
               : fmt::format("{} entry {} ({:.9g} and {:.9g} {})", axis, here - of_cases.begin(), *here, *there, unit);
}

/// ", in times entry 2 (30 and 31 days)": where the numbers of cells and times are the same and tell nothing.
std::string differing_axes(const GridAndTimes& case_grid, const GridAndTimes& model_grid) {
    if (case_grid.text() != model_grid.text()) {
        return "";
    }
    std::vector<std::string> found = {first_difference("r_edges", "m", case_grid.r_edges, model_grid.r_edges),
                                      first_difference("x_edges", "m", case_grid.x_edges, model_grid.x_edges),
                                      first_difference("y_edges", "m", case_grid.y_edges, model_grid.y_edges),
                                      first_difference("z_edges", "m", case_grid.z_edges, model_grid.z_edges),
                                      first_difference("times", "days", case_grid.times, model_grid.times)};
    std::erase(found, "");
    return found.empty() ? ", in its place on the map" : fmt::format(", in {}", fmt::join(found, ", "));
}

/// ", rotated by 30 degrees against the model's,", where it is.
std::string rotation_text(const GridAndTimes& case_grid, const GridAndTimes& model_grid) {
    return turn_between(case_grid.place, model_grid.place).is_none()
               ? ""
               : fmt::format(", rotated by {:.6g} degrees against the model's,",
                             *case_grid.place.rotation - *model_grid.place.rotation);
}

/// Says in what way a grid or times reach beyond those of a model: "the grid reaches 200 m below the top, that of the
/// model 100 m", with `depth` of the last active row.
std::vector<std::string> excesses(const GridAndTimes& case_grid, const GridAndTimes& model_grid, double depth) {
    std::vector<std::string> found;
    if (is_beyond(case_grid.times.back(), model_grid.times)) {
        found.push_back(fmt::format("times up to {:.6g} days lie beyond those of the model, which end at {:.6g} days",
                                    case_grid.times.back(), model_grid.times.back()));
    }
    const auto compare = [&](double value, const std::vector<double>& trained, const char* where) {
        if (is_beyond(value, trained)) {
            found.push_back(
                fmt::format("the grid reaches {:.6g} m {}, that of the model {:.6g} m", value, where, trained.back()));
        }
    };
    // Only what lies as on the map can begin before.
    const auto compare_lowest = [&](double value, const std::vector<double>& trained, const char* where) {
        if (is_before(value, trained)) {
            found.push_back(
                fmt::format("the grid begins at {:.6g} m {}, that of the model at {:.6g} m, as both state "
                            "their origin on the map",
                            value, where, trained.front()));
        }
    };
    if (case_grid.is_radial()) {
        compare(case_grid.r_edges.back(), model_grid.r_edges, "from the well");
    } else {
        const Rectangle seen = turn_between(case_grid.place, model_grid.place).around(PlanView::of(case_grid).all());
        compare(seen.high_x, model_grid.x_edges, "along x");
        compare_lowest(seen.low_x, model_grid.x_edges, "along x");
        compare(seen.high_y, model_grid.y_edges, "along y");
        compare_lowest(seen.low_y, model_grid.y_edges, "along y");
    }
    compare(depth, model_grid.z_edges, "below the top");
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
void warn_of_early(const std::vector<double>& times, const std::vector<double>& trained, const LogSink& log) {
    const auto first = std::ranges::find_if(times, [](double time) { return time > 0.0; });
    constexpr double tolerance = 1e-3;  // as of is_beyond()
    if (first != times.end() && *first < (1.0 - tolerance) * trained.front()) {
        log(Severity::warning,
            fmt::format("times from {:.6g} days lie before those of the model, which begin at {:.6g} days (what the "
                        "network says falls linearly to 0 at the start of injection); check the prediction against a "
                        "simulation",
                        *first, trained.front()));
    }
}

/// Where the grid of the model reaches beyond one that is turned against it.
void warn_of_uncovered(const GridAndTimes& case_grid, const GridAndTimes& model_grid, const LogSink& log) {
    const Rectangle seen = turn_between(model_grid.place, case_grid.place).around(PlanView::of(model_grid).all());
    if (is_beyond(seen.high_x, case_grid.x_edges) || is_before(seen.low_x, case_grid.x_edges) ||
        is_beyond(seen.high_y, case_grid.y_edges) || is_before(seen.low_y, case_grid.y_edges)) {
        log(Severity::warning,
            "the grid does not cover that of the model, against which it is rotated (the network takes the outermost "
            "cells to go on to there); check the build-up against a simulation");
    }
}

/// The outer boundary of a network's own grid is elsewhere than that of a smaller one.
void warn_of_smaller(const GridAndTimes& case_grid, const GridAndTimes& model_grid, const LogSink& log) {
    const auto compare = [&log](const std::vector<double>& edges, const std::vector<double>& trained,
                                const char* where) {
        if (is_beyond(trained.back(), edges)) {
            log(Severity::warning,
                fmt::format("the grid ends at {:.6g} m {}, that of the model at {:.6g} m (the network takes the "
                            "outermost cells to go on to there); check the build-up against a simulation",
                            edges.back(), where, trained.back()));
        }
    };
    if (case_grid.is_radial()) {
        compare(case_grid.r_edges, model_grid.r_edges, "from the well");
    } else if (turn_between(case_grid.place, model_grid.place).is_none()) {
        compare(case_grid.x_edges, model_grid.x_edges, "along x");
        compare(case_grid.y_edges, model_grid.y_edges, "along y");
    } else {
        warn_of_uncovered(case_grid, model_grid, log);
    }
}

/// Where only one of two grids says how it is rotated, their axes are put on each other.
void warn_of_unknown_rotation(const GridPlace& of_cases, const GridPlace& of_model, const LogSink& log) {
    const bool is_stated_once = of_cases.rotation.has_value() != of_model.rotation.has_value();
    const double rotation = of_cases.rotation.value_or(of_model.rotation.value_or(0.0));
    if (is_stated_once && !Turn::by(rotation).is_none()) {
        log(Severity::warning,
            fmt::format(
                "the grid of the {} is rotated by {:.6g} degrees, of that of the {} no rotation is known (the axes "
                "of the two are put on each other); state the attribute rotation of both, or of neither",
                of_cases.rotation ? "data set" : "model", rotation, of_cases.rotation ? "model" : "data set"));
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
    if (dataset.geometry() == Geometry::generic || is_among_training_grids(bundle, dataset)) {
        return false;  // generic data go through the network on the points that they have
    }
    const std::optional<GridAndTimes> model_grid = recorded_grid(bundle);
    if (!model_grid) {
        log(Severity::warning,
            "the model does not say on which grid and for which times it was trained (it has no training.grid); "
            "use it on those only");
        return false;
    }
    const GridAndTimes case_grid = GridAndTimes::of(dataset);
    warn_of_unknown_rotation(case_grid.place, model_grid->place, log);
    if (case_grid.has_grid_of(*model_grid) && case_grid.has_times_of(*model_grid)) {
        return false;
    }
    if (case_grid.is_radial() != model_grid->is_radial()) {
        throw InvalidData(dataset.path() + ": has a " + (case_grid.is_radial() ? "radial" : "Cartesian") +
                          " grid, where the networks need a " + (model_grid->is_radial() ? "radial" : "Cartesian") +
                          " grid (the kind of grid that they were trained on); use a model for the other kind");
    }
    const std::string what =
        "the " + difference(case_grid, *model_grid) + case_grid.text() + rotation_text(case_grid, *model_grid) +
        (case_grid.has_times_of(*model_grid) ? " is not that of the model (" : " are not those of the model (") +
        model_grid->text() + ")" + differing_axes(case_grid, *model_grid);
    if (!case_grid.is_radial() && !is_box(dataset)) {
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
    const GridAndTimes aligned = aligned_with(case_grid, *model_grid);
    const std::vector<std::string> beyond = excesses(aligned, *model_grid, active_depth(dataset));
    if (has_fields(bundle, true)) {
        log(Severity::info, what + ": physics on yours, correction from the model's (" + cost_of_the_way + ")");
        warn_of_uncorrected(beyond, log);
    }
    if (has_fields(bundle, false)) {
        judge_unknown(beyond, dataset, then, log);
        log(Severity::info, what + ": inputs brought onto the model's, fields brought back by volume and log time (" +
                                cost_of_the_way + ")");
        warn_of_smaller(aligned, *model_grid, log);
    }
    warn_of_early(case_grid.times, model_grid->times, log);
    return true;
}

bool corrects_at_other_times(const Bundle& bundle) { return !has_fields(bundle, false); }

Resampling resampling_of(const Bundle& bundle, const Dataset& dataset) {
    const std::optional<GridAndTimes> model_grid = recorded_grid(bundle);
    const bool is_same_grid = model_grid && GridAndTimes::of(dataset).has_grid_of(*model_grid);
    return is_same_grid && corrects_at_other_times(bundle) ? Resampling::correction : Resampling::fields;
}

}  // namespace plumecast
