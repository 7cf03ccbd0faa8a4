#include "inverse/optimization/storage_study.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/machine/in_order.hpp"
#include "core/number_text.hpp"
#include "inverse/optimization/storage_ensemble.hpp"
#include "inverse/optimization/storage_problem.hpp"

namespace plumecast {
namespace {

/// With fewer geologies a probability of 0.9 says little.
constexpr std::size_t few_geologies = 20;

DesignSearch search_of(const StorageConfig& config) {
    DesignSearch search;
    search.points = config.points;
    search.polished = config.polished;
    search.evaluations = config.evaluations;
    search.tolerance = config.tolerance;
    return search;
}

std::vector<std::int64_t> chosen_cases(const Dataset& dataset, const StorageConfig& config) {
    std::vector<std::int64_t> cases = config.cases;
    for (const std::int64_t which : cases) {
        if (which < 0 || which >= dataset.cases()) {
            throw InvalidInput(fmt::format("cases: {} has no case {} (it has cases 0 to {}); choose among them",
                                           dataset.path(), which, dataset.cases() - 1));
        }
    }
    if (std::set<std::int64_t>(cases.begin(), cases.end()).size() != cases.size()) {
        throw InvalidInput("cases: one is named twice (each geology counts once); name it once");
    }
    if (cases.empty()) {
        cases.resize(static_cast<std::size_t>(dataset.cases()));
        std::iota(cases.begin(), cases.end(), 0);
    }
    return cases;
}

LimitOutcome outcome_of(const StorageOutcome& outcome, std::size_t limit, double probability) {
    const std::vector<double>& excess = outcome.excess[limit];
    LimitOutcome result;
    result.excess = excess_at(probability, excess);
    const auto counted_case = static_cast<std::size_t>(std::ranges::find(excess, result.excess) - excess.begin());
    result.figure = outcome.figures[limit][counted_case];
    result.margin = outcome.margins[limit][counted_case];
    result.held = proportion_of(std::ranges::count_if(excess, [](double one) { return one <= 0.0; }),
                                static_cast<std::int64_t>(excess.size()));
    return result;
}

StorageOptimum optimum_of(const StorageConfig& config, const StorageEnsemble& ensemble, StorageProblem& problem,
                          DesignOptimum found, const FigureBands& intervals) {
    StorageOptimum optimum{ensemble.cases(), ensemble.variables(), std::move(found)};
    optimum.probability = config.probability;
    for (const std::size_t chosen : ensemble.placements()[problem.placement()]) {
        optimum.wells.push_back(config.well_places[chosen]);
    }
    const StorageOutcome& outcome = problem.outcome(optimum.search.point);
    optimum.why_not_known = outcome.why_not_known;
    optimum.is_held_back = problem.is_held_back(optimum.search.point, config.probability);
    for (std::size_t i = 0; i < config.limits.size(); ++i) {
        LimitOutcome one = outcome_of(outcome, i, config.probability_of(config.limits[i]));
        one.is_binding =
            std::ranges::find(optimum.search.binding, config.limits[i].name()) != optimum.search.binding.end();
        one.margin_source = margin_source(config.limits[i], intervals);
        optimum.limits.push_back(one);
    }
    ComputedCases judged = problem.judged(optimum.search.point);
    optimum.verdicts = std::move(judged.verdicts);
    optimum.without_interval = std::move(judged.without_interval);
    return optimum;
}

/// Names of the limits that are not met, else of those that bind.
std::string binding_text(const DesignOptimum& found) {
    if (!found.is_feasible) {
        return fmt::format("not met: {}", fmt::join(found.not_met, "; "));
    }
    return found.binding.empty() ? "none; the ends of the ranges" : fmt::format("{}", fmt::join(found.binding, "; "));
}

/// Whether another probability than that of the configuration may give another optimum.
bool has_table(const StorageConfig& config, std::size_t cases) {
    return cases > 1 && std::ranges::any_of(config.limits, [](const StorageLimit& one) { return !one.probability; });
}

/// How good what a search found is: within the limits the mass, else the largest excess per its scale, less the better.
std::pair<bool, double> quality(const DesignOptimum& found) {
    if (found.is_feasible) {
        return {true, found.value.objective};
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < found.value.excess.size(); ++i) {
        worst = std::max(worst, found.value.excess[i] / (found.scales[i] > 0.0 ? found.scales[i] : 1.0));
    }
    return {false, -worst};
}

/// The problem of the placement of the wells that stores most, with what was computed of it. All placements are
/// searched by the first points alone, the best of them to the end.
std::unique_ptr<StorageProblem> placed(const StorageConfig& config, const StorageEnsemble& ensemble,
                                       const FieldSource& source, int threads, const StudyOptions& options,
                                       std::int64_t& computed) {
    struct Candidate {
        std::unique_ptr<StorageProblem> problem;
        std::pair<bool, double> quality;
    };
    std::vector<Candidate> candidates;
    const std::size_t count = ensemble.placements().size();
    DesignSearch search = search_of(config);
    search.evaluations = 1;
    for (std::size_t i = 0; i < count; ++i) {
        candidates.push_back(
            {std::make_unique<StorageProblem>(config, ensemble, i, source, threads, options.stop_requested), {}});
        if (count > 1) {
            StorageProblem& problem = *candidates.back().problem;
            candidates.back().quality = quality(optimize(problem.design(config.probability), search));
            if (options.progress) {
                options.progress(fmt::format("optimizing  places of wells {}/{}", i + 1, count));
            }
        }
    }
    const auto best_first = [](const Candidate& one, const Candidate& other) { return one.quality > other.quality; };
    std::ranges::stable_sort(candidates, best_first);
    const auto searched = candidates.begin() + std::min<std::ptrdiff_t>(config.polished, std::ssize(candidates));
    for (auto one = candidates.begin(); count > 1 && one != searched; ++one) {
        one->quality = quality(optimize(one->problem->design(config.probability), search_of(config)));
    }
    std::stable_sort(candidates.begin(), searched, best_first);
    for (auto one = candidates.begin() + 1; one != candidates.end(); ++one) {
        computed += one->problem->computed();
    }
    return std::move(candidates.front().problem);
}

/// The ensemble at all probabilities, from the highest down: what holds at one holds at those below.
void study_ensemble(const StorageConfig& config, const StorageEnsemble& ensemble, const FieldSource& source,
                    const StudyOptions& options, StorageStudy& study) {
    const std::unique_ptr<StorageProblem> problem =
        placed(config, ensemble, source, config.threads, options, study.computed);
    std::set<double, std::greater<>> probabilities{config.probability};
    if (has_table(config, ensemble.cases().size())) {
        probabilities.insert(config.probabilities.begin(), config.probabilities.end());
    }
    DesignSearch search = search_of(config);
    for (const double probability : probabilities) {
        search.progress = [&](int tried, double best) {
            if (options.progress) {
                options.progress(
                    fmt::format("optimizing  probability {:g}  {} tried  {}", probability, counted(tried, "choice"),
                                std::isnan(best) ? "none within the limits yet" : fmt::format("best {:.4g} Mt", best)));
            }
        };
        DesignOptimum found = optimize(problem->design(probability), search);
        search.starts.push_back(found.point);
        study.table.push_back(
            {probability, found.value.objective, found.is_feasible, binding_text(found), found.point});
        if (probability == config.probability) {
            study.optima.push_back(optimum_of(config, ensemble, *problem, std::move(found), source.intervals()));
        }
    }
    std::ranges::reverse(study.table);
    if (study.table.size() == 1) {
        study.table.clear();
    }
    study.computed += problem->computed();
    std::vector<PlannedCase> plan;
    for (std::size_t place = 0; place < ensemble.cases().size(); ++place) {
        plan.push_back({&study.optima[0].search.point, place, problem->placement()});
    }
    study.designed = ensemble.planned(plan);
}

/// Every case by itself, several at once where the fields allow it.
void study_sites(const StorageConfig& config, const Dataset& dataset, const std::vector<std::int64_t>& cases,
                 const FieldSource& source, const StudyOptions& options, StorageStudy& study) {
    std::vector<std::int64_t> computed(cases.size());
    std::vector<std::size_t> placements(cases.size());
    const auto make = [&](std::int64_t site) {
        const StorageEnsemble one(dataset, {cases[static_cast<std::size_t>(site)]}, config);
        const auto which = static_cast<std::size_t>(site);
        StudyOptions quiet = options;
        quiet.progress = {};  // of several sites at once
        const std::unique_ptr<StorageProblem> problem =
            placed(config, one, source, source.is_for_threads() ? 1 : config.threads, quiet, computed[which]);
        StorageOptimum optimum =
            optimum_of(config, one, *problem, optimize(problem->design(config.probability), search_of(config)),
                       source.intervals());
        computed[which] += problem->computed();
        placements[which] = problem->placement();
        return optimum;
    };
    const auto take = [&](std::int64_t site, StorageOptimum optimum) {
        study.optima.push_back(std::move(optimum));
        if (options.progress) {
            options.progress(fmt::format("optimizing  site {}/{}", site + 1, cases.size()));
        }
        return true;
    };
    in_order(static_cast<std::int64_t>(cases.size()), source.is_for_threads() ? config.threads : 1, make, take);
    study.computed = std::accumulate(computed.begin(), computed.end(), std::int64_t{0});
    const StorageEnsemble all(dataset, cases, config);
    std::vector<PlannedCase> plan;
    for (std::size_t place = 0; place < cases.size(); ++place) {
        plan.push_back({&study.optima[place].search.point, place, placements[place]});
    }
    study.designed = all.planned(plan);
    std::ranges::stable_sort(study.optima, [](const StorageOptimum& one, const StorageOptimum& other) {
        return one.search.is_feasible != other.search.is_feasible ? one.search.is_feasible
                                                                  : one.stored() > other.stored();
    });
}

/// What the simulator says of an optimum.
SimulatedOptimum simulated(const StorageConfig& config, const StorageEnsemble& ensemble, const StudyOptions& options,
                           const StorageOptimum& optimum, int threads) {
    StorageProblem problem(config, ensemble, 0, *options.simulator, threads, options.stop_requested);
    const StorageOutcome& outcome = problem.outcome(optimum.search.point);
    SimulatedOptimum result;
    for (std::size_t i = 0; i < config.limits.size(); ++i) {
        result.limits.push_back(outcome_of(outcome, i, config.probability_of(config.limits[i])));
    }
    result.failed = outcome.not_known;
    result.why_failed = outcome.why_not_known;
    return result;
}

/// Where the simulator says otherwise than the prediction.
void add_simulated_notes(StorageStudy& study) {
    for (const StorageOptimum& one : study.optima) {
        const std::string who = study.is_each ? fmt::format("site {}: ", one.cases[0]) : "";
        for (std::size_t i = 0; one.simulated && i < one.simulated->limits.size(); ++i) {
            const LimitOutcome& limit = one.simulated->limits[i];
            if (limit.excess > 0.0 && one.limits[i].excess <= 0.0) {
                study.notes.push_back(fmt::format(
                    "{}simulated by {}, {} holds in {} of {} alone{}", who, study.simulator,
                    study.config.limits[i].name(), limit.held.held, counted(limit.held.of, "case"),
                    std::isfinite(limit.excess)
                        ? fmt::format(" and is missed by {}; give the limit a larger margin", number_text(limit.excess))
                        : ""));
            }
        }
        if (one.simulated && one.simulated->failed > 0) {
            study.notes.push_back(
                fmt::format("{}{} could not be simulated, and counts as one that breaks the limits ({})", who,
                            counted(one.simulated->failed, "case"), one.simulated->why_failed));
        }
    }
}

/// Which limits count as exact, and of which cases the intervals of the others say nothing.
void add_margin_notes(StorageStudy& study) {
    std::vector<std::string> exact;
    bool has_interval = false;
    for (std::size_t i = 0; i < study.config.limits.size(); ++i) {
        const MarginSource from = study.optima[0].limits[i].margin_source;
        has_interval = has_interval || from == MarginSource::interval;
        if (from == MarginSource::none) {
            exact.push_back(study.config.limits[i].name());
        }
    }
    if (!exact.empty()) {
        study.notes.push_back(fmt::format(
            "the figures of {} count as exact (no margin is stated, and {} no interval of them); "
            "docs/optimize.md says what they may be wrong by",
            fmt::join(exact, ", "), study.config.model.empty() ? "physics alone has" : study.config.model + " has"));
    }
    std::int64_t cases = 0, without = 0;
    std::string reason;
    for (const StorageOptimum& one : study.optima) {
        for (std::size_t i = 0; has_interval && i < one.without_interval.size(); ++i) {
            ++cases;
            if (!one.without_interval[i].empty()) {
                ++without;
                reason = reason.empty() ? fmt::format("case {}: {}", one.cases[i], one.without_interval[i]) : reason;
            }
        }
    }
    if (without > 0) {
        study.notes.push_back(fmt::format(
            "the intervals by which limits are kept promise nothing of {} of {} at the optimum ({}); state a "
            "margin, or calibrate the model on such cases",
            without, counted(cases, "case"), reason));
    }
}

/// What the user is to know of the result.
void add_notes(StorageStudy& study) {
    const StorageConfig& config = study.config;
    add_margin_notes(study);
    if (config.fracture.gradient && !config.top_depth && !study.designed.attributes.contains("top_depth")) {
        study.notes.push_back(
            "the depth of the formations is not stated, so that of fresh water at rest with their pressure counts for "
            "the "
            "fracture gradient; state top_depth");
    }
    const std::size_t cases = study.is_each ? 1 : study.optima[0].cases.size();
    if (!study.is_each && cases < few_geologies) {
        study.notes.push_back(fmt::format(
            "{} {} little about a probability of {:g}; the interval stands under held in optimum.json",
            counted(static_cast<std::int64_t>(cases), "case"), cases == 1 ? "says" : "say", config.probability));
    }
    TrustCounts counts;
    std::string reason;
    for (const StorageOptimum& one : study.optima) {
        for (std::size_t i = 0; i < one.verdicts.size(); ++i) {
            const Verdict& verdict = one.verdicts[i];
            counts.add(verdict.trust);
            if (verdict.trust != Trust::good && reason.empty() && !verdict.reasons.empty()) {
                reason = fmt::format("case {}: {}", one.cases[i], verdict.reasons[0]);
            }
        }
    }
    if (counts.doubtful + counts.bad > 0) {
        study.notes.push_back(fmt::format("predictions at the optimum: {} ({})", counts.text(), reason));
    }
    for (const StorageOptimum& one : study.optima) {
        if (one.is_held_back) {
            study.notes.push_back(
                fmt::format("{}some higher rates keep the limits and lower ones do not (a figure jumps, or a peak "
                            "falls between two times "
                            "of the file), so the choice stays below; more times show a peak",
                            study.is_each ? fmt::format("site {}: ", one.cases[0]) : ""));
        }
        for (std::size_t i = 0; i < one.limits.size(); ++i) {
            if (one.limits[i].excess > 0.0) {
                const std::string who = study.is_each ? fmt::format("site {}: ", one.cases[0]) : "";
                study.notes.push_back(
                    fmt::format("{}{} cannot be met: the best choice misses it by {}", who, config.limits[i].name(),
                                std::isfinite(one.limits[i].excess)
                                    ? number_text(one.limits[i].excess)
                                    : fmt::format("an amount that is not known ({})", one.why_not_known)));
            }
        }
    }
}

}  // namespace

std::string StorageOptimum::binding() const { return binding_text(search); }

bool SimulatedOptimum::holds() const {
    return std::ranges::all_of(limits, [](const LimitOutcome& one) { return one.excess <= 0.0; });
}

StorageStudy optimize_storage(const StorageConfig& config, const FieldSource& source, const StudyOptions& options) {
    config.check();
    require_valid_inputs(config.data);
    const Dataset dataset(config.data);
    const std::vector<std::int64_t> cases = chosen_cases(dataset, config);
    if (options.simulator != nullptr) {  // before the search, which takes long
        options.simulator->require_takes(dataset, cases);
    }
    StorageStudy study;
    study.config = config;
    study.fields = source.description();
    study.is_each = options.is_each;
    if (options.is_each) {
        study_sites(config, dataset, cases, source, options, study);
    } else {
        study_ensemble(config, StorageEnsemble(dataset, cases, config), source, options, study);
    }
    study.designed.attributes["title"] = options.is_each ? "Sites, each at its optimum" : "Geologies at the optimum";
    study.designed.attributes["source"] = "plumecast " + std::string(version());
    study.designed.attributes["history"] =
        fmt::format("plumecast optimize: {} of {}, by {}", counted(static_cast<std::int64_t>(cases.size()), "case"),
                    config.data, study.fields);
    add_notes(study);
    return study;
}

void verify_storage(StorageStudy& study, const StudyOptions& options) {
    const Dataset dataset(study.config.data);
    if (options.progress) {
        options.progress(fmt::format(
            "simulating {} at the optimum",
            counted(static_cast<std::int64_t>(study.is_each ? study.optima.size() : study.optima[0].cases.size()),
                    "case")));
    }
    StorageConfig config = study.config;
    for (StorageLimit& limit : config.limits) {
        limit.margin = 0.0;
    }
    const int sites_at_once = study.is_each ? config.threads : 1;
    const auto make = [&](std::int64_t which) {
        const StorageOptimum& optimum = study.optima[static_cast<std::size_t>(which)];
        return simulated(config, StorageEnsemble(dataset, optimum.cases, config), options, optimum,
                         study.is_each ? 1 : config.threads);
    };
    std::vector<SimulatedOptimum> all;
    const auto take = [&](std::int64_t, SimulatedOptimum one) {
        all.push_back(std::move(one));
        return true;
    };
    in_order(static_cast<std::int64_t>(study.optima.size()), sites_at_once, make, take);
    for (std::size_t which = 0; which < all.size(); ++which) {
        study.optima[which].simulated = std::move(all[which]);
    }
    study.simulator = options.simulator->description();
    add_simulated_notes(study);
}

}  // namespace plumecast
