#include "score_table.hpp"

#include <fmt/format.h>

#include "console.hpp"
#include "core/number_text.hpp"
#include "inference/scores.hpp"

namespace plumecast::app {

namespace {

/// With which steps the physics was computed whose errors a column shows; nothing where there is none.
std::string physics_line(const FieldEvaluation& field) {
    return !field.physics_settings
               ? ""
               : fmt::format(
                     "  physics alone: two phases, {} while time grows by 1.36; estimate and other models may take "
                     "other steps\n",
                     counted(field.physics_settings->substeps, "step"));
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
    text += fmt::format("  {:<9} {:>10}  {:>13}{}   all cells of all cases pooled\n", "R2 pooled",
                        decimals_text(field.errors.pooled_r2()), "",
                        alone([](const ErrorSummary& errors) { return errors.pooled_r2(); }));
    return text + physics_line(field);
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

}  // namespace plumecast::app
