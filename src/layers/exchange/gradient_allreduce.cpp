#include <plumecast/layers/exchange/gradient_allreduce.hpp>

#include <array>
#include <utility>

namespace plumecast {
namespace {

ConstView flat(ConstView view) { return view.reshaped({view.shape.count()}); }
View flat(View view) { return view.reshaped({view.shape.count()}); }

}  // namespace

/// Weights that travel together.
struct GradientAllreduce::Bucket {
    std::vector<Variable> weights;
    std::int64_t numbers = 0;
    std::int64_t own = 0;  // numbers that this rank adds up
    std::unique_ptr<const Exchange> exchange;
    std::size_t complete = 0;  // weights that backward() is done with
    Tensor joined, sums;
    Exchange::PendingExchange pending;

    bool is_alone() const { return weights.size() == 1; }
    View all() { return is_alone() ? flat(weights.front().gradient_output().view) : joined.view(); }
};

/// Buckets of one communicator on their way, each a step behind the one before it: no more than three hold buffers.
struct GradientAllreduce::Queue {
    std::vector<Bucket> buckets;
    std::size_t begun = 0, shared = 0, taken = 0;

    void begin_next(const GradientAllreduce& sum) {
        sum.begin(buckets[begun++]);
        if (begun - shared > 1) {
            share_next(sum);
        }
    }
    void share_next(const GradientAllreduce& sum) {
        sum.share(buckets[shared++]);
        if (shared - taken > 1) {
            sum.take_over(buckets[taken++]);
        }
    }
};

GradientAllreduce::GradientAllreduce(const Parameters& parameters, std::int64_t bucket_numbers)
    : parameters_(&parameters) {
    if (const ProcessGrid* grid = parameters.grid()) {
        add_buckets(grid->world(), false, bucket_numbers);
        add_buckets(grid->groups(), true, bucket_numbers);
    }
}

GradientAllreduce::~GradientAllreduce() = default;
GradientAllreduce::GradientAllreduce(GradientAllreduce&&) noexcept = default;
GradientAllreduce& GradientAllreduce::operator=(GradientAllreduce&&) noexcept = default;

void GradientAllreduce::add_buckets(Communicator& ranks, bool sharded, std::int64_t most) {
    if (ranks.size() == 1) {
        return;
    }
    std::vector<Bucket>& buckets = queues_.emplace_back().buckets;
    const std::vector<Parameter>& all = parameters_->all();
    for (auto parameter = all.rbegin(); parameter != all.rend(); ++parameter) {
        const std::int64_t numbers = parameter->variable.shape().count();
        if (!parameter->moves() || parameter->is_sharded() != sharded || numbers == 0) {
            continue;
        }
        if (buckets.empty() || buckets.back().numbers + numbers > most) {
            buckets.emplace_back();
        }
        buckets.back().weights.push_back(parameter->variable);
        buckets.back().numbers += numbers;
        places_[parameter->variable.identity()] = {queues_.size() - 1, buckets.size() - 1};
    }
    for (Bucket& bucket : buckets) {
        const Shape whole{bucket.numbers};
        const AxisPartition cuts = balanced_partition(bucket.numbers, ranks.size());
        const auto rank = static_cast<std::size_t>(ranks.rank());
        bucket.own = cuts[rank + 1] - cuts[rank];
        bucket.exchange = std::make_unique<const Exchange>(ranks, partition_layout(whole, 0, cuts),
                                                           replicated_layout(whole, ranks.size()));
    }
}

void GradientAllreduce::complete(const Variable& weight) {
    const auto place = places_.find(weight.identity());
    if (place == places_.end()) {
        return;
    }
    Queue& queue = queues_[place->second.first];
    ++queue.buckets[place->second.second].complete;
    while (queue.begun < queue.buckets.size() &&
           queue.buckets[queue.begun].complete == queue.buckets[queue.begun].weights.size()) {
        queue.begin_next(*this);
    }
}

void GradientAllreduce::operator()() {
    for (Queue& queue : queues_) {
        while (queue.begun < queue.buckets.size()) {
            queue.begin_next(*this);
        }
        while (queue.shared < queue.buckets.size()) {
            queue.share_next(*this);
        }
        while (queue.taken < queue.buckets.size()) {
            take_over(queue.buckets[queue.taken++]);
        }
        queue.begun = queue.shared = queue.taken = 0;
    }
}

/// Sends this rank's partial sums to those who add them up.
void GradientAllreduce::begin(Bucket& bucket) const {
    Backend& backend = parameters_->backend();
    for (const Variable& weight : bucket.weights) {
        if (!weight.has_gradient()) {
            backend.fill(weight.gradient_output().view, 0.0);
        }
    }
    if (!bucket.is_alone()) {
        bucket.joined = Tensor(backend.memory(), {bucket.numbers}, backend.compute_type());
        std::int64_t at = 0;
        for (const Variable& weight : bucket.weights) {
            const ConstView part = flat(weight.gradient());
            backend.add(1.0, part, {bucket.joined.view().rows(at, at + part.shape[0])});
            at += part.shape[0];
        }
    }
    bucket.pending = bucket.exchange->start_adjoint(backend, std::array{ConstView(bucket.all())});
}

/// Adds up this rank's part and sends the sums to all.
void GradientAllreduce::share(Bucket& bucket) const {
    Backend& backend = parameters_->backend();
    bucket.sums = Tensor(backend.memory(), {bucket.own}, backend.compute_type());
    bucket.exchange->finish_adjoint(std::move(bucket.pending), std::array{OutputRef{bucket.sums.view()}});
    bucket.pending = bucket.exchange->start_forward(backend, std::array{std::as_const(bucket.sums).view()});
}

/// Replaces the partial sums by the sums.
void GradientAllreduce::take_over(Bucket& bucket) const {
    Backend& backend = parameters_->backend();
    const View all = bucket.all();
    bucket.exchange->finish_forward(std::move(bucket.pending), std::array{OutputRef{all}});
    std::int64_t at = 0;
    for (const Variable& weight : bucket.weights) {
        const View sum = flat(weight.gradient_output().view);
        if (!bucket.is_alone()) {
            backend.add(1.0, all.rows(at, at + sum.shape[0]), {sum});
        }
        at += sum.shape[0];
    }
    bucket.joined = Tensor();
    bucket.sums = Tensor();
    bucket.complete = 0;
}

}  // namespace plumecast
