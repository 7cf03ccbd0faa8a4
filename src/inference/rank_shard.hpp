#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/distributed/exchange.hpp>
#include <plumecast/inference/field_network.hpp>

#include "reservoir/batches/box_source.hpp"

namespace plumecast {

/// What one rank does of the work on cases of one grid: the cases of its group, its box of their space. One rank alone
/// does everything, and nothing here costs it anything.
class RankShard {
   public:
    /// `extents` [space..., T] of a whole case; `compared` with the neighbours that a loss of this kind needs. The
    /// network must outlive this. Throws InvalidInput when its ranks cut space into more parts than there are cells.
    RankShard(const FieldNetwork& network, const Shape& extents, LossKind compared = LossKind::relative_l2);

    /// Which of the cases of a batch this group takes, by place.
    CellRange cases(std::int64_t batch) const;
    /// The cases of each batch that this group takes; lists may be empty.
    std::vector<std::vector<std::int64_t>> local_cases(const std::vector<std::vector<std::int64_t>>& batches) const;
    /// The boxes of the batches of a source that this rank reads. Targets and `active` cover with_neighbours().
    std::unique_ptr<BatchSource> source(std::unique_ptr<BatchSource> whole) const;
    /// Space cells of targets: those that this rank predicts, and along axes of derivatives one more on both sides.
    const Box& targets() const { return boxes_.targets; }
    /// Those that this rank predicts.
    const Box& local() const { return boxes_.local; }
    /// A prediction on the cells of targets(), the additional ones from those who predict them. The ranks of a group do
    /// this together.
    Tensor with_neighbours(ConstView prediction);
    /// The exchange that does it, for so many cases; nullptr where cases are whole. The ranks of a group make it
    /// together.
    std::shared_ptr<const Exchange> neighbours(std::int64_t batch) const;
    /// The cells that this rank predicts, of a host array on those of targets(), [B, targets..., more...].
    Tensor local_cells(ConstView targets) const;
    /// The whole of [B, space...] arrays, of which each rank has its own cases and cells, on the first rank; elsewhere
    /// nothing. Host memory, float32; `batch` cases of all groups. All ranks do this together.
    Tensor gathered(Tensor local, std::int64_t batch);
    /// The same of one number at each time [B][T], of cases that have them; none where a case has none.
    std::vector<std::vector<float>> gathered(const std::vector<std::vector<float>>& local, std::int64_t batch) const;

    /// True on all ranks when one of them says so.
    bool agreed(bool said) const;
    /// Inverse distances of the cells of targets(), from those of all cells as inverse_distances_of() has them, on the
    /// backend.
    std::vector<Tensor> inverse_distances(const std::vector<std::vector<double>>& whole) const;

    /// The ranks that hold boxes of the same cases; nullptr where they are whole.
    Communicator* space() const;
    /// All that work together; nullptr for one alone.
    Communicator* world() const;
    /// The ranks that hold the same boxes of other cases; nullptr for one group.
    Communicator* groups() const;
    /// True on the rank that writes files and answers.
    bool is_first() const { return world() == nullptr || world()->rank() == 0; }

   private:
    Box grown(const Box& local) const;
    Layout outputs(const Shape& whole, bool with_neighbours) const;

    const FieldNetwork* network_;
    const ProcessGrid* grid_;
    Shape extents_;
    LossKind compared_;
    CaseBoxes boxes_;
    std::map<std::string, std::shared_ptr<const Exchange>> exchanges_;  // by what they move
};

}  // namespace plumecast
