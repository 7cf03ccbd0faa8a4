#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/physics/two_phase/adjoint/simulation_cotangents.hpp"
#include "reservoir/physics/two_phase/adjoint/step_stages.hpp"

namespace plumecast::two_phase {

/// Adjoint of a time step, stage by stage from the last to the first: from the cotangents of the state after the step
/// (the derivatives of a sum by it) to those of the state before it and of the constants of the simulation. A name
/// `by_x` is the cotangent of x.
class StepAdjoint {
   public:
    /// Each step adds the cotangents of the constants to `by`. Both must outlive this.
    StepAdjoint(const Simulation& simulation, SimulationCotangents& by);

    /// `cotangents`: of the state after the step as given, of the state before it on return. Shut rows and the build-up
    /// in the well have none.
    void back(StepStages& stages, State& cotangents);

   private:
    void clear_properties();
    void peaks_back(const StepStages& stages, State& cotangents);
    GasSaturation gas_of(std::size_t cell, double saturation) const;
    void add_peak(std::size_t cell, double cotangent);
    void leave_over_back(const StepStages& stages, State& cotangents);
    void properties_back(const PressureStage& stage, std::vector<double>& saturation);
    double mean_weight(std::size_t cell) const;
    void add_weight(std::size_t cell, double by_mean);
    void weights_back(const StepStages& stages, State& cotangents);
    void start_back(const StepStages& stages, State& cotangents);
    void forget_back(const StepStages& stages, State& cotangents);

    // Pressure solve: `buildup_` is the cotangent of its solution, and becomes that of the build-up before it.
    void pressure_back(const StepStages& stages, PressureStage& stage, State& cotangents, bool has_flow);
    void flow_back(const PressureStage& stage, const State& cotangents);
    void storage_back(const StepStages& stages, const PressureStage& stage);
    void faces_back(const PressureStage& stage, bool has_flow);
    /// The drops across a face that are known beforehand: of brine at rest, and of gas beyond that of brine.
    struct Drops {
        double standing, other;
    };
    Drops face_back(const PressureStage& stage, std::size_t from, std::size_t to, double transmissibility, Drops drops,
                    double by_flow, double& by_transmissibility);
    Drops drops_below(const PressureStage& stage, std::size_t cell) const;
    double limit_back(double density);
    void well_back(const PressureStage& stage, State& cotangents);
    double well_factor(const PressureStage& stage, std::size_t row) const;
    double well_head(const PressureStage& stage, std::size_t row) const;
    double well_drop(const PressureStage& stage, std::size_t row) const;

    // Transport, columns from the outermost to the well.
    struct Cell;
    struct CellCotangents;
    struct FaceSlopes;
    struct Crossing;
    struct Column;
    void transport_back(const StepStages& stages, const TransportStage& stage, State& cotangents);
    void dissolution_back(const StepStages& stages, const TransportStage& stage, State& cotangents);
    Cell cell_of(std::size_t cell, double mass, const Co2State& co2) const;
    FaceSlopes slopes_of(const Cell& from, const Cell& to, double transmissibility, double volume, double head) const;
    FaceSlopes crossing_slopes_of(const Cell& from, const Cell& to, double transmissibility, double volume,
                                  double drive) const;
    void read_column(const TransportStage& stage, std::size_t column, Column& at) const;
    void column_back(const StepStages& stages, const TransportStage& stage, std::size_t column, State& cotangents,
                     Column& at);
    void solve_column(std::size_t first, const State& cotangents, double days, Column& at) const;
    void spread(std::size_t first, State& cotangents, Column& at);
    double cell_back(std::size_t cell, const Cell& of, const CellCotangents& cotangents);

    const Simulation& simulation_;
    const Reservoir& reservoir_;
    const FluidTable& fluids_;
    SimulationCotangents& by_;
    PropertyCotangents properties_;  // at the stage at work
    std::vector<double> buildup_;
    double well_ = 0.0;                             // cotangent, then solution of the transposed system
    std::vector<double> answer_;                    // solution of the transposed system
    const std::vector<double>* peaks_ = nullptr;    // largest saturations before the step
    std::vector<double> by_peak_;                   // empty without hysteresis
    std::vector<double> by_weight_;                 // of the brine at the start of the step
    std::vector<double> dissolution_, assumed_;     // cotangents of the volume lost
    std::vector<double> old_mass_, old_dissolved_;  // of the state before
    std::vector<double> transport_saturation_, shrinkage_, transport_buildup_;
    std::vector<double> dissolved_in_;
    std::vector<double> outward_, upward_;         // of the flow of both phases
    std::vector<double> well_factor_, well_head_;  // rows
    std::vector<double> limit_;                    // of the dissolved limit that the last transport had
    double injected_rate_ = 0.0;                   // of the mass that a well at its limit lets in
};

}  // namespace plumecast::two_phase
