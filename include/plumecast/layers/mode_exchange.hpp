#pragma once

#include <map>
#include <memory>
#include <string>

#include <plumecast/backend/backend.hpp>
#include <plumecast/distributed/exchange.hpp>

namespace plumecast {

/// Spectra of a field that ranks hold in boxes: each rank owns some of the kept modes, and the weights that mix them.
/// Only kept modes ever travel, each rank's share of them, added up where they are owned: the reduce-scatter route of a
/// distributed transform; with P ranks every transform sends (P - 1) / P of a spectrum.
class ModeExchange {
   public:
    /// Rank p owns modes [cuts[p], cuts[p + 1]) of the K modes of a spectrum [B, K, 2, mt, C]. The communicator must
    /// outlive this.
    ModeExchange(Communicator& ranks, Cuts cuts) : ranks_(&ranks), cuts_(std::move(cuts)) {}

    /// Modes of this rank.
    std::int64_t owned() const;
    /// The owned modes of the sum of all ranks' shares [B, K, 2, mt, C], added in rank order. Collective.
    Tensor summed(Backend& backend, ConstView share) const;
    /// All modes, from the owned ones of each rank [B, owned, 2, mt, C]. Collective.
    Tensor gathered(Backend& backend, ConstView own) const;

   private:
    const Exchange& exchange(const Shape& spectrum) const;

    Communicator* ranks_;
    Cuts cuts_;
    mutable std::map<std::string, std::unique_ptr<const Exchange>> exchanges_;  // one per shape of spectra met
};

}  // namespace plumecast
