#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/eclipse/grid.hpp"
#include "reservoir/import/case_values.hpp"
#include "reservoir/import/runs/running_total.hpp"

namespace plumecast {

/// A cell that a well reaches.
struct Connection {
    std::int64_t cell = 0;
    double rate = 0.0;  ///< share of what is injected, in any unit
};

/// What one well injected.
struct WellInjection {
    std::string name;
    std::vector<double> volumes;  ///< gas injected until each day of the history [sm3]
    /// Gas injected into each cell until the last day [sm3]. What the files do not place in a cell is left out.
    std::map<std::int64_t, double> cells;
};

/// What was injected in the course of time.
struct InjectionHistory {
    std::vector<double> days;     ///< from 0 on, increasing
    std::vector<double> volumes;  ///< gas injected until then [sm3], from 0 on
    /// False when it is known which wells inject, but not how much; volumes are then those of a steady unit rate.
    bool has_volumes = true;
    double before = 0.0;        ///< gas injected before the first day [sm3]
    std::string restarts = {};  ///< the run that this one goes on from, when `before` was counted back to its end
    std::vector<WellInjection> wells = {};
    /// What had to be assumed, and what a data set leaves out, one clause each.
    std::vector<std::string> notes = {};

    /// Injected until a day, along straight lines between those known.
    double until(double day) const;
};

/// What flows between cells, in those that are active [cP m3/(day bar)].
struct Transmissibilities {
    /// [cells] to the next cell along i and j, and to the one below.
    std::vector<double> x, y, z;
    /// Between other cells, or beside the above; the lesser place first.
    std::map<eclipse::CellPair, double> apart;
};

/// CO2 that a simulation made (positive) or lost, as a share of what was injected, by a day of the run.
struct GasImbalance {
    double share = 0.0;
    double day = 0.0;
};

/// A reservoir as others have described it, in the order of the grid's cells and in the units of the data set format.
class ReservoirModel {
   public:
    virtual ~ReservoirModel() = default;

    /// File or run, for messages.
    virtual const std::string& name() const = 0;
    /// The grid [m]; nothing when the model has properties only. Throws InvalidData, IoError.
    virtual const eclipse::CornerPointGrid* grid() = 0;
    /// A property of cells that does not change, by its keyword, PORO or PERMX: one value per cell, 0 in inactive ones;
    /// nothing when the model has none. `cells` is the number of cells of a model without grid. PORV is in rm3, and NaN
    /// where the model leaves it to PORO and NTG.
    virtual std::optional<std::vector<double>> property(std::string_view keyword, std::int64_t cells) = 0;

    /// What the model says of itself and a data set cannot carry, one line per kind. `is_radial` when its grid is
    /// taken as rings around a well, `states_flow` when the data set holds transmissibilities().
    virtual std::vector<std::string> notes(bool is_radial, bool states_flow) = 0;

    /// Days at which states are known; empty when nothing was simulated.
    virtual const std::vector<double>& times() = 0;
    /// Pressure [bar], gas saturation, and temperature [degC] where the model holds it, at a time: one value per cell,
    /// 0 in inactive ones.
    virtual std::vector<double> pressure(std::size_t step) = 0;
    virtual std::vector<double> gas_saturation(std::size_t step) = 0;
    virtual std::optional<std::vector<double>> temperature(std::size_t step) = 0;
    /// Gas injected between two days, counted from the first of them; nothing when the model does not say.
    virtual std::optional<InjectionHistory> injected(double from, double to) = 0;

    // What only some models tell.

    /// Salinity of the brine [kg NaCl per kg].
    virtual std::optional<double> salinity() { return std::nullopt; }
    /// Compressibility of the pore volume [1/bar].
    virtual std::optional<double> rock_compressibility() { return std::nullopt; }
    /// Temperatures [degC] by depth [m]; empty when the model tells none.
    virtual RunningTotal temperatures() { return {}; }
    /// Saturation tables of the regions that the property SATNUM numbers from 1; empty when the model tells none.
    virtual SaturationTables saturation_tables() { return {}; }
    /// What flows between cells; nothing when the model tells it by geometry and permeability alone.
    virtual std::optional<Transmissibilities> transmissibilities() { return std::nullopt; }
    /// Transmissibility factors [cP m3/(day bar)] of the connections of wells, by cell, as the last state that holds a
    /// connection has them; empty when the model tells none.
    virtual std::map<std::int64_t, double> well_connection_factors() { return {}; }
    /// Date of day 0.
    virtual std::optional<std::chrono::sys_seconds> start_date() { return std::nullopt; }
    /// Saturation of oil that is no brine at a time, as pressure(); nothing without such oil.
    virtual std::optional<std::vector<double>> oil_saturation(std::size_t) { return std::nullopt; }
    /// Gas dissolved in the brine at a time: volume at the surface per pore volume [sm3/rm3], as pressure().
    virtual std::optional<std::vector<double>> dissolved_gas(std::size_t) { return std::nullopt; }
    /// Whether dissolved_gas() gives something at a time, and what it assumes or why not, one clause; empty for nothing
    /// to say.
    virtual std::pair<bool, std::string> tells_dissolved_gas(std::size_t) { return {false, ""}; }
    /// How far the gas in place departs from `history`, which begins on the day `from` of the state `initial`.
    virtual std::optional<GasImbalance> imbalance(const InjectionHistory&, double /*from*/, std::size_t /*initial*/) {
        return std::nullopt;
    }
    /// Highest bottom-hole pressure [bar] of the wells that inject, by day since `from`.
    virtual std::map<double, double> bottom_hole_pressures(double /*from*/) { return {}; }
};

/// Output of a simulator, found as eclipse::find_case() says.
std::unique_ptr<ReservoirModel> simulated_model(const std::string& path);
/// GRDECL text; lengths in `units` where it does not name their unit.
std::unique_ptr<ReservoirModel> written_model(const std::string& path, const std::string& units);

}  // namespace plumecast
