#include "inference/prediction_speed.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "core/clock.hpp"
#include "inference/batch_size.hpp"
#include "inference/stream/field_pass.hpp"
#include "reservoir/batches/case_lists.hpp"

namespace plumecast {
namespace {

/// Cases at once where the options leave it open: what predictions take at most then.
constexpr std::int64_t most_at_once = 16;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

/// Seconds of a network on the cases of a file, loaded while no clock runs; on the first `limit` batches.
double network_seconds(const BundleNetwork& network, const Dataset& dataset, const SpeedOptions& options,
                       std::size_t limit) {
    const NetworkDescription* description = &network.network->description();
    const CaseSet set(dataset, {&description, 1}, {});
    CaseStream stream(*network.network, set);
    FieldPass pass(stream);
    double seconds = 0.0;
    for (const std::vector<std::int64_t>& some :
         batches_of(all_cases(dataset.cases()), options.batch > 0 ? options.batch : most_at_once)) {
        if (limit-- == 0) {
            break;
        }
        if (options.stop_requested && options.stop_requested()) {
            throw Interrupted();
        }
        CaseBatch batch = stream.load({0, some});
        const auto start = Clock::now();
        const Tensor fields = pass.on_backend(batch);
        Tensor values = host_zeros(fields.shape());
        network.network->backend().download(fields.view(), values);
        seconds += seconds_since(start);
    }
    return seconds;
}

double all_networks_seconds(const Predictor& predictor, const Dataset& dataset, const SpeedOptions& options,
                            std::size_t limit) {
    double seconds = 0.0;
    for (const BundleNetwork& network : predictor.bundle().networks) {
        seconds += network_seconds(network, dataset, options, limit);
    }
    return seconds;
}

/// Of each stage the median.
PredictionStages median_stages(const std::vector<PredictionStages>& rounds) {
    PredictionStages medians;
    for (const auto stage : {&PredictionStages::checks, &PredictionStages::physics, &PredictionStages::networks,
                             &PredictionStages::judging, &PredictionStages::writing}) {
        std::vector<double> seconds;
        for (const PredictionStages& one : rounds) {
            seconds.push_back(one.*stage);
        }
        medians.*stage = median(std::move(seconds));
    }
    return medians;
}

}  // namespace

PredictionSpeed measure_prediction(const Predictor& predictor, const std::string& input, const std::string& output,
                                   const SpeedOptions& options) {
    require_batch(options.batch);
    const Dataset dataset(input);
    const auto tell = [&](int done) {
        if (options.progress) {
            options.progress(done, 2 * options.rounds);
        }
    };
    PredictionOptions prediction;
    prediction.batch = options.batch;
    prediction.stop_requested = options.stop_requested;
    std::vector<double> compute, whole;
    std::vector<PredictionStages> stages;
    all_networks_seconds(predictor, dataset, options, 1);
    const auto every = static_cast<std::size_t>(dataset.cases());
    for (int round = 0; round < options.rounds; ++round) {
        compute.push_back(all_networks_seconds(predictor, dataset, options, every));
        tell(2 * round + 1);
        const PredictionReport report = predictor.predict(input, output, prediction);
        whole.push_back(report.seconds);
        stages.push_back(report.stages);
        tell(2 * round + 2);
    }
    return {dataset.cases(), median(compute), median(whole), median_stages(stages)};
}

}  // namespace plumecast
