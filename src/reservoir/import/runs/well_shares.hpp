#pragma once

#include <string>
#include <vector>

#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {

/// Which part of the gas a well injects, in the course of time; fractions of 1.
struct WellShare {
    std::string name;
    double least = 1.0;
    double most = 0.0;
    double mean = 0.0;
};

/// Shares of the wells over stretches of time in each of which a hundredth of the gas is injected, or a little more, so
/// that what a well does for a moment does not count. Empty when nothing was injected.
std::vector<WellShare> well_shares(const InjectionHistory& history);

/// Whether one of them changes by more than a hundredth of the gas.
bool do_change(const std::vector<WellShare>& shares);

/// The largest part of all gas that wells of steady shares have put elsewhere than the wells of the history, up to some
/// day.
double misplaced(const InjectionHistory& history, const std::vector<WellShare>& shares);

}  // namespace plumecast
