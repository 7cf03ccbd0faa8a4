#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "inverse/inversion/esmda.hpp"
#include "inverse/inversion/inversion_run.hpp"

namespace plumecast {
namespace {

InversionState state_of(const Realizations& realizations, const PredictedObservations& answers) {
    InversionState state;
    state.values = realizations.values();
    state.facts["numbers"] = json_of_numbers(realizations.numbers());
    state.matrices["predictions"] = answers.values;
    return state;
}

/// The members after a step, and what the model says of them.
PredictedObservations after_step(InversionRun& run, int number, std::int64_t clipped) {
    const int steps = run.config().steps;
    PredictedObservations answers =
        run.predicted(run.realizations(), fmt::format("step {}/{}", number, steps), number == 0);
    run.drop_failed(answers);
    if (number == 0) {
        run.set_prior(answers.values, run.realizations().parameters());
    }
    InversionStep step;
    step.step = number;
    step.temperature = static_cast<double>(number) / steps;
    step.clipped = clipped;
    run.tell(step, run.realizations().parameters(), answers);
    run.save(state_of(run.realizations(), answers));
    return answers;
}

/// A correlation counts from localization / sqrt(members) on, which 1 is the end of.
void warn_where_none_counts(InversionRun& run) {
    const std::int64_t members = run.realizations().members();
    const double root = std::sqrt(static_cast<double>(members));
    if (run.config().localization >= root) {
        run.warn(
            fmt::format("localization is {}, by which no correlation of {} members counts and nothing is updated "
                        "(it must be below the root of their number, {:.3g}); lower it, or give more members",
                        run.config().localization, members, root));
    }
}

}  // namespace

InversionReport run_esmda(InversionRun& run, const std::string& folder) {
    PredictedObservations answers;
    if (run.restore()) {
        run.restore_members();
        answers.values = run.state().matrix("predictions");
        if (answers.values.cols() != run.realizations().members()) {
            throw run.state().damaged("its arrays do not belong together");
        }
    } else {
        run.find_errors();
        answers = after_step(run, 0, 0);
    }
    warn_where_none_counts(run);
    const double inflation = run.config().steps;
    const DataErrors& errors = run.errors();
    for (int step = run.steps().back().step; step < run.config().steps; ++step) {
        Realizations& realizations = run.realizations();
        const Eigen::MatrixXd perturbed = perturbed_observations(errors.observed, errors.factor, inflation,
                                                                 run.config().seed, step, realizations.numbers());
        const Eigen::MatrixXd parameters =
            esmda_update(realizations.parameters(), answers.values, perturbed, errors.factor, inflation,
                         Localization{run.config().localization});
        const std::int64_t clipped = realizations.set_parameters(parameters);
        answers = after_step(run, step + 1, clipped);
    }
    return run.finish(answers.values, run.realizations().numbers(), folder);
}

}  // namespace plumecast
