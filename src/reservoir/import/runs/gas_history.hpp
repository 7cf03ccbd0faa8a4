#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reservoir/eclipse/summary.hpp"
#include "reservoir/import/reservoir_model.hpp"
#include "reservoir/import/runs/run_record.hpp"
#include "reservoir/import/runs/well_states.hpp"

namespace plumecast {

/// Vectors of the summary that gas_history(), gas_imbalance() and bottom_hole_pressures() read.
inline constexpr std::string_view history_keywords[] = {"FGIT",  "FGIR",  "WGIT", "WGIR", "FGIP",
                                                        "FGIPG", "FGIPL", "FGPT", "FGPR", "WBHP"};

/// What was injected between two days of a run, by well and cell. Totals are WGIT and FGIT; where these are missing,
/// rates of the summary over its steps, and then the connections of the restart file. Nothing when the run has neither
/// summary nor wells. Throws InvalidData naming the run when it goes on from another one and nothing tells what that
/// one had injected, when a total falls, and when the summary ends before `to`.
std::optional<InjectionHistory> gas_history(const RunRecord& run, double from, double to);

/// The largest share of the injected gas that a run made (positive) or lost up to a day: gas in place (FGIP, else FGIPG
/// and FGIPL) against what was injected and produced (FGPT). Nothing when the summary does not tell. A run that
/// `starts_without_gas` is compared from its start on, another one from its first step on.
std::optional<GasImbalance> gas_imbalance(const RunRecord& run, const InjectionHistory& history, double from,
                                          bool starts_without_gas);

/// The highest bottom-hole pressure of the wells that inject [bar] by day since `from`: WBHP of the summary, else of
/// the restart file. Empty when neither tells.
std::map<double, double> bottom_hole_pressures(const RunRecord& run, double from);

}  // namespace plumecast
