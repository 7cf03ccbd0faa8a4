#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/channel_layout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include <plumecast/reservoir/batches/prefetcher.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/clock.hpp"
#include "inference/batch_size.hpp"
#include "inference/bundle/recorded.hpp"
#include "inference/guided/carried_fields.hpp"
#include "inference/guided/closed_balance.hpp"
#include "inference/guided/correction_sizes.hpp"
#include "inference/guided/stored_physics.hpp"
#include "inference/guided/way_back.hpp"
#include "inference/packed_results.hpp"
#include "inference/prediction_slot.hpp"
#include "inference/rank_shard.hpp"

namespace plumecast {
namespace {

std::vector<std::int64_t> all_cases(std::int64_t count) {
    std::vector<std::int64_t> cases(static_cast<std::size_t>(count));
    std::iota(cases.begin(), cases.end(), std::int64_t{0});
    return cases;
}

std::shared_ptr<const Tensor> shared(Tensor tensor) { return std::make_shared<const Tensor>(std::move(tensor)); }

/// "no memory for 12 MiB more", of a message with parentheses and a remedy.
std::string reason_of(const Error& error) {
    const std::string message = error.what();
    return message.substr(0, message.find(" ("));
}

/// A data set whose inputs keep to the format, with warnings of those that look wrong; nothing for ready-made channels.
std::optional<Dataset> checked_dataset(const std::string& input, const LogSink& log) {
    if (is_channel_file(input)) {
        return std::nullopt;
    }
    std::optional<Dataset> dataset(input);
    for (const Violation& one : require_valid_inputs(input)) {
        if (log) {
            log(Severity::warning, fmt::format("{}: {}: {}; {}", input, one.path, one.problem, one.remedy));
        }
    }
    return dataset;
}

/// Where results go; the writer is nullptr on ranks that do not write.
struct PassResults {
    FieldsWriter* writer;
    CorrectionSizes* corrections;
    const Dataset* dataset;  // nullptr where the cases are channels
};

/// One network over consecutive cases of a source; results are written while the next batch is computed.
class PredictionPass {
   public:
    PredictionPass(const FieldNetwork& network, std::unique_ptr<BatchSource> source, WayBack back,
                   const PassResults& to, const PredictionOptions& options, CellRange cases, std::int64_t all_passes)
        : network_(network),
          extents_(source->extents()),
          end_(cases.high),
          share_(network, extents_),
          source_(share_.source(std::move(source))),
          back_(std::move(back)),
          options_(options),
          all_passes_(all_passes),
          corrections_(*to.corrections),
          dataset_(to.dataset),
          done_(cases.low) {
        if (to.writer != nullptr) {
            results_.emplace(*to.writer, network.backend().host_threads());
        }
    }

    void run(PredictionReport& report) {
        std::int64_t size =
            options_.batch > 0 ? options_.batch : automatic_batch(network_, extents_, end_ - done_, is_alone());
        while (done_ < end_) {
            try {
                run_batches(size, report);
            } catch (const OutOfMemory& why) {
                size = smaller(size, why);
            }
        }
        if (results_) {
            results_->finish();
        }
    }

   private:
    /// A batch that a slot computes.
    struct Started {
        PredictionSlot* slot;
        const std::vector<std::int64_t>* whole;
        Batch batch;
    };

    bool is_alone() const { return share_.world() == nullptr || share_.world()->size() == 1; }
    void run_batches(std::int64_t size, PredictionReport& report);
    void finish(Started& started, PredictionReport& report);
    void write(const Tensor& values, Started& started);
    /// All of an array of results on the rank that writes, which what was brought back is already.
    Tensor whole(Tensor own, std::int64_t count) const {
        return back_.is_needed() ? std::move(own) : share_.gathered(std::move(own), count);
    }
    std::int64_t smaller(std::int64_t size, const OutOfMemory& why) const;

