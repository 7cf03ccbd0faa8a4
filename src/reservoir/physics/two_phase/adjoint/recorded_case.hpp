#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {

/// The steps of a case, solved to where derivatives are those of the equations. Throws NotConverged.
class RecordedCase {
   public:
    RecordedCase(const RadialCase& radial, int substeps, const std::string& name, Acceptance acceptance,
                 const Formulation& formulation = {});

    Simulation& simulation() { return simulation_; }
    const Simulation& simulation() const { return simulation_; }
    const std::vector<TakenStep>& steps() const { return steps_; }
    /// Steps that were taken in another way than they were first tried, all of them where the case had to begin anew.
    std::int64_t retaken_steps() const;
    /// Steps up to a snapshot.
    std::size_t steps_to(std::size_t snapshot) const { return ends_[snapshot]; }
    /// At a snapshot.
    const State& state(std::size_t snapshot) const {
        return ends_[snapshot] < steps_.size() ? steps_[ends_[snapshot]].before : last_;
    }
    /// Values of a snapshot in each cell, [columns, rows], put into a field [T, Z, R]; inactive cells stay as they are.
    void put(std::size_t snapshot, const std::vector<double>& values, std::vector<double>& field) const;
    /// The other way round.
    std::vector<double> get(std::size_t snapshot, const std::vector<double>& field) const;

   private:
    std::size_t place(std::size_t snapshot, std::size_t cell) const;

    Simulation simulation_;
    std::size_t all_rows_;
    Acceptance acceptance_;
    std::vector<TakenStep> steps_;
    std::vector<std::size_t> ends_;
    State last_;
};

/// As two_phase_fields() goes through a case: with stricter steps where the usual ones end.
RecordedCase recorded_case(const RadialCase& radial, int substeps, const std::string& name,
                           const Formulation& formulation = {});

/// Trapped part of the saturation of each cell, with hysteresis.
std::vector<double> trapped_saturation(const Simulation& simulation, const State& state);
/// Dissolved CO2 per pore volume [kg/m3] of each cell.
std::vector<double> dissolved_co2(const State& state);

}  // namespace plumecast::two_phase
