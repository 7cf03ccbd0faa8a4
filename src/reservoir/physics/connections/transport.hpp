#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/physics/connections/cell_state.hpp"
#include "reservoir/physics/connections/phase_flow.hpp"

namespace plumecast::connections {

/// Of saturation beyond what leaves the irreducible water, that a step may end with.
inline constexpr double overshoot = 0.05;

/// Masses in each cell [kg].
struct Masses {
    std::vector<double> co2, brine;
};

/// Moves CO2 and brine with a given flow of both phases together, implicitly: columns by Newton's method, swept in the
/// order of the potential of gas until none changes.
class Transport {
   public:
    /// A time step, and the change of masses per pore volume over the density of CO2 below which sweeps end.
    struct Step {
        double days = 0.0, tolerance = 0.0;
    };

    /// The model and its properties must outlive this.
    Transport(const FlowModel& model, const CellProperties& properties);

    /// Masses at the end of a step. `cells` are at the pressures [bar] of its end, and hold masses to
    /// start from; they end with what the iterations found. `volumes` [m3/day] flow through the connections, `sources`
    /// [kg/day] of CO2 come into cells. What leaves a cell enters another, so that both masses are conserved to
    /// rounding. False where a column does not converge.
    bool move(const Step& step, std::vector<CellState>& cells, const std::vector<double>& pressures,
              const std::vector<double>& volumes, const std::vector<double>& sources, const Masses& before,
              Masses& after);

    /// False where a cell has less CO2 than none, more gas than leaves the irreducible water, or less brine than that,
    /// each but for what the next steps mend. What a cell had too much already at the start of the step, with these
    /// masses and saturations, it may keep.
    bool are_possible(const std::vector<CellState>& cells, const Masses& masses, const Masses& before,
                      const std::vector<double>& saturations) const;

   private:
    /// A connection as a cell sees it.
    struct Face {
        std::size_t connection = 0, other = 0;
        bool is_from = true;   ///< whether the cell is the first of the connection
        bool is_next = false;  ///< whether `other` is the next cell of the same column
        bool is_last = false;  ///< whether it is the one before
    };
    void add_faces();
    PhaseFlow flow(std::size_t connection) const;
    void order_columns(const std::vector<double>& pressures);
    bool sweep();
    bool solve_column(std::size_t column, double& change);
    double linearise(std::size_t column);
    double update(std::size_t column, int iteration);
    void store(const std::vector<double>& sources, const Masses& before, Masses& after) const;

    const FlowModel& model_;
    const CellProperties& properties_;
    std::vector<std::size_t> face_starts_;
    std::vector<Face> faces_;
    std::vector<std::size_t> column_of_;
    std::vector<std::vector<std::size_t>> neighbours_;  // columns that a column is connected with
    std::vector<double> below_;                         // by how much the first cell of a connection is deeper [m]
    // Of the step at work.
    Step step_;
    std::vector<CellState>* cells_ = nullptr;
    const std::vector<double>* volumes_ = nullptr;
    std::vector<double> mass_;    // CO2 per pore volume [kg/m3]
    std::vector<double> supply_;  // CO2 at the start and from wells [kg]
    std::vector<std::size_t> order_;
    std::vector<char> is_due_;
    std::vector<double> lower_, centre_, upper_, residual_, steps_;  // tridiagonal system of a column
};

}  // namespace plumecast::connections
