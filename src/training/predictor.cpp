#include <plumecast/training/predictor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include <plumecast/core/version.hpp>
#include <plumecast/core/write_behind.hpp>
#include <plumecast/data/fields.hpp>
#include <plumecast/data/prefetcher.hpp>

#include "training/rank_share.hpp"

namespace plumecast {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::vector<std::int64_t> all_cases(std::int64_t count) {
    std::vector<std::int64_t> cases(static_cast<std::size_t>(count));
    std::iota(cases.begin(), cases.end(), std::int64_t{0});
    return cases;
}

std::shared_ptr<const Tensor> shared(Tensor tensor) { return std::make_shared<const Tensor>(std::move(tensor)); }

/// Ranges of all networks together, where a bundle records them per network or once.
InputRanges recorded_ranges(const Bundle& bundle) {
    if (bundle.training.find("ranges") == nullptr) {
        return {};
    }
    JsonReader reader(bundle.training, bundle.path + "/model.json: training");
    return InputRanges::read(reader, "ranges");
}

std::vector<std::string> field_names(const Bundle& bundle) {
    std::vector<std::string> names;
    for (const BundleNetwork& network : bundle.networks) {
        for (const Field& field : network.network->description().fields) {
            names.push_back(field.name);
        }
    }
    return names;
}

FileAttributes attributes_of(const Bundle& bundle, const std::string& input) {
    return {{"title", "Fields predicted by " + bundle.title},
            {"source", "plumecast " + std::string(version())},
            {"model", bundle.title},
            {"model_hash", bundle.hash()},
            {"history", "plumecast predict " + bundle.path + " " + input}};
}

}  // namespace

Predictor::Predictor(const std::string& bundle, Backend& backend, const ProcessGrid* grid)
    : backend_(&backend), grid_(grid), bundle_(Bundle::load(bundle, backend, grid)), ranges_(recorded_ranges(bundle_)) {
    for (const BundleNetwork& network : bundle_.networks) {
        network.network->parameters().set_trainable(false);
    }
}

Tensor Predictor::predict(const BundleNetwork& network, const Batch& batch) const {
    const Variable prediction = network.network->forward(batch, Mode::evaluation);
    Tensor values = host_zeros(prediction.shape());
    backend_->download(prediction.value(), values);
    return values;
}

void Predictor::warn(const Dataset& dataset, const PredictionOptions& options, PredictionReport& report) const {
    report.out_of_range = ranges_.outside(dataset, all_cases(dataset.cases()));
    if (!options.log) {
        return;
    }
    for (const OutOfRange& out : report.out_of_range) {
        const Range& range = ranges_.ranges().at(out.field);
        options.log(
            Severity::warning,
            fmt::format("case {}: {} = {:.6g} {} lies {:.3g} {} outside the training range {:.6g} to {:.6g} "
                        "(the prediction is extrapolation); check it against a simulation",
                        out.which, out.field, out.value, out.unit, out.distance, out.unit, range.low, range.high));
    }
}

void Predictor::predict(const BundleNetwork& network, const std::string& input, const Dataset* dataset,
                        FieldsWriter* writer, const PredictionOptions& options, PredictionReport& report) const {
    const NetworkDescription& description = network.network->description();
    auto source = dataset != nullptr ? dataset_source(*dataset, description.channels, description.fields, Targets::skip)
                                     : channel_file_source(input);
    const RankShare share(*network.network, source->extents());
    source = share.source(std::move(source));
    const std::int64_t cases = source->cases();
    const auto batches = batches_of(all_cases(cases), options.batch);
    Prefetcher ahead(*source, share.own_cases(batches));
    WriteBehind behind;
    for (const std::vector<std::int64_t>& whole : batches) {
        const std::optional<Batch> batch = ahead.next();
        if (options.stop_requested && share.agreed(options.stop_requested())) {
            throw Interrupted();
        }
        const auto computing = Clock::now();
        const Tensor values = predict(network, *batch);
        report.compute_seconds += seconds_since(computing);
        const auto count = static_cast<std::int64_t>(whole.size());
        const auto active = shared(share.gathered(share.own_cells(batch->active), count));
        for (std::size_t f = 0; f < description.fields.size(); ++f) {
            const Field& field = description.fields[f];
            Tensor physical = physical_values(values, static_cast<std::int64_t>(f), field, batch->scales);
            physical = share.gathered(std::move(physical), count);
            if (writer != nullptr) {
                behind.add([writer, &field, &whole, active, physical = shared(std::move(physical))] {
                    writer->write(field.name, whole, physical->view(), active->view());
                });
            }
        }
        report.passes += count;
        if (options.progress) {
            options.progress(report.passes, cases * static_cast<std::int64_t>(bundle_.networks.size()));
        }
    }
    behind.finish();
    report.cases = cases;
}

PredictionReport Predictor::predict(const std::string& input, const std::string& output,
                                    const PredictionOptions& options) const {
    const auto start = Clock::now();
    PredictionReport report;
    std::optional<Dataset> dataset;
    if (!is_channel_file(input)) {
        dataset.emplace(input);
    }
    std::optional<FieldsWriter> writer;
    if (is_first()) {
        if (dataset) {
            warn(*dataset, options, report);
        }
        writer.emplace(output, input, field_names(bundle_), attributes_of(bundle_, input));
    }
    for (const BundleNetwork& network : bundle_.networks) {
        predict(network, input, dataset ? &*dataset : nullptr, writer ? &*writer : nullptr, options, report);
    }
    if (writer) {
        writer->commit();
    }
    if (grid_ != nullptr) {
        grid_->world().barrier();  // no rank says it is done before the file is there
    }
    report.seconds = seconds_since(start);
    return report;
}

std::vector<Evaluation> Predictor::evaluate(const Dataset& dataset, const EvaluationOptions& options) const {
    std::vector<Evaluation> evaluations;
    for (const BundleNetwork& network : bundle_.networks) {
        evaluations.push_back(plumecast::evaluate(*network.network, dataset, all_cases(dataset.cases()), options));
    }
    return evaluations;
}

}  // namespace plumecast
