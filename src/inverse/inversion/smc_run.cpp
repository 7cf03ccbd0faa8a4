#include <limits>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "inverse/inversion/inversion_run.hpp"
#include "inverse/inversion/principal_components.hpp"
#include "inverse/inversion/smc.hpp"

namespace plumecast {
namespace {

constexpr Eigen::Index usual_components = 24;
constexpr double few_accepted = 0.05;  // of the moves

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
        clipped_ = run_.realizations().set_parameters(components_.parameters(coordinates, rests_));
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
    std::int64_t clipped_ = 0;
    bool is_first_ = true;
};

/// The sampler with what it moves, from the prior or from a state.
class SmcRun {
   public:
    explicit SmcRun(InversionRun& run)
        : run_(run),
          count_(run.config().members == 0 ? run.realizations().members() : run.config().members),
          components_(run.realizations().parameters(),
                      run.config().components == 0 ? usual_components : run.config().components),
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
        const SmcSettings settings{.moves = run_.config().moves, .seed = run_.config().seed};
        while (state_.temperature < 1.0) {
            members_.tell_as(
                fmt::format("step {} (from temperature {})", state_.stages + 1, number_text(state_.temperature)));
            advance(state_, members_, settings);
            tell();
        }
        if (state_.accepted < few_accepted) {
            run_.warn(
                fmt::format("{} % of the last moves were accepted, so members repeat each other; take more "
                            "members, more moves or fewer components",
                            number_text(100.0 * state_.accepted)));
        }
        std::vector<std::int64_t> numbers(members_.rests().begin(), members_.rests().end());
        return run_.finish(members_.answers().values, std::move(numbers), folder);
    }

   private:
    void begin() {
        run_.inform(
            fmt::format("{} of the prior hold {} % of its variance; what they leave out is that of realizations",
                        counted(components_.count(), "principal component"), number_text(100.0 * components_.share())));
        members_.tell_as("step 0 (prior)");
        state_.coordinates = prior_coordinates(components_.count(), count_, run_.config().seed);
        state_.log_likelihood = members_.propose(state_.coordinates);
        members_.begin();
        const auto failed = static_cast<std::int64_t>(members_.answers().failed.size());
        if (2 * failed > count_) {
            throw NotConverged(fmt::format("{} of {} members cannot be computed (the first one: {}); correct the prior",
                                           failed, count_, members_.answers().failed.begin()->second));
        }
        if (failed > 0) {
            run_.warn(fmt::format("{} of {} members cannot be computed and count as impossible; the first one: {}",
                                  failed, count_, members_.answers().failed.begin()->second));
        }
        tell();
    }

    void restore() {
        const InversionState& state = run_.state();
        state_.coordinates = state.matrices.at("coordinates");
        state_.log_likelihood = state.matrices.at("log likelihood");
        const Eigen::MatrixXd& figures = state.matrices.at("figures");
        state_.temperature = figures(0, 0);
        state_.step = figures(1, 0);
        state_.accepted = figures(2, 0);
        state_.stages = run_.steps().back().step;
        PredictedObservations answers;
        answers.values = state.matrices.at("predictions");
        const auto read = [&](const char* name, std::map<std::int64_t, std::string>& to) {
            for (const auto& [place, why] : *state.facts.find(name)->get_if<Json::Object>()) {
                to.emplace(std::stoll(place), *why.get_if<std::string>());
            }
        };
        read("failed", answers.failed);
        read("not_good", answers.not_good);
        const std::vector<std::int64_t> rests = numbers_of(*state.facts.find("numbers"));
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
            run_.set_prior(answers.values(Eigen::all, known), parameters);
        }
        run_.tell(step, parameters, members_.answers());
        save();
    }

    void save() {
        InversionState state;
        state.matrices["coordinates"] = state_.coordinates;
        state.matrices["log likelihood"] = state_.log_likelihood;
        state.matrices["figures"] = Eigen::Vector3d(state_.temperature, state_.step, state_.accepted);
        state.matrices["predictions"] = members_.answers().values;
        const auto object = [](const std::map<std::int64_t, std::string>& reasons) {
            Json::Object all;
            for (const auto& [place, why] : reasons) {
                all.emplace_back(std::to_string(place), why);
            }
            return Json(std::move(all));
        };
        state.facts["failed"] = object(members_.answers().failed);
        state.facts["not_good"] = object(members_.answers().not_good);
        state.facts["numbers"] = json_of_numbers({members_.rests().begin(), members_.rests().end()});
        run_.save(std::move(state));
    }

    InversionRun& run_;
    std::int64_t count_;
    PrincipalComponents components_;
    SampledMembers members_;
    SmcState state_;
};

}  // namespace

InversionReport run_smc(InversionRun& run, const std::string& folder) { return SmcRun(run).run(folder); }

}  // namespace plumecast
