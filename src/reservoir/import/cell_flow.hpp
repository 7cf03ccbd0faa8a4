#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reservoir/import/case_arrays.hpp"
#include "reservoir/import/grid_shape.hpp"
#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {

/// Makes connections apart of what TRANZ states across cells that pinch out: simulators write what flows from an active
/// cell to the next active one below as TRANZ of the upper cell, whatever inactive cells lie between. `active` [Z, Y,
/// X] on a grid of `plane` cells a layer. A pair that is connected apart already keeps that value alone.
void connect_across_pinched(Transmissibilities& flow, const std::vector<std::uint8_t>& active, std::size_t plane);

/// Whether transmissibilities are other ones than those of a box of these permeabilities, by more than 0.2 % or in
/// which cells are connected: of corner-point grids, faults, multipliers. `inputs` are the maps of the case on the
/// grid.
bool departs_from_box(const Transmissibilities& flow, const StoredGrid& grid, const CaseArrays& inputs);

/// Whether connection factors of wells, by cell, are other ones than Peaceman's of vertical wells of the usual radius,
/// by more than 2 %: of horizontal wells, skin, factors that a deck states. `inputs` are the maps of the case on the
/// grid.
bool departs_from_peaceman(const std::map<std::int64_t, double>& factors, const StoredGrid& grid,
                           const CaseArrays& inputs);

/// What flows between cells in the cases of a data set: stated where that of any departs from a box and all tell it,
/// with the connections apart of all.
class FlowOfCases {
   public:
    /// Takes a case in; `inputs` gives its maps. Throws InvalidData for connections apart in more cells than can be
    /// numbered.
    void add(const std::string& name, const std::optional<Transmissibilities>& flow, const StoredGrid& grid,
             const std::function<CaseArrays()>& inputs);

    /// Takes the connection factors of the wells of a case in, by cell.
    void add_wells(const std::map<std::int64_t, double>& factors, const StoredGrid& grid,
                   const std::function<CaseArrays()>& inputs);

    bool is_stated() const { return departs_ && is_known_; }
    /// Whether connection factors of wells are stated: with what flows, or since those of a case are not Peaceman's.
    bool states_wells() const { return is_stated() || wells_depart_; }
    /// What is to be said where only some cases tell it.
    std::vector<std::string> left_out() const;
    /// "connection_first" and "connection_second" of the data set, as far as there are connections apart.
    CaseArrays pairs() const;
    /// Names of the arrays that add_to() and add_wells_to() add and the data set has.
    std::vector<std::string> array_names() const;
    /// Adds the arrays of a case, of which "active" is there.
    void add_to(CaseArrays& arrays, const Transmissibilities& flow) const;
    /// Adds the connection factors of a case, of which "active" and "perforation" are there.
    static void add_wells_to(CaseArrays& arrays, const std::map<std::int64_t, double>& factors);

   private:
    bool is_known_ = true;
    bool departs_ = false;
    bool wells_depart_ = false;
    std::set<eclipse::CellPair> pairs_;
};

}  // namespace plumecast
