#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>

#include "arguments/model_path.hpp"
#include "bundle_output.hpp"
#include "command.hpp"
#include "core/number_text.hpp"

namespace plumecast::app {
namespace {

struct CombineOptions {
    std::vector<std::string> bundles;
    std::string output, title, model_card;
    bool is_forced = false;
};

/// Ranges that every part was trained for: outside of them at least one network extrapolates.
Json common_ranges(const std::vector<Bundle>& parts) {
    std::map<std::string, Range> common;
    for (const Bundle& part : parts) {
        JsonReader reader(part.training, part.path + "/model.json: training");
        const InputRanges ranges = reader.has("ranges") ? InputRanges::read(reader, "ranges") : InputRanges();
        for (const auto& [name, range] : ranges.ranges()) {
            Range& both = common.try_emplace(name, range).first->second;
            both.low = std::max(both.low, range.low);
            both.high = std::min(both.high, range.high);
            if (both.low > both.high) {
                throw InvalidInput(
                    fmt::format("{}: was trained for {} that no other part knows (ranges do not overlap); "
                                "combine networks trained on like cases",
                                part.path, name));
            }
        }
    }
    return InputRanges(std::move(common)).to_json();
}

/// An entry of the training's record that all parts have alike: `grid`, `more_grids`, where cases lie (`trust`).
/// Nothing where they differ or one does not say.
const Json* shared_record(const std::vector<Bundle>& parts, const char* name) {
    const Json* common = parts.front().training.find(name);
    const bool is_shared = common != nullptr && std::ranges::all_of(parts, [&](const Bundle& part) {
                               const Json* own = part.training.find(name);
                               return own != nullptr && *own == *common;
                           });
    return is_shared ? common : nullptr;
}

/// The record of a part without ranges, and with file names only: the folders of the machine that trained mean nothing
/// elsewhere.
Json record_of(const Bundle& part) {
    Json record = part.training.is_object() ? part.training : Json(Json::Object{});
    std::erase_if(*record.get_if<Json::Object>(), [](const auto& entry) { return entry.first == "ranges"; });
    const auto shorten = [](Json& object, const char* key) {
        if (object.find(key) != nullptr && object.find(key)->get_if<std::string>() != nullptr) {
            object[key] = std::filesystem::path(*object.find(key)->get_if<std::string>()).filename().string();
        }
    };
    if (record.find("recipe") != nullptr) {
        Json& recipe = record["recipe"];
        shorten(recipe, "output");
        if (recipe.find("data") != nullptr) {
            shorten(recipe["data"], "train");
            shorten(recipe["data"], "validation");
        }
    }
    return record;
}

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw IoError(path +
                      ": cannot be read (it is not there, or closed to you); check the path and its permissions");
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The parts' cards under one title, each a level deeper.
std::string combined_card(const std::vector<Bundle>& parts, const std::string& title) {
    std::string card = "# " + title + "\n";
    for (const Bundle& part : parts) {
        const std::string path = part.path + "/README.md";
        const std::string text = std::filesystem::exists(path) ? read_text(path) : "# " + part.title + "\n";
        card += "\n" + (text.starts_with("#") ? "#" + text : text);
    }
    return card;
}

ExitCode combine(const CombineOptions& options, Console& console) {
    std::vector<std::string> inputs = {options.model_card};
    std::ranges::transform(options.bundles, std::back_inserter(inputs), model_path);
    require_bundle_place(options.output, inputs, options.is_forced);
    const auto backend = make_cpu_backend({.threads = 1});
    std::vector<Bundle> parts;
    for (const std::string& path : options.bundles) {
        parts.push_back(Bundle::load(model_path(path), *backend));
    }
    BundleContent content;
    content.title = options.title.empty() ? parts.front().title : options.title;
    Json::Array records;
    for (const Bundle& part : parts) {
        for (const BundleNetwork& entry : part.networks) {
            const std::string& field = entry.network->description().fields.front().name;
            if (std::ranges::find(content.networks, field, [](const auto& pair) { return pair.first; }) !=
                content.networks.end()) {
                throw InvalidInput(part.path + ": predicts " + field +
                                   " as another part does (a field has one network); leave one of them out");
            }
            content.networks.emplace_back(field, entry.network.get());
        }
        records.push_back(record_of(part));
    }
    content.training = Json::Object{{"ranges", common_ranges(parts)}, {"parts", std::move(records)}};
    for (const Bundle& part : parts) {
        if (part.training.find("rollout") != nullptr) {
            throw InvalidInput(part.path +
                               ": rolls over times (all its states come from one network); train a network "
                               "of all fields");
        }
    }
    for (const char* name : {"grid", "more_grids", "trust"}) {
        if (const Json* record = shared_record(parts, name)) {
            content.training[name] = *record;
        }
    }
    content.model_card =
        options.model_card.empty() ? combined_card(parts, content.title) : read_text(options.model_card);
    write_bundle(options.output, content);
    console.print(fmt::format("{}: {} from {}\n", options.output,
                              counted(static_cast<std::int64_t>(content.networks.size()), "network"),
                              counted(static_cast<std::int64_t>(parts.size()), "model")));
    return exit_ok;
}

}  // namespace

Command make_combine(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("combine", "Join models of single fields into one");
    const auto options = std::make_shared<CombineOptions>();
    app->add_option("bundles", options->bundles, "Models, each of other fields")->required()->type_name("BUNDLE");
    app->add_option("-o,--output", options->output, "Folder of the new model")->required()->type_name("BUNDLE");
    app->add_option("--title", options->title, "Title of the new model; default: that of the first")->type_name("TEXT");
    app->add_option("--model-card", options->model_card, "README.md of the new model; default: those of the parts")
        ->type_name("FILE.md");
    add_model_force(*app, options->is_forced);
    add_examples(
        *app,
        "  plumecast combine runs/saturation/best runs/pressure/best -o models/radial-co2 --title \"CO2 in radial "
        "reservoirs\"");
    return {app, [options](Console& console) { return combine(*options, console); }};
}

}  // namespace plumecast::app
