#pragma once

#include <memory>
#include <vector>

#include <plumecast/distributed/exchange.hpp>
#include <plumecast/layers/parameters.hpp>

namespace plumecast {

/// Adds up the gradients of weights, of which each rank's backward() gives a share: over all ranks for weights that
/// every rank holds, over the groups for those that the ranks of a group share out. Weights go together in buckets,
/// each of which travels twice, shares to the rank that adds up a part of it and sums to all: 2 (P - 1) / P of its
/// bytes per rank. Sums go in rank order, so all ranks get the same bits.
class GradientSum {
   public:
    /// Collective. The parameters must outlive this; nothing is to be done for one rank alone.
    explicit GradientSum(const Parameters& parameters);
    /// Collective. Weights that this rank's backward() did not reach count as zero.
    void operator()() const;

   private:
    struct Bucket {
        std::vector<Variable> weights;
        std::int64_t numbers = 0;
        std::int64_t own = 0;  // numbers that this rank adds up
        std::unique_ptr<const Exchange> exchange;
    };
    void add_buckets(Communicator& ranks, bool shared_out);
    void add_up(const Bucket& bucket) const;

    const Parameters* parameters_;
    std::vector<Bucket> buckets_;
};

}  // namespace plumecast
