#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "inverse/inversion/columns.hpp"
#include "inverse/inversion/inversion_run.hpp"
#include "inverse/inversion/principal_components.hpp"
#include "inverse/inversion/smc.hpp"

namespace plumecast {
namespace {

constexpr Eigen::Index most_usual_components = 24;
constexpr Eigen::Index members_per_component = 10;  // that a covariance of the components takes to be known
constexpr std::int64_t few_ancestors = 10;
constexpr double all_of_the_variance = 0.999;
constexpr double large_misfit = 10.0;  // squared, per observation

/// As many as the members can tell of.
Eigen::Index components_of(const InversionConfig& config, std::int64_t members) {
    return config.components > 0 ? config.components
                                 : std::clamp<Eigen::Index>(members / members_per_component, 1, most_usual_components);
}

/// The members of an inversion as a sampler moves them.
class SampledMembers : public SmcMembers {
   public:
    SampledMembers(InversionRun& run, const PrincipalComponents& components, std::int64_t count)
        : run_(run), components_(components) {
        for (std::int64_t j = 0; j < count; ++j) {
            rests_.push_back(j % components.members());
        }
    }

    Eigen::VectorXd propose(const Eigen::MatrixXd& coordinates) override {
        run_.realizations().set_parameters(components_.parameters(coordinates, rests_));
        proposed_ = run_.predicted(run_.realizations(), what_, is_first_);
        is_first_ = false;
        Eigen::VectorXd values(coordinates.cols());
        const auto observations = static_cast<double>(run_.observations().size());
        for (Eigen::Index j = 0; j < values.size(); ++j) {
            values[j] = proposed_.failed.contains(j) ? -std::numeric_limits<double>::infinity()
                                                     : -0.5 * observations * run_.misfit(proposed_.values.col(j));
        }
        return values;
    }
    void accept(const std::vector<bool>& is_accepted) override {
        for (std::size_t j = 0; j < is_accepted.size(); ++j) {
            if (is_accepted[j]) {
                take(static_cast<std::int64_t>(j), proposed_, static_cast<std::int64_t>(j));
            }
        }
    }
    void resample(const std::vector<Eigen::Index>& parents) override {
        const PredictedObservations before = std::exchange(answers_, {});
        const std::vector<Eigen::Index> rests = rests_;
        answers_.values.resize(before.values.rows(), before.values.cols());
        for (std::size_t j = 0; j < parents.size(); ++j) {
            rests_[j] = rests[static_cast<std::size_t>(parents[j])];
            take(static_cast<std::int64_t>(j), before, parents[j]);
        }
    }

    /// The first members are what was proposed.
    void begin() { answers_ = proposed_; }
    void begin(PredictedObservations answers, std::vector<Eigen::Index> rests) {
        answers_ = std::move(answers);
        rests_ = std::move(rests);
        is_first_ = false;
    }
    void tell_as(std::string what) { what_ = std::move(what); }
    const PredictedObservations& answers() const { return answers_; }
    const std::vector<Eigen::Index>& rests() const { return rests_; }

   private:
    /// Member j becomes what `from` knows of its member i.
    void take(std::int64_t j, const PredictedObservations& from, std::int64_t i) {
        answers_.values.col(j) = from.values.col(i);
        const auto copy = [&](const auto& source, auto& target) {
            target.erase(j);
            if (const auto found = source.find(i); found != source.end()) {
                target.emplace(j, found->second);
            }
        };
        copy(from.failed, answers_.failed);
        copy(from.not_good, answers_.not_good);
    }

    InversionRun& run_;
    const PrincipalComponents& components_;
    std::vector<Eigen::Index> rests_;  // of each member, the realization whose small scales it has
    PredictedObservations proposed_, answers_;
    std::string what_;
    bool is_first_ = true;
};

/// The sampler with what it moves, from the prior or from a state.
class SmcRun {
   public:
    explicit SmcRun(InversionRun& run)
        : run_(run),
          count_(run.config().members == 0 ? run.realizations().members() : run.config().members),
          components_(run.realizations().parameters(), components_of(run.config(), count_)),
          settings_{.moves = run.config().moves, .seed = run.config().seed},
          members_(run, components_, count_) {
        run_.realizations().resize(count_);
    }

