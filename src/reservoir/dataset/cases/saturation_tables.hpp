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
/// relative permeability is outside 0 to 1, or a capillary pressure falls or is negative.
SaturationTables tables_of_text(const std::string& text, const std::string& where);

/// The tables of a case; empty where the file, or cases in memory, state none. Throws as tables_of_text().
SaturationTables saturation_tables(const Dataset& dataset, std::int64_t which);

}  // namespace plumecast
