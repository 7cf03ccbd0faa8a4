#include <plumecast/inference/predictor.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/evaluation.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/clock.hpp"
#include "inference/batch_size.hpp"
#include "inference/bundle/recorded.hpp"
#include "inference/guided/model_grid.hpp"
#include "inference/guided/recorded_grids.hpp"
#include "inference/prediction/loaded_model.hpp"
#include "inference/prediction/prediction_job.hpp"
#include "inference/prediction/prediction_notices.hpp"
#include "inference/prediction/rolled_prediction.hpp"
#include "inference/prediction/shared_failures.hpp"
#include "reservoir/batches/case_lists.hpp"
#include "reservoir/dataset/cases/dissolution_limit.hpp"
#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {
namespace {

/// Waits until all ranks are here.
void wait_for_all_ranks(const ProcessGrid* grid) {
    if (grid != nullptr) {
        grid->world().barrier();
    }
}

/// What the networks that are wanted know of rates that are not those asked for at all times, of dissolution that takes
/// time, or of temperatures that grow with depth: they take none as an input, but their physics does. `learned` is the
/// record of a training whose data had some.
RateChanges changes_known_to(const LoadedModel& model, const WantedNetworks& wanted, std::string_view learned) {
    const bool is_guided = std::ranges::all_of(wanted.networks, [&](std::size_t i) {
        return model.bundle().networks[i].network->description().corrects_physics();
    });
    const bool has_learned = model.bundle().training.find(learned) != nullptr;
    return !is_guided ? RateChanges::unseen : has_learned ? RateChanges::none : RateChanges::corrected;
}

/// The same of temperatures that grow with depth, where those of the data set do; of cylinders, as models for boxes may
/// have learned from such data without a record of it.
RateChanges temperatures_known_to(const LoadedModel& model, const WantedNetworks& wanted, const Dataset& dataset) {
    const bool grow =
        dataset.geometry() == Geometry::radial && dataset.stated("temperature_gradient").value_or(0.0) != 0.0;
    constexpr std::string_view learned = "temperature_gradients";
    const bool has_learned = model.bundle().training.find(learned) != nullptr;
    return grow && !has_learned ? changes_known_to(model, wanted, learned) : RateChanges::none;
}

/// Whether all networks that are wanted have an input of that name.
bool takes_input(const LoadedModel& model, const WantedNetworks& wanted, std::string_view name) {
    return std::ranges::all_of(wanted.networks, [&](std::size_t i) {
        return std::ranges::any_of(model.bundle().networks[i].network->description().channels,
                                   [&](const Channel& channel) { return channel.source == name; });
    });
}

/// CO2 injected [N * T] as the physics that the networks correct has it, where the pressure in wells has a limit; of
/// cases without values what was asked for.
std::vector<float> limited_masses(const Dataset& dataset, const std::map<std::int64_t, std::vector<float>>& injected) {
    std::vector<float> masses;
    for (std::int64_t which = 0; which < dataset.cases() && !injected.empty(); ++which) {
        if (const auto found = injected.find(which); found != injected.end()) {
            masses.insert(masses.end(), found->second.begin(), found->second.end());
            continue;
        }
        const CaseFields asked = case_inputs(dataset, which);
        for (const double time : dataset.times()) {
            masses.push_back(static_cast<float>(asked.injected(time)));
        }
    }
    return masses;
}

/// All outputs of the networks of a bundle that rolls, over all times of a data set.
RolledOutputs rolled_by(const LoadedModel& model, const Dataset& dataset, const RolloutOptions& rollout,
                        const PredictionOptions& options, PredictionReport& report) {
    if (model.grid() != nullptr && model.grid()->world().size() > 1) {
        throw InvalidInput(dataset.path() +
                           ": the model rolls over times (its states stay on one rank); predict with one process");
    }
    require_time_step(model.bundle(), dataset);
    const std::int64_t windows = (dataset.snapshots() + rollout.steps - 1) / rollout.steps;
    std::int64_t done = 0;
    return rolled_outputs(dataset, rollout, [&](Dataset window) {
        PredictionJob job{OpenInput(std::move(window)), wanted_of(model.bundle(), {})};
        job.corrections = CorrectionSizes(report.cases);
        RolledOutputs found;
        PredictedArrays arrays;
        const Shape space = job.input.dataset->space();
        for (const std::string& field : job.wanted.fields) {
            std::vector<std::int64_t> extents{report.cases, rollout.steps};
            extents.insert(extents.end(), space.extents().begin(), space.extents().end());
            std::vector<float>& values = found[field];
            values.resize(static_cast<std::size_t>(report.cases * rollout.steps * space.count()));
            arrays.arrays.emplace(field, output_to(values.data(), extents));
        }
        job.store = store_of(arrays, job.input, job.wanted.fields, {}, {});
        PredictionOptions own = options;
        if (options.progress) {
            own.progress = [&](std::int64_t now, std::int64_t all) {
                options.progress(done * all + now, windows * all);
            };
        }
        run_networks(model, job, own, report);
        ++done;
        report.failed = job.failures->all();
        settle_unanswered(job, report);
        job.store->commit();
        return found;
    });
}

/// Predicts cases of a bundle that rolls, as predict() does.
PredictionReport predict_rolled(const LoadedModel& model, const OpenInput& input, const RolloutOptions& rollout,
                                const PredictionOutput& output, const PredictionOptions& options) {
    if (!input.dataset || !options.spread_output.empty()) {
        throw InvalidInput(input.name + (input.dataset ? ": the spread of members" : ": ready-made channels") +
                           " (the model rolls over times, from states of a data set to states); leave it out");
    }
    if (options.uncertainty) {
        throw InvalidInput(input.name +
                           ": bands (the model rolls over times, and none are calibrated of that); leave them out");
    }
    PredictionReport report;
    report.cases = input.cases;
    const Dataset& dataset = *input.dataset;
    needs_regrid(model.bundle(), dataset, options.beyond, options.log);
    const RolledOutputs none;
    report.out_of_range = model.out_of_range(dataset.window(rollout, 0, none), options.log);
    const WantedNetworks wanted = wanted_of(model.bundle(), names_asked_for(output, options.fields));
    const auto store =
        store_of(output, input, wanted.fields, result_attributes(model.bundle(), input.name), units_of(model.bundle()));
    const RolledOutputs rolled = rolled_by(model, dataset, rollout, options, report);
    if (std::holds_alternative<std::string>(output)) {
        require_some(report, input.name);
    }
    warn_of_failures(report, options.log);
    std::vector<float> active(static_cast<std::size_t>(dataset.cells()));
    for (std::int64_t which = 0; which < report.cases; ++which) {
        dataset.read_map("active", {&which, 1}, active);
        for (const std::string& field : wanted.fields) {
            if (const auto rest = store->put(field, which, rolled_case(dataset, rolled.at(field), which), active)) {
                rest();
            }
        }
    }
    store->keep(CorrectionSizes(report.cases));
    store->commit();
    return report;
}

}  // namespace

