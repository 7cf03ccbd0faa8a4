#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "inverse/inversion/observed_places.hpp"

namespace plumecast {

class Predictor;

/// Derivatives by inputs of a case, each by its name: [cells] or [1], per the unit of the input.
using InputDerivatives = std::map<std::string, std::vector<double>, std::less<>>;

/// A model at observations with the way back to inputs: networks by their tape, the reduced physics of rings by its
/// adjoint.
class ModelGradient {
   public:
    /// Cotangents [D] of predictions [D].
    using Cotangents = std::function<Eigen::VectorXd(const Eigen::VectorXd& predictions)>;

    /// `predictor` may be nullptr: then it is the physics. Both must outlive this.
    ModelGradient(const Predictor* predictor, const ObservedPlaces& places) : predictor_(predictor), places_(places) {}

    /// Predictions [D] of a case, and the products of their derivatives with the cotangents, by the inputs that
    /// `derivatives` names. Throws InvalidInput for cases and inputs that have none, NotConverged for a case that
    /// cannot be computed.
    Eigen::VectorXd at(const MemoryCases& one, const Cotangents& cotangents, InputDerivatives& derivatives) const;

   private:
    /// Predictions [D] of the fields of the case.
    Eigen::VectorXd sampled(const Dataset& dataset, const ObservedFields& fields) const;
    /// The way back: of the fields, and of the inputs that wells depend on beside them.
    RadialCaseGradient spread(const Dataset& dataset, const ObservedFields& fields, const Eigen::VectorXd& cotangents,
                              FieldSums& of_values) const;
    Eigen::VectorXd by_network(const MemoryCases& one, const Cotangents& cotangents,
                               InputDerivatives& derivatives) const;
    Eigen::VectorXd by_physics(const MemoryCases& one, const Cotangents& cotangents,
                               InputDerivatives& derivatives) const;

    const Predictor* predictor_;
    const ObservedPlaces& places_;
};

}  // namespace plumecast
