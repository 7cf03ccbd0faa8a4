#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <plumecast/layers/batch_norm.hpp>

namespace plumecast {
namespace {

/// Moments of the batch, or the running ones under a count of one.
struct Statistics {
    Tensor moments;
    double count;

    NormStatistics view(double epsilon) const { return {std::as_const(moments).view(), count, epsilon}; }
};

void move_running(const BatchNorm& norm, Backend& backend, const Statistics& batch) {
    const Shape row = norm.running_mean.shape();
    Tensor values(backend.memory(), row, backend.compute_type());
    const ConstView mean = batch.moments.view().rows(0, 1).reshaped(row);
    const ConstView deviations = batch.moments.view().rows(1, 2).reshaped(row);
    backend.add(1.0, mean, {values});
    backend.add(norm.momentum, values, {norm.running_mean.mutable_value(), 1.0 - norm.momentum});
    backend.add(1.0 / (batch.count - 1.0), deviations, {values});
    backend.add(norm.momentum, values, {norm.running_variance.mutable_value(), 1.0 - norm.momentum});
}

/// Joins the moments of two sets of values (Chan, Golub and LeVeque 1983).
void join(std::span<double> moments, double& count, std::span<const double> other, double other_count) {
    const std::size_t channels = moments.size() / 2;
    const double total = count + other_count;
    for (std::size_t c = 0; c < channels && other_count > 0.0; ++c) {
        const double difference = other[c] - moments[c];
        moments[c] += difference * (other_count / total);
        moments[channels + c] += other[channels + c] + difference * difference * (count * other_count / total);
    }
    count = total;
}

/// Statistics of the values that all ranks hold, from those of this rank.
void merge_ranks(Backend& backend, Communicator* ranks, Statistics& own) {
    if (ranks == nullptr) {
        return;
    }
    Tensor host = host_zeros(own.moments.shape(), DType::float64);
    backend.download(own.moments, host);
    std::vector<double> mine(host.values<double>().begin(), host.values<double>().end());
    mine.push_back(own.count);
    const std::vector<std::byte> bytes = ranks->gather_all(std::as_bytes(std::span(mine)));
    std::vector<double> all(bytes.size() / sizeof(double));
    std::memcpy(all.data(), bytes.data(), bytes.size());
    const std::span<double> merged = host.values<double>();
    std::ranges::fill(merged, 0.0);
    own.count = 0.0;
    for (std::size_t at = 0; at < all.size(); at += mine.size()) {
        join(merged, own.count, std::span(all).subspan(at, merged.size()), all[at + merged.size()]);
    }
    backend.upload(host, own.moments);
}

/// Sums over all ranks of what each has summed over its rows.
void add_ranks(Backend& backend, Communicator* ranks, Tensor& sums) {
    if (ranks != nullptr) {
        Tensor host = host_zeros(sums.shape(), DType::float64);
        backend.download(sums, host);
        ranks->sum(host.values<double>());
        backend.upload(host, sums);
    }
}

std::shared_ptr<Statistics> statistics(const BatchNorm& norm, const Variable& x, Mode mode) {
    Backend& backend = x.backend();
    const std::int64_t channels = x.shape()[-1];
    auto result = std::make_shared<Statistics>();
    result->moments = Tensor(backend.memory(), {2, channels}, DType::float64);
    if (mode == Mode::training) {
        result->count = static_cast<double>(x.shape().count() / channels);
        if (result->count > 0.0) {
            backend.moments(x.value(), result->moments);
        } else {
            backend.fill(result->moments, 0.0);
        }
        merge_ranks(backend, norm.ranks, *result);
        if (result->count < 2.0) {
            throw InvalidInput(
                "batch norm over a single value per channel (it has no variance); use a larger batch or "
                "grid, or fewer levels");
        }
        move_running(norm, backend, *result);
    } else {
        result->count = 1.0;
        backend.add(1.0, norm.running_mean.value(), {result->moments.view().rows(0, 1)});
        backend.add(1.0, norm.running_variance.value(), {result->moments.view().rows(1, 2)});
    }
    return result;
}

void pass_on(const BatchNorm& norm, const Variable& x, const Statistics& kept, Activation f, Mode mode,
             ConstView gradient) {
    Backend& backend = x.backend();
    const NormStatistics statistics = kept.view(norm.epsilon);
    const ConstView weight = norm.weight.value(), bias = norm.bias.value();
    Tensor sums(backend.memory(), kept.moments.shape(), DType::float64);
    if (x.shape().count() > 0) {
        backend.normalise_sums(x.value(), gradient, statistics, weight, bias, f, sums);
    } else {
        backend.fill(sums, 0.0);
    }
    Tensor row(backend.memory(), weight.shape, backend.compute_type());
    for (const auto& [parameter, index] : {std::pair{&norm.bias, 0}, std::pair{&norm.weight, 1}}) {
        if (parameter->wants_gradient()) {
            backend.add(1.0, std::as_const(sums).view().rows(index, index + 1), {row});
            backend.add(1.0, row, parameter->gradient_target());
        }
    }
    if (x.wants_gradient()) {
        if (mode == Mode::evaluation) {  // running statistics do not depend on x
            backend.fill(sums, 0.0);
        } else {
            add_ranks(backend, norm.ranks, sums);
        }
        backend.normalise_gradient(x.value(), gradient, statistics, weight, bias, f, sums, x.gradient_target());
    }
}

}  // namespace

BatchNorm::BatchNorm(const Scope& scope, std::int64_t channels) {
    Parameters& parameters = scope.parameters();
    const ProcessGrid* grid = parameters.grid();
    ranks = grid != nullptr && grid->world().size() > 1 ? &grid->world() : nullptr;
    weight = parameters.constant(scope.path("weight"), {channels}, 1.0);
    bias = parameters.constant(scope.path("bias"), {channels}, 0.0);
    running_mean = parameters.buffer(scope.path("running_mean"), {channels}, 0.0);
    running_variance = parameters.buffer(scope.path("running_variance"), {channels}, 1.0);
}

Variable BatchNorm::operator()(Variable x, Activation f, Mode mode) const {
    Backend& backend = x.backend();
    const auto kept = statistics(*this, x, mode);
    const bool recorded = any_wants_gradient({x, weight, bias});
    Tensor own = recorded ? Tensor() : x.take_if_unshared();
    Tensor y = own.empty() ? Tensor(backend.memory(), x.shape(), x.type()) : std::move(own);
    const ConstView input = x.value().data ? x.value() : std::as_const(y).view();
    backend.normalise(input, kept->view(epsilon), weight.value(), bias.value(), f, y);
    return Variable(backend, std::move(y), {x, weight, bias},
                    [norm = *this, x, kept, f, mode](Tensor& g) { pass_on(norm, x, *kept, f, mode, g); });
}

}  // namespace plumecast
