#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast::connections {

/// Two cells between which fluids flow.
struct Connection {
    std::size_t from = 0, to = 0;
    double transmissibility = 0.0;  ///< [cP m3/(day bar)]
};

/// Where a well opens to a cell.
struct Perforation {
    std::size_t cell = 0;
    double factor = 0.0;  ///< connection factor [cP m3/(day bar)]
};

/// A well that injects CO2 at given rates; its bottom-hole pressure is that at the depth of its first perforation.
struct Well {
    std::vector<Perforation> perforations;
    std::vector<double> rates;  ///< [P] in the periods [Mt/year]
};

/// A reservoir as a list of cells, of connections between any two of them, and of wells, closed where nothing connects.
/// A grid gives its active cells alone. Cells are numbered column by column: the pressure solver has one unknown of its
/// coarse space for each column, and transport solves a column at a time.
struct FlowModel {
    std::vector<double> pore_volume;         ///< at the reference pressure [m3]
    std::vector<double> depth;               ///< of the centres below the top of the formation [m]
    std::vector<double> capillary;           ///< factor on the capillary pressure: leverett_factor()
    std::vector<double> initial_pressure;    ///< [bar]
    std::vector<std::size_t> column_starts;  ///< first cell of each column, then the number of cells
    std::vector<Connection> connections;     ///< each pair of cells once at most
    std::vector<Well> wells;                 ///< in their order, whether they inject or not
    std::vector<double> period_ends;         ///< [P] of periods of constant rates [day], increasing
    double reference_pressure = 0.0;         ///< of the pore volumes and of brine [bar]
    double temperature = 0.0;                ///< [degC], without `temperatures`
    double salinity = 0.0;                   ///< NaCl per brine [kg/kg]
    double irreducible_water_saturation = 0.0;
    double van_genuchten_lambda = 0.0;
    double residual_gas_saturation = 0.0;  ///< that returning brine traps at most (Land), also with tables
    RockFluidSettings rock_fluid;
    /// In the place of irreducible water, lambda and entry pressure; empty otherwise.
    std::vector<std::vector<SaturationRow>> saturation_tables;
    std::vector<std::size_t> table;    ///< of each cell, counted from 0; empty without tables
    std::vector<double> temperatures;  ///< that cells have [degC]; empty where all have the same
    std::vector<std::size_t> warmth;   ///< of each cell, which of `temperatures` it has; empty without them

    std::size_t cells() const { return pore_volume.size(); }
    std::size_t columns() const { return column_starts.size() - 1; }
    /// Rates of all wells together.
    InjectionSchedule injection() const;
    /// Throws InvalidInput that begins with `name` where sizes differ, a number is beyond those that exist, a
    /// connection joins a cell to itself, a value is not positive where it must be, or no well opens to a cell.
    void check(const std::string& name) const;
};

}  // namespace plumecast::connections
