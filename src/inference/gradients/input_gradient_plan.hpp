#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/plan/plan.hpp>

namespace plumecast {

/// The plan of the fields of a network and of their gradients with respect to what it reads of a batch, on one rank.
/// Inputs those of describe_fields() and `weights`, like the fields; outputs `fields` and, after them, the gradients of
/// the sum of weights times fields by the inputs in their order, then by the base.
Plan input_gradient_plan(const FieldNetwork& network, const FieldInput& input);

/// Such plans of networks, by the shapes that they were made for.
class InputGradientPlans {
   public:
    std::shared_ptr<const Plan> plan(const FieldNetwork& network, const FieldInput& input);

   private:
    std::map<std::pair<const FieldNetwork*, std::string>, std::shared_ptr<const Plan>> plans_;
};

}  // namespace plumecast
