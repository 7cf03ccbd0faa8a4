#pragma once

#include <string>
#include <vector>

#include <plumecast/inference/evaluation.hpp>

namespace plumecast::app {

/// The errors of one field as a table for readers: mean, the value nine of ten cases keep to, and, where a network
/// corrects physics, the mean errors of the physics alone.
std::string score_table(const FieldEvaluation& field);
/// The errors of every case, one line each.
std::string case_table(const FieldEvaluation& field, const std::vector<std::int64_t>& cases);

}  // namespace plumecast::app
