#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/physics/two_phase/balances.hpp"
#include "reservoir/physics/two_phase/column_kernels.hpp"
#include "reservoir/physics/two_phase/column_system.hpp"
#include "reservoir/physics/two_phase/fluid_tables.hpp"
#include "reservoir/physics/two_phase/state.hpp"

namespace plumecast::two_phase {

/// Gas saturation when CO2 of a mass [kg/m3 of pores] has dissolved up to a limit [kg/m3 of brine].
double flashed_saturation(double mass, double density, double limit);

/// A case as the solver takes it; cell i = column * rows + row, with the rows down to the lowest active cell.
struct Reservoir {
    explicit Reservoir(const RadialCase& radial);

    std::size_t columns = 0, rows = 0;
    std::vector<double> radial;            ///< transmissibility to the next column, 0 at the last
    std::vector<double> vertical;          ///< to the cell below, 0 at the last row
    std::vector<double> pore_volume;       ///< at the initial pressure [m3], 1 in inactive cells
    std::vector<double> capillary;         ///< factor of the cell on capillary pressure (Leverett)
    std::vector<double> well;              ///< connection factors [rows]
    std::vector<double> depth;             ///< of the centres below the top [rows] [m]
    std::vector<double> head;              ///< of a density over the step to the row below [rows] [bar m3/kg]
    std::vector<double> initial_pressure;  ///< [rows] [bar]
    std::vector<bool> active;
    double well_depth = 0.0;        ///< where the well's pressure stands [m]
    std::size_t highest = 0;        ///< row of the uppermost open cell
    double limit = 0.0;             ///< of the build-up in the well beside that cell [bar]; infinite without one
    double dissolution_rate = 0.0;  ///< at most [kg/m3 of brine per day]; infinite without a limit
    double rock_compressibility = 0.0;
    double initial_density = 0.0;        ///< of brine at the top in the initial pressures [kg/m3]
    std::vector<double> face_density;    ///< mean of that brine in a row and the one below [rows - 1] [kg/m3]
    std::vector<double> added_pressure;  ///< to the initial one, by other densities than that at the top [rows] [bar]

    std::size_t cells() const { return columns * rows; }
};

/// Whether a time step makes up for the volume beyond the pores that the steps before left, or leaves it to later ones,
/// which lets some steps converge that cannot otherwise, and may then end with any density. No mass is lost either way.
enum class Volumes { release, defer };

/// When a time step is accepted. `usual` asks for possible saturations and densities; `strict` also for a pressure at
/// its end at which the CO2 fits in its cells. Later steps correct most steps that `strict` refuses, but a few, in
/// tight and small cells at the well, no later step can follow.
enum class Acceptance { usual, strict };

/// How far the iterations of the transport converge: `usual` as far as fields need; `tight` so far that derivatives are
/// those of the equations and not of the iterations.
enum class Iterations { usual, tight };

/// A time step as it was taken, so that repeat() can take it again.
struct TakenStep {
    double days = 0.0;
    Volumes volumes = Volumes::release;
    int rounds = 0;
    int halvings = 0;  ///< of the step that was asked for
    State before;
    double mass_rate = 0.0;  ///< asked for [kg/day]
    double end = 0.0;        ///< [day]

    /// Whether the step was tried in another way before, which failed. A small change of the inputs may then change how
    /// it is taken, and the fields with it at once.
    bool is_retaken() const { return rounds < 2 || halvings > 0 || volumes == Volumes::defer; }
};

struct StepStages;

/// CO2 that crosses the faces of a column, the part of it that is dissolved [kg/day], and the volume of brine [m3/day],
/// with the slopes of the first by the masses of the cells that it goes from and to.
struct FlowsThrough {
    std::vector<double> mass, dissolved, brine, by_from, by_to;

    void resize(std::size_t rows) {
        for (auto* part : {&mass, &dissolved, &brine, &by_from, &by_to}) {
            part->resize(rows);
        }
    }
    void clear() {
        for (auto* part : {&mass, &dissolved, &brine, &by_from, &by_to}) {
            std::ranges::fill(*part, 0.0);
        }
    }
    FaceFlows flows() { return {mass.data(), dissolved.data(), brine.data(), by_from.data(), by_to.data()}; }
};

/// Two-phase flow of CO2 and brine, sequentially implicit: pressure, transport of CO2, pressure.
class Simulation {
   public:
    explicit Simulation(const RadialCase& radial, Acceptance acceptance = Acceptance::usual,
                        Iterations iterations = Iterations::usual);

