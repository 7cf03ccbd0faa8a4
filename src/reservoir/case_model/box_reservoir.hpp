#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "reservoir/case_model/geology.hpp"
#include "reservoir/case_model/topography.hpp"

namespace plumecast {

/// A well of a box: which cells it opens and how much it injects.
struct BoxWell {
    std::size_t line = 0;
    std::size_t column = 0;
    double injection_rate = 0.0;         ///< [Mt/year]; the mean until all wells have stopped, with a schedule
    std::vector<double> perforation;     ///< [active rows] perforated fraction of the height of each row
    std::vector<double> schedule_rates;  ///< [P] [Mt/year]; empty where the rate is constant

    /// The largest rate at any time [Mt/year].
    double largest_rate() const {
        return schedule_rates.empty() ? injection_rate : *std::ranges::max_element(schedule_rates);
    }
};

/// A case in a box, ready to be simulated. Maps cover the active rows only.
struct BoxReservoir {
    SampledCase inputs;
    BoxGrid grid;  ///< of the whole file; rows below the formation take no part
    double aquifer = 1.0;
    std::size_t active_rows = 0;
    Geology rock;  ///< [active rows, Y, X]
    std::vector<BoxWell> wells;
    std::size_t most_wells = 1;                 ///< that a case of the data set may have
    std::optional<CornerPoints> corner_points;  ///< of all rows; none where the layers are level
    std::vector<FaultTrace> faults;
    std::vector<double> fault_multipliers;  ///< of the transmissibilities across each

    std::size_t plane() const { return grid.lines() * grid.columns(); }
    std::size_t cell(std::size_t row, const BoxWell& well) const {
        return (row * grid.lines() + well.line) * grid.columns() + well.column;
    }
    double row_height() const { return grid.z_edges[1] - grid.z_edges[0]; }
    double thickness() const { return grid.z_edges[active_rows]; }  ///< [m]
    /// What flows between the active rows' cells of corner points, with the multipliers of faults. Expects corner
    /// points.
    CellConnections connections() const;
    /// Depth of the centre of a cell below the highest corner of the grid [m].
    double depth(std::size_t cell) const;
    /// Volumes of pores [active rows, Y, X] with those of the aquifer around [m3].
    std::vector<double> pore_volumes() const;
    /// Share [active rows] of a well's rate that each row is expected to take: by permeability and perforated height.
    std::vector<double> shares(const BoxWell& well) const;
};

/// Draws a case, with schedules until `last` [day] where there are any, and puts it on the grid; two wells that fall
/// into one column become one.
BoxReservoir draw_box(const GeneratorConfiguration& configuration, const BoxGrid& grid, std::int64_t number,
                      double last);

/// Estimate of the largest pressure build-up in a cell [bar]: steady radial flow of water around each well, through the
/// perforated rows of its column up to the next one and the mean transmissivity beyond, twice as easy within its plume,
/// to the sides; the wells' contributions add up.
double estimated_buildup(const BoxReservoir& reservoir, double days);

}  // namespace plumecast
