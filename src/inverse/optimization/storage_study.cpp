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
#include <span>
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
#include "reservoir/dataset/cases/texts_of_cases.hpp"

namespace plumecast {
namespace {

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
    optimum.placement = problem.placement();
    for (const std::size_t chosen : ensemble.placements()[optimum.placement]) {
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
    return found.binding.empty() ? "none; the ends of the ranges, or of the search"
                                 : fmt::format("{}", fmt::join(found.binding, "; "));
}

/// Whether another probability than that of the configuration may give another optimum.
bool has_table(const StorageConfig& config, std::size_t cases) {
    return cases > 1 && std::ranges::any_of(config.limits, [](const StorageLimit& one) { return !one.probability; });
}

/// A combination of places of the wells, and what was found of it.
struct Candidate {
    std::unique_ptr<StorageProblem> problem;
    DesignOptimum found = {};
};

/// The best first: of those within the limits the one that stores most, of others the one with the least excess, each
/// in the largest scale that any candidate found for its limit.
void put_in_order(std::span<Candidate> candidates) {
    std::vector<double> scales = candidates[0].found.scales;
    for (const Candidate& one : candidates) {
        std::ranges::transform(scales, one.found.scales, scales.begin(),
                               [](double scale, double other) { return std::max(scale, other); });
    }
    const auto quality = [&](const Candidate& one) {
        double worst = 0.0;
        for (std::size_t i = 0; i < scales.size(); ++i) {
            worst = std::max(worst, one.found.value.excess[i] / (scales[i] > 0.0 ? scales[i] : 1.0));
        }
        return std::pair(one.found.is_feasible, one.found.is_feasible ? one.found.value.objective : -worst);
    };
    std::ranges::stable_sort(candidates, std::greater<>(), quality);
}

/// The combination of places of the wells that stores most, with what was computed of it. All are searched in short,
/// the best of them to the end; where there is one alone, nothing is searched yet.
Candidate placed(const StorageConfig& config, const StorageEnsemble& ensemble, const FieldSource& source, int threads,
                 const StudyOptions& options, std::int64_t& computed) {
    const std::size_t count = ensemble.placements().size();
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < count; ++i) {
        candidates.push_back(
            {std::make_unique<StorageProblem>(config, ensemble, i, source, threads, options.stop_requested)});
    }
    const auto search_all = [&](std::span<Candidate> some, const DesignSearch& search, const char* what) {
        for (std::size_t i = 0; i < some.size(); ++i) {
            some[i].found = optimize(some[i].problem->design(config.probability), search);
            if (options.progress) {
                options.progress(fmt::format("optimizing  places of wells {}  {}/{}", what, i + 1, some.size()));
            }
        }
        put_in_order(some);
    };
    if (count > 1) {
        DesignSearch brief = search_of(config);
        brief.evaluations = 1;
        search_all(candidates, brief, "tried");
        const std::size_t few = std::min(static_cast<std::size_t>(config.polished), count);
        search_all(std::span(candidates).first(few), search_of(config), "searched");
    }
    for (auto one = candidates.begin() + 1; one != candidates.end(); ++one) {
        computed += one->problem->computed();
    }
    return std::move(candidates.front());
}

/// The first point to try is the one that was found already.
DesignSearch search_from(const StorageConfig& config, const Candidate& candidate) {
    DesignSearch search = search_of(config);
    if (!candidate.found.point.empty()) {
        search.starts.push_back(candidate.found.point);
    }
    return search;
}

/// The ensemble at all probabilities, from the highest down: what holds at one holds at those below.
void study_ensemble(const StorageConfig& config, const StorageEnsemble& ensemble, const FieldSource& source,
                    const StudyOptions& options, StorageStudy& study) {
    const Candidate chosen = placed(config, ensemble, source, config.threads, options, study.computed);
    StorageProblem& problem = *chosen.problem;
    std::set<double, std::greater<>> probabilities{config.probability};
    if (has_table(config, ensemble.cases().size())) {
        probabilities.insert(config.probabilities.begin(), config.probabilities.end());
    }
    DesignSearch search = search_from(config, chosen);
    for (const double probability : probabilities) {
        search.progress = [&](int tried, double best) {
            if (options.progress) {
                options.progress(
                    fmt::format("optimizing  probability {:g}  {} tried  {}", probability, counted(tried, "choice"),
                                std::isnan(best) ? "none within the limits yet" : fmt::format("best {:.4g} Mt", best)));
            }
        };
        DesignOptimum found = optimize(problem.design(probability), search);
        search.starts.push_back(found.point);
        study.table.push_back(
            {probability, found.value.objective, found.is_feasible, binding_text(found), found.point});
        if (probability == config.probability) {
            study.optima.push_back(optimum_of(config, ensemble, problem, std::move(found), source.intervals()));
        }
    }
    std::ranges::reverse(study.table);
    if (study.table.size() == 1) {
        study.table.clear();
    }
    study.computed += problem.computed();
    std::vector<PlannedCase> plan;
    for (std::size_t place = 0; place < ensemble.cases().size(); ++place) {
        plan.push_back({&study.optima[0].search.point, place, study.optima[0].placement});
    }
    study.designed = ensemble.planned(plan);
}

/// Every case by itself, several at once where the fields allow it.
void study_sites(const StorageConfig& config, const Dataset& dataset, const std::vector<std::int64_t>& cases,
                 const FieldSource& source, const StudyOptions& options, StorageStudy& study) {
    const StorageEnsemble all(dataset, cases, config);  // first, since it refuses what any of the sites would
    std::vector<std::int64_t> computed(cases.size());
    const auto make = [&](std::int64_t site) {
        const StorageEnsemble one(dataset, {cases[static_cast<std::size_t>(site)]}, config);
        const auto which = static_cast<std::size_t>(site);
        StudyOptions quiet = options;
        quiet.progress = {};  // of several sites at once
        const Candidate chosen =
            placed(config, one, source, source.is_for_threads() ? 1 : config.threads, quiet, computed[which]);
        StorageProblem& problem = *chosen.problem;
        StorageOptimum optimum =
            optimum_of(config, one, problem, optimize(problem.design(config.probability), search_from(config, chosen)),
                       source.intervals());
        computed[which] += problem.computed();
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
    std::vector<PlannedCase> plan;
    for (std::size_t place = 0; place < cases.size(); ++place) {
        plan.push_back({&study.optima[place].search.point, place, study.optima[place].placement});
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
    StorageProblem problem(config, ensemble, optimum.placement, *options.simulator, threads, options.stop_requested);
    const StorageOutcome& outcome = problem.outcome(optimum.search.point);
    SimulatedOptimum result;
    for (std::size_t i = 0; i < config.limits.size(); ++i) {
        result.limits.push_back(outcome_of(outcome, i, config.probability_of(config.limits[i])));
    }
    result.failed = outcome.not_known;
    result.why_failed = outcome.why_not_known;
    return result;
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
    for (const auto& [array, of_all] : texts_of_cases(dataset)) {
        if (array == "/case/wells") {  // names rates from before the search
            continue;
        }
        for (const std::int64_t which : cases) {
            study.designed.texts[array].push_back(of_all[static_cast<std::size_t>(which)]);
        }
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
