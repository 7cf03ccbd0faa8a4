#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/architectures/network_config.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/training/recipe.hpp>

#include "arguments/model_path.hpp"
#include "arguments/unread_entries.hpp"
#include "command.hpp"
#include "recipe_schema.hpp"
#include "training/recipe/fine_tuning.hpp"
#include "training/recipe/recipe_for_data.hpp"

namespace plumecast::app {
namespace {

struct ConfigOptions {
    std::string path, architecture, model, field, data;
    std::vector<std::string> assignments;
    bool schema = false;
    bool cartesian = false;
    bool per_point = false;
    std::int64_t rollout = 0;
};

/// The recipe before any --set.
Recipe started(const ConfigOptions& options) {
    if (!options.model.empty()) {
        const auto backend = make_cpu_backend({.threads = 1});
        return fine_tuning_recipe(Bundle::load(model_path(options.model), *backend), options.field);
    }
    if (!options.path.empty()) {
        return Recipe::from_file(options.path);
    }
    if (!options.data.empty()) {
        return recipe_for_data(options.architecture, options.data,
                               options.per_point ? Constants::of_each_point : Constants::of_all_points,
                               options.rollout);
    }
    return options.cartesian ? Recipe::defaults_3d(options.architecture) : Recipe::defaults(options.architecture);
}

ExitCode config(const ConfigOptions& options, Console& console) {
    const int wishes = static_cast<int>(std::ranges::count(
        std::array{options.path.empty(), options.architecture.empty(), options.model.empty(), !options.schema}, false));
    if (wishes != 1) {
        throw InvalidInput(
            fmt::format("config takes one of CONFIG.json, --default, --from and --schema ({} are given); run "
                        "'plumecast config --help'",
                        wishes));
    }
    if (options.schema) {
        console.print(recipe_schema());
        return exit_ok;
    }
    if (options.cartesian && options.architecture.empty()) {
        throw InvalidInput(
            "--cartesian goes with --default (a configuration says by its modes what grid it is for); "
            "drop one of them");
    }
    if (!options.data.empty() && (options.architecture.empty() || options.cartesian)) {
        throw InvalidInput(
            "--data goes with --default alone (channels, fields and their constants follow from the data); drop one of "
            "them");
    }
    if (options.per_point && options.data.empty()) {
        throw InvalidInput("--per-point goes with --data (constants of each point are worked out of data); drop it");
    }
    if (options.rollout > 0 && options.data.empty()) {
        throw InvalidInput("--rollout goes with --data (the states are inputs of the data); drop it");
    }
    if (!options.field.empty() && options.model.empty()) {
        throw InvalidInput("--field goes with --from (it says which network of a model is meant); drop it");
    }
    Recipe recipe = started(options);
    for (const std::string& assignment : options.assignments) {
        recipe.set(assignment);
    }
    if (!options.path.empty()) {
        recipe.check();
    }
    warn_of_unread(recipe, console);
    console.print(recipe.to_json().dump() + "\n");
    return exit_ok;
}

}  // namespace

Command make_config(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("config", "Print a training configuration with all its entries");
    const auto options = std::make_shared<ConfigOptions>();
    app->add_option("config", options->path, "Check this configuration and print it resolved")
        ->type_name("CONFIG.json");
    app->add_option("--default", options->architecture,
                    fmt::format("Print the defaults of an architecture: {}", fmt::join(architecture_names(), ", ")))
        ->type_name("ARCHITECTURE");
    app->add_flag("--cartesian", options->cartesian, "Defaults for grids in three dimensions, [Z, Y, X]");
    app->add_option("--data", options->data,
                    "With --default, for generic data: channels, fields and constants of this data set")
        ->type_name("DATA.h5");
    app->add_flag("--per-point", options->per_point,
                  "With --data: mean and deviation at each point of the grid, in place of those over all");
    app->add_option("--rollout", options->rollout,
                    "With --data: so many times at once, from the states before them and on from the last ones")
        ->type_name("STEPS")
        ->check(CLI::PositiveNumber);
    app->add_option("--from", options->model,
                    std::string("Print a recipe that starts from the weights of this model: ") + model_help)
        ->type_name("BUNDLE");
    app->add_option("--field", options->field, "With --from, which network of a model of several: that of this field")
        ->type_name("NAME");
    app->add_flag("--schema", options->schema, "Print the JSON Schema of configurations, for editors");
    app->add_option("--set", options->assignments, "Change an entry before printing; repeatable")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    add_examples(
        *app,
        "  plumecast config --default ufno > saturation.json\n"
        "  plumecast config --default ufno --set fields=pressure_buildup > pressure.json\n"
        "  plumecast config --default ufno --cartesian > saturation3d.json\n"
        "  plumecast config --default fno --data darcy.h5 > darcy.json\n"
        "  plumecast config --from models/radial-co2 --set data.train=mine.h5 --set output=runs/mine > mine.json\n"
        "  plumecast config saturation.json\n"
        "  plumecast config --schema > recipe.schema.json");
    return {app, [options](Console& console) { return config(*options, console); }};
}

}  // namespace plumecast::app
