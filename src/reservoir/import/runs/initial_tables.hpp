#pragma once

#include <string>
#include <vector>

#include "reservoir/dataset/cases/saturation_tables.hpp"

namespace plumecast {

/// Saturation tables of the regions of a run with water and gas, as the arrays TABDIMS and TAB of an INIT file hold
/// SWFN and SGFN; capillary pressures, in units of `bar`, are those of SWFN, as OPM Flow takes them. Both are joined at
/// the saturations of either, along straight lines. Empty where the file has not both. Throws InvalidData naming `path`
/// when they do not fit each other.
SaturationTables saturation_tables_of(const std::vector<double>& extents, const std::vector<double>& values, double bar,
                                      const std::string& path);

}  // namespace plumecast
