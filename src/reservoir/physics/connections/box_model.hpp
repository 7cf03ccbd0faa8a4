#pragma once

#include "reservoir/physics/box_case.hpp"
#include "reservoir/physics/connections/flow_model.hpp"

namespace plumecast::connections {

/// A box as a list, and where its cells come from.
struct BoxModel {
    FlowModel flow;
    std::vector<std::size_t> places;  ///< [cells of the list] cell of the box [Z, Y, X]
};

/// The active cells of a box, connections between centres of cells beside each other or those that the case states, and
/// its wells (box_wells()). Pores are those of the aquifer at the four sides. Expects a case that
/// BoxCase::check() has passed.
BoxModel box_model(const BoxCase& box);

}  // namespace plumecast::connections
