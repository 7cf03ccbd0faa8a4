#include "reservoir/physics/two_phase/adjoint/recorded_case.hpp"

#include <algorithm>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/two_phase/adaptive_steps.hpp"

namespace plumecast::two_phase {

RecordedCase::RecordedCase(const RadialCase& radial, const StepCount& count, const std::string& name,
                           Acceptance acceptance)
    : simulation_(radial, acceptance, Iterations::tight), all_rows_(radial.rows()), acceptance_(acceptance) {
    const auto share = [&](std::size_t snapshot, double part) { shares_.push_back({steps_.size(), snapshot, part}); };
    run(simulation_, radial, count, name, share, &steps_);
    last_ = simulation_.state();
}

LedgerFields RecordedCase::fields(std::size_t snapshots) const {
    const SaturationCurves& curves = simulation_.curves();
    const std::vector<double> none(snapshots * all_rows_ * simulation_.reservoir().columns);
    LedgerFields fields{none, none, curves.has_hysteresis() ? none : std::vector<double>(), none};
    for (const auto& [steps, snapshot, share] : shares_) {
        visit_cells(snapshot, [&, &at = state(steps), part = share](std::size_t cell, std::size_t value) {
            fields.buildup[value] += part * at.buildup[cell];
            fields.saturation[value] += part * at.saturation[cell];
            fields.dissolved[value] += part * (at.dissolved[cell] * (1.0 - at.saturation[cell]));
            if (curves.has_hysteresis()) {
                fields.trapped[value] += part * curves.trapped({at.saturation[cell], at.peak[cell]});
            }
        });
    }
    return fields;
}

std::int64_t RecordedCase::retaken_steps() const {
    return acceptance_ == Acceptance::strict ? static_cast<std::int64_t>(steps_.size())
                                             : std::ranges::count_if(steps_, &TakenStep::is_retaken);
}

RecordedCase recorded_case(const RadialCase& radial, const StepCount& count, const std::string& name) {
    try {
        return {radial, count, name, Acceptance::usual};
    } catch (const NotConverged&) {
        return {radial, count, name, Acceptance::strict};
    }
}

}  // namespace plumecast::two_phase