    const FieldNetwork& network_;
    Shape extents_;
    std::int64_t end_;
    RankShard share_;
    std::unique_ptr<BatchSource> source_;
    WayBack back_;
    const PredictionOptions& options_;
    std::int64_t all_passes_;
    CorrectionSizes& corrections_;
    const Dataset* dataset_;
    std::int64_t done_;                     // cases, in their order
    std::optional<PackedResults> results_;  // of the rank that writes
};

void PredictionPass::run_batches(std::int64_t size, PredictionReport& report) {
    std::vector<std::int64_t> left = all_cases(end_);
    left.erase(left.begin(), left.begin() + done_);
    const auto batches = batches_of(left, size);
    Prefetcher ahead(*source_, share_.own_cases(batches));
    back_.start(batches);
    FieldPlans plans(network_);
    std::array slots{PredictionSlot(network_, plans), PredictionSlot(network_, plans)};
    std::optional<Started> before;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const auto loading = Clock::now();
        Started now{&slots[i % 2], &batches[i], *ahead.next()};
        report.stages.physics += seconds_since(loading);
        if (options_.stop_requested && share_.agreed(options_.stop_requested())) {
            throw Interrupted();
        }
        try {
            const auto computing = Clock::now();
            now.slot->start(now.batch);
            report.compute_seconds += seconds_since(computing);
        } catch (const OutOfMemory&) {
            if (before) {
                finish(*before, report);
            }
            throw;
        }
        if (before) {
            finish(*before, report);
        }
        before = std::move(now);
    }
    finish(*before, report);
}

void PredictionPass::write(const Tensor& values, Started& started) {
    const auto count = static_cast<std::int64_t>(started.whole->size());
    Tensor& own = started.batch.active;
    const auto active = shared(whole(back_.is_needed() ? std::move(own) : share_.own_cells(own), count));
    const std::vector<Field>& fields = network_.description().fields;
    const Batch& batch = started.batch;
    WrittenFields written;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const auto index = static_cast<std::int64_t>(f);
        const Field field = back_.is_needed() ? as_joined(fields[f]) : fields[f];
        Tensor physical = whole(physical_values(values, index, field, batch.scales, batch.limits), count);
        if (!fields[f].base.empty()) {
            const Field exact = as_it_is(fields[f]);
            Tensor known = whole(physical_values(batch.base, index, exact, batch.scales), count);
            if (results_) {
                corrections_.add(exact.name, *started.whole, physical, known, *active);
                written.known[exact.name] = shared(std::move(known));
            }
        }
        if (results_) {
            written.predicted[fields[f].name] = shared(std::move(physical));
            results_->add(fields[f].name, *started.whole, written.predicted[fields[f].name], active);
        }
    }
    for (auto& [source, field] : started.batch.carried) {
        Tensor field_of_all = whole(std::move(field), count);
        if (results_) {
            if (dataset_ != nullptr && output_of(source) == "dissolved_co2") {
                close_balance(*dataset_, *started.whole, written, field_of_all);
            }
            results_->add(output_of(source), *started.whole, shared(std::move(field_of_all)), active);
        }
    }
}

void PredictionPass::finish(Started& started, PredictionReport& report) {
    const auto waiting = Clock::now();
    Tensor values = started.slot->finish();
    report.compute_seconds += seconds_since(waiting);
    if (back_.is_needed()) {
        back_.bring(values, started.batch, static_cast<std::int64_t>(started.whole->size()), share_);
    }
    if (!back_.is_needed() || results_) {
        write(values, started);
    }
    const auto count = static_cast<std::int64_t>(started.whole->size());
    done_ += count;
    report.passes += count;
    if (options_.progress) {
        options_.progress(report.passes, all_passes_);
    }
}

/// The size to go on with. Ranks cannot: the others wait for the one whose memory is too small.
std::int64_t PredictionPass::smaller(std::int64_t size, const OutOfMemory& why) const {
    if (size == 1 || !is_alone()) {
        throw why;
    }
    const std::int64_t fitting = fitting_batch(network_, extents_, size - 1);
    if (options_.batch > 0) {
        throw OutOfMemory(fmt::format("batches of {} cases do not fit ({}); use --batch {} or --batch auto", size,
                                      reason_of(why), fitting));
    }
    if (options_.log) {
        options_.log(Severity::warning, fmt::format("batches of {} cases do not fit ({}); going on with batches of {}",
                                                    size, reason_of(why), fitting));
    }
    return fitting;
}

/// Consecutive cases that go through all networks, one after the other, before the next ones do.
std::int64_t cases_at_once(std::int64_t all, const std::optional<BundlePhysics>& physics,
                           const std::optional<CasesOnOwnGrid>& own) {
    const std::int64_t users = physics ? physics->cases_at_once(all) : all;
    return own ? std::min(users, own->physics().cases_at_once(all)) : users;
}

void forget(const std::optional<BundlePhysics>& physics, const std::optional<CasesOnOwnGrid>& own) {
    if (physics) {
        physics->forget();
    }
    if (own) {
        own->physics().forget();
    }
}

/// Cases of a data set, or of a file with ready-made channels where there is none.
std::unique_ptr<BatchSource> source_of(const std::optional<Dataset>& dataset, const std::string& input,
                                       const NetworkDescription& description,
                                       const std::shared_ptr<const CasePhysics>& physics,
                                       const std::vector<std::string>& carried) {
    return dataset ? cases_for(description, *dataset, Targets::skip, physics, carried) : channel_file_source(input);
}

/// Waits until all ranks are here.
void meet(const ProcessGrid* grid) {
    if (grid != nullptr) {
        grid->world().barrier();
    }
}

}  // namespace

Predictor::Predictor(const std::string& bundle, Backend& backend, const ProcessGrid* grid)
    : backend_(&backend),
      grid_(grid),
      bundle_(Bundle::load(bundle, backend, grid)),
      ranges_(recorded_ranges(bundle_)),
      trust_(recorded_trust(bundle_)) {
    for (const BundleNetwork& network : bundle_.networks) {
        network.network->parameters().set_trainable(false);
    }
}

Tensor Predictor::predict(const BundleNetwork& network, const Batch& batch) const {
    const Variable prediction = FieldPlans(*network.network).predict(batch);
    Tensor values = host_zeros(prediction.shape());
    backend_->download(prediction.value(), values);
    return values;
}

