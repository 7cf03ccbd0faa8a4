#pragma once

#include <span>
#include <string>

#include "reservoir/case_model/case_sampling.hpp"
#include "reservoir/physics/box_case.hpp"
#include "reservoir/physics/corner_point_connections.hpp"
#include "reservoir/simulation/deck_constants.hpp"

namespace plumecast {

/// A case as a Cartesian data set states it, ready to be simulated.
struct StatedBox {
    SampledCase inputs;          ///< its numbers, with the rates of its wells where there is a schedule
    BoxCase box;                 ///< everything else, as the reduced physics takes it
    CornerPoints corner_points;  ///< of all rows; no pillars where the layers are level
    bool states_flow = false;    ///< transmissibilities of `box` hold, not those of its cells
};

/// Input of OPM Flow for such a case, with snapshots at `times` [day]. Pore volumes and connection factors of wells are
/// those of the reduced physics. Where the case states what flows between cells, that holds: TRANX, TRANY and TRANZ
/// between neighbours, EDITNNC between cells that a fault brings together, NNC between all others. Wells are
/// vertical (box_wells()). A temperature that grows with depth takes a release with brine as water.
std::string deck_text(const StatedBox& stated, std::span<const double> times, BrinePhase brine = BrinePhase::oil);

}  // namespace plumecast
