#pragma once

#include <map>
#include <memory>
#include <string>

#include <plumecast/distributed/exchange.hpp>
#include <plumecast/distributed/layout.hpp>

namespace plumecast {

/// One cut axis of a field on its way to the kept modes and their owners. Ranks hold the cells of the axis in parts and
/// own parts of the positions rows x modes, row by row, where a row stands for the modes of the axes before.
///
/// By reduce-scatter, every rank sends its partial sum of each kept mode to the owner, which adds them up in rank
/// order. By all-to-all transpose, ranks send each other whole lines of the axis, each those of its rows; nothing is
/// added up as long as no two ranks own parts of one row (ProcessGrid::owners() of transposes), so the same numbers
/// arrive whatever the number of ranks.
class AxisExchange {
   public:
    /// What is exchanged along an axis.
    struct Geometry {
        std::int64_t rows = 0;   ///< before the axis
        std::int64_t modes = 0;  ///< kept, of both signs
        AxisPartition cells;     ///< rank p holds cells [cells[p], cells[p + 1])
        AxisPartition owned;     ///< and owns positions [owned[p], owned[p + 1])
        bool by_transpose = false;
    };
    /// What an array goes through on its way: an exchange, forward or adjoint, to this rank's array of that shape; none
    /// where one rank is alone.
    struct Move {
        std::shared_ptr<const Exchange> exchange;
        bool adjoint = false;
        Shape result;
    };
    /// The communicator must outlive this.
    AxisExchange(Communicator& ranks, Geometry geometry);

    bool by_transpose() const { return geometry_.by_transpose; }
    std::int64_t rows() const { return geometry_.rows; }
    std::int64_t modes() const { return geometry_.modes; }
    std::int64_t cells() const { return geometry_.cells.back(); }
    /// Positions that this rank owns.
    std::int64_t owned() const;
    /// Rows of which this rank owns a position.
    std::int64_t covered() const;

    /// The first of the owned positions among those of the covered rows.
    std::int64_t before() const;

    /// How arrays of such a shape get to their owners: by reduce-scatter its partial sums of all modes [B, rows modes,
    /// inner] -> the owned [B, owned, inner]; by transpose its cells of all rows [B, rows, held, inner] -> all cells of
    /// its rows [B, covered, cells, inner]. Collective, the first time.
    Move to_owners(const Shape& array);
    /// And back: the transpose.
    Move to_holders(const Shape& array);

    /// True when the transpose sends fewer bytes than the reduce-scatter: cells that a rank holds against modes.
    static bool transpose_is_cheaper(std::int64_t cells, std::int64_t modes, int parts) {
        return cells < modes * parts;
    }

   private:
    Box lines_box(int rank, const Shape& whole) const;
    std::shared_ptr<const Exchange> exchange(const Shape& whole);

    Communicator* ranks_;
    Geometry geometry_;
    std::map<std::string, std::shared_ptr<const Exchange>> exchanges_;  // one per shape met
};

}  // namespace plumecast
