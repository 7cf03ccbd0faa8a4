#include "score_table.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "console.hpp"

namespace plumecast::app {
namespace {

enum class Applies { always, saturation, other };

/// One error: where to find it, how to call it, and which way is better.
struct Score {
    double CaseErrors::*member;
    std::string_view key;
    std::string_view label;
    std::string_view meaning;
    Applies applies = Applies::always;
    bool higher_is_better = false;
};

constexpr Score scores[] = {
    {&CaseErrors::mpe, "mpe", "MPE", "mean error in the plume", Applies::saturation},
    {&CaseErrors::mre, "mre", "MRE", "mean error / largest value", Applies::other},
    {&CaseErrors::relative_l2, "relative_l2", "rel. L2", "||p - s|| / ||s||"},
    {&CaseErrors::r2, "r2", "R2", "all active cells", Applies::always, true},
    {&CaseErrors::r2_plume, "r2_plume", "R2 plume", "cells of the plume", Applies::saturation, true},
    {&CaseErrors::mae, "mae", "MAE", "mean absolute error"},
    {&CaseErrors::mass_error, "mass_error", "mass", "free CO2 at the last time", Applies::saturation},
};

std::vector<Score> scores_of(const Field& field) {
    const Applies kind = field.name == "gas_saturation" ? Applies::saturation : Applies::other;
    std::vector<Score> chosen;
    for (const Score& score : scores) {
        if (score.applies == Applies::always || score.applies == kind) {
            chosen.push_back(score);
        }
    }
    return chosen;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// What nine of ten cases keep to: the upper end of an error, the lower end of a determination.
double nine_of_ten(const FieldEvaluation& field, const Score& score) {
    return field.errors.quantile(score.higher_is_better ? 0.1 : 0.9).*score.member;
}

Json errors_json(const CaseErrors& errors, const std::vector<Score>& chosen) {
    Json json = Json::Object{};
    for (const Score& score : chosen) {
        json[score.key] = number(errors.*score.member);
    }
    return json;
}

}  // namespace

std::string score_table(const FieldEvaluation& field) {
    std::string text = fmt::format("{} [{}]\n  {:<9} {:>10}  {:>13}{}   {}\n", field.field.name, field.field.unit, "",
                                   "mean", "90 % of cases", field.physics ? "  physics alone" : "", "meaning");
    const auto alone = [&](const auto& value) {
        return field.physics ? fmt::format("  {:>13}", decimals_text(value(*field.physics))) : std::string();
    };
    for (const Score& score : scores_of(field.field)) {
        text += fmt::format(
            "  {:<9} {:>10}  {:>2} {:>10}{}   {}\n", score.label, decimals_text(field.errors.mean().*score.member),
            score.higher_is_better ? ">=" : "<=", decimals_text(nine_of_ten(field, score)),
            alone([&](const ErrorSummary& errors) { return errors.mean().*score.member; }), score.meaning);
    }
    return text + fmt::format("  {:<9} {:>10}  {:>13}{}   all cells of all cases pooled\n", "R2 pooled",
                              decimals_text(field.errors.pooled_r2()), "",
                              alone([](const ErrorSummary& errors) { return errors.pooled_r2(); }));
}

std::string case_table(const FieldEvaluation& field, const std::vector<std::int64_t>& cases) {
    const std::vector<Score> chosen = scores_of(field.field);
    std::string text = fmt::format("{} [{}]\n  {:>6}", field.field.name, field.field.unit, "case");
    for (const Score& score : chosen) {
        text += fmt::format(" {:>9}", score.label);
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        text += fmt::format("\n  {:>6}", cases[i]);
        for (const Score& score : chosen) {
            text += fmt::format(" {:>9}", decimals_text(field.errors.cases()[i].*score.member));
        }
    }
    return text + "\n";
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
    Json::Object json{{"field", field.field.name},
                      {"unit", field.field.unit},
                      {"mean", errors_json(field.errors.mean(), chosen)},
                      {"nine_of_ten_cases", std::move(nine)},
                      {"pooled_r2", number(field.errors.pooled_r2())},
                      {"pooled_r2_plume", number(field.errors.pooled_r2_plume())}};
    if (field.physics) {
        json.emplace_back("physics_mean", errors_json(field.physics->mean(), chosen));
    }
    json.emplace_back("cases", std::move(per_case));
    return json;
}

}  // namespace plumecast::app
