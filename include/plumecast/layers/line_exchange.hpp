#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/distributed/exchange.hpp>

namespace plumecast {

/// Spectra of a field whose last space axis ranks cut, by transposes: ranks send each other whole lines of that axis,
/// each for some of the columns (kept time modes of channels), and afterwards each mode to its owner, all columns of
/// it. Nothing is added up on the way, so the same numbers arrive whatever the number of ranks.
class LineExchange {
   public:
    /// Rank p holds cells [cells[p], cells[p + 1]) of the axis and owns modes [owners[p], owners[p + 1]). The
    /// communicator must outlive this.
    LineExchange(Communicator& ranks, Cuts cells, Cuts owners)
        : ranks_(&ranks), cells_(std::move(cells)), owners_(std::move(owners)) {}

    /// This rank's cells of all columns [B, rows, held, 2, n] -> all cells of its columns [B, rows, cells, 2, own].
    Tensor lines(Backend& backend, ConstView held) const;
    /// And back; n columns in all.
    Tensor held(Backend& backend, ConstView lines, std::int64_t columns) const;
    /// All modes of this rank's columns [B, K, 2, own] -> its modes of all columns [B, owned, 2, n].
    Tensor owned(Backend& backend, ConstView modes, std::int64_t columns) const;
    /// And back.
    Tensor modes(Backend& backend, ConstView owned) const;

    /// True when lines are fewer bytes than every rank's share of all modes (ModeExchange): `rows` of `cells` and
    /// `modes` per rank against `modes`.
    static bool is_cheaper(std::int64_t rows, std::int64_t cells, std::int64_t modes, int ranks) {
        return rows * cells + modes < modes * ranks;
    }

   private:
    const Exchange& exchange(const Shape& whole, int from_axis, const Cuts& from) const;
    /// From parts along one axis to parts along the last, or back.
    Tensor moved(Backend& backend, ConstView part, const Shape& whole, int axis, const Cuts& cuts, bool back) const;

    Communicator* ranks_;
    Cuts cells_, owners_;
    mutable std::map<std::string, std::unique_ptr<const Exchange>> exchanges_;  // one per shape met
};

}  // namespace plumecast
