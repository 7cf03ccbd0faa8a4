#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace plumecast {

/// State at a snapshot; fields [cells], rows from the top, columns outwards.
struct Snapshot {
    double time = 0.0;                         ///< [day]
    std::vector<double> pressure;              ///< of brine [bar]
    std::vector<double> capillary_pressure;    ///< of gas over brine [bar], where brine is the water phase
    std::vector<double> gas_saturation;        ///< fraction
    std::vector<double> dissolved_ratio;       ///< surface volume of CO2 per surface volume of brine [sm3/sm3]
    std::vector<double> inverse_gas_volume;    ///< surface over reservoir volume of CO2 [sm3/rm3]
    std::vector<double> inverse_brine_volume;  ///< surface over reservoir volume of brine [sm3/rm3]
    double injected = 0.0;                     ///< since the start [sm3]
    double bottom_hole_pressure = 0.0;         ///< the highest of the wells that inject [bar]; NaN where none does
};

/// What the simulator computed for a case.
struct FlowResults {
    std::vector<double> pore_volume;       ///< [cells] at the initial pressure of the top [rm3]
    std::vector<double> initial_pressure;  ///< [cells] [bar]
    std::vector<Snapshot> snapshots;
};

/// Reads CASE.INIT, CASE.UNRST and the summary in `folder`; `cells` are the active ones of the grid. Throws InvalidData
/// naming file and byte, or the snapshot that is missing, when the files do not hold all `times` [day] of so many
/// cells; IoError when one is missing.
FlowResults read_flow_results(const std::filesystem::path& folder, std::size_t cells, std::span<const double> times);

}  // namespace plumecast
