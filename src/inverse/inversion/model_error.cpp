#include "inverse/inversion/model_error.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/number_text.hpp"
#include "inverse/inversion/shrunk_covariance.hpp"
#include "reservoir/dataset/cases/case_content.hpp"

namespace plumecast {
namespace {

constexpr std::int64_t fewest_cases = 20;

void require_comparable(const Dataset& simulated, const Dataset& grid, const ObservedPlaces& places) {
    const bool is_same = simulated.geometry() == grid.geometry() && simulated.z_edges() == grid.z_edges() &&
                         simulated.y_edges() == grid.y_edges() && simulated.last_edges() == grid.last_edges() &&
                         simulated.times() == grid.times();
    if (!is_same) {
        throw InvalidData(simulated.path() + ": its grid or times are not those of " + grid.path() +
                          " (the model's error is needed where the observations are); simulate cases on that grid, or "
                          "set model_error to off");
    }
    for (const std::string& field : places.fields()) {
        if (!simulated.has(field)) {
            throw InvalidData(
                simulated.path() + ": has no " + field +
                " (it is observed, so the model's error in it counts); take simulated cases that have it");
        }
    }
}

/// What was simulated at the observations of a case; empty where an observed cell is inactive.
Eigen::VectorXd simulated_at(const ObservedPlaces& places, const Dataset& simulated, std::int64_t which) {
    std::vector<float> active(static_cast<std::size_t>(simulated.cells()));
    simulated.read_map("active", {&which, 1}, active);
    for (std::int64_t i = 0; i < places.count(); ++i) {
        if (places.cell(i) >= 0 && active[static_cast<std::size_t>(places.cell(i))] == 0.0F) {
            return {};
        }
    }
    Eigen::VectorXd values(static_cast<Eigen::Index>(places.count()));
    std::map<std::string, std::vector<float>> read;
    ObservedFields fields;
    for (const std::string& name : places.fields()) {
        std::vector<float>& field = read[name];
        field.resize(static_cast<std::size_t>(simulated.snapshots() * simulated.cells()));
        simulated.read_output(name, {&which, 1}, field);
        fields.emplace(name, field);
    }
    places.sample(simulated, which, fields, {values.data(), static_cast<std::size_t>(values.size())});
    return values;
}

}  // namespace

ModelError model_error_at(const ObservedPlaces& places, const Dataset& grid, const std::string& calibration,
                          const ForwardModel& model, const ForwardModel::Listeners& listeners) {
    const Dataset simulated(calibration);
    require_valid_inputs(calibration);
    require_comparable(simulated, grid, places);
    for (std::int64_t which = 0; which < simulated.cases(); ++which) {
        places.require_wells(simulated, which);
    }
    auto inputs = std::make_unique<DatasetContent>();
    const PredictedObservations predicted = model.at(
        places, simulated.cases(),
        [&](std::int64_t first, std::int64_t count) {
            *inputs = inputs_of(simulated, first, count);
            MemoryCases cases = views_of(*inputs);
            cases.name = calibration;
            return cases;
        },
        listeners);
    std::vector<Eigen::VectorXd> errors;
    for (std::int64_t which = 0; which < simulated.cases(); ++which) {
        const Eigen::VectorXd truth = simulated_at(places, simulated, which);
        if (truth.size() > 0 && !predicted.failed.contains(which)) {
            errors.emplace_back(truth - predicted.values.col(static_cast<Eigen::Index>(which)));
        }
    }
    if (static_cast<std::int64_t>(errors.size()) < fewest_cases) {
        throw InvalidData(
            fmt::format("{}: {} with active cells at all observations ({} are needed for the model's error); simulate "
                        "more cases like "
                        "the prior, or set model_error to off",
                        calibration, counted(static_cast<std::int64_t>(errors.size()), "case"), fewest_cases));
    }
    Eigen::MatrixXd samples(static_cast<Eigen::Index>(places.count()), static_cast<Eigen::Index>(errors.size()));
    for (std::size_t i = 0; i < errors.size(); ++i) {
        samples.col(static_cast<Eigen::Index>(i)) = errors[i];
    }
    if (!samples.allFinite()) {
        throw InvalidData(calibration +
                          ": a value at an observation is not a finite number (so no error can be computed); mend or "
                          "leave out that case");
    }
    return {samples.rowwise().mean(), shrunk_covariance(samples), static_cast<std::int64_t>(errors.size())};
}

}  // namespace plumecast
