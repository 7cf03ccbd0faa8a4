#include "training/trained_network.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <utility>

#include "reservoir/batches/box_source.hpp"
#include "support/comparison.hpp"

namespace plumecast::testing {
namespace {

/// A box of an array [B, space..., ...].
Tensor part_of(const Tensor& whole, CellRange cases, const Box& space) {
    Box box = Box(whole.shape().slice(0, space.rank() + 1)).with(0, cases.low, cases.high);
    for (int axis = 0; axis < space.rank(); ++axis) {
        box = box.with(axis + 1, space.low()[axis], space.high()[axis]);
    }
    return box_of(whole.view(), box);
}

/// Zero where a rank does not predict.
void silence(Tensor& active, const RankShard& shard) {
    Tensor own = std::move(active);
    active = host_zeros(own.shape(), DType::float64);
    const Box& targets = shard.targets();
    Box count(active.shape());
    for (int axis = 0; axis < targets.rank(); ++axis) {
        const std::int64_t origin = targets.low()[axis];
        count = count.with(axis + 1, shard.local().low()[axis] - origin, shard.local().high()[axis] - origin);
    }
    const auto host = make_cpu_backend({.threads = 1});
    if (!count.empty()) {
        host->copy_box(std::as_const(own).view(), count.low(), {active.view()}, count.low(), count.extents());
    }
}

/// What a rank reads of a batch.
Batch part_of(const Batch& whole, const Shape& extents, const RankShard& shard, const Network& network) {
    const CellRange cases = shard.cases(static_cast<std::int64_t>(whole.cases.size()));
    const Box inputs = network.input_box(extents);
    Batch part;
    part.extents = extents;
    part.cases.assign(whole.cases.begin() + cases.low, whole.cases.begin() + cases.high);
    for (const InputGroup& group : whole.inputs) {
        part.inputs.push_back({group.channels, part_of(group.values, cases, inputs)});
    }
    part.targets = part_of(whole.targets, cases, shard.targets());
    part.active = part_of(whole.active, cases, shard.targets());
    silence(part.active, shard);
    if (whole.base.shape().rank() > 0) {
        part.base = part_of(whole.base, cases, shard.local());
        part.correction = part_of(whole.correction, cases, shard.local());
    }
    return part;
}

Tensor on(Backend& backend, ConstView host) {
    Tensor tensor(backend.memory(), host.shape, backend.compute_type());
    backend.upload(host, tensor);
    return tensor;
}

/// Of the last axis of space, or of all for a loss that needs them, of cases [space..., T].
std::vector<std::vector<double>> distances(const Shape& extents, LossKind kind) {
    std::vector<std::vector<double>> all;
    for (int axis = kind == LossKind::h1 ? 0 : extents.rank() - 2; axis + 1 < extents.rank(); ++axis) {
        std::vector<double>& values = all.emplace_back();
        for (std::int64_t cell = 0; cell < extents[axis]; ++cell) {
            values.push_back(0.3 + 0.1 * static_cast<double>(cell % 3));
        }
    }
    return all;
}

void append(std::vector<double>& all, ConstView values) {
    const Tensor wide = converted(values, DType::float64);
    all.insert(all.end(), wide.values<double>().begin(), wide.values<double>().end());
}

FieldNetwork network_with(Backend& backend, const NetworkDescription& description,
                          const std::vector<std::string>& frozen, const ProcessGrid* grid) {
    FieldNetwork network(backend, description, 5, grid);
    network.parameters().freeze(frozen);
    return network;
}

}  // namespace

Batch random_cases(const NetworkDescription& network, const Shape& extents, const std::string& seed,
                   std::int64_t cases) {
    Batch batch;
    Shape active{cases};
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        active = active.append(extents[axis]);
    }
    for (std::int64_t which = 0; which < cases; ++which) {
        batch.cases.push_back(which);
    }
    const Shape fields = active.append(extents[-1]).append(network.network.fields);
    std::vector<std::string> names;
    for (const Channel& channel : network.channels) {
        names.push_back(channel.name);
    }
    batch.inputs.push_back(
        {names, random_tensor(fields.with(-1, network.network.channels), DType::float64, seed + "channels")});
    batch.targets = random_tensor(fields, DType::float64, seed + "targets");
    batch.active = Tensor(host_memory(), active, DType::float64);
    const auto is_active = batch.active.values<double>();
    for (std::size_t cell = 0; cell < is_active.size(); ++cell) {
        is_active[cell] = cell % 7 == 3 ? 0.0 : 1.0;
    }
    if (network.corrects_physics()) {
        batch.base = random_tensor(fields, DType::float64, seed + "base");
        batch.correction = random_tensor(fields, DType::float64, seed + "correction");
    }
    return batch;
}

