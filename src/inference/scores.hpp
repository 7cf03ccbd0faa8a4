#pragma once

#include <string_view>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/inference/evaluation.hpp>

namespace plumecast {

/// One error of a field: where to find it, how to call it, and which way is better.
struct Score {
    enum class Applies { always, saturation, other, none };

    double CaseErrors::*member;
    std::string_view key;
    std::string_view label;
    std::string_view meaning;
    Applies applies = Applies::always;
    bool higher_is_better = false;
};

/// Those that a field is judged by.
std::vector<Score> scores_of(const Field& field);

/// What nine of ten cases keep to: the upper end of an error, the lower end of a determination.
double nine_of_ten(const FieldEvaluation& field, const Score& score);

/// The errors of a field for programs, with those of every case. Numbers that are not finite become null.
Json score_json(const FieldEvaluation& field, const std::vector<std::int64_t>& cases);

}  // namespace plumecast