/// The physics of the cases for all networks, computed while batches are loaded.
BundlePhysics Predictor::physics_of(const Dataset& dataset, const PredictionOptions& options, bool is_elsewhere) const {
    std::vector<const NetworkDescription*> descriptions;
    for (const BundleNetwork& network : bundle_.networks) {
        descriptions.push_back(&network.network->description());
    }
    PhysicsOptions physics;
    physics.log = is_first() ? options.log : nullptr;
    physics.kept_bytes = options.physics_bytes;
    if (is_elsewhere) {
        physics.step_times = recorded_grid(bundle_)->times;
    }
    return {dataset, descriptions, physics};
}

void Predictor::warn(const Dataset& dataset, const PredictionOptions& options, PredictionReport& report) const {
    report.out_of_range = ranges_.outside(dataset, all_cases(dataset.cases()));
    if (!options.log) {
        return;
    }
    for (const OutOfRange& out : report.out_of_range) {
        const Range& range = ranges_.ranges().at(out.field);
        const std::string unit = out.unit == "1" ? "" : " " + out.unit;
        options.log(Severity::warning,
                    fmt::format("case {}: {} = {:.6g}{} lies {:.3g}{} outside the training range {:.6g} to {:.6g} "
                                "(the prediction is extrapolation); check it against a simulation",
                                out.which, out.field, out.value, unit, out.distance, unit, range.low, range.high));
    }
}

PredictionReport Predictor::predict(const std::string& input, const std::string& output,
                                    const PredictionOptions& options) const {
    const auto start = Clock::now();
    PredictionReport report;
    const std::optional<Dataset> dataset = checked_dataset(input, is_first() ? options.log : nullptr);
    const bool is_other_grid =  // said before the ranges, of which there may be many to warn of
        dataset && needs_own_grid(bundle_, *dataset, options.beyond, is_first() ? options.log : nullptr);
    const std::vector<std::vector<std::string>> carried = carried_fields(bundle_);
    std::optional<FieldsWriter> writer;
    if (is_first()) {
        if (dataset) {
            warn(*dataset, options, report);
        }
        writer.emplace(output, input, written_fields(bundle_), result_attributes(bundle_, input));
    }
    report.stages.checks = seconds_since(start);
    std::optional<BundlePhysics> physics;
    std::optional<CasesOnOwnGrid> own;
    if (dataset) {
        physics.emplace(physics_of(*dataset, options, is_other_grid));
    }
    if (is_other_grid) {
        own.emplace(*dataset, bundle_, options.physics_bytes);
    }
    report.cases = dataset ? dataset->cases() : channel_file_source(input)->cases();
    CorrectionSizes corrections(report.cases);
    const auto all_passes = static_cast<std::int64_t>(bundle_.networks.size()) * report.cases;
    const std::int64_t at_once = cases_at_once(report.cases, physics, own);
    for (std::int64_t begin = 0; begin < report.cases; begin += at_once) {
        for (std::size_t i = 0; i < bundle_.networks.size(); ++i) {
            const FieldNetwork& network = *bundle_.networks[i].network;
            const NetworkDescription& description = network.description();
            const auto known = physics ? physics->of(description) : nullptr;
            auto source = own ? own->source(description) : source_of(dataset, input, description, known, carried[i]);
            WayBack back = own ? own->way_back(description, known, is_first(), carried[i]) : WayBack();
            PredictionPass(network, std::move(source), std::move(back),
                           {writer ? &*writer : nullptr, &corrections, dataset ? &*dataset : nullptr}, options,
                           {begin, std::min(begin + at_once, report.cases)}, all_passes)
                .run(report);
        }
        forget(physics, own);
    }
    report.physics = physics ? physics->computed() : 0;
    if (writer) {
        corrections.write(*writer);
        if (dataset) {
            const auto judging = Clock::now();
            report.verdicts =
                judge_result(*writer, input, trust_,
                             {ranges_, report.out_of_range, corrections.sizes(), is_other_grid, options.buildup_limit});
            report.stages.judging = seconds_since(judging);
        }
        writer->commit();
    }
    meet(grid_);  // no rank says it is done before the file is there
    report.seconds = seconds_since(start);
    report.stages.networks = report.compute_seconds;
    report.stages.writing += report.seconds - report.stages.whole();
    return report;
}

std::vector<Evaluation> Predictor::evaluate(const Dataset& dataset, const EvaluationOptions& options) const {
    std::vector<Evaluation> evaluations;
    const bool is_elsewhere = needs_own_grid(bundle_, dataset, Beyond::refuse, is_first() ? options.log : nullptr);
    for (const BundleNetwork& network : bundle_.networks) {
        EvaluationOptions own = options;
        if (is_elsewhere) {
            own.trained_on = recorded_grid(bundle_);
        }
        if (own.batch == 0) {
            own.batch = automatic_batch(*network.network, dataset.space().append(dataset.snapshots()), dataset.cases(),
                                        grid_ == nullptr || grid_->world().size() == 1);
        }
        evaluations.push_back(plumecast::evaluate(*network.network, dataset, all_cases(dataset.cases()), own));
    }
    return evaluations;
}

}  // namespace plumecast