    InversionReport run(const std::string& folder) {
        if (run_.restore()) {
            restore();
        } else {
            run_.find_errors();
            begin();
        }
        while (state_.temperature < 1.0) {
            require_fewer_stages();
            members_.tell_as(
                fmt::format("step {} (from temperature {})", state_.stages + 1, number_text(state_.temperature)));
            advance(state_, members_, settings_);
            tell();
        }
        warn_of_members();
        std::vector<std::int64_t> numbers(members_.rests().begin(), members_.rests().end());
        return run_.finish(members_.answers().values, std::move(numbers), folder);
    }

   private:
    void begin() {
        warn_of_components();
        run_.inform(
            fmt::format("{} of the prior hold {} % of its variance; what they leave out is that of realizations",
                        counted(components_.count(), "principal component"), number_text(100.0 * components_.share())));
        members_.tell_as("step 0 (prior)");
        state_ = prior_state(components_.count(), count_, run_.config().seed);
        state_.log_likelihood = members_.propose(state_.coordinates);
        members_.begin();
        const auto failed = static_cast<std::int64_t>(members_.answers().failed.size());
        if (failed > 0) {
            const std::vector<std::int64_t> numbers(members_.rests().begin(), members_.rests().end());
            const std::string first = members_.answers().first_failure(numbers);
            if (2 * failed > count_) {
                throw NotConverged(
                    fmt::format("{} of {} members cannot be computed (the first one: {}); correct the prior", failed,
                                count_, first));
            }
            run_.warn(fmt::format("{} of {} members cannot be computed and count as impossible; the first one: {}",
                                  failed, count_, first));
        }
        tell();
    }

    void warn_of_components() {
        if (count_ < members_per_component * components_.count()) {
            run_.warn(
                fmt::format("{} for {} are few (their covariance needs ten members for each component), so the "
                            "posterior may come out too narrow; take {} members, or {} or fewer",
                            counted(count_, "member"), counted(components_.count(), "component"),
                            members_per_component * components_.count(),
                            counted(std::max<std::int64_t>(1, count_ / members_per_component), "component")));
        }
    }

    /// Temperatures that hardly rise have no end.
    void require_fewer_stages() const {
        if (!is_endless(state_, settings_)) {
            return;
        }
        const Eigen::VectorXd& deviations = run_.errors().deviations;
        Eigen::Index which = 0;
        deviations.minCoeff(&which);
        const Observation& exact = run_.observations()[static_cast<std::size_t>(which)];
        throw NotConverged(
            fmt::format("the temperature is {} after {} steps (the members are too few to find what so exact data "
                        "leave; the smallest deviation is {} {} of {}); give errors that include the model's, or "
                        "take more members",
                        number_text(state_.temperature), state_.stages, number_text(deviations[which]),
                        unit_of_observed(exact.field), exact.place(run_.config().observations)));
    }

    /// Steps whose members have not forgotten where they began leave a posterior that is too narrow.
    void warn_of_members() {
        const auto unmixed = std::ranges::count(run_.steps(), false, &InversionStep::is_mixed);
        if (unmixed > 0) {
            run_.warn(
                fmt::format("in {} of {} steps members still correlate with where they began, or grow apart, after "
                            "{} moves ({} correlation in the last step), so the posterior may be too narrow; take "
                            "more members, more moves or fewer components",
                            unmixed, state_.stages, settings_.moves, number_text(state_.correlation)));
        }
        const double misfit = run_.steps().back().members_misfit;
        if (misfit > large_misfit) {
            run_.warn(
                fmt::format("the members do not explain the data (squared misfit {} per observation, about 1 is "
                            "expected): they have collapsed, or prior or errors are wrong",
                            number_text(misfit)));
        }
        const std::int64_t ancestors = state_.distinct_ancestors();
        if (ancestors < few_ancestors && components_.share() < all_of_the_variance) {
            run_.warn(
                fmt::format("the members descend from {} of the prior, so the {} % of the variance that the components "
                            "leave out is that of so few; take more members, or more components",
                            counted(ancestors, "member"), number_text(100.0 * (1.0 - components_.share()))));
        }
    }

