#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reservoir/eclipse/grid.hpp"
#include "reservoir/eclipse/restart.hpp"
#include "reservoir/eclipse/units.hpp"

namespace plumecast {

/// A cell that a well reaches, at a report step.
struct ConnectionState {
    std::int64_t cell = 0;
    bool is_open = false;         ///< as is the well
    double rate = 0.0;            ///< gas injected at the end of the step [sm3/day]; 0 when none is, or it is not known
    double back_flow = 0.0;       ///< gas produced at the end of the step [sm3/day]
    double total = 0.0;           ///< gas injected so far [sm3]; 0 when not known
    double produced = 0.0;        ///< gas produced so far [sm3], by crossflow too; 0 when not known
    bool has_other_flow = false;  ///< produces, or takes something else than gas
    double factor = 0.0;          ///< transmissibility factor [cP m3/(day bar)]; 0 when not known
};

/// What a well is for, as IWEL says.
enum class WellKind { unknown, producer, gas_injector, other_injector };

/// A well at a report step.
struct WellState {
    std::string name;  ///< "well 2" when the file tells none
    WellKind kind = WellKind::unknown;
    double bottom_hole_pressure = 0.0;  ///< [bar]; 0 when not known
    std::vector<ConnectionState> connections;

    /// Gas injected [sm3/day]: what enters the cells less what comes back from others; and what enters them so far
    /// [sm3].
    double rate() const;
    double total() const;
    /// Gas that enters cells and gas that comes back from cells [sm3/day].
    double inflow() const;
    double back_flow() const;
    /// Whether a connection produces, or takes something else than gas.
    bool has_other_flow() const;
};

/// Keywords of a restart file that well_states() reads.
inline constexpr std::string_view well_keywords[] = {"ICON", "SCON", "XCON", "IWEL", "XWEL", "ZWEL"};

/// The wells of a report step, in the order of the file; empty when it holds none. Throws InvalidData naming the file
/// when a connection lies outside the grid.
std::vector<WellState> well_states(eclipse::StepFiles& states, std::size_t step, const eclipse::CornerPointGrid& grid,
                                   const eclipse::Units& units);

}  // namespace plumecast
