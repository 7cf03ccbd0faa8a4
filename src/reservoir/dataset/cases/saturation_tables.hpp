#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast {

/// Name under /case of the saturation tables of the cases [N], as text.
inline constexpr std::string_view saturation_tables_name = "saturation_tables";

/// Tables of relative permeabilities and capillary pressure; that of region 1 comes first.
using SaturationTables = std::vector<std::vector<SaturationRow>>;

/// A line for each row: region, gas saturation, relative permeabilities of gas and of brine, capillary pressure [bar].
std::string text_of_tables(const SaturationTables& tables);

/// The tables that a text states. Throws InvalidData that begins with `where` and names line and remedy when a line has
/// not five numbers, regions do not count up from 1, a table has not two rows, saturations do not rise from 0, a
/// relative permeability is outside 0 to 1, that of gas falls or that of brine rises with gas saturation, or a
/// capillary pressure falls or is negative.
SaturationTables tables_of_text(const std::string& text, const std::string& where);

/// The tables of a case; empty where the file, or cases in memory, state none. Throws as tables_of_text().
SaturationTables saturation_tables(const Dataset& dataset, std::int64_t which);
/// Their text, as the file states it.
std::string text_of_saturation_tables(const Dataset& dataset, std::int64_t which);

/// The table of each cell of a case [cells], counted from 1, after /inputs/saturation_region; 0 in inactive cells.
/// `tables`: how many there are. Throws InvalidData that names file, case, cell and remedy where an active cell has no
/// whole number from 1 to `tables`; IoError.
std::vector<std::size_t> saturation_regions(const Dataset& dataset, std::int64_t which, std::size_t tables);

/// Of each table, the largest gas saturation of its rows at which gas does not flow.
std::vector<double> critical_gas_saturations(const SaturationTables& tables);

}  // namespace plumecast
