#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/distributed/exchange.hpp>
#include <plumecast/distributed/process_grid.hpp>

namespace plumecast {

/// Spectra of a field that ranks hold in boxes: each rank owns some of the kept modes, and the weights that mix them.
/// Only kept modes ever travel, each rank's share of them, added up where they are owned: the reduce-scatter route of a
/// distributed transform; with P ranks every transform sends (P - 1) / P of a spectrum. Where two axes are cut, this
/// happens first among the ranks along y, then along x: as many bytes in (Py - 1) + (Px - 1) messages.
class ModeExchange {
   public:
    /// Rank p owns modes [cuts[p], cuts[p + 1]) of the K modes of a spectrum [B, K, 2, mt, C]. The communicator must
    /// outlive this.
    ModeExchange(Communicator& ranks, Cuts cuts) : stages_{{&ranks, std::move(cuts)}} {}
    /// Ranks of a group own ProcessGrid::owners() of K modes. The grid must outlive this.
    ModeExchange(const ProcessGrid& grid, std::int64_t modes);

    /// Modes of this rank.
    std::int64_t owned() const;
    /// The owned modes of the sum of all ranks' shares [B, K, 2, mt, C], added in rank order. Collective.
    Tensor summed(Backend& backend, ConstView share) const;
    /// All modes, from the owned ones of each rank [B, owned, 2, mt, C]. Collective.
    Tensor gathered(Backend& backend, ConstView own) const;

   private:
    /// Modes that ranks share out among them, counted from the first that they had together before.
    struct Stage {
        Communicator* ranks;
        Cuts cuts;

        std::int64_t owned() const;
    };
    const Exchange& exchange(std::size_t stage, const Shape& spectrum) const;

    std::vector<Stage> stages_;
    mutable std::map<std::string, std::unique_ptr<const Exchange>> exchanges_;  // one per stage and shape of spectra
};

}  // namespace plumecast