    const Reservoir& reservoir() const { return reservoir_; }
    const RowFluids& fluids() const { return fluids_; }
    const SaturationCurves& curves() const { return curves_; }
    double mass_rate() const { return mass_rate_; }  ///< now asked for [kg/day]
    const State& state() const { return state_; }
    /// Dissolved CO2 per pore volume [kg/m3] of a cell.
    double dissolved(std::size_t cell) const;
    /// Part of the saturation of a cell that would stay if brine returned; without hysteresis what drainage leaves.
    double trapped(std::size_t cell) const;
    /// CO2 in place, free and dissolved [kg].
    double mass_in_place() const;
    /// Brine in place, without CO2 [kg].
    double brine_in_place() const;
    /// In the well, at the centre of its uppermost open cell [bar].
    double bottom_hole_pressure() const;

    /// Injects at another rate [kg/day] from now on; without one the well is shut. At first it is.
    void inject(double mass_rate);
    /// Advances by some days. False, with the state as before, when an iteration does not converge or a cell ends with
    /// less than its irreducible water. Otherwise writes the step to `taken`, where given.
    bool advance(double days, Volumes volumes = Volumes::release, TakenStep* taken = nullptr);
    /// Takes a step again that advance() has taken, and keeps its stages.
    void repeat(const TakenStep& step, StepStages& stages);

   private:
    int attempt(double days, int rounds, Volumes volumes);
    void defer_volumes();
    double brine_content(std::size_t cell, double buildup, double dissolved) const;
    double volume_beyond(std::size_t cell) const;
    void remember_peaks();
    void keep_step(double days);
    void keep_pressure();
    void keep_entering();
    void keep_transport();
    bool is_plausible(Volumes volumes) const;
    bool leaves_room() const;
    void limit_dissolution(double days);
    void update_cells();
    void update_column(std::size_t column, const std::vector<double>& buildup);
    void set_flow_properties(std::size_t column);
    void solve_pressure(double days, bool is_first);
    void add_storage(double days, std::size_t columns);
    PressedCells pressed_cells() const;
    void add_radial_flow(std::size_t columns);
    void add_vertical_flow(std::size_t columns);
    void set_well_density();
    double well_factor(std::size_t row) const;
    void add_well();
    bool shut_rows(bool may_open);
    bool change_control(bool may_end);
    double row_inflow(std::size_t row, const std::vector<double>& buildup) const;
    std::size_t first_column_without_gas() const;
    void set_flow();
    bool move_co2(double days);
    void move_brine(double days);
    Weights<double> weights(std::size_t cell) const {
        return {now_.weight[cell], now_.weight[cell + 1], now_.density[cell], now_.density[cell + 1]};
    }
    void weigh_brine();
    double well_head(std::size_t row) const;
    double well_capillary() const;

    bool is_untouched(std::size_t column) const;
    bool solve_column(std::size_t column, double days);
    double newton_step(std::size_t column, double days);
    void linearise(std::size_t column, double days);
    void cross_faces(std::size_t column);
    void set_saturations(std::size_t column);
    FlowingCells flowing_cells(std::size_t first) const;

    Reservoir reservoir_;
    RowFluids fluids_;
    SaturationCurves curves_;
    double mass_rate_ = 0.0;  // asked for [kg/day]
    double largest_rate_;     // that is ever injected [kg/day]
    double largest_saturation_;
    Acceptance acceptance_;
    Iterations iterations_;
    StepStages* stages_ = nullptr;  // of the step that is repeated
    State state_;

    StepValues now_;
    std::vector<double> gas_fluidity_;   // 1 / viscosity [1/cP]
    std::vector<double> moved_density_;  // of CO2 in the transport [kg/m3]
    // Columns from the well on that CO2 ever reached, in failed attempts too, and those whose properties are up to date
    // in this round. Cells further out hold no CO2; of them only the build-up changes.
    std::size_t reached_ = 0, updated_ = 0;
    std::size_t moved_ = 0;          // columns that the last transport went through
    FlowsThrough in_, out_, below_;  // the inner, outer and, upwards, lower faces of a column
    std::vector<double> outward_driven_,
        upward_driven_;  // volume flow through faces without a drop of build-up [m3/day]
    // Per face, by its cell: FaceDrops [bar] and FaceTerms of the pressure equations. The transport has the faces of a
    // column in their first rows: the head of brine over gas and all that drives gas beyond brine [bar].
    std::vector<double> standing_, drive_, in_from_, in_to_, driven_from_, driven_to_;
    double released_ = 1.0;  // share of the volume beyond the pores that the current step makes up for
    std::size_t kept_ = 0;
    ColumnSystem system_;
    std::vector<double> solution_;                           // of the build-up; after a solution the build-up before it
    std::vector<double> lower_, centre_, upper_, residual_;  // tridiagonal system of a column
};

}  // namespace plumecast::two_phase
