#include <plumecast/training/evaluation.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <plumecast/data/batch.hpp>
#include <plumecast/data/prefetcher.hpp>
#include <plumecast/metrics/mass_balance.hpp>
#include <plumecast/training/loss.hpp>

namespace plumecast {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Tensor uploaded(Backend& backend, ConstView host) {
    Tensor device(backend.memory(), host.shape, backend.compute_type());
    backend.upload(host, device);
    return device;
}

/// Pore volumes of the cases of a batch, for the mass error of saturations.
std::vector<std::vector<double>> pore_volumes_of(const Dataset& dataset, const Batch& batch) {
    const std::vector<double> volumes = cell_volumes(dataset);
    Tensor porosity = host_zeros(batch.active.shape());
    dataset.read_map("porosity", batch.cases, porosity.values<float>());
    std::vector<std::vector<double>> result;
    for (std::int64_t b = 0; b < batch.active.shape()[0]; ++b) {
        const Shape map = batch.active.shape().slice(1, batch.active.shape().rank());
        result.push_back(pore_volumes(volumes, porosity.view().rows(b, b + 1).reshaped(map),
                                      batch.active.view().rows(b, b + 1).reshaped(map)));
    }
    return result;
}

void compare(const Dataset& dataset, const Batch& batch, const Tensor& values, std::vector<FieldEvaluation>& fields) {
    const auto volumes = pore_volumes_of(dataset, batch);
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const auto index = static_cast<std::int64_t>(f);
        Field exact = fields[f].field;
        exact.cutoff = 0.0;  // what the simulator wrote stays as it is
        const Tensor prediction = physical_values(values, index, fields[f].field, batch.scales);
        const Tensor truth = physical_values(batch.targets, index, exact, batch.scales);
        // Errors do not ask how cells lie in space: all its axes but the last go as one.
        const Shape& whole = prediction.shape();
        const Shape one{whole.count(1, whole.rank() - 2), whole[-2], whole[-1]};
        for (std::int64_t b = 0; b < prediction.shape()[0]; ++b) {
            const bool saturation = fields[f].field.name == "gas_saturation";
            fields[f].errors.add({prediction.view().rows(b, b + 1).reshaped(one),
                                  truth.view().rows(b, b + 1).reshaped(one),
                                  batch.active.view().rows(b, b + 1).reshaped(one.slice(0, 2)),
                                  saturation ? std::span<const double>(volumes[static_cast<std::size_t>(b)])
                                             : std::span<const double>()});
        }
    }
}

}  // namespace

Tensor physical_values(const Tensor& values, std::int64_t f, const Field& field, const Tensor& scales) {
    if (scales.empty() && !field.factors.empty()) {
        throw InvalidInput("the network scales " + field.name + " case by case with " + field.factors.front().source +
                           ", which ready-made channels do not hold; give a data set file with the physical inputs");
    }
    const std::int64_t fields = values.shape()[-1];
    Tensor physical(host_memory(), values.shape().slice(0, values.shape().rank() - 1), DType::float32);
    const std::span<float> out = physical.values<float>();
    const std::span<const float> in = values.values<float>();
    const bool fraction = field.unit == "1";
    const auto per_case = static_cast<std::size_t>(values.shape().count(1, values.shape().rank() - 1));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto of_field = [&](std::size_t row) {
            return row * static_cast<std::size_t>(fields) + static_cast<std::size_t>(f);
        };
        const double scale =
            scales.empty() ? field.scale : static_cast<double>(scales.values<float>()[of_field(i / per_case)]);
        const double value = static_cast<double>(in[of_field(i)]) * scale + field.offset;
        const double limited = fraction ? std::clamp(value, 0.0, 1.0) : value;
        out[i] = static_cast<float>(std::abs(limited) < field.cutoff ? 0.0 : limited);
    }
    return physical;
}

std::vector<std::vector<std::int64_t>> batches_of(const std::vector<std::int64_t>& cases, std::int64_t size) {
    std::vector<std::vector<std::int64_t>> batches;
    for (std::size_t begin = 0; begin < cases.size(); begin += static_cast<std::size_t>(size)) {
        const std::size_t end = std::min(cases.size(), begin + static_cast<std::size_t>(size));
        batches.emplace_back(cases.begin() + static_cast<std::ptrdiff_t>(begin),
                             cases.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return batches;
}

Evaluation evaluate(const FieldNetwork& network, const Dataset& dataset, const std::vector<std::int64_t>& cases,
                    const EvaluationOptions& options) {
    const NetworkDescription& description = network.description();
    Backend& backend = network.backend();
    const auto source = dataset_source(dataset, description.channels, description.fields);
    Evaluation result;
    result.cases = cases;
    for (const Field& field : description.fields) {
        result.fields.push_back({field, {}});
    }
    const std::vector<double> inverse = inverse_center_distances(dataset.last_edges());
    const Tensor distances =
        uploaded(backend, host_tensor<double>({static_cast<std::int64_t>(inverse.size())}, inverse));
    std::int64_t done = 0;
    Prefetcher ahead(*source, batches_of(cases, options.batch));
    while (std::optional<Batch> batch = ahead.next()) {
        if (options.stop_requested && options.stop_requested()) {
            throw Interrupted();
        }
        if (batch->targets.empty()) {
            throw InvalidData(dataset.path() +
                              ": no /outputs to compare with (the file holds inputs only); give a "
                              "simulated data set");
        }
        const auto start = Clock::now();
        const Variable prediction = network.forward(*batch, Mode::evaluation);
        Tensor values = host_zeros(prediction.shape());
        backend.download(prediction.value(), values);
        result.compute_seconds += seconds_since(start);
        const LossTarget target{uploaded(backend, batch->targets), uploaded(backend, batch->active), distances.view()};
        const Loss loss = relative_l2_loss(prediction, target, options.loss, false);
        for (double value : loss.per_case) {
            result.loss += value / static_cast<double>(cases.size());
        }
        compare(dataset, *batch, values, result.fields);
        done += static_cast<std::int64_t>(batch->cases.size());
        if (options.progress) {
            options.progress(done);
        }
    }
    return result;
}

}  // namespace plumecast
