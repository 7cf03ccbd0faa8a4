#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <plumecast/distributed/exchange.hpp>
#include <plumecast/layers/parameters.hpp>

namespace plumecast {

/// Adds up the gradients of weights, of which each rank's backward() gives a partial sum: over all ranks for weights
/// that every rank holds, over the groups for those that are sharded over a group. Weights go together in buckets,
/// those of the last layers first; each bucket travels twice, partial sums to the rank that adds up a part of it and
/// sums to all: 2 (P - 1) / P of its bytes per rank. Sums go in rank order, so all ranks get the same bits.
class GradientAllreduce {
   public:
    /// Collective. The parameters must outlive this; nothing is to be done for one rank alone. Weights are collected up
    /// to `bucket_numbers`; a larger one travels alone, out of its own memory.
    explicit GradientAllreduce(const Parameters& parameters, std::int64_t bucket_numbers = std::int64_t{1} << 20);
    ~GradientAllreduce();
    GradientAllreduce(GradientAllreduce&&) noexcept;
    GradientAllreduce& operator=(GradientAllreduce&&) noexcept;

    /// backward() is done with a weight: once it is with all of a bucket, the bucket begins to travel. Collective, in
    /// the order in which all ranks do the same backward().
    void complete(const Variable& weight);
    /// Sends the rest and waits for the sums. Weights that this rank's backward() did not reach count as zero.
    /// Collective.
    void operator()();

   private:
    struct Bucket;
    struct Queue;
    void add_buckets(Communicator& ranks, bool sharded, std::int64_t most);
    void begin(Bucket& bucket) const;
    void share(Bucket& bucket) const;
    void take_over(Bucket& bucket) const;

    const Parameters* parameters_;
    std::vector<Queue> queues_;                                          // one per communicator; buckets start in order
    std::map<const void*, std::pair<std::size_t, std::size_t>> places_;  // queue and bucket of a weight
};

}  // namespace plumecast
