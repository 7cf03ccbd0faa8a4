#include "inference/prediction/prediction_pass.hpp"

#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/prefetcher.hpp>

#include "core/clock.hpp"
#include "inference/batch_size.hpp"
#include "inference/guided/carried_fields.hpp"
#include "inference/guided/closed_balance.hpp"
#include "inference/guided/other_grid.hpp"

namespace plumecast {
namespace {

std::shared_ptr<const Tensor> shared(Tensor tensor) { return std::make_shared<const Tensor>(std::move(tensor)); }

/// "no memory for 12 MiB more", of a message with parentheses and a remedy.
std::string reason_of(const Error& error) {
    const std::string message = error.what();
    return message.substr(0, message.find(" ("));
}

/// Cases [low, high) in their order.
std::vector<std::int64_t> cases_between(std::int64_t low, std::int64_t high) {
    std::vector<std::int64_t> cases(static_cast<std::size_t>(high - low));
    std::iota(cases.begin(), cases.end(), low);
    return cases;
}

}  // namespace

PredictionPass::PredictionPass(std::shared_ptr<LatestPlans> plans, std::unique_ptr<BatchSource> source, WayBack back,
                               const PassResults& to, const PredictionOptions& options, CellRange cases,
                               std::int64_t all_passes)
    : plans_(std::move(plans)),
      network_(plans_->network()),
      extents_(source->extents()),
      end_(cases.high),
      share_(network_, extents_),
      source_(share_.source(std::move(source))),
      back_(std::move(back)),
      options_(options),
      all_passes_(all_passes),
      store_(to.store),
      corrections_(*to.corrections),
      dataset_(to.dataset),
      failures_(*to.failures),
      done_(cases.low) {
    if (to.store != nullptr) {
        results_.emplace(*to.store, network_.backend().host_threads());
    }
}

void PredictionPass::run(PredictionReport& report) {
    std::int64_t size =
        options_.batch > 0 ? options_.batch : automatic_batch(*plans_, extents_, end_ - done_, is_alone());
    while (done_ < end_) {
        try {
            run_batches(size, report);
        } catch (const OutOfMemory& why) {
            plans_->forget();
            size = smaller(size, why);
        }
    }
    if (results_) {
        results_->finish();
    }
}

void PredictionPass::run_batches(std::int64_t size, PredictionReport& report) {
    const auto batches = batches_of(cases_between(done_, end_), size);
    Prefetcher ahead(*source_, share_.own_cases(batches));
    back_.start(batches);
    FieldPlans plans(plans_);
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

void PredictionPass::keep(const std::string& field, const std::vector<std::int64_t>& cases,
                          std::shared_ptr<const Tensor> values, std::shared_ptr<const Tensor> active) {
    if (store_->takes(field)) {
        results_->add(field, cases, std::move(values), std::move(active));
    }
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
        Tensor physical =
            whole(physical_values(values, index, field, batch.scales, batch.limits, options_.limits), count);
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
            keep(fields[f].name, *started.whole, written.predicted[fields[f].name], active);
        }
    }
    for (auto& [source, field] : started.batch.carried) {
        Tensor field_of_all = whole(std::move(field), count);
        if (results_) {
            if (dataset_ != nullptr && output_of(source) == "dissolved_co2") {
                close_balance(*dataset_, *started.whole, written, field_of_all, failures_);
            }
            keep(output_of(source), *started.whole, shared(std::move(field_of_all)), active);
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
    const std::int64_t fitting = fitting_batch(*plans_, extents_, size - 1);
    if (options_.batch > 0) {
        throw OutOfMemory(
            fmt::format("batches of {} cases do not fit ({}); use PredictionOptions::batch = {}, or 0 for "
                        "as many as fit",
                        size, reason_of(why), fitting));
    }
    if (options_.log) {
        options_.log(Severity::warning, fmt::format("batches of {} cases do not fit ({}); going on with batches of {}",
                                                    size, reason_of(why), fitting));
    }
    return fitting;
}

}  // namespace plumecast
