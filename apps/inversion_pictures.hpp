#pragma once

#include <string>
#include <vector>

#include "inverse/inversion/inversion_config.hpp"
#include "inverse/inversion/inversion_report.hpp"

namespace plumecast::app {

/// Names of the pictures of an inversion in its folder; none in a build without pictures.
std::vector<std::string> inversion_pictures();

/// Draws observations between prior and posterior over time, a chart for each place, and mean and deviation of the
/// unknown maps before and after. Throws IoError.
void draw_inversion(const InversionConfig& config, const InversionReport& report);

}  // namespace plumecast::app
