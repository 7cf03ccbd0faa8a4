#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/physics/two_phase/adjoint/simulation_cotangents.hpp"
#include "reservoir/physics/two_phase/adjoint/step_stages.hpp"

namespace plumecast::two_phase {

/// Adjoint of a time step, stage by stage from the last to the first: from the cotangents of the state after the step
/// (the derivatives of a sum by it) to those of the state before it and of the constants of the simulation. A name
/// `by_x` is the cotangent of x. What the balances are made of is that of balances.hpp and face_flows.hpp with duals.
class StepAdjoint {
   public:
    /// Each step adds the cotangents of the constants to `by`. Both must outlive this.
    StepAdjoint(const Simulation& simulation, SimulationCotangents& by);

    /// `by_state`: of the state after the step as given, of the state before it on return. Its `well` is the cotangent
    /// of Simulation::bottom_hole_pressure() as given, and 0 on return; shut rows have none.
    void back(StepStages& stages, State& by_state);

   private:
    /// A face and where the cotangents of what it has are.
    struct Face {
        FaceKind kind;
        std::size_t cell, from, to;  ///< whose outer or lower face it is; counted from one cell to another
        double transmissibility, head;
        double &by_transmissibility, &by_volume;

        double volume(const StepValues& at) const {
            return (kind == FaceKind::of_rings ? at.outward : at.upward)[cell];
        }
    };
    Face outer_face(std::size_t cell);
    Face lower_face(std::size_t cell);
    bool has_outer(std::size_t cell) const { return cell + reservoir_.rows < reservoir_.cells(); }
    bool has_lower(std::size_t cell) const { return cell % reservoir_.rows + 1 < reservoir_.rows; }

    void drops_back(const Face& face, double by_standing, double by_beyond);
    void peaks_back(const StepStages& stages, State& by_state);
    GasSaturation gas_of(std::size_t cell, double saturation) const;
    void filled_back(double by_saturation, std::size_t cell, const State& of, const StepValues& at, double limit,
                     double& by_limit, State& by_state);
    void leave_over_back(const StepStages& stages, State& by_state);
    double mobilities_back(std::size_t cell, double saturation, double viscosity, State& by_state);
    void fluids_back(std::size_t cell, double buildup, State& by_state);
    void properties_back(const PressureStage& stage, State& by_state);
    void weights_back(const StepStages& stages, State& by_state);
    void start_back(const StepStages& stages, State& by_state);
    void forget_back(const StepStages& stages, State& by_state);

    // Pressure solve: the build-up of `by_state` is the cotangent of its solution, and becomes that of the one before.
    void pressure_back(const StepStages& stages, PressureStage& stage, State& by_state, bool has_flow);
    void shares_back(const PressureStage& stage, State& by_state);
    void storage_back(const StepStages& stages, const PressureStage& stage, State& by_state);
    void face_back(const PressureStage& stage, const Face& face);
    void well_back(const PressureStage& stage, double by_bottom_hole, State& by_state);
    void row_back(const PressureStage& stage, std::size_t row, double mean_capillary, double by_capillary,
                  double& by_density);
    void well_density_back(const PressureStage& stage, double by_density, State& by_state);
    double well_factor(const PressureStage& stage, std::size_t row) const;
    double well_drop(const PressureStage& stage, std::size_t row) const;

    // Transport, columns from the outermost to the well.
    struct Column;
    void transport_back(const StepStages& stages, const TransportStage& stage, State& by_state);
    void dissolution_back(const StepStages& stages, const TransportStage& stage, State& by_state);
    Crossing<Dual<2>> slopes_by_mass(const TransportStage& stage, const Face& face) const;
    void solve_column(std::size_t first, const State& by_state, double days, Column& at) const;
    void column_back(const StepStages& stages, const TransportStage& stage, std::size_t column, State& by_state,
                     Column& at);
    /// Where the values and the cotangents of one side of a face are, in the transport.
    struct Side {
        std::size_t cell;
        const StepValues& at;
        const State& state;
    };
    Side from_side(const TransportStage& stage, const Face& face) const;
    Side to_side(const TransportStage& stage, const Face& face) const;
    double drive_of(const TransportStage& stage, const Face& face) const;
    void crossing_back(const TransportStage& stage, const Face& face, double by_mass, double by_dissolved,
                       State& by_state);
    void cell_back(const TransportStage& stage, std::size_t cell, const State& at, State& by_state);

    const Simulation& simulation_;
    const Reservoir& reservoir_;
    const FluidTable& fluids_;
    SimulationCotangents& by_;
    StepValues by_values_;                        // at the stage at work
    State by_before_;                             // of the state before the step, but for what `by_state` becomes
    double well_ = 0.0;                           // solution of the transposed system
    std::vector<double> answer_;                  // likewise
    std::vector<double> by_inflow_;               // of what flows into the rows of the well
    const std::vector<double>* peaks_ = nullptr;  // largest saturations before the step
    const StepValues* start_ = nullptr;           // values of the first stage of the step
};

}  // namespace plumecast::two_phase
