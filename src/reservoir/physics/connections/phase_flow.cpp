#include "reservoir/physics/connections/phase_flow.hpp"

#include "reservoir/physics/upstream.hpp"

namespace plumecast::connections {
namespace {

constexpr double immobile = 1e-12;  // [1/cP]

}  // namespace

PhaseFlow phase_flow(const CellState& from, const CellState& to, double volume, double drive, double transmissibility) {
    auto [gas_leaves_from, brine_leaves_from] = upstream({from.gas, from.brine}, {to.gas, to.brine}, volume, drive);
    const CellState& gas_cell = gas_leaves_from ? from : to;
    double gas = 0.0, by_gas = 0.0, by_brine = 0.0, by_drive = 0.0;
    const CellState* brine_cell = brine_leaves_from ? &from : &to;
    const double total = gas_cell.gas + brine_cell->brine;
    if (total > immobile) {
        const double driven = volume + brine_cell->brine * drive, part = 1.0 / total;
        gas = gas_cell.gas * driven * part;
        by_gas = driven * brine_cell->brine * part * part * gas_cell.gas_slope;
        by_brine = gas_cell.gas * (gas_cell.gas * drive - volume) * part * part * brine_cell->brine_slope;
        by_drive = transmissibility * gas_cell.gas * brine_cell->brine * part;
    } else {
        brine_leaves_from = volume >= 0.0;
        brine_cell = brine_leaves_from ? &from : &to;
    }
    PhaseFlow flow;
    flow.brine = volume - gas;
    flow.brine_leaves_from = brine_leaves_from;
    flow.co2 = gas_cell.gas_density * gas + brine_cell->dissolved * flow.brine;
    const double lighter = gas_cell.gas_density - brine_cell->dissolved;
    flow.by_from = by_drive * lighter * from.capillary_slope;
    flow.by_to = -by_drive * lighter * to.capillary_slope;
    (gas_leaves_from ? flow.by_from : flow.by_to) += by_gas * lighter;
    (brine_leaves_from ? flow.by_from : flow.by_to) += by_brine * lighter + flow.brine * brine_cell->dissolved_slope;
    return flow;
}

}  // namespace plumecast::connections