Predictor::Predictor(const std::string& bundle, Backend& backend, const ProcessGrid* grid)
    : model_(std::make_shared<const LoadedModel>(bundle, backend, grid)) {}

const Bundle& Predictor::bundle() const { return model_->bundle(); }

std::string Predictor::arithmetic() const {
    const Backend& backend = model_->backend();
    return backend.shares_host_memory() ? "cpu, fields of " + std::string(name_of(backend.field_type()))
                                        : backend.description();
}

Tensor Predictor::predict(const BundleNetwork& network, const Batch& batch) const {
    const auto& all = model_->plans();
    const auto plans = std::ranges::find(all, network.network.get(), [](const auto& own) { return &own->network(); });
    expects(plans != all.end(), "a network of the predictor's bundle");
    const Tensor prediction = FieldPlans(*plans).predict(batch);
    Tensor values = host_zeros(prediction.shape());
    model_->backend().download(prediction.view(), values);
    return without_spread(std::move(values), (*plans)->gives_spread()).first;
}

PredictionReport Predictor::predict(const PredictionInput& input, const PredictionOutput& output,
                                    const PredictionOptions& options) const {
    const auto start = Clock::now();
    const LoadedModel& model = *model_;
    require_usable(options);
    PredictionReport report;
    const LogSink log = model.is_first() ? options.log : nullptr;
    if (const RolloutOptions rollout = recorded_rollout(model.bundle()); rollout.rolls()) {
        report = predict_rolled(model, OpenInput(input, log), rollout, output, options);
        report.seconds = seconds_since(start);
        return report;
    }
    PredictionJob job{OpenInput(input, log),
                      wanted_of(model.bundle(), names_asked_for(output, options.fields), &model.trust().field_bands,
                                options.uncertainty && std::holds_alternative<std::string>(output))};
    if (job.wanted.has_bands && !job.input.dataset) {
        throw InvalidInput(job.input.name +
                           ": holds ready-made channels (bands need the inputs of the cases); give a data set");
    }
    job.is_other_grid =  // said before the ranges, of which there may be many to warn of
        job.input.dataset && needs_regrid(model.bundle(), *job.input.dataset, options.beyond, log);
    report.cases = job.input.cases;
    job.corrections = CorrectionSizes(report.cases);
    if (model.is_first()) {
        if (job.input.dataset) {
            report.out_of_range = model.out_of_range(*job.input.dataset, options.log);
        }
        job.store = store_of(output, job.input, job.wanted.fields, result_attributes(model.bundle(), job.input.name),
                             units_of(model.bundle()));
        job.judged = judged_store(model, job, output);
        job.physics = further_store(model, job, options.physics_output,
                                    [](const NetworkDescription&, const Field& field) { return !field.base.empty(); });
        job.spread =
            further_store(model, job, options.spread_output,
                          [](const NetworkDescription& network, const Field&) { return network.network.members > 1; });
    }
    report.stages.checks = seconds_since(start);
    run_networks(model, job, options, report);
    if (model.grid() != nullptr) {
        share_failures(*job.failures, model.grid()->world());
    }
    report.failed = job.failures->all();
    if (std::holds_alternative<std::string>(output)) {
        require_some(report, job.input.name);  // on all ranks, so that none waits for one that ended
    }
    if (job.store) {
        settle_unanswered(job, report);
        warn_of_failures(report, options.log);
        job.store->keep(job.corrections);
        if (job.input.dataset && job.input.dataset->geometry() != Geometry::generic) {  // verdicts are on CO2
            const auto judging = Clock::now();
            RunFacts facts;
            facts.ranges = model.ranges();
            facts.out_of_range = report.out_of_range;
            facts.corrections = job.corrections.sizes();
            facts.resampling = job.is_other_grid ? resampling_of(model.bundle(), *job.input.dataset) : Resampling::none;
            facts.buildup_limit = options.buildup_limit;
            facts.trained_time = last_trained_time(model.bundle(), *job.input.dataset);
            facts.rate_changes = changes_known_to(model, job.wanted, "schedules");
            facts.injected = limited_masses(*job.input.dataset, job.injected);
            facts.limits = changes_known_to(model, job.wanted, "pressure_limits");
            facts.dissolution = takes_input(model, job.wanted, dissolution_rate_limit_name)
                                    ? RateChanges::none
                                    : changes_known_to(model, job.wanted, "dissolution_limits");
            facts.warmth = temperatures_known_to(model, job.wanted, *job.input.dataset);
            facts.failed = report.failed;
            facts.dissolved = std::move(job.dissolved);
            facts.has_bands = job.wanted.has_bands;
            report.verdicts = job.store->judge(*job.input.dataset, model.trust(), facts, job.judged.get());
            leave_uncalibrated(job, report.verdicts.band_notes);
            warn_of_bands(report.verdicts.band_notes, options.log);
            report.stages.judging = seconds_since(judging);
        }
        job.store->commit();
    }
    for (const std::unique_ptr<ResultStore>* further : {&job.physics, &job.spread}) {
        if (*further) {
            (*further)->commit();
        }
    }
    wait_for_all_ranks(model.grid());  // no rank says it is done before the result is there
    report.seconds = seconds_since(start);
    report.stages.networks = report.compute_seconds;
    report.stages.writing += report.seconds - report.stages.whole();
    if (options.strict) {
        report.verdicts.require_none_bad(job.input.name);
    }
    return report;
}

