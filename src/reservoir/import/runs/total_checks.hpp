#pragma once

#include <string>

#include "reservoir/import/runs/run_record.hpp"
#include "reservoir/import/runs/running_total.hpp"

namespace plumecast {

/// Throws InvalidData naming the run where a total, called `what`, falls between two days: it only grows.
void refuse_falling_total(const RunRecord& run, const RunningTotal& total, const std::string& what, double from,
                          double to);

/// Throws InvalidData naming the run where its summary ends before `to`, counted like its days; `from` is the start of
/// injection.
void refuse_short_summary(const RunRecord& run, double from, double to);

}  // namespace plumecast
