#include "inference/prediction/prediction_pass.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/clock.hpp"
#include "inference/batch_size.hpp"
#include "inference/guided/written_fields.hpp"
#include "inference/prediction/prediction_task.hpp"
#include "reservoir/batches/case_lists.hpp"

namespace plumecast {
namespace {

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

PredictionPass::PredictionPass(std::shared_ptr<LatestPlans> plans, CaseStream& stream, const PassResults& to,
                               const PredictionOptions& options, CellRange cases, std::int64_t all_passes)
    : plans_(std::move(plans)),
      stream_(stream),
      end_(cases.high),
      options_(options),
      all_passes_(all_passes),
      to_(to),
      done_(cases.low) {
    if (to.store != nullptr) {
        results_.emplace(*to.store, stream.network().backend().host_threads());
    }
    if (to.physics != nullptr) {
        physics_.emplace(*to.physics, stream.network().backend().host_threads());
    }
    if (to.spread != nullptr) {
        spread_.emplace(*to.spread, stream.network().backend().host_threads());
    }
    if (to.judged != nullptr) {
        judged_.emplace(*to.judged, stream.network().backend().host_threads());
    }
}

void PredictionPass::run(PredictionReport& report) {
    std::int64_t size =
        options_.batch > 0 ? options_.batch : automatic_batch(*plans_, stream_.extents(), end_ - done_, is_alone());
    while (done_ < end_) {
        try {
            run_batches(size, report);
        } catch (const OutOfMemory& why) {
            stream_.stop();
            plans_->forget();
            size = smaller(size, why);
        }
    }
    for (std::optional<PackedResults>* results : {&results_, &physics_, &spread_, &judged_}) {
        if (*results) {
            (*results)->finish();
        }
    }
}

void PredictionPass::run_batches(std::int64_t size, PredictionReport& report) {
    stream_.start(batches_of(cases_between(done_, end_), size));
    FieldPass pass(stream_, plans_, options_.limits);
    for (;;) {
        const auto loading = Clock::now();
        std::optional<CaseBatch> batch = stream_.next();
        if (!batch) {
            break;
        }
        report.stages.physics += seconds_since(loading);
        if (options_.stop_requested && stream_.shard().agreed(options_.stop_requested())) {
            throw Interrupted();
        }
        const bool has_earlier = pass.is_under_way();
        try {
            const auto computing = Clock::now();
            pass.start(std::move(*batch));
            report.compute_seconds += seconds_since(computing);
        } catch (const OutOfMemory&) {
            if (has_earlier) {
                finish(pass, report);
            }
            throw;
        }
        if (has_earlier) {
            finish(pass, report);
        }
    }
    finish(pass, report);
}

void PredictionPass::write(BatchFields fields) {
    for (std::size_t i = 0; i < fields.named.injected.size(); ++i) {
        if (!fields.named.injected[i].empty()) {
            to_.injected->insert_or_assign(fields.cases[i], fields.named.injected[i]);
        }
    }
    for (const Field& field : stream_.network().description().fields) {
        const std::shared_ptr<const Tensor>& predicted = fields.named.predicted.at(field.name);
        if (!field.base.empty()) {
            to_.corrections->add(field.name, fields.cases, *predicted, *fields.named.known.at(field.name),
                                 *fields.active);
        }
        if (physics_ && !field.base.empty()) {
            physics_->add(field.name, fields.cases, fields.named.known.at(field.name), fields.active);
        }
        if (const auto spread = fields.spread.find(field.name); spread_ && spread != fields.spread.end()) {
            spread_->add(field.name, fields.cases, spread->second, fields.active);
        }
        write_band(field.name, fields, *predicted,
                   field.base.empty() ? nullptr : fields.named.known.at(field.name).get());
        if (judged_) {
            judged_->add(field.name, fields.cases, predicted, fields.active);
        }
        results_->add(field.name, fields.cases, predicted, fields.active);
    }
    for (const auto& [source, field] : fields.physics_fields) {
        if (to_.dataset != nullptr && output_of(source) == "dissolved_co2") {
            to_.dissolved->merge(close_balance(*to_.dataset, fields.cases, fields.named, *field, *to_.failures));
        }
        write_band(output_of(source), fields, *field, nullptr);
        if (judged_) {
            judged_->add(output_of(source), fields.cases, field, fields.active);
        }
        results_->add(output_of(source), fields.cases, field, fields.active);
    }
}

/// The ends of the band of a field, as far as they are wanted; `known` is what a network corrected, else nullptr.
void PredictionPass::write_band(const std::string& name, const BatchFields& fields, const Tensor& predicted,
                                const Tensor* known) {
    const FieldBand* band = to_.bands == nullptr ? nullptr : to_.bands->of(name);
    const std::vector<std::string> names = ends_of_band(name);
    if (band == nullptr || std::ranges::none_of(names, [&](const std::string& end) { return to_.store->takes(end); })) {
        return;
    }
    const Shape space = predicted.shape().slice(1, predicted.shape().rank() - 1);
    const auto part = [&](const Tensor& all, std::size_t i) {
        const std::span<const float> values = all.values<float>();
        return values.subspan(i * (values.size() / fields.cases.size()), values.size() / fields.cases.size());
    };
    const auto spread = fields.spread.find(name);
    const auto part_or_none = [&](const Tensor* all, std::size_t i) {
        return all == nullptr ? std::span<const float>() : part(*all, i);
    };
    std::array<Tensor, 2> ends = {host_zeros(predicted.shape()), host_zeros(predicted.shape())};
    for (std::size_t i = 0; i < fields.cases.size(); ++i) {
        const std::span<const float> values = part(predicted, i);
        const auto [low, high] =
            band->ends({space, values, part_or_none(known, i), part(*fields.active, i),
                        part_or_none(spread == fields.spread.end() ? nullptr : spread->second.get(), i)});
        const auto at = static_cast<std::ptrdiff_t>(i * values.size());
        std::ranges::copy(low, ends[0].values<float>().begin() + at);
        std::ranges::copy(high, ends[1].values<float>().begin() + at);
    }
    for (std::size_t end = 0; end < ends.size(); ++end) {
        results_->add(names[end], fields.cases, std::make_shared<const Tensor>(std::move(ends[end])), fields.active);
    }
}

void PredictionPass::finish(FieldPass& pass, PredictionReport& report) {
    const auto waiting = Clock::now();
    ComputedBatch computed = pass.finish();
    report.compute_seconds += seconds_since(waiting);
    const std::int64_t count = computed.batch.count();
    BatchFields fields = pass.fields(std::move(computed));
    if (results_) {
        write(std::move(fields));
    }
    done_ += count;
    report.passes += count;
    if (options_.progress) {
        options_.progress(report.passes, all_passes_);
    }
}

/// The size to go on with. Ranks cannot: the others wait for the one whose memory is too small.
std::int64_t PredictionPass::smaller(std::int64_t size, const OutOfMemory& why) {
    if (size == 1 || !is_alone()) {
        throw why;
    }
    const std::int64_t fitting = fitting_batch(*plans_, stream_.extents(), size - 1);
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
