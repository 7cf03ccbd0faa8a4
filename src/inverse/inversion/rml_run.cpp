#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/machine/in_order.hpp"
#include "core/number_text.hpp"
#include "inverse/inversion/esmda.hpp"
#include "inverse/inversion/inversion_run.hpp"
#include "inverse/inversion/model_gradient.hpp"
#include "inverse/inversion/principal_components.hpp"
#include "inverse/inversion/rml.hpp"

namespace plumecast {
namespace {

constexpr std::int64_t members_at_once = 16;  // after which the state is kept

/// The members of an inversion, each sought by itself.
class RmlRun {
   public:
    explicit RmlRun(InversionRun& run) : run_(run), gradient_(run.predictor(), run.places()) {
        require_lbfgs();
        require_differentiable();
    }

    InversionReport run(const std::string& folder) {
        const bool goes_on = run_.restore();
        if (goes_on) {
            run_.restore_members();
        } else {
            run_.find_errors();
            begin();
        }
        components_.emplace(run_.realizations().parameters(), run_.config().components);
        const std::int64_t members = is_map() ? 1 : run_.realizations().members();
        found_ = Eigen::MatrixXd::Zero(components_->count(), members);
        at_limit_.assign(static_cast<std::size_t>(members), 0);
        at_bound_ = evaluations_ = at_limit_;
        seek(goes_on && run_.state().matrices.contains("found") ? restored() : 0, members);
        return finish(folder);
    }

   private:
    bool is_map() const { return run_.config().method == InversionMethod::map; }

    /// Takes over the members that the state has found; how many.
    std::int64_t restored() {
        const Eigen::MatrixXd& found = run_.state().matrix("found");
        std::vector<std::int64_t> at_limit = run_.state().numbers("at_limit"),
                                  at_bound = run_.state().numbers("at_bound"),
                                  evaluations = run_.state().numbers("evaluations");
        if (found.rows() != found_.rows() || found.cols() > found_.cols() || at_limit.size() != at_limit_.size() ||
            at_bound.size() != at_bound_.size() || evaluations.size() != evaluations_.size()) {
            throw run_.state().damaged("its arrays do not belong together");
        }
        found_.leftCols(found.cols()) = found;
        at_limit_ = std::move(at_limit);
        at_bound_ = std::move(at_bound);
        evaluations_ = std::move(evaluations);
        return found.cols();
    }

    /// The first member goes forward and back once, before all others.
    void require_differentiable() {
        Realizations first = run_.realizations().only(0);
        InputDerivatives derivatives = named_derivatives();
        try {
            gradient_.at(
                first.cases(0, 1), [](const Eigen::VectorXd& values) { return values; }, derivatives);
        } catch (const NotConverged&) {  // the next ones may be computed
        } catch (const InvalidInput& why) {
            throw InvalidInput(
                fmt::format("{} needs derivatives, which the model {} does not have here: {}; or use "
                            "esmda or smc",
                            run_.config().method_name(), run_.config().model, why.what()));
        }
    }

    InputDerivatives named_derivatives() const {
        InputDerivatives derivatives;
        for (const std::string& name : run_.realizations().names()) {
            derivatives.emplace(name, std::vector<double>());
        }
        return derivatives;
    }

    void begin() {
        PredictedObservations answers = run_.predicted(run_.realizations(), "prior", true);
        run_.drop_failed(answers);
        const Eigen::MatrixXd parameters = run_.realizations().parameters();
        run_.set_prior(answers.values, parameters);
        run_.tell({}, parameters, answers);
        save(0);
    }

    /// The problem of a member, of which `one` is the place to compute it in.
    MemberProblem problem_of(std::int64_t which, Realizations& one) const {
        const DataErrors& errors = run_.errors();
        MemberProblem problem;
        const Eigen::Index rest = is_map() ? -1 : static_cast<Eigen::Index>(which);
        problem.prior = is_map() ? Eigen::VectorXd(Eigen::VectorXd::Zero(components_->count()))
                                 : Eigen::VectorXd(components_->coordinates().col(rest));
        problem.observed = is_map() ? errors.observed : Eigen::VectorXd(perturbed_.col(rest));
        problem.observed -= errors.bias;
        problem.error_factor = errors.factor;
        problem.forward = [this, rest, &one](const Eigen::VectorXd& at, const ModelGradient::Cotangents& cotangents,
                                             Eigen::VectorXd& slopes) {
            if (stops_) {
                throw Interrupted();
            }
            one.set_parameters(components_->parameters(at, std::vector<Eigen::Index>{rest}));
            InputDerivatives derivatives = named_derivatives();
            Eigen::VectorXd predictions = gradient_.at(one.cases(0, 1), cotangents, derivatives);
            slopes = components_->pull_back(one.by_parameters(derivatives));
            return predictions;
        };
        return problem;
    }

