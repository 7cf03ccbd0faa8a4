#include "reservoir/physics/two_phase/adjoint/recorded_case.hpp"

#include <algorithm>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/two_phase/adaptive_steps.hpp"

namespace plumecast::two_phase {

RecordedCase::RecordedCase(const RadialCase& radial, int substeps, const std::string& name, Acceptance acceptance,
                           const Formulation& formulation)
    : simulation_(radial, acceptance, Iterations::tight, formulation),
      all_rows_(radial.rows()),
      acceptance_(acceptance) {
    run(
        simulation_, radial, substeps, name,
        [&](std::size_t snapshot, double share) {
            shares_.push_back({steps_.size(), snapshot, share});
        },
        &steps_);
    last_ = simulation_.state();
}

LedgerFields RecordedCase::fields(std::size_t snapshots) const {
    const Reservoir& reservoir = simulation_.reservoir();
    const SaturationCurves& curves = simulation_.curves();
    const std::size_t values = snapshots * all_rows_ * reservoir.columns;
    LedgerFields fields{std::vector<double>(values), std::vector<double>(values),
                        std::vector<double>(curves.has_hysteresis() ? values : 0), std::vector<double>(values)};
    std::vector<double> dissolved(reservoir.cells()), trapped(fields.trapped.empty() ? 0 : reservoir.cells());
    for (const auto& [steps, snapshot, share] : shares_) {
        const State& at = state(steps);
        for (std::size_t cell = 0; cell < reservoir.cells(); ++cell) {
            dissolved[cell] = at.dissolved[cell] * (1.0 - at.saturation[cell]);
            if (!trapped.empty()) {
                trapped[cell] = curves.trapped({at.saturation[cell], at.peak[cell]});
            }
        }
        add(snapshot, share, at.buildup, fields.buildup);
        add(snapshot, share, at.saturation, fields.saturation);
        add(snapshot, share, trapped, fields.trapped);
        add(snapshot, share, dissolved, fields.dissolved);
    }
    return fields;
}

std::vector<RecordedCase::Share> RecordedCase::pressure_shares() const {
    std::vector<Share> shares;
    for (const Share& of : shares_) {
        const auto is_same = [&](const Share& other) { return other.snapshot == of.snapshot; };
        if (of.steps == 0 || steps_[of.steps - 1].mass_rate == 0.0) {
            std::erase_if(shares, is_same);  // the well is at rest, or comes to it
            continue;
        }
        const auto before = std::ranges::find_if(shares, is_same);
        if (before != shares.end()) {
            before->share = 1.0 - of.share;
        }
        shares.push_back({of.steps, of.snapshot, before != shares.end() ? of.share : 1.0});
    }
    return shares;
}

std::int64_t RecordedCase::retaken_steps() const {
    return acceptance_ == Acceptance::strict ? static_cast<std::int64_t>(steps_.size())
                                             : std::ranges::count_if(steps_, &TakenStep::is_retaken);
}

std::size_t RecordedCase::place(std::size_t snapshot, std::size_t cell) const {
    const Reservoir& reservoir = simulation_.reservoir();
    return (snapshot * all_rows_ + cell % reservoir.rows) * reservoir.columns + cell / reservoir.rows;
}

void RecordedCase::add(std::size_t snapshot, double factor, const std::vector<double>& values,
                       std::vector<double>& field) const {
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        if (simulation_.reservoir().active[cell]) {
            field[place(snapshot, cell)] += factor * values[cell];
        }
    }
}

std::vector<double> RecordedCase::get(std::size_t snapshot, const std::vector<double>& field) const {
    std::vector<double> values(simulation_.reservoir().cells());
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        values[cell] = simulation_.reservoir().active[cell] ? field[place(snapshot, cell)] : 0.0;
    }
    return values;
}

RecordedCase recorded_case(const RadialCase& radial, int substeps, const std::string& name,
                           const Formulation& formulation) {
    try {
        return {radial, substeps, name, Acceptance::usual, formulation};
    } catch (const NotConverged&) {
        return {radial, substeps, name, Acceptance::strict, formulation};
    }
}

}  // namespace plumecast::two_phase
