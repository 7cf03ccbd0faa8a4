#include "training/run_records.hpp"

#include <filesystem>

namespace plumecast {

std::string names_of(const std::vector<Field>& fields) {
    std::string names;
    for (const Field& field : fields) {
        names += (names.empty() ? "" : " and ") + field.name;
    }
    return names;
}

std::string stem_of(const std::vector<Field>& fields) { return fields.size() == 1 ? fields[0].name : "fields"; }

Recipe without_folders(Recipe recipe) {
    for (std::string* path : {&recipe.train_file, &recipe.validation_file, &recipe.output}) {
        *path = std::filesystem::path(*path).filename().string();
    }
    return recipe;
}

std::vector<FieldReport> reports_of(const Evaluation& evaluation) {
    std::vector<FieldReport> reports;
    for (const FieldEvaluation& field : evaluation.fields) {
        const CaseErrors mean = field.errors.mean();
        reports.push_back({field.field.name, mean.mpe, mean.mre, mean.relative_l2, field.errors.pooled_r2(),
                           field.errors.pooled_r2_plume(), mean.mae});
    }
    return reports;
}

}  // namespace plumecast
