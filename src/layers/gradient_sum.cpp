#include <plumecast/layers/gradient_sum.hpp>

#include <array>
#include <utility>

namespace plumecast {
namespace {

/// Weights are collected up to this many numbers; a larger one travels alone, out of its own memory.
constexpr std::int64_t bucket_numbers = std::int64_t{1} << 22;

ConstView flat(ConstView view) { return view.reshaped({view.shape.count()}); }
View flat(View view) { return view.reshaped({view.shape.count()}); }

}  // namespace

GradientSum::GradientSum(const Parameters& parameters) : parameters_(&parameters) {
    if (const ProcessGrid* grid = parameters.grid()) {
        add_buckets(grid->world(), false);
        add_buckets(grid->groups(), true);
    }
}

void GradientSum::add_buckets(Communicator& ranks, bool shared_out) {
    if (ranks.size() == 1) {
        return;
    }
    std::vector<Bucket> buckets;
    for (const Parameter& parameter : parameters_->all()) {
        const std::int64_t numbers = parameter.variable.shape().count();
        if (!parameter.trainable || parameter.is_shared_out() != shared_out || numbers == 0) {
            continue;
        }
        if (buckets.empty() || buckets.back().numbers + numbers > bucket_numbers) {
            buckets.emplace_back();
        }
        buckets.back().weights.push_back(parameter.variable);
        buckets.back().numbers += numbers;
    }
    for (Bucket& bucket : buckets) {
        const Shape whole{bucket.numbers};
        const Cuts cuts = balanced_cuts(bucket.numbers, ranks.size());
        const auto rank = static_cast<std::size_t>(ranks.rank());
        bucket.own = cuts[rank + 1] - cuts[rank];
        bucket.exchange =
            std::make_unique<const Exchange>(ranks, cut_layout(whole, 0, cuts), replicated_layout(whole, ranks.size()));
        buckets_.push_back(std::move(bucket));
    }
}

void GradientSum::operator()() const {
    for (const Bucket& bucket : buckets_) {
        add_up(bucket);
    }
}

void GradientSum::add_up(const Bucket& bucket) const {
    Backend& backend = parameters_->backend();
    for (const Variable& weight : bucket.weights) {
        if (!weight.has_gradient()) {
            backend.fill(weight.gradient_target().view, 0.0);
        }
    }
    const bool is_alone = bucket.weights.size() == 1;
    Tensor joined;
    View all = is_alone ? flat(bucket.weights.front().gradient_target().view) : View{};
    if (!is_alone) {
        joined = Tensor(backend.memory(), {bucket.numbers}, backend.compute_type());
        all = joined.view();
        std::int64_t at = 0;
        for (const Variable& weight : bucket.weights) {
            const ConstView share = flat(weight.gradient());
            backend.add(1.0, share, {all.rows(at, at + share.shape[0])});
            at += share.shape[0];
        }
    }
    Tensor own(backend.memory(), {bucket.own}, backend.compute_type());
    bucket.exchange->adjoint(backend, std::array{ConstView(all)}, std::array{Target{own.view()}});
    bucket.exchange->forward(backend, std::array{std::as_const(own).view()}, std::array{Target{all}});
    std::int64_t at = 0;
    for (const Variable& weight : bucket.weights) {
        const View sum = flat(weight.gradient_target().view);
        if (!is_alone) {
            backend.add(1.0, all.rows(at, at + sum.shape[0]), {sum});
        }
        at += sum.shape[0];
    }
}

}  // namespace plumecast
