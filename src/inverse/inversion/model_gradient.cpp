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
#include "reservoir/metrics/case_fields_gradient.hpp"

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
        require_well_derivatives(Dataset(one));
    }
    return predictor_ != nullptr ? by_network(one, cotangents, derivatives) : by_physics(one, cotangents, derivatives);
}

Eigen::VectorXd ModelGradient::sampled(const Dataset& dataset, const ObservedFields& fields) const {
    Eigen::VectorXd predictions(static_cast<Eigen::Index>(places_.count()));
    places_.sample(dataset, 0, fields, span_of(predictions));
    if (!predictions.allFinite()) {
        throw NotConverged("a predicted value at an observation is not a finite number; narrow the prior");
    }
    return predictions;
}

RadialCaseGradient ModelGradient::spread(const Dataset& dataset, const ObservedFields& fields,
                                         const Eigen::VectorXd& cotangents, FieldSums& of_values) const {
    for (const auto& [field, values] : fields) {
        std::vector<double>& sum = of_values[field];
        sum.assign(values.size(), 0.0);
        places_.spread(field, span_of(cotangents), sum);
    }
    return places_.has_wells() ? places_.spread_wells(dataset, 0, fields, span_of(cotangents), of_values)
                               : RadialCaseGradient();
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
    std::map<std::string, std::vector<float>> values_of;
    ObservedFields fields;
    PredictedArrays outputs;
    for (const std::string& field : places_.fields()) {
        std::vector<float>& values = values_of[field];
        values.resize(static_cast<std::size_t>(dataset.snapshots() * dataset.cells()));
        fields.emplace(field, values);
        outputs.arrays.emplace(field, output_to(values.data(), extents));
    }
    PredictionOptions options;
    options.limits = Limits::leave_out;
    Recording recording = predictor_->record(one, options, outputs);
    Eigen::VectorXd predictions = sampled(dataset, fields);
    FieldSums of_fields;
    const RadialCaseGradient beside = spread(dataset, fields, cotangents(predictions), of_fields);
    FieldCotangents field_cotangents;
    for (const auto& [field, values] : of_fields) {
        field_cotangents.emplace(field, view_of(values.data(), extents, ""));
    }
    InputGradients gradients{{0}, {}, std::vector<PhysicsCotangents>(1)};
    GradientArrays arrays;
    for (const auto& [name, unused] : derivatives) {
        const bool is_map = find_array(name, dataset.geometry())->role == Role::map;
        std::vector<double>& values = gradients.inputs[name];
        values.assign(is_map ? static_cast<std::size_t>(dataset.cells()) : 1, 0.0);
        arrays.emplace(name, output_to(values.data(), is_map ? map_extents : std::vector<std::int64_t>{1}));
    }
    recording.pull_back(field_cotangents, arrays);
    if (places_.has_wells()) {
        add(dataset, 0, beside, gradients);
    }
    derivatives = std::move(gradients.inputs);
    return predictions;
}

Eigen::VectorXd ModelGradient::by_physics(const MemoryCases& one, const Cotangents& cotangents,
                                          InputDerivatives& derivatives) const {
    const PhysicsSettings settings = EstimateOptions{}.settings;
    const Dataset dataset(one);
    require_physics_case(dataset);
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidInput("the reduced physics of boxes has no derivatives (that of rings has)");
    }
    require_derivatives(dataset, derivatives);
    PhysicsOptions options;
    options.threads = 1;
    CasePhysics physics(dataset, settings, std::move(options));
    const std::int64_t which = 0;
    const CasePhysics::Fields computed = physics.load({&which, 1}).front();
    ObservedFields fields;
    for (const std::string& field : places_.fields()) {
        fields.emplace(field, computed->fields.at("physics_" + field));
    }
    Eigen::VectorXd predictions = sampled(dataset, fields);
    FieldSums of_fields;
    const RadialCaseGradient beside = spread(dataset, fields, cotangents(predictions), of_fields);
    InputGradients gradients{{which}, {}, std::vector<PhysicsCotangents>(1)};
    for (const auto& [name, unused] : derivatives) {
        const bool is_map = find_array(name, dataset.geometry())->role == Role::map;
        gradients.inputs[name].assign(is_map ? static_cast<std::size_t>(dataset.cells()) : 1, 0.0);
    }
    for (auto& [field, values] : of_fields) {
        gradients.physics[0].fields["physics_" + field] = std::move(values);
    }
    add_physics_gradients(dataset, physics, gradients);
    if (places_.has_wells()) {
        add(dataset, 0, beside, gradients);
    }
    derivatives = std::move(gradients.inputs);
    return predictions;
}

}  // namespace plumecast
