#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <plumecast/distributed/moments.hpp>
#include <plumecast/layers/batch_norm.hpp>

namespace plumecast {
namespace {

/// Moments of the batch, or the running ones under a count of one.
struct Statistics {
    Tensor moments;
    double count;

    BatchNormStatistics view(double epsilon) const { return {std::as_const(moments).view(), count, epsilon}; }
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

/// Statistics of the values that all ranks hold, from those of this rank.
void merge_ranks(Backend& backend, Communicator* ranks, Statistics& own) {
    if (ranks == nullptr) {
        return;
    }
    Tensor host = host_zeros(own.moments.shape(), DType::float64);
    backend.download(own.moments, host);
    own.count = merge_moments(*ranks, host.values<double>(), own.count);
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

std::shared_ptr<Statistics> statistics(const BatchNorm& norm, const Variable& x, ExecutionMode mode) {
    Backend& backend = x.backend();
    const std::int64_t channels = x.shape()[-1], rows = x.shape().count() / channels;
    auto result = std::make_shared<Statistics>();
    result->moments = Tensor(backend.memory(), {2, channels}, DType::float64);
    if (mode == ExecutionMode::training) {
        result->count = static_cast<double>(rows);
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

void pass_on(const BatchNorm& norm, const Variable& x, const Statistics& kept, Activation f, ExecutionMode mode,
             ConstView gradient) {
    Backend& backend = x.backend();
    const BatchNormStatistics statistics = kept.view(norm.epsilon);
    const ConstView weight = norm.weight.value(), bias = norm.bias.value();
    Tensor sums(backend.memory(), kept.moments.shape(), DType::float64);
    if (x.shape().count() > 0) {
        backend.normalise_sums(x.value(), gradient, statistics, weight, bias, f, sums);
    } else {
        backend.fill(sums, 0.0);
    }
    Tensor row(backend.memory(), weight.shape, backend.compute_type());
    for (const auto& [parameter, index] : {std::pair{&norm.bias, 0}, std::pair{&norm.weight, 1}}) {
        if (parameter->requires_grad()) {
            backend.add(1.0, std::as_const(sums).view().rows(index, index + 1), {row});
            backend.add(1.0, row, parameter->gradient_output());
        }
    }
    if (x.requires_grad()) {
        if (mode == ExecutionMode::evaluation) {  // running statistics do not depend on x
            backend.fill(sums, 0.0);
        } else {
            add_ranks(backend, norm.ranks, sums);
        }
        backend.normalise_gradient(x.value(), gradient, statistics, weight, bias, f, sums, x.gradient_output());
    }
}

/// [2, C] float64: the running mean, or zero, and the running variance.
Tensor running_moments(const BatchNorm& norm, Backend& backend, bool with_mean) {
    Tensor moments(backend.memory(), {2, norm.weight.shape()[0]}, DType::float64);
    if (with_mean) {
        backend.add(1.0, norm.running_mean.value(), {moments.view().rows(0, 1)});
    } else {
        backend.fill(moments.view().rows(0, 1), 0.0);
    }
    backend.add(1.0, norm.running_variance.value(), {moments.view().rows(1, 2)});
    return moments;
}

/// Identity matrix [n, n], made where it is needed: read in rows of n + 1, its ones are a column.
Tensor identity(Backend& backend, std::int64_t n) {
    Tensor matrix(backend.memory(), {n, n + 1}, backend.compute_type());
    Tensor ones(backend.memory(), {n, 1}, backend.compute_type());
    backend.fill(matrix, 0.0);
    backend.fill(ones, 1.0);
    backend.copy_box(ones, {0, 0}, {matrix}, {0, 0}, {n, 1});
    return matrix;
}

/// The weights of a convolution times what the norm multiplies its channels by.
Tensor scaled_weight(const BatchNorm& norm, const Conv& conv) {
    Backend& backend = norm.weight.backend();
    const Shape& shape = conv.weight.shape();
    const std::int64_t channels = norm.weight.shape()[0];
    const Tensor moments = running_moments(norm, backend, false);
    const BatchNormStatistics statistics{moments.view(), 1.0, norm.epsilon};
    Tensor zero(backend.memory(), {channels}, backend.compute_type());
    backend.fill(zero, 0.0);
    Tensor scaled(backend.memory(), shape, backend.compute_type());
    if (conv.geometry.transposed) {  // the channels of the result come last
        const Shape rows{shape.count() / channels, channels};
        backend.normalise(conv.weight.value().reshaped(rows), statistics, norm.weight.value(), zero, {},
                          scaled.view().reshaped(rows));
        return scaled;
    }
    const Shape columns{channels, shape.count() / channels}, square{channels, channels};
    Tensor whole = identity(backend, channels);
    const View diagonal =
        whole.view().reshaped({channels * (channels + 1)}).rows(0, channels * channels).reshaped(square);
    backend.normalise(diagonal, statistics, norm.weight.value(), zero, {}, diagonal);
    backend.gemm(false, false, diagonal, conv.weight.value().reshaped(columns), {scaled.view().reshaped(columns)}, {},
                 {});
    return scaled;
}

}  // namespace

Conv BatchNorm::folded_into(const Conv& conv) const {
    Backend& backend = weight.backend();
    const Tensor moments = running_moments(*this, backend, true);
    const Shape row{1, weight.shape()[0]};
    Tensor offset(backend.memory(), weight.shape(), backend.compute_type());
    if (!conv.bias.defined()) {
        backend.fill(offset, 0.0);
    }
    const ConstView before = conv.bias.defined() ? conv.bias.value() : std::as_const(offset).view();
    backend.normalise(before.reshaped(row), {moments.view(), 1.0, epsilon}, weight.value(), bias.value(), {},
                      offset.view().reshaped(row));
    Conv folded = conv;
    folded.weight = Variable(backend, scaled_weight(*this, conv));
    folded.bias = Variable(backend, std::move(offset));
    return folded;
}

bool BatchNorm::folds_into(const Conv& conv, std::int64_t cells) const {
    const bool is_constant = !weight.requires_grad() && !bias.requires_grad() && !conv.weight.requires_grad() &&
                             !(conv.bias.defined() && conv.bias.requires_grad());
    // A pass moves 8 bytes per number of the field, folding computes with each weight once per channel; processors do
    // some ten operations in the time of a byte.
    return is_constant && conv.weight.shape().count() < 40 * cells;
}

BatchNorm::BatchNorm(const Scope& scope, std::int64_t channels) {
    Parameters& parameters = scope.parameters();
    const ProcessGrid* grid = parameters.grid();
    ranks = grid != nullptr && grid->world().size() > 1 ? &grid->world() : nullptr;
    weight = parameters.constant(scope.path("weight"), {channels}, 1.0);
    bias = parameters.constant(scope.path("bias"), {channels}, 0.0);
    running_mean = parameters.buffer(scope.path("running_mean"), {channels}, 0.0);
    running_variance = parameters.buffer(scope.path("running_variance"), {channels}, 1.0);
}

Variable BatchNorm::operator()(Variable x, Activation f, ExecutionMode mode) const {
    Backend& backend = x.backend();
    if (weight.is_frozen() && bias.is_frozen()) {
        mode = ExecutionMode::evaluation;
    }
    const auto kept = statistics(*this, x, mode);
    const bool recorded = any_requires_grad({x, weight, bias});
    Tensor own = recorded ? Tensor() : x.take_if_unshared();
    Tensor y = own.empty() ? Tensor(backend.memory(), x.shape(), x.type()) : std::move(own);
    const ConstView input = x.value().data ? x.value() : std::as_const(y).view();
    backend.normalise(input, kept->view(epsilon), weight.value(), bias.value(), f, y);
    return Variable(backend, std::move(y), {x, weight, bias},
                    [norm = *this, x, kept, f, mode](Tensor& g) { pass_on(norm, x, *kept, f, mode, g); });
}

}  // namespace plumecast
