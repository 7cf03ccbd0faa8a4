#pragma once

#include <optional>
#include <string>

#include "reservoir/case_model/reservoir.hpp"
#include "reservoir/simulation/deck_constants.hpp"
#include "reservoir/simulation/flow_results.hpp"
#include "reservoir/simulation/rejection.hpp"

namespace plumecast {

/// Why a case does not enter the data set.
struct CaseProblem {
    Rejection reason = Rejection::simulator_failed;
    std::string detail;  ///< values and limits, for the record
};

/// Compares a finished simulation with what must hold at every snapshot: finite values, saturation in [0, 1], injection
/// as asked (or less, with a limit of the pressure in the well), CO2 in place as injected, no brine that holds more CO2
/// than brine beside gas; brine at rest, to 1e-3 bar, before anything is injected. Nothing when all is well. The
/// compressibility [1/bar] is that of the pores.
std::optional<CaseProblem> check_case(const CheckSettings& limits, const SampledCase& inputs,
                                      const FlowResults& results, double compressibility = rock_compressibility);
std::optional<CaseProblem> check_case(const CheckSettings& limits, const Reservoir& reservoir,
                                      const FlowResults& results);

/// CO2 in place [sm3]: free, sum of pv S / Bg, and dissolved, sum of pv Rs (1 - S) / Bo, with the pore volume pv at the
/// pressure of the cell.
double co2_in_place(const FlowResults& results, const Snapshot& snapshot, double reference_pressure,
                    double compressibility = rock_compressibility);

}  // namespace plumecast
