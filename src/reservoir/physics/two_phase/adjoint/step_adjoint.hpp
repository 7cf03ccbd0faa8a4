#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/physics/two_phase/adjoint/simulation_weights.hpp"
#include "reservoir/physics/two_phase/adjoint/step_stages.hpp"

namespace plumecast::two_phase {

/// The way back through a time step: from the derivatives of a sum by the state after it to those by the state before
/// it, and by the constants of the simulation, stage by stage from the last to the first.
class StepAdjoint {
   public:
    /// `by` grows by what each step asks of the constants. Both must outlive this.
    StepAdjoint(const Simulation& simulation, SimulationWeights& by);

    /// `weights`: of the values of the state after the step as given, of those before it on return. Shut rows and the
    /// build-up in the well have none.
    void back(StepStages& stages, State& weights);

   private:
    void clear_properties();
    void leave_over_back(const StepStages& stages, const State& weights);
    void properties_back(const PressureStage& stage, std::vector<double>& saturation);
    void start_back(const StepStages& stages, State& weights);
    void forget_back(const StepStages& stages, State& weights);

    // Pressure: of `buildup_` as the answer, which becomes that before it.
    void pressure_back(const StepStages& stages, PressureStage& stage, State& weights, bool has_flow);
    void flow_back(const PressureStage& stage, const State& weights);
    void storage_back(const StepStages& stages, const PressureStage& stage);
    void faces_back(const PressureStage& stage, bool has_flow);
    /// Of the drops of build-up that a face has beside that of the unknowns.
    struct Drops {
        double standing, other;
    };
    Drops face_back(const PressureStage& stage, std::size_t from, std::size_t to, double transmissibility, Drops drops,
                    double by_flow, double& by_transmissibility);
    Drops drops_below(const PressureStage& stage, std::size_t cell) const;
    void well_back(const PressureStage& stage, State& weights);
    double well_factor(const PressureStage& stage, std::size_t row) const;
    double well_head(const PressureStage& stage, std::size_t row) const;
    double well_drop(const PressureStage& stage, std::size_t row) const;

    // Transport, columns inwards.
    struct Cell;
    struct CellWeights;
    struct FaceSlopes;
    struct Crossing;
    struct Column;
    void transport_back(const StepStages& stages, const TransportStage& stage, State& weights);
    void dissolution_back(const StepStages& stages, const TransportStage& stage, State& weights);
    Cell cell_of(std::size_t cell, double mass, const Co2State& co2) const;
    FaceSlopes slopes_of(const Cell& from, const Cell& to, double transmissibility, double volume, double head) const;
    FaceSlopes opposed_slopes_of(const Cell& from, const Cell& to, double transmissibility, double volume,
                                 double drive) const;
    void read_column(const TransportStage& stage, std::size_t column, Column& at) const;
    void column_back(const StepStages& stages, const TransportStage& stage, std::size_t column, State& weights,
                     Column& at);
    void solve_column(std::size_t first, const State& weights, double days, Column& at) const;
    void spread(std::size_t first, State& weights, Column& at);
    double cell_back(std::size_t cell, const Cell& of, const CellWeights& weights);

    const Simulation& simulation_;
    const Reservoir& reservoir_;
    const FluidTable& fluids_;
    SimulationWeights& by_;
    PropertyWeights properties_;  // at the stage at work
    std::vector<double> buildup_;
    double well_ = 0.0;                             // weight, then answer
    std::vector<double> answer_;                    // of the transposed system
    std::vector<double> dissolution_, assumed_;     // weights of the volume lost
    std::vector<double> old_mass_, old_dissolved_;  // of the state before
    std::vector<double> settled_, shrinkage_, carried_;
    std::vector<double> dissolved_in_;
    std::vector<double> outward_, upward_;         // of the flow of both phases
    std::vector<double> well_factor_, well_head_;  // rows
    std::vector<double> limit_;                    // of the dissolved limit that the last transport had
};

}  // namespace plumecast::two_phase
