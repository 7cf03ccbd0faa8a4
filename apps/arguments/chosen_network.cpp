#include "arguments/chosen_network.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "inference/exported_network.hpp"

namespace plumecast::app {
namespace {

constexpr std::int64_t most_cells = 100000;  // of an axis

}  // namespace

void add_chosen_network(CLI::App& app, std::string& field, std::vector<std::int64_t>& grid) {
    app.add_option("--grid", grid, "Cells and times of cases; default: those of the training")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("Z,R,T|Z,Y,X,T");
    app.add_option("--field", field, "A field of the network, where the model has several networks")->type_name("NAME");
}

std::string fields_text(const BundleNetwork& entry) {
    std::vector<std::string> names;
    for (const Field& field : entry.network->description().fields) {
        names.push_back(field.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

const BundleNetwork& chosen_network(const Bundle& bundle, const std::string& field) {
    std::string all;
    for (const BundleNetwork& entry : bundle.networks) {
        const bool has_field = std::ranges::any_of(entry.network->description().fields,
                                                   [&](const Field& own) { return own.name == field; });
        if (has_field || (field.empty() && bundle.networks.size() == 1)) {
            return entry;
        }
        all += (all.empty() ? "" : "; ") + fields_text(entry);
    }
    throw InvalidInput(field.empty()
                           ? fmt::format("{}: has {} networks, of {} (one at a time); name a field of the one that is "
                                         "meant with --field",
                                         bundle.path, bundle.networks.size(), all)
                           : fmt::format("{}: predicts no field {} (its fields: {}); name one of these with --field",
                                         bundle.path, field, all));
}

Shape chosen_grid(const std::vector<std::int64_t>& asked, const Bundle& bundle, const NetworkConfig& network) {
    const Shape grid = asked.empty() ? grid_of_training(bundle) : Shape(asked);
    if (grid.rank() == 0) {
        throw InvalidInput(bundle.path +
                           ": does not say which grid it was trained on (it comes from elsewhere or an older version); "
                           "give cells and times with --grid");
    }
    if (std::ranges::any_of(grid.extents(), [](std::int64_t cells) { return cells < 1 || cells > most_cells; }) ||
        grid.rank() != static_cast<int>(network.modes.size())) {
        throw InvalidInput(
            fmt::format("--grid {} does not fit (the network wants {}); give as many numbers, each "
                        "from 1 to {}",
                        fmt::join(asked, ","), network.modes.size() == 3 ? "Z,R,T" : "Z,Y,X,T", most_cells));
    }
    return grid;
}

}  // namespace plumecast::app
