#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/reporting/report.hpp>

#include "reporting/report_content.hpp"
#include "service/computation.hpp"
#include "service/measure.hpp"

namespace plumecast::service {

/// Adds the field "trapped_gas_saturation" to cases that have none: what the series of trapped CO2 is counted from. NaN
/// in inactive cells and cases without values.
void add_trapped_gas(ComputedCases& computed);

/// Measures computed cases as the report does; both must outlive it.
class CaseMeter {
   public:
    CaseMeter(const ComputedCases& computed, const Measure& measure);

    /// Series of a case with the intervals of a calibrated model, and its verdict. Nothing, and `why` says why, of a
    /// case without values, or at whose pressures no fluid is known.
    std::optional<MeasuredCase> measured(std::size_t which, std::string& why) const;
    /// What a report of these cases is made from; lives as long as the meter.
    ReportContent content(std::vector<MeasuredCase> cases) const { return {reader_, options_, std::move(cases), {}}; }

   private:
    const ComputedCases& computed_;
    CaseReader reader_;
    ReportOptions options_;
    std::vector<std::int64_t> with_values_;
};

}  // namespace plumecast::service