    Minimum sought(std::int64_t which) const {
        Realizations one = run_.realizations().only(which);
        const MemberProblem problem = problem_of(which, one);
        const auto value = [&](const Eigen::VectorXd& at, Eigen::VectorXd& slopes) {
            try {
                return objective(problem, at, slopes);
            } catch (const NotConverged&) {  // a point that has no value is none to go to
                return std::numeric_limits<double>::infinity();
            }
        };
        return minimised(value, problem.prior, {.evaluations = run_.config().iterations});
    }

    void seek(std::int64_t done, std::int64_t members) {
        const DataErrors& errors = run_.errors();
        if (!is_map()) {
            perturbed_ = perturbed_observations(errors.observed, errors.factor, 1.0, run_.config().seed, 0,
                                                run_.realizations().numbers());
        }
        // A network computes on all threads by itself; the members of the physics are computed side by side.
        const int threads = run_.predictor() != nullptr ? 1 : run_.threads();
        const auto ask = [&] { stops_ = stops_ || run_.observer().stop_requested(); };
        while (done < members) {
            const std::int64_t first = done;
            const auto taken = [&](std::int64_t, const Minimum& minimum) {
                found_.col(done) = minimum.at;
                at_limit_[static_cast<std::size_t>(done)] = minimum.is_at_limit ? 1 : 0;
                at_bound_[static_cast<std::size_t>(done)] = minimum.is_at_bound ? 1 : 0;
                evaluations_[static_cast<std::size_t>(done)] = minimum.evaluations;
                ++done;
                run_.observer().progress("search", done, members);
                ask();
                return true;
            };
            try {
                in_order(
                    std::min(members_at_once, members - first), threads,
                    [&](std::int64_t which) { return sought(first + which); }, taken, ask);
            } catch (const Interrupted&) {
                save(done);  // what was found before
                throw;
            }
            save(done);
        }
    }

    InversionReport finish(const std::string& folder) {
        const auto members = static_cast<std::size_t>(found_.cols());
        std::vector<Eigen::Index> rests(members, -1);
        for (std::size_t j = 0; j < members && !is_map(); ++j) {
            rests[j] = static_cast<Eigen::Index>(j);
        }
        if (is_map()) {
            run_.realizations() = run_.realizations().only(0);
        }
        InversionStep step;
        step.step = 1;
        step.temperature = 1.0;
        step.clipped = run_.realizations().set_parameters(components_->parameters(found_, rests));
        PredictedObservations answers = run_.predicted(run_.realizations(), "posterior");
        if (!is_map()) {
            run_.drop_failed(answers);
        } else if (!answers.failed.empty()) {
            throw NotConverged("the most likely reservoir cannot be computed (" + answers.failed.begin()->second +
                               "); narrow the prior");
        }
        run_.tell(step, run_.realizations().parameters(), answers);
        tell_evaluations();
        warn_of_limit();
        return run_.finish(answers.values, is_map() ? std::vector<std::int64_t>() : run_.realizations().numbers(),
                           folder);
    }

    void tell_evaluations() {
        std::vector<std::int64_t> sorted = evaluations_;
        std::ranges::sort(sorted);
        run_.inform(fmt::format("the searches took {} to {} evaluations of model and derivatives, {} in the median",
                                sorted.front(), sorted.back(), sorted[sorted.size() / 2]));
    }

    void warn_of_limit() {
        const auto ended = std::ranges::count(at_limit_, 1);
        if (ended > 0) {
            run_.warn(
                fmt::format("{} of {} searches ended at the limit of {} evaluations (the entry iterations) "
                            "before they converged; raise it",
                            ended, at_limit_.size(), run_.config().iterations));
        }
        const auto at_bound = std::ranges::count(at_bound_, 1);
        if (at_bound > 0) {
            run_.warn(fmt::format(
                "{} of {} searches ended at the bound of a coordinate ({} deviations of the prior, or twice "
                "those of the member), beyond which a reservoir may be more likely; widen the prior, or "
                "check the data",
                at_bound, at_bound_.size(), number_text(LbfgsSettings{}.bound)));
        }
    }

    void save(std::int64_t done) {
        InversionState state;
        state.values = run_.realizations().values();
        state.facts["numbers"] = json_of_numbers(run_.realizations().numbers());
        if (done > 0) {
            state.matrices["found"] = found_.leftCols(done);
            state.facts["at_limit"] = json_of_numbers(at_limit_);
            state.facts["at_bound"] = json_of_numbers(at_bound_);
            state.facts["evaluations"] = json_of_numbers(evaluations_);
        }
        run_.save(std::move(state));
    }

    InversionRun& run_;
    ModelGradient gradient_;
    std::optional<PrincipalComponents> components_;
    Eigen::MatrixXd perturbed_, found_;
    std::vector<std::int64_t> at_limit_, at_bound_;  // of each member, 1 where the search ended so
    std::vector<std::int64_t> evaluations_;          // that the search of each member took
    std::atomic<bool> stops_ = false;
};

}  // namespace

InversionReport run_rml(InversionRun& run, const std::string& folder) { return RmlRun(run).run(folder); }

}  // namespace plumecast
