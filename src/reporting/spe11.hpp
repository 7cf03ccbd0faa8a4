#pragma once

#include <string>
#include <vector>

#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {

/// The sparse data of version B of the 11th SPE Comparative Solution Project (docs/spe11.md), as its file
/// spe11b_time_series.csv has them: a header, the time 0, then the times of the data set.
struct Spe11Table {
    std::string text;
    std::vector<std::string> missing;  ///< columns that the fields do not tell, which hold "n/a"
};

/// Of one case on the section of the benchmark, 8400 m along x and 1200 m high, whose seal is saturation region 1.
/// Throws InvalidInput for another grid, or a case without saturation regions, gas saturation or build-up.
Spe11Table spe11_table(const CaseReader& reader, const CaseFields& fields);

}  // namespace plumecast
