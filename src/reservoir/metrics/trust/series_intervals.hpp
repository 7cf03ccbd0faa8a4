#pragma once

#include <cstddef>
#include <vector>

#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "reservoir/metrics/named_series.hpp"
#include "reservoir/metrics/trust/trust_record.hpp"

namespace plumecast {

/// A figure of a case at all times and the ends of its interval, NaN where it has none.
struct FigureInterval {
    std::vector<double> middle, low, high;
};

/// Gives a series the interval of a figure of its name; NaN where it measures something else, as another pressure front
/// does.
void add_interval(NamedSeries& series, const FigureInterval& interval);

/// Gives the series of a case the intervals of a calibrated model, as a result file would hold them; none where the
/// model is not calibrated.
void add_intervals(std::vector<NamedSeries>& series, const ResultVerdicts& verdicts, const TrustRecord& record,
                   std::size_t which);

}  // namespace plumecast
