#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "reservoir/physics/scalars/taped.hpp"
#include "reservoir/physics/two_phase/adjoint/simulation_cotangents.hpp"
#include "reservoir/physics/two_phase/adjoint/step_stages.hpp"

namespace plumecast::two_phase {

/// Adjoint of time steps, stage by stage from the last to the first: from the cotangents of the state after a step (the
/// derivatives of a sum by it) to those of the state before it and of the constants of the simulation. The equations of
/// each cell, face and well are those of balances.hpp and face_flows.hpp on Taped numbers. `by_x` is the cotangent of
/// x.
class StepAdjoint {
   public:
    /// `simulation` must outlive this.
    StepAdjoint(const Simulation& simulation, TableSlopes slopes);

    /// Cotangents of the state: after a step before back(), before it afterwards. `well` is that of
    /// Simulation::bottom_hole_pressure(), and 0 afterwards; shut rows have none.
    State& by_state() { return by_state_; }
    /// Of the constants, which each step adds to.
    SimulationCotangents& by_constants() { return by_; }

    void back(StepStages& stages);
    /// Before the first step, where all pores hold brine of the initial density.
    void to_initial_brine();

   private:
    using ValuesPart = std::vector<double> StepValues::*;
    using StatePart = std::vector<double> State::*;
    /// What a face lies between.
    enum class FaceKind { of_rings, of_rows };
    /// A face and its cells, counted from one to another; it is the outer or lower face of `cell`.
    struct Face {
        FaceKind kind;
        std::size_t cell, from, to;
    };
    /// One side of a face in the transport.
    struct Side {
        std::size_t cell;
        const StepValues& at;
        const State& state;
    };
    struct Well;

    // Numbers of a cell, of the constants and of the tables, and where their cotangents are.
    template <typename Number = Taped>
    Number of(const StepValues& at, ValuesPart part, std::size_t cell) {
        if constexpr (std::is_same_v<Number, double>) {
            return (at.*part)[cell];
        } else {
            return tape_((at.*part)[cell], (by_values_.*part)[cell]);
        }
    }
    Taped of(const State& at, StatePart part, std::size_t cell) {
        return tape_((at.*part)[cell], (by_state_.*part)[cell]);
    }
    Taped transmissibility(const Face& face) {
        return face.kind == FaceKind::of_rings ? tape_(reservoir_.radial[face.cell], by_.radial[face.cell])
                                               : tape_(reservoir_.vertical[face.cell], by_.vertical[face.cell]);
    }
    Taped volume(const StepValues& at, const Face& face) {
        return of(at, face.kind == FaceKind::of_rings ? &StepValues::outward : &StepValues::upward, face.cell);
    }
    /// The part of it that is brine.
    Taped brine_flow(const StepValues& at, const Face& face) {
        return of(at, face.kind == FaceKind::of_rings ? &StepValues::brine_outward : &StepValues::brine_upward,
                  face.cell);
    }
    /// Of the cells of a face of rows.
    template <typename Number = Taped>
    Weights<Number> weights(const StepValues& at, const Face& face) {
        return {of<Number>(at, &StepValues::weight, face.to), of<Number>(at, &StepValues::weight, face.from),
                of<Number>(at, &StepValues::density, face.to), of<Number>(at, &StepValues::density, face.from)};
    }
    /// A property of brine in a cell, and where its cotangent is.
    Taped brine(std::size_t cell, double FluidTable::*value, double FluidCotangents::*by) {
        return tape_(fluids_[cell].*value, by_.fluids[fluids_.table_of(cell)].*by);
    }
    Taped brine_density(std::size_t cell) {
        return brine(cell, &FluidTable::brine_density, &FluidCotangents::brine_density);
    }
    Taped brine_compressibility(std::size_t cell) {
        return brine(cell, &FluidTable::brine_compressibility, &FluidCotangents::brine_compressibility);
    }
    Taped dissolved_density(std::size_t cell) {
        return brine(cell, &FluidTable::dissolved_density, &FluidCotangents::dissolved_density);
    }
    /// Of the initial brine at a face of rows.
    Taped face_density(const Face& face) {
        const std::size_t row = face.to % reservoir_.rows;
        return tape_(reservoir_.face_density[row], by_.face_density[row]);
    }
    double head(const Face& face) const { return reservoir_.head[face.to % reservoir_.rows]; }
    /// Pressure that drives gas beyond brine through a face [bar], with the cell that it counts to as it is in `to`.
    template <typename Number>
    Number drive(const StepValues& at, const StepValues& to, const Face& face) {
        const Number capillary =
            of<Number>(at, &StepValues::capillary, face.from) - of<Number>(to, &StepValues::capillary, face.to);
        return face.kind == FaceKind::of_rings ? capillary : weights<Number>(at, face).buoyancy(head(face)) + capillary;
    }
    Co2Properties<Taped> fluids_at(std::size_t cell, const Taped& buildup);
    Taped gas_permeability(const Taped& now, const Taped& peak);
    Taped brine_content(std::size_t cell, const Taped& buildup, const Taped& dissolved);
    /// The outer and the lower faces of a column.
    template <typename Visit>
    void visit_faces(std::size_t column, const Visit& visit) const {
        const std::size_t rows = reservoir_.rows, first = column * rows;
        for (std::size_t cell = first; cell < first + rows; ++cell) {
            if (column + 1 < reservoir_.columns) {
                visit(Face{FaceKind::of_rings, cell, cell, cell + rows});
            }
            if (cell + 1 < first + rows) {
                visit(Face{FaceKind::of_rows, cell, cell + 1, cell});
            }
        }
    }

    template <typename Result>
    void pull(double& by, const Result& result);
    void leave_over_back(const StepStages& stages);
    void mobilities_back(const State& at, std::size_t cell, const Taped& saturation, const Taped& viscosity);
    void properties_back(const PressureStage& stage);
    void start_back(const StepStages& stages);
    void brine_back(const StepStages& stages);

    void pressure_back(const StepStages& stages, PressureStage& stage, bool has_flow);
    void storage_back(const StepStages& stages, const PressureStage& stage, std::size_t cell, double y);
    void face_back(const PressureStage& stage, const Face& face, const std::vector<double>& y);
    Well well(const PressureStage& stage, double& by_buildup);

    void transport_back(const StepStages& stages, const TransportStage& stage);
    void dissolution_back(const StepStages& stages, const TransportStage& stage);
    void column_back(const StepStages& stages, const TransportStage& stage, std::size_t column,
                     std::vector<Crossing<double>>& by_outer);
    std::vector<double> solve_column(const StepStages& stages, const TransportStage& stage, std::size_t column,
                                     const std::vector<Crossing<double>>& by_outer,
                                     const std::vector<Crossing<double>>& by_lower);
    Side from_side(const TransportStage& stage, const Face& face) const {
        return {face.from, stage.values, stage.after};
    }
    Side to_side(const TransportStage& stage, const Face& face) const;
    Crossing<Dual<2>> slopes_by_mass(const TransportStage& stage, const Face& face);
    void crossing_back(const TransportStage& stage, const Face& face, const Crossing<double>& by);
    void cell_back(const TransportStage& stage, const State& at, std::size_t cell);

    const Simulation& simulation_;
    const Reservoir& reservoir_;
    const RowFluids& fluids_;
    TableSlopes slopes_;
    SimulationCotangents by_;
    State by_state_;
    StepValues by_values_;  // at the stage at work
    std::vector<double>
        by_start_;  // of the build-up at the start of the step, in columns that later stages do not update
    Tape tape_;
};

}  // namespace plumecast::two_phase
