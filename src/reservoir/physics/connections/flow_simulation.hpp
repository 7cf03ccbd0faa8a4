#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/physics/connections/pressure_system.hpp"
#include "reservoir/physics/connections/transport.hpp"

namespace plumecast::connections {

/// How far a time step is iterated.
struct FlowIterations {
    int rounds = 2;                     ///< of pressure and transport
    int extra_rounds = 4;               ///< where cells have no room for what the others end with
    double transport_tolerance = 1e-4;  ///< of saturations
    double resting_tolerance = 1e-5;    ///< the same while nothing is injected: steps are many, each moves little
    double first_tolerance = 1e-6;      ///< of the first pressure, in parts of what moves it
    double later_tolerance = 1e-4;      ///< of those that correct it
    /// Whether a step is taken only where its CO2 fits at the pressure that it ends with too. Later steps mend most
    /// others, but a few no step can follow.
    bool leaves_room = false;
};

/// Two-phase flow on a FlowModel, sequentially implicit: pressure, transport, as often as there are rounds, and a
/// pressure for the masses reached. Both component masses are kept in each cell; volume that they take up beyond the
/// pores, or lack, is made up for by the next pressure.
class FlowSimulation {
   public:
    /// Expects a model that FlowModel::check() has passed, which must outlive this.
    explicit FlowSimulation(const FlowModel& model, FlowIterations iterations = {});

    /// Advances by some days while wells inject [kg/day]. False, with everything as before, where an iteration does not
    /// converge or a result is not possible.
    bool advance(double days, const std::vector<double>& mass_rates);

    const std::vector<double>& pressure() const { return state_.pressure; }                 ///< [bar]
    const Masses& masses() const { return state_.masses; }                                  ///< [kg]
    const std::vector<double>& bottom_hole_pressure() const { return state_.bottom_hole; }  ///< [bar], NaN where shut
    double saturation(std::size_t cell) const { return cells_[cell].saturation; }
    /// Part of the saturation that would stay if brine returned.
    double trapped(std::size_t cell) const { return properties_.trapped(cells_[cell], cell); }
    double dissolved(std::size_t cell) const;                ///< CO2 per pore volume [kg/m3]
    double co2_in_place() const;                             ///< [kg]
    double co2_injected() const { return state_.injected; }  ///< [kg]
    double step_days() const { return state_.days; }         ///< length of the last step [day]
    /// What solving pressure and transport one after the other left open in the last step: volume by which its last
    /// pressure changes the flow that moved the masses, between cells with gas, over the volume of all gas.
    double flow_change() const { return flow_change_; }
    int pressure_iterations() const { return pressure_iterations_; }

   private:
    struct State {
        std::vector<double> pressure;
        Masses masses;
        std::vector<double> bottom_hole;
        std::vector<double> perforation_flow;  ///< [m3/day]
        double days = 0.0;                     ///< of the step that led here
        double injected = 0.0;                 ///< CO2 so far [kg]
    };
    struct OpenCell {
        std::size_t well, cell;
        double factor;
    };
    double change_of_flow(const std::vector<double>& former, double days) const;
    bool take_rounds(double days, const std::vector<double>& mass_rates, State& now);
    bool leaves_room() const;
    bool solve_pressure(double days, const std::vector<double>& mass_rates, State& now, bool is_first);
    bool solve_with_wells(State& now, double tolerance);
    void set_pressures(const State& now);
    void set_masses(const State& now);
    void set_kept_volumes(double days, const State& now);
    void add_storage(double days, const State& now);
    void add_connections(const State& now, bool is_first);
    void set_wells(const std::vector<double>& mass_rates, State& now);
    void add_wells(const std::vector<double>& former, State& now);
    bool shut_backflow(const State& now);
    double well_volume(std::size_t perforation, const State& now) const;
    std::vector<double> sources(const std::vector<double>& mass_rates, const State& now) const;

    const FlowModel& model_;
    FlowIterations iterations_;
    CellProperties properties_;
    Transport transport_;
    PressureSystem system_;
    State state_;
    std::vector<CellState> cells_;
    std::vector<OpenCell> perforations_;  // of all wells, well by well
    std::vector<double> heads_;           // pressure there over that at the first of the well [bar]
    std::vector<char> is_shut_;           // those that would give brine to the well, all of a well without injection
    std::vector<double> volume_rates_;    // of the wells [m3/day]
    std::vector<double> volumes_;         // through connections [m3/day]
    std::vector<double> below_;           // by how much the first cell of a connection is deeper [m]
    std::vector<double> right_;           // of the cells, without the wells [m3/day]
    std::vector<double> kept_volumes_;    // beyond the pores, that this step leaves to later ones [m3]
    std::vector<double> solution_;
    double flow_change_ = 0.0;
    int pressure_iterations_ = 0;
};

}  // namespace plumecast::connections
