#include "training/bundle/model_card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/counted.hpp>

#include <filesystem>

namespace plumecast {

std::string model_card(const Recipe& recipe, const Dataset& train, std::int64_t train_cases,
                       const EpochReport& report) {
    const NetworkConfig& network = recipe.network.network;
    const Shape space = train.space();
    std::string fields;
    for (const Field& field : recipe.network.fields) {
        fields += fmt::format("{}{} [{}]", fields.empty() ? "" : " and ", field.name, field.unit);
    }
    std::string text = fmt::format(
        "# {} network\n\nPredicts {} on a {} grid at {}.\n\n"
        "- Network: {}, width {}, {} + {} blocks.\n"
        "- Data: {} of {} ({}).\n"
        "- Recipe: {} in {}, batches of {}, learning rate {:g}; this is epoch {}.\n",
        network.architecture, fields, fmt::join(space.extents(), " x "), counted(train.snapshots(), "time"),
        network.architecture, network.width, network.fourier_blocks, network.extended_blocks,
        counted(train_cases, "case"), std::filesystem::path(train.path()).filename().string(),
        train.attribute("source"), counted(recipe.epochs, "epoch"), name_of(recipe.precision), recipe.batch_size,
        recipe.schedule.learning_rate, report.epoch);
    if (!report.fields.empty()) {
        text +=
            "\n| validation | MPE | MRE | relative L2 | R2 | R2 in the plume | mean absolute error |\n"
            "|---|---|---|---|---|---|---|\n";
    }
    for (const FieldReport& f : report.fields) {
        text += fmt::format("| {} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.4g} |\n", f.field, f.mpe, f.mre,
                            f.relative_l2, f.r2, f.r2_plume, f.mae);
    }
    text +=
        "\nInputs outside the ranges in `model.json` (`training.ranges`) are extrapolation; `plumecast predict` "
        "names them.\n";
    return text;
}

}  // namespace plumecast