TrainedNetwork::TrainedNetwork(std::unique_ptr<Backend> backend, const NetworkDescription& description,
                               const std::vector<std::string>& frozen, const ProcessGrid* grid, int recompute_blocks,
                               const LossOptions& loss)
    : backend_(std::move(backend)),
      network_(network_with(*backend_, description, frozen, grid)),
      loss_(loss),
      pass_(network_, loss, recompute_blocks),
      adam_(network_.parameters(), {}) {}

void TrainedNetwork::run(const Batch& batch, std::int64_t of_step, bool is_last) {
    const Shape extents = batch.targets.shape().slice(1, batch.targets.shape().rank() - 1);
    const RankShard shard(network_, extents, loss_.kind);
    const Batch own = part_of(batch, extents, shard, network_.network());
    const std::vector<Tensor> inverse = shard.inverse_distances(distances(extents, loss_.kind));
    const LossTarget target{on(*backend_, own.targets), on(*backend_, own.active), views_of(inverse)};
    double loss =
        pass_.run(own, target, {&shard, static_cast<std::int64_t>(batch.cases.size()), of_step, is_last}).wait();
    if (shard.groups() != nullptr) {
        shard.groups()->sum(std::span(&loss, 1));
    }
    losses_.push_back(loss);
}

std::vector<ExplainedOp> TrainedNetwork::explain(const Batch& batch) {
    const std::vector<Tensor> inverse = distances_on_backend(batch);
    return pass_.explain(batch, target_of(batch, inverse), 1).ops;
}

double TrainedNetwork::loss_of(const Tensor& fields, const Batch& batch) const {
    const std::vector<Tensor> inverse = distances_on_backend(batch);
    const std::vector<double> losses = field_losses(*backend_, fields.view(), target_of(batch, inverse), loss_);
    return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

std::vector<Tensor> TrainedNetwork::distances_on_backend(const Batch& batch) const {
    const Shape extents = batch.targets.shape().slice(1, batch.targets.shape().rank() - 1);
    return RankShard(network_, extents, loss_.kind).inverse_distances(distances(extents, loss_.kind));
}

LossTarget TrainedNetwork::target_of(const Batch& batch, const std::vector<Tensor>& inverse_distances) const {
    return {on(*backend_, batch.targets.view()), on(*backend_, batch.active.view()), views_of(inverse_distances)};
}

void TrainedNetwork::step(double rate) { adam_.step(rate); }

void TrainedNetwork::expect_same(const TrainedNetwork& other, double tolerance) const {
    ASSERT_EQ(losses_.size(), other.losses_.size());
    for (std::size_t k = 0; k < losses_.size(); ++k) {
        EXPECT_NEAR(losses_[k], other.losses_[k], tolerance * other.losses_[k]);
    }
    const Parameters& parameters = network_.parameters();
    for (const bool of_gradients : {true, false}) {
        std::vector<double> own, expected;
        for (const Parameter& parameter : parameters.all()) {
            const Weight& theirs = other.network_.parameters().at(parameter.name).weight;
            ASSERT_EQ(parameter.weight.has_gradient(), theirs.has_gradient()) << parameter.name;
            if (!of_gradients || theirs.has_gradient()) {
                append(own, of_gradients ? parameter.weight.gradient() : parameter.weight.value());
                append(expected, parameters.held_part(parameter, of_gradients ? theirs.gradient() : theirs.value()));
            }
        }
        const auto count = static_cast<std::int64_t>(own.size());
        expect_close(host_tensor<double>({count}, own), host_tensor<double>({count}, expected), tolerance,
                     of_gradients ? "gradients" : "weights and statistics");
    }
}

}  // namespace plumecast::testing
