#pragma once

#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/single_phase/single_phase_flow.hpp"

namespace plumecast {

/// Days after which injected volume reaches a cell [Z, R], in the flow at the last time: that of the cells upstream by
/// their share of the inflow, and the time to fill the cell. At most 1e9; 0 in inactive cells.
std::vector<double> arrival_times(const RadialCase& radial, const SinglePhaseFlow& flow);

/// Fields and scalars of PhysicsKind::single_phase.
PhysicsFields single_phase(const RadialCase& radial, int substeps, const std::string& name = "the case");

}  // namespace plumecast
