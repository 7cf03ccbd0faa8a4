#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reservoir/import/grid_shape.hpp"
#include "reservoir/import/reservoir_model.hpp"
#include "reservoir/import/runs/rate_periods.hpp"

namespace plumecast {

/// Where the states of a case stand among those of its model.
struct CaseSteps {
    std::size_t initial = 0;             ///< at the start of injection
    std::vector<std::size_t> snapshots;  ///< after it
    std::vector<double> times;           ///< of the snapshots since the start of injection [day]
};

/// What is injected into a case.
struct Injection {
    /// Over the time in which something is injected [Mt/year]; nothing when neither values nor model say.
    std::optional<double> rate;
    /// Injected until each snapshot [Mt]; empty when the model does not say.
    std::vector<double> mass;
    double density = 0.0;           ///< of the gas at the surface [kg/sm3]; 0 when not known
    std::vector<Connection> cells;  ///< in the model's grid; empty when the model does not say
    std::string wells;              ///< their names and rates, as text
    /// Rates until the last snapshot of the wells whose injection is known, by their columns in the grid: one with a
    /// radial grid, and one for each column that a well opens to otherwise. Empty where they are not known.
    std::vector<std::vector<RatePeriod>> periods;
    /// Why one rate per well for all times is refused: their shares change. Empty where they do not.
    std::string changes;
    /// How the injection departs from one rate, one sentence; empty where it is steady.
    std::string departure;
    /// What was assumed, and what one rate for all times leaves out, one sentence each.
    std::vector<std::string> notes;
};

/// Chooses the states that a case has by its values. Throws InvalidData naming the model and the day that is missing.
CaseSteps steps_of(ReservoirModel& model, const CaseValues& values);

/// Arrays of one case on the grid of its data set, in the units of the format; 0 in inactive cells.
using CaseArrays = std::map<std::string, std::vector<float>>;

/// Salinity of the brine of a case [kg NaCl per kg]: as stated, else as the model says, else 0.
double salinity_of_case(ReservoirModel& model, const CaseValues& values);

/// Temperatures of a formation that grows warmer with depth.
struct TemperatureLine {
    double top = 0.0;       ///< [degC]
    double gradient = 0.0;  ///< [degC/m]
};

/// The straight line between the temperatures that a model states for top and base of its grid; nothing where it states
/// none.
std::optional<TemperatureLine> temperature_line(ReservoirModel& model, const StoredGrid& shape);

/// Maps and scalars. `shape` is the case's own, `grid` that of the data set. Throws InvalidData naming the model, the
/// array and the way to supply what is missing.
CaseArrays case_inputs(ReservoirModel& model, const CaseValues& values, const CaseSteps& steps,
                       const Injection& injection, const StoredGrid& shape, const StoredGrid& grid);

/// gas_saturation and pressure_buildup, and dissolved_co2 where `density` of the gas at the surface [kg/sm3] is not 0.
CaseArrays case_outputs(ReservoirModel& model, const CaseSteps& steps, double density, const StoredGrid& shape,
                        const StoredGrid& grid);

}  // namespace plumecast