std::vector<Evaluation> Predictor::evaluate(const Dataset& dataset, const EvaluationOptions& options) const {
    require_batch(options.batch);
    const LoadedModel& model = *model_;
    std::vector<Evaluation> evaluations;
    const bool is_elsewhere =
        needs_regrid(model.bundle(), dataset, Beyond::refuse, model.is_first() ? options.log : nullptr);
    if (const RolloutOptions rollout = recorded_rollout(model.bundle()); rollout.rolls()) {
        PredictionOptions prediction;
        prediction.batch = options.batch;
        prediction.stop_requested = options.stop_requested;
        PredictionReport report;
        report.cases = dataset.cases();
        const RolledOutputs rolled = rolled_by(model, dataset, rollout, prediction, report);
        for (const BundleNetwork& one : model.bundle().networks) {
            evaluations.push_back(rolled_evaluation(one.network->description(), dataset, rolled, report.failed));
            evaluations.back().compute_seconds = report.compute_seconds;
        }
        return evaluations;
    }
    for (const std::shared_ptr<LatestPlans>& plans : model.plans()) {
        EvaluationOptions own = options;
        own.failures = own.failures ? own.failures : std::make_shared<CaseFailures>();
        if (is_elsewhere) {
            own.trained_on = recorded_grid(model.bundle());
        }
        if (own.batch == 0) {
            own.batch = automatic_batch(*plans, dataset.space().append(dataset.snapshots()), dataset.cases(),
                                        model.grid() == nullptr || model.grid()->world().size() == 1);
        }
        evaluations.push_back(plumecast::evaluate(plans->network(), dataset, all_cases(dataset.cases()), own));
    }
    return evaluations;
}

}  // namespace plumecast
