#pragma once

#include <optional>
#include <span>

#include <plumecast/reservoir/metrics/trust/verdict.hpp>

namespace plumecast {

struct CaseFields;

/// Where the limit of the pressure in its well kept a case from injecting what was asked for, to the times [T] [day] of
/// the fields, of which only days with a rate count; nothing where it did not, or where the case does not know what was
/// injected.
std::optional<LimitedRate> limited_rate(const CaseFields& fields, std::span<const double> times);

}  // namespace plumecast
