#pragma once

#include <optional>
#include <vector>

#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {

/// What the fields of a case say about themselves.
struct FieldEvidence {
    bool is_finite = true;              ///< in all active cells; false leaves the rest out
    std::vector<double> balance;        ///< [T] CO2 found per CO2 injected, 1 before any is; empty without saturation
    std::optional<double> off_balance;  ///< how much too much or missing, as a share of what was injected, at worst
    std::optional<double> reach;        ///< radius of the plume in radii that the injected volume can reach, at most
    double largest_buildup = 0.0;       ///< [bar] over active cells and times; 0 without build-up
    std::optional<double> rock_load;    ///< pressure per pressure at which any rock breaks, at worst
    std::optional<double> absorbed;     ///< as CaseEvidence has it
    double dissolved_ratio = 1.0;       ///< at that time, dissolved CO2 beside gas per what the brine there can hold
};

/// Measures the fields of a case at times [T] [day]. CO2 found is free and, where the file has it, dissolved CO2; where
/// it does not, twice what the brine of the plume dissolves may be missing. The injected volume can reach as far as it
/// does when all of it fills the thinnest row of cells to a saturation of 0.1; cells in which the plume ends do not
/// count. The reach is known of radial grids only. Any rock breaks at `highest_fracture_gradient`. Brine beside gas
/// holds what it can dissolve at its pressure; where it is said to hold more or less, that stands in for CO2 which
/// saturation does not account for.
FieldEvidence field_evidence(const CaseFields& fields, const std::vector<double>& times, bool is_radial);

}  // namespace plumecast
