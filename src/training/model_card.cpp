#include "training/model_card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/number_text.hpp"

namespace plumecast {

namespace {

/// "a 32 x 64 grid at 24 times", of every data set whose grid or times are others than those of the data sets before.
std::string grids_of(const std::vector<LearnedFrom>& train) {
    std::vector<std::string> grids;
    for (const LearnedFrom& one : train) {
        const Shape space = one.data.space();
        std::string grid =
            fmt::format("a {} grid at {}", fmt::join(space.extents(), " x "), counted(one.data.snapshots(), "time"));
        if (std::ranges::find(grids, grid) == grids.end()) {
            grids.push_back(std::move(grid));
        }
    }
    return fmt::format("{}", fmt::join(grids, " or "));
}

std::string data_of(const std::vector<LearnedFrom>& train) {
    std::string text;
    for (const LearnedFrom& one : train) {
        text += fmt::format("{}{} of {} ({})", text.empty() ? "" : ", ", counted(one.cases, "case"),
                            std::filesystem::path(one.data.path()).filename().string(), one.data.attribute("source"));
    }
    return text;
}

/// What a run started from, one line; nothing for one that started from its seed.
std::string start_of(const Recipe& recipe) {
    if (recipe.weights.empty()) {
        return "";
    }
    std::string text =
        fmt::format("- Start: the weights of {}", std::filesystem::path(recipe.weights).filename().string());
    return text + (recipe.freeze.empty() ? "" : fmt::format("; frozen: {}", fmt::join(recipe.freeze, ", "))) + ".\n";
}

}  // namespace

std::string model_card(const Recipe& recipe, const std::vector<LearnedFrom>& train, const EpochReport& report) {
    const NetworkConfig& network = recipe.network.network;
    std::string fields;
    for (const Field& field : recipe.network.fields) {
        fields += fmt::format("{}{} [{}]", fields.empty() ? "" : " and ", field.name, field.unit);
    }
    std::string text = fmt::format(
        "# {} network\n\nPredicts {} on {}.\n\n"
        "- Network: {}, width {}, {} + {} blocks.\n"
        "- Data: {}.\n"
        "{}"
        "- Recipe: {} in {}, batches of {}, learning rate {:g}; this is epoch {}.\n",
        network.architecture, fields, grids_of(train), network.architecture, network.width, network.fourier_blocks,
        network.extended_blocks, data_of(train), start_of(recipe), counted(recipe.epochs, "epoch"),
        name_of(recipe.precision), recipe.batch_size, recipe.schedule.learning_rate, report.epoch);
    if (report.epoch == 0) {
        text +=
            "- Epoch 0 is the model that the run started from, as it was: no epoch has been better on validation.\n";
    }
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
