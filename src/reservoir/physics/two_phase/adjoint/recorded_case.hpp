#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reservoir/physics/ledger_cotangents.hpp"
#include "reservoir/physics/two_phase/planned_steps.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {

/// The steps of a case, solved to where derivatives are those of the equations. Throws NotConverged.
class RecordedCase {
   public:
    RecordedCase(const RadialCase& radial, const StepCount& count, const std::string& name, Acceptance acceptance);

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
    /// After so many steps.
    const State& state(std::size_t steps) const { return steps < steps_.size() ? steps_[steps].before : last_; }
    /// Fields at so many snapshots.
    LedgerFields fields(std::size_t snapshots) const;
    /// Tells `visit` of each active cell, and of its place in a field [T, Z, R] at a snapshot.
    template <typename Visit>
    void visit_cells(std::size_t snapshot, const Visit& visit) const {
        const Reservoir& reservoir = simulation_.reservoir();
        for (std::size_t cell = 0; cell < reservoir.cells(); ++cell) {
            if (reservoir.active[cell]) {
                visit(cell, (snapshot * all_rows_ + cell % reservoir.rows) * reservoir.columns + cell / reservoir.rows);
            }
        }
    }

   private:
    Simulation simulation_;
    std::size_t all_rows_;
    Acceptance acceptance_;
    std::vector<TakenStep> steps_;
    std::vector<Share> shares_;
    State last_;
};

/// As two_phase_fields() goes through a case: with stricter steps where the usual ones end.
RecordedCase recorded_case(const RadialCase& radial, const StepCount& count, const std::string& name);

}  // namespace plumecast::two_phase
