#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/distributed/communicator.hpp>
#include <plumecast/distributed/partition.hpp>

namespace plumecast {

/// How many ranks share the work, and how: groups take the cases of a batch in turn, and the ranks of a group cut space
/// among them. Text form "BxX" or "BxXxY": B groups, X parts of the last space axis (r or x), Y of the one before (y).
struct GridShape {
    int groups = 1;
    int x = 1, y = 1;

    /// Throws InvalidInput for another text than "B", "BxX" or "BxXxY" of positive numbers.
    static GridShape parse(const std::string& text);
    std::string text() const;
    int ranks() const { return groups * x * y; }
    /// Parts of each of the space axes z, [y,] x; z stays whole. Throws InvalidInput when there is no axis for y.
    std::vector<int> parts(int axes) const;

    friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// How sums over a cut axis come about: every rank sends its share of each sum to the one that owns it (reduce), or
/// ranks send each other whole lines first (transpose), which gives the same bits for any number of ranks; automatic
/// takes what sends less.
enum class Route { automatic, reduce, transpose };

/// The ranks of a job in their places: rank = group * (ranks of a group) + place in the group, so that neighbours in
/// space are neighbours in rank. The communicator given must outlive this.
class ProcessGrid {
   public:
    /// Collective. Throws InvalidInput when the shape is for another number of ranks.
    ProcessGrid(Communicator& world, const GridShape& shape, Route route = Route::automatic);
    /// The view of one rank of a job that is only planned: see make_planned_communicator().
    static ProcessGrid planned(const GridShape& shape, int rank, Route route = Route::automatic);

    const GridShape& shape() const { return shape_; }
    Route route() const { return route_; }
    Communicator& world() const { return *world_; }
    /// The ranks of this group, which hold the boxes of its cases.
    Communicator& space() const { return *space_; }
    /// The ranks that hold the same box of the cases of the other groups; rank is the number of the group.
    Communicator& groups() const { return *groups_; }
    /// Those of the group that differ in their part of x alone, or of y.
    Communicator& along_x() const { return *along_x_; }
    Communicator& along_y() const { return *along_y_; }
    bool partitions_space() const { return space_->size() > 1; }

    /// Which of the cases of a batch, in order, this group takes; may be none.
    CellRange cases(std::int64_t batch) const;
    /// Who of a group owns which of the modes of the space axes [z, [y,] x], counted as one: first cut along y, between
    /// rows of x, then each part along x. Transposes own whole rows of x, and along y whole planes.
    AxisPartition owners(const Shape& modes) const;
    /// Who of a group holds which cells of a space: as even as can be. Throws InvalidInput when a part would be empty.
    Partition partition(const Shape& space) const;
    /// What this rank has sent in all.
    Traffic traffic() const;

   private:
    ProcessGrid() = default;

    GridShape shape_;
    Route route_ = Route::automatic;
    std::unique_ptr<Communicator> planned_;
    Communicator* world_ = nullptr;
    std::unique_ptr<Communicator> space_, groups_, along_x_, along_y_;
};

}  // namespace plumecast