    void restore() {
        const InversionState& state = run_.state();
        state_.coordinates = state.matrix("coordinates");
        state_.log_likelihood = state.matrix("log likelihood");
        state_.factor = state.matrix("factor");
        const Eigen::MatrixXd figures = state.matrix("figures");
        const std::vector<std::int64_t> ancestors = state.numbers("ancestors"), rests = state.numbers("numbers");
        PredictedObservations answers;
        answers.values = state.matrix("predictions");
        answers.failed = state.texts("failed");
        answers.not_good = state.texts("not_good");
        const Eigen::Index components = components_.count();
        const bool is_whole =
            figures.size() == 4 && state_.factor.rows() == components && state_.factor.cols() == components &&
            state_.coordinates.rows() == components && state_.coordinates.cols() == count_ &&
            state_.log_likelihood.size() == count_ && answers.values.cols() == count_ &&
            std::ssize(ancestors) == count_ && std::ssize(rests) == count_ &&
            std::ranges::all_of(rests, [&](std::int64_t rest) { return rest >= 0 && rest < components_.members(); });
        if (!is_whole) {
            throw state.damaged("its arrays do not belong together");
        }
        state_.temperature = figures(0, 0);
        state_.step = figures(1, 0);
        state_.accepted = figures(2, 0);
        state_.correlation = figures(3, 0);
        state_.ancestors.assign(ancestors.begin(), ancestors.end());
        state_.stages = run_.steps().back().step;
        members_.begin(std::move(answers), {rests.begin(), rests.end()});
        put_members();
    }

    /// The realizations become the members that were accepted; how many values were clipped.
    std::int64_t put_members() {
        return run_.realizations().set_parameters(components_.parameters(state_.coordinates, members_.rests()));
    }

    void tell() {
        InversionStep step;
        step.step = state_.stages;
        step.temperature = state_.temperature;
        step.accepted = state_.accepted;
        step.moves = state_.moves;
        step.correlation = state_.correlation;
        step.ancestors = state_.distinct_ancestors();
        step.is_mixed = is_mixed(state_, settings_);
        step.clipped = put_members();
        const Eigen::MatrixXd parameters = run_.realizations().parameters();
        if (state_.stages == 0) {
            const PredictedObservations& answers = members_.answers();
            std::vector<Eigen::Index> known;
            for (Eigen::Index j = 0; j < answers.values.cols(); ++j) {
                if (!answers.failed.contains(j)) {
                    known.push_back(j);
                }
            }
            run_.set_prior(columns_at(answers.values, known), parameters);
        }
        run_.tell(step, parameters, members_.answers());
        save();
    }

    void save() {
        InversionState state;
        state.matrices["coordinates"] = state_.coordinates;
        state.matrices["factor"] = state_.factor;
        state.matrices["log likelihood"] = state_.log_likelihood;
        state.matrices["figures"] =
            Eigen::Vector4d(state_.temperature, state_.step, state_.accepted, state_.correlation);
        state.matrices["predictions"] = members_.answers().values;
        state.facts["failed"] = json_of_texts(members_.answers().failed);
        state.facts["not_good"] = json_of_texts(members_.answers().not_good);
        state.facts["ancestors"] = json_of_numbers({state_.ancestors.begin(), state_.ancestors.end()});
        state.facts["numbers"] = json_of_numbers({members_.rests().begin(), members_.rests().end()});
        run_.save(std::move(state));
    }

    InversionRun& run_;
    std::int64_t count_;
    PrincipalComponents components_;
    SmcSettings settings_;
    SampledMembers members_;
    SmcState state_;
};

}  // namespace

InversionReport run_smc(InversionRun& run, const std::string& folder) { return SmcRun(run).run(folder); }

}  // namespace plumecast
