#include "inverse/inversion/model_gradient.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/batches/input_gradients.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/case_physics/estimate.hpp"

namespace plumecast {
namespace {

std::span<double> span_of(Eigen::VectorXd& values) { return {values.data(), static_cast<std::size_t>(values.size())}; }
std::span<const double> span_of(const Eigen::VectorXd& values) {
    return {values.data(), static_cast<std::size_t>(values.size())};
}

void require_derivatives(const Dataset& dataset, const InputDerivatives& derivatives) {
    const std::vector<std::string> known = differentiable_inputs(dataset);
    for (const auto& [name, values] : derivatives) {
        if (std::ranges::find(known, name) == known.end()) {
            throw InvalidInput(name +
                               ": has no derivatives in these cases (a schedule takes its place); leave it out "
                               "of unknown");
        }
    }
}

}  // namespace

Eigen::VectorXd ModelGradient::at(const MemoryCases& one, const Cotangents& cotangents,
                                  InputDerivatives& derivatives) const {
    if (places_.has_wells()) {
        throw InvalidInput(
            "bottom-hole pressures have no derivatives (they follow from the fields by an iteration); state them as "
            "pressure_buildup in the cell of the well");
    }
    return predictor_ != nullptr ? by_network(one, cotangents, derivatives) : by_physics(one, cotangents, derivatives);
}

Eigen::VectorXd ModelGradient::by_network(const MemoryCases& one, const Cotangents& cotangents,
                                          InputDerivatives& derivatives) const {
    const Dataset dataset(one);
    require_derivatives(dataset, derivatives);
    std::vector<std::int64_t> map_extents{1};
    for (int axis = 0; axis < dataset.space().rank(); ++axis) {
        map_extents.push_back(dataset.space()[axis]);
    }
    std::vector<std::int64_t> extents = map_extents;
    extents.insert(extents.begin() + 1, dataset.snapshots());
    std::map<std::string, std::vector<float>> fields, by_fields;
    PredictedArrays outputs;
    for (const std::string& field : places_.fields()) {
        std::vector<float>& values = fields[field];
        values.resize(static_cast<std::size_t>(dataset.snapshots() * dataset.cells()));
        outputs.arrays.emplace(field, output_to(values.data(), extents));
    }
    PredictionOptions options;
    options.limits = Limits::leave_out;
    Recording recording = predictor_->record(one, options, outputs);
    Eigen::VectorXd predictions(static_cast<Eigen::Index>(places_.count()));
    for (const auto& [field, values] : fields) {
        places_.sample(field, values, span_of(predictions));
    }
    if (!predictions.allFinite()) {
        throw NotConverged("a predicted value at an observation is not a finite number; narrow the prior");
    }
    const Eigen::VectorXd by_predictions = cotangents(predictions);
    FieldCotangents field_cotangents;
    for (const std::string& field : places_.fields()) {
        std::vector<double> sum(fields.at(field).size(), 0.0);
        places_.spread(field, span_of(by_predictions), sum);
        std::vector<float>& values = by_fields[field];
        values.assign(sum.begin(), sum.end());
        field_cotangents.emplace(field, view_of(values.data(), extents, ""));
    }
    GradientArrays gradients;
    for (auto& [name, values] : derivatives) {
        const bool is_map = find_array(name, dataset.geometry())->role == Role::map;
        values.assign(is_map ? static_cast<std::size_t>(dataset.cells()) : 1, 0.0);
        gradients.emplace(name, output_to(values.data(), is_map ? map_extents : std::vector<std::int64_t>{1}));
    }
    recording.pull_back(field_cotangents, gradients);
    return predictions;
}

Eigen::VectorXd ModelGradient::by_physics(const MemoryCases& one, const Cotangents& cotangents,
                                          InputDerivatives& derivatives) const {
    const PhysicsSettings settings = EstimateOptions{}.settings;
    const Dataset dataset(one);
    require_physics_case(dataset, settings);
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidInput("the reduced physics of boxes has no derivatives (that of rings has)");
    }
    require_derivatives(dataset, derivatives);
    PhysicsOptions options;
    options.threads = 1;
    CasePhysics physics(dataset, settings, std::move(options));
    const std::int64_t which = 0;
    const CasePhysics::Fields fields = physics.load({&which, 1}).front();
    Eigen::VectorXd predictions(static_cast<Eigen::Index>(places_.count()));
    for (const std::string& field : places_.fields()) {
        places_.sample(field, fields->fields.at("physics_" + field), span_of(predictions));
    }
    const Eigen::VectorXd by_predictions = cotangents(predictions);
    InputGradients gradients{{which}, {}, std::vector<PhysicsCotangents>(1)};
    for (auto& [name, values] : derivatives) {
        const bool is_map = find_array(name, dataset.geometry())->role == Role::map;
        gradients.inputs[name].assign(is_map ? static_cast<std::size_t>(dataset.cells()) : 1, 0.0);
    }
    for (const std::string& field : places_.fields()) {
        std::vector<double>& of_field = gradients.physics[0].fields["physics_" + field];
        of_field.assign(static_cast<std::size_t>(dataset.snapshots() * dataset.cells()), 0.0);
        places_.spread(field, span_of(by_predictions), of_field);
    }
    add_physics_gradients(dataset, physics, gradients);
    for (auto& [name, values] : derivatives) {
        values = std::move(gradients.inputs.at(name));
    }
    return predictions;
}

}  // namespace plumecast
