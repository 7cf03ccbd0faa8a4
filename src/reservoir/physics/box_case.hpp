#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast {

/// Two cells of a box that are connected though they are no neighbours by their indices, as a fault brings them
/// together, or beside what connects neighbours.
struct BoxConnection {
    std::size_t first = 0, second = 0;  ///< places in [Z, Y, X]
    double transmissibility = 0.0;      ///< [cP m3/(day bar)]
};

/// One case of injection through any number of vertical wells on a Cartesian grid, as a data set holds it. The boundary
/// is closed at all sides. A corner-point grid has volumes, depths and transmissibilities of its own.
struct BoxCase {
    std::vector<double> x_edges;  ///< [X+1] [m], increasing
    std::vector<double> y_edges;  ///< [Y+1] [m], increasing
    std::vector<double> z_edges;  ///< [Z+1] depth below the top of the formation [m], increasing
    std::vector<double> times;    ///< [T] of the snapshots [day], increasing

    std::vector<double> permeability_x;  ///< [Z, Y, X] [mD]
    std::vector<double> permeability_y;  ///< [Z, Y, X] [mD]
    std::vector<double> permeability_z;  ///< [Z, Y, X] [mD]
    std::vector<double> porosity;        ///< [Z, Y, X]
    std::vector<double> perforation;     ///< [Z, Y, X] share of the height that is open to a well
    std::vector<char> active;            ///< [Z, Y, X] cells that belong to the formation
    /// [Z, Y, X] [Mt/year]; the perforated cells above each other are one well, at the sum of their rates.
    std::vector<double> cell_injection_rate;

    /// [P] of periods of constant rates of the wells [day], increasing; in the place of cell_injection_rate where there
    /// are any, after the last of which nothing is injected.
    std::vector<double> schedule_ends;
    /// [wells or more, P] in the order of box_wells() [Mt/year]; 0 beyond the wells of the case, since a data set has
    /// rates of as many as any of its cases has.
    std::vector<std::vector<double>> schedule_rates;

    double initial_pressure = 0.0;  ///< at the top [bar]
    double temperature = 0.0;       ///< [degC]
    double salinity = 0.0;          ///< NaCl per brine [kg/kg]
    double irreducible_water_saturation = 0.0;
    double van_genuchten_lambda = 0.0;
    /// That returning brine traps at most (Land); none where a data set does not say, which then has no trapped gas.
    std::optional<double> residual_gas_saturation;
    double aquifer = 1.0;      ///< what the pore volume of the cells at the four sides is multiplied by
    double well_radius = 0.1;  ///< [m]
    RockFluidSettings rock_fluid;

    /// [Z, Y, X] at the initial pressure [m3], in the place of porosity times volume and of `aquifer`; empty otherwise.
    std::vector<double> pore_volume;
    /// Relative permeabilities and capillary pressures of the regions, in the place of irreducible water, lambda and
    /// entry pressure; empty otherwise.
    std::vector<std::vector<SaturationRow>> saturation_tables;
    std::vector<std::size_t> saturation_region;  ///< [Z, Y, X] table of each cell, counted from 1

    std::vector<double> cell_volume;  ///< [Z, Y, X] [m3]; empty where it is that between the edges
    std::vector<double> cell_depth;   ///< [Z, Y, X] of the centre below the top [m]; empty where the edges tell it
    /// [Z, Y, X] [cP m3/(day bar)] to the next cell along x and y and to the one below, in the place of what follows
    /// from edges and permeabilities; empty otherwise, all three.
    std::vector<double> transmissibility_x, transmissibility_y, transmissibility_z;
    std::vector<BoxConnection> connections;  ///< between other cells, each pair once
    /// [Z, Y, X] factors of the wells' connections [cP m3/(day bar)], 0 where Peaceman's holds; empty where it holds in
    /// all cells.
    std::vector<double> well_connection_factor;

    double initial_brine_temperature() const {
        const double stated = rock_fluid.initial_brine_temperature;
        return std::isnan(stated) ? temperature : stated;
    }
    /// Whether temperatures differ with depth.
    bool grows_warmer() const {
        return !std::isnan(rock_fluid.temperature_gradient) && rock_fluid.temperature_gradient != 0.0;
    }
    /// [degC] at a depth below the top [m].
    double temperature_at(double below) const {
        const double gradient = rock_fluid.temperature_gradient;
        return std::isnan(gradient) ? temperature
                                    : temperature + gradient * (below - 0.5 * (z_edges.front() + z_edges.back()));
    }
    std::size_t rows() const { return z_edges.size() - 1; }
    std::size_t lines() const { return y_edges.size() - 1; }
    std::size_t columns() const { return x_edges.size() - 1; }
    std::size_t plane() const { return lines() * columns(); }  ///< cells of a row
    std::size_t cells() const { return rows() * plane(); }
    /// Depth of the centre of a cell below the top [m].
    double depth(std::size_t cell) const;
    /// Height of a cell [m], on the area between the edges.
    double height(std::size_t cell) const;

    /// Throws InvalidInput that begins with `name` and states cell, value and remedy when the physics cannot take the
    /// case: no perforated active cell, a rate where nothing is perforated, permeability or porosity not positive, a
    /// temperature or pressure outside the tables of CO2 (12 to 170 degC, 1 to 1000 bar), saturation functions or
    /// schedules that are none.
    void check(const std::string& name) const;
};

/// A vertical well of a BoxCase.
struct BoxCaseWell {
    std::size_t line = 0;
    std::size_t column = 0;
    double injection_rate = 0.0;  ///< [Mt/year]
    double depth = 0.0;           ///< middle of the perforated height below the top [m]
    std::vector<double> factors;  ///< [Z] connection factors [cP m3/(day bar)], 0 where closed or inactive
};

/// The wells of a case, line by line, then by column. Expects a case that BoxCase::check() has passed.
std::vector<BoxCaseWell> box_wells(const BoxCase& box);

/// Distance [m] from a well in the middle of a cell of widths dx and dy [m] at which steady flow has the pressure of
/// the cell, for permeabilities along x and y: Peaceman (1983).
double box_equivalent_radius(double dx, double dy, double permeability_x, double permeability_y);

/// Connection factor [cP m3/(day bar)] of a well of a radius [m] in the middle of a cell of widths dx and dy over a
/// height dz [m], for permeabilities [mD] along x and y: Peaceman (1983). Throws InvalidInput where the cell is too
/// narrow for the well.
double box_connection_factor(double dx, double dy, double dz, double permeability_x, double permeability_y,
                             double well_radius);

}  // namespace plumecast
