#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inverse/optimization/storage_config.hpp"
#include "reservoir/metrics/named_series.hpp"
#include "reservoir/metrics/trust/figure_bands.hpp"

namespace plumecast {

/// Where what a limit's figure may be wrong by is known from: the configuration, the intervals of a calibrated model,
/// or nowhere, so that it counts as exact.
enum class MarginSource : std::uint8_t { stated, interval, none };

/// The figures with intervals that the error of a limit's figure follows from: itself; of a margin to the pressure at
/// which rock breaks the pressures that it is a difference to; of a front of another build-up than that of the
/// intervals and of a field at a place none.
std::vector<std::string> figures_behind(const StorageLimit& limit);

/// Where the margin of a limit comes from: what is stated counts before intervals.
MarginSource margin_source(const StorageLimit& limit, const FigureBands& intervals);

/// What the figure of a limit may be wrong by at each time [T], in its unit: what is stated, or how far the intervals
/// reach to either side, the widest of several; 0 where neither is known. `series` are those of the case.
std::vector<double> margins_of(const StorageLimit& limit, const std::vector<NamedSeries>& series,
                               const FigureBands& intervals);

}  // namespace plumecast
