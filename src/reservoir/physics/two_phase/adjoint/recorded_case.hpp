#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reservoir/physics/ledger_cotangents.hpp"
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
    /// Share that the state after some steps has in a snapshot.
    struct Share {
        std::size_t steps = 0, snapshot = 0;
        double share = 1.0;
    };
    /// By the number of steps; those of a snapshot add up to 1.
    const std::vector<Share>& shares() const { return shares_; }
    /// Likewise in the pressure of the well (joined_pressure()); none in a snapshot at which nothing is injected.
    std::vector<Share> pressure_shares() const;
    /// After so many steps.
    const State& state(std::size_t steps) const { return steps < steps_.size() ? steps_[steps].before : last_; }
    /// Fields at so many snapshots.
    LedgerFields fields(std::size_t snapshots) const;
    /// Adds a multiple of values in each cell, [columns, rows], to a snapshot of a field [T, Z, R]; inactive cells stay
    /// as they are.
    void add(std::size_t snapshot, double factor, const std::vector<double>& values, std::vector<double>& field) const;
    /// Values of a snapshot in each cell, [columns, rows], of a field [T, Z, R].
    std::vector<double> get(std::size_t snapshot, const std::vector<double>& field) const;

   private:
    std::size_t place(std::size_t snapshot, std::size_t cell) const;

    Simulation simulation_;
    std::size_t all_rows_;
    Acceptance acceptance_;
    std::vector<TakenStep> steps_;
    std::vector<Share> shares_;
    State last_;
};

/// As two_phase_fields() goes through a case: with stricter steps where the usual ones end.
RecordedCase recorded_case(const RadialCase& radial, int substeps, const std::string& name,
                           const Formulation& formulation = {});

}  // namespace plumecast::two_phase
