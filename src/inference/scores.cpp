#include "inference/scores.hpp"

#include <cmath>
#include <utility>

#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {
namespace {

constexpr Score scores[] = {
    {&CaseErrors::mpe, "mpe", "MPE", "mean error in the plume", Score::Applies::saturation},
    {&CaseErrors::mre, "mre", "MRE", "mean error / largest value", Score::Applies::other},
    {&CaseErrors::relative_l2, "relative_l2", "rel. L2", "||p - s|| / ||s||"},
    {&CaseErrors::r2, "r2", "R2", "all active cells", Score::Applies::always, true},
    {&CaseErrors::r2_plume, "r2_plume", "R2 plume", "cells of the plume", Score::Applies::saturation, true},
    {&CaseErrors::mae, "mae", "MAE", "mean absolute error"},
    {&CaseErrors::rmse, "rmse", "RMSE", "root of the mean square", Score::Applies::none},
    {&CaseErrors::mass_error, "mass_error", "mass", "free CO2 at the last time", Score::Applies::saturation},
};

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json errors_json(const CaseErrors& errors, const std::vector<Score>& chosen) {
    Json json = Json::Object{};
    for (const Score& score : chosen) {
        json[score.key] = number(errors.*score.member);
    }
    return json;
}

}  // namespace

std::vector<Score> scores_of(const Field& field) {
    const bool is_of_reservoirs = find_array(field.name) != nullptr;
    const Score::Applies kind = field.name == "gas_saturation" ? Score::Applies::saturation
                                : is_of_reservoirs             ? Score::Applies::other
                                                               : Score::Applies::none;  // of generic data
    std::vector<Score> chosen;
    for (const Score& score : scores) {
        if (score.applies == Score::Applies::always || score.applies == kind) {
            chosen.push_back(score);
        }
    }
    return chosen;
}

double nine_of_ten(const FieldEvaluation& field, const Score& score) {
    return field.errors.quantile(score.higher_is_better ? 0.1 : 0.9).*score.member;
}

Json score_json(const FieldEvaluation& field, const std::vector<std::int64_t>& cases) {
    const std::vector<Score> chosen = scores_of(field.field);
    Json nine = Json::Object{};
    for (const Score& score : chosen) {
        nine[score.key] = number(nine_of_ten(field, score));
    }
    Json::Array per_case;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        Json one = Json::Object{{"case", cases[i]}};
        const Json errors = errors_json(field.errors.cases()[i], chosen);
        for (const auto& [key, value] : *errors.get_if<Json::Object>()) {
            one[key] = value;
        }
        if (field.physics) {
            one["physics"] = errors_json(field.physics->cases()[i], chosen);
        }
        per_case.push_back(std::move(one));
    }
    Json json;
    json["field"] = field.field.name;
    json["unit"] = field.field.unit;
    json["mean"] = errors_json(field.errors.mean(), chosen);
    json["nine_of_ten_cases"] = std::move(nine);
    json["pooled_r2"] = number(field.errors.pooled_r2());
    json["pooled_r2_plume"] = number(field.errors.pooled_r2_plume());
    if (field.physics) {
        json["physics_mean"] = errors_json(field.physics->mean(), chosen);
    }
    if (field.physics_settings) {
        json["physics_settings"] =
            Json::Object{{"kind", std::string(physics_kind)}, {"substeps", field.physics_settings->substeps}};
    }
    json["cases"] = std::move(per_case);
    return json;
}

}  // namespace plumecast
