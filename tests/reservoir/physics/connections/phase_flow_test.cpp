#include "reservoir/physics/connections/phase_flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace plumecast::connections {
namespace {

/// A cell with a mass of CO2 per pore volume [kg/m3], whose mobilities are straight lines of its saturation.
CellState cell_with(double mass) {
    CellState cell;
    cell.gas_density = 600.0;
    cell.limit = 40.0;
    cell.weight = 1020.0;
    const bool has_gas = mass > cell.limit;
    const double by_mass = has_gas ? 1.0 / (cell.gas_density - cell.limit) : 0.0;
    cell.saturation = (mass - cell.limit) * by_mass;
    cell.dissolved = std::min(mass, cell.limit);
    cell.dissolved_slope = has_gas ? 0.0 : 1.0;
    cell.gas = 20.0 * cell.saturation;
    cell.gas_slope = 20.0 * by_mass;
    cell.brine = 2.0 - 1.5 * cell.saturation;
    cell.brine_slope = -1.5 * by_mass;
    cell.capillary = 0.1 + 0.3 * cell.saturation;
    cell.capillary_slope = 0.3 * by_mass;
    return cell;
}

PhaseFlow flow_between(double from_mass, double to_mass, double volume, double below) {
    constexpr double transmissibility = 3.0;
    const CellState from = cell_with(from_mass), to = cell_with(to_mass);
    return phase_flow(from, to, volume, transmissibility * drive_of_gas(from, to, below), transmissibility);
}

TEST(PhaseFlow, HasTheSlopesOfItsFlow) {
    constexpr double step = 1e-4;
    for (const double volume : {5.0, -5.0, 0.2, -0.2}) {
        for (const auto& [from, to] : {std::pair(200.0, 90.0), std::pair(20.0, 300.0), std::pair(10.0, 30.0)}) {
            for (const double below : {0.0, 4.0, -4.0}) {
                const PhaseFlow flow = flow_between(from, to, volume, below);
                const double by_from = (flow_between(from + step, to, volume, below).co2 -
                                        flow_between(from - step, to, volume, below).co2) /
                                       (2.0 * step);
                const double by_to = (flow_between(from, to + step, volume, below).co2 -
                                      flow_between(from, to - step, volume, below).co2) /
                                     (2.0 * step);
                EXPECT_NEAR(flow.by_from, by_from, 1e-5) << volume << " " << from << " " << below;
                EXPECT_NEAR(flow.by_to, by_to, 1e-5) << volume << " " << from << " " << below;
            }
        }
    }
}

TEST(PhaseFlow, IsThatOfBrineBetweenCellsWithoutGas) {
    const CellState from = cell_with(10.0), to = cell_with(30.0);
    for (const double volume : {5.0, -5.0, 0.0}) {
        const PhaseFlow flow = flow_between(10.0, 30.0, volume, 4.0), brine = brine_flow(from, to, volume);
        EXPECT_EQ(brine.co2, flow.co2);
        EXPECT_EQ(brine.by_from, flow.by_from);
        EXPECT_EQ(brine.by_to, flow.by_to);
        EXPECT_EQ(brine.brine, flow.brine);
        EXPECT_EQ(brine.brine_leaves_from, flow.brine_leaves_from);
        EXPECT_EQ(brine.co2, volume >= 0.0 ? 10.0 * volume : 30.0 * volume);
    }
}

}  // namespace
}  // namespace plumecast::connections
