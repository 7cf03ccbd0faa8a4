#include "training/recipe/recipe_for_data.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "architectures/architecture.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"

namespace plumecast {
namespace {

/// Mean and deviation of numbers, with which they become of mean 0 and deviation 1.
struct Standard {
    double mean = 0.0, deviation = 1.0;
};

/// A deviation of 1 where all is the same.
Standard constants_of(double mean, double deviation) { return {mean, deviation > 0.0 ? deviation : 1.0}; }

Standard constants_of(const std::vector<double>& points) {
    const auto count = static_cast<double>(points.size());
    const double mean = std::accumulate(points.begin(), points.end(), 0.0) / count;
    const double squares = std::accumulate(points.begin(), points.end(), 0.0, [&](double sum, double point) {
        return sum + (point - mean) * (point - mean);
    });
    return constants_of(mean, std::sqrt(squares / count));
}

Channel standardised(const std::string& name, const std::string& source, const std::string& unit,
                     const Standard& constants) {
    Channel channel = make_channel(name, source, Transform::identity, constants.mean, constants.deviation);
    channel.unit = unit;
    return channel;
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::vector<Channel> channels_of(const Dataset& dataset, const DatasetStatistics& statistics) {
    const bool has_mask = dataset.find("active") != nullptr;
    std::vector<Channel> channels;
    for (const ArrayStatistics& array : statistics.arrays) {
        if (array.role != Role::output) {
            channels.push_back(
                standardised(last_part(array.name), array.name, array.unit, constants_of(array.mean, array.deviation)));
            channels.back().mask_inactive = has_mask && (array.role == Role::map || array.role == Role::varying);
        }
    }
    const auto free_name = [&](const std::string& name, const std::string& path) {
        return std::ranges::find(channels, name, &Channel::name) == channels.end() ? name : path;
    };
    const Shape space = dataset.space();
    constexpr std::string_view letters = "zyx";
    for (int axis = 0; axis < space.rank(); ++axis) {
        const std::string letter(1, letters[letters.size() - static_cast<std::size_t>(space.rank() - axis)]);
        if (space[axis] > 1) {
            const ArraySpec* stated = dataset.find("/grid/" + letter);
            channels.push_back(standardised(free_name(letter, "/grid/" + letter), "/grid/" + letter,
                                            stated == nullptr ? "1" : stated->unit,
                                            constants_of(dataset.coordinates(axis))));
        }
    }
    if (dataset.snapshots() > 1) {
        channels.push_back(standardised(free_name("time", "/grid/times"), "/grid/times", dataset.find("times")->unit,
                                        constants_of(dataset.times())));
    }
    return channels;
}

std::vector<Field> fields_of(const DatasetStatistics& statistics) {
    std::vector<Field> fields;
    for (const ArrayStatistics& array : statistics.arrays) {
        if (array.role == Role::output) {
            const Standard constants = constants_of(array.mean, array.deviation);
            Field field;
            field.name = array.name;
            field.unit = array.unit;
            field.offset = constants.mean;
            field.scale = constants.deviation;
            fields.push_back(field);
        }
    }
    return fields;
}

/// A published network fitted to the data's axes: of four blocks where it is a plain FNO, with at most twelve modes
/// along each axis, and no modes and no cells added along an axis of one point.
NetworkConfig network_for(const std::string& architecture, const Shape& extents) {
    NetworkConfig network = NetworkConfig::published(architecture);
    constexpr std::int64_t most_modes = 12;
    network.modes.clear();
    network.padding.clear();
    network.edges.clear();
    for (const std::int64_t extent : extents.extents()) {
        const bool is_time = network.modes.size() + 1 == static_cast<std::size_t>(extents.rank());
        const std::int64_t least = extent > 1 || (architecture_of(architecture).halves() && !is_time) ? 1 : 0;
        network.modes.push_back(std::clamp(extent / 2, least, most_modes));
        network.padding.push_back(extent == 1 ? 0 : 8);
        network.edges.push_back(Padding::Edge::zero);
    }
    if (std::ranges::all_of(network.modes, [](std::int64_t kept) { return kept == 0; })) {
        network.modes.front() = 1;  // of data of one point
    }
    network.width = 32;
    if (architecture == "fno") {
        network.fourier_blocks = 4;
        network.activation = {Activation::Kind::gelu};
        network.padded_multiple = 1;
    }
    if (extents[-1] == 1) {
        network.time_kernel = 1;
        network.time_strides = false;
    }
    return network;
}

/// A map [cells], or what varies in time [T, cells], of a case.
std::vector<float> values_of(const Dataset& dataset, const ArraySpec& spec, std::int64_t which) {
    const bool is_map = spec.role == Role::map;
    std::vector<float> values(static_cast<std::size_t>(dataset.cells() * (is_map ? 1 : dataset.snapshots())));
    if (is_map) {
        dataset.read_map(spec.path, {&which, 1}, values);
    } else if (spec.role == Role::varying) {
        dataset.read_varying(spec.path, {&which, 1}, values);
    } else {
        dataset.read_output(spec.name(), {&which, 1}, values);
    }
    return values;
}

/// Mean and deviation at each point, over the cases where it counts and over times; `usual` where there is none.
PointConstants point_constants_of(const Dataset& dataset, const ArraySpec& spec, const Standard& usual) {
    const auto cells = static_cast<std::size_t>(dataset.cells());
    std::vector<float> active(cells);
    std::vector<double> counts(cells), means(cells), squares(cells);
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        dataset.read_map("active", {&which, 1}, active);
        const std::vector<float> values = values_of(dataset, spec, which);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t cell = i % cells;
            if (active[cell] == 0.0F) {
                continue;
            }
            const double value = static_cast<double>(values[i]), before = value - means[cell];
            counts[cell] += 1.0;
            means[cell] += before / counts[cell];
            squares[cell] += before * (value - means[cell]);
        }
    }
    const Shape space = dataset.space();
    PointConstants points{{space.extents().begin(), space.extents().end()}, means, squares};
    constexpr double least_share = 1e-4;  // of the deviation over all points, below which a point counts as constant
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const double deviation = counts[cell] > 0.0 ? std::sqrt(squares[cell] / counts[cell]) : 0.0;
        const bool is_constant = !(deviation > least_share * usual.deviation);
        points.offsets[cell] = counts[cell] > 0.0 ? means[cell] : usual.mean;
        points.scales[cell] = is_constant ? usual.deviation : deviation;
    }
    return points;
}

void add_point_constants(const Dataset& dataset, NetworkDescription& network) {
    for (Channel& channel : network.channels) {
        const ArraySpec* spec = dataset.find(channel.source);
        if (spec != nullptr && (spec->role == Role::map || spec->role == Role::varying)) {
            channel.points = point_constants_of(dataset, *spec, {channel.offset, channel.scale});
        }
    }
    for (Field& field : network.fields) {
        field.points = point_constants_of(dataset, *dataset.find(field.name), {field.offset, field.scale});
    }
}

/// The number behind a name, "w12" of "w"; 0 where the name stands alone, nothing where it is another.
std::optional<std::int64_t> number_behind(std::string_view input, std::string_view output) {
    if (!input.starts_with(output)) {
        return std::nullopt;
    }
    std::int64_t number = 0;
    const char *first = input.data() + output.size(), *last = input.data() + input.size();
    const auto [end, error] = std::from_chars(first, last, number);
    const bool is_number = error == std::errc() && end == last && number >= 0;
    return first == last || is_number ? std::optional(number) : std::nullopt;
}

/// Whether an input is a state of this output and of none with a longer name: w10 is w1's where there is a w1.
bool is_state_of(std::string_view input, std::string_view output, const std::vector<std::string>& outputs) {
    return std::ranges::none_of(outputs, [&](const std::string& other) {
        return other.size() > output.size() && number_behind(input, other).has_value();
    });
}

/// The states of each output: the maps of its name and a number, w0, w1 and so on, by that number.
std::vector<RolledState> states_in(const Dataset& dataset) {
    std::vector<RolledState> states;
    for (const std::string& output : dataset.outputs()) {
        std::map<std::int64_t, std::string> inputs;
        for (const ArraySpec& spec : dataset.arrays()) {
            const std::string name = last_part(spec.path);
            const auto number = number_behind(name, output);
            if (number && spec.role == Role::map && is_state_of(name, output, dataset.outputs())) {
                inputs.emplace(*number, name);
            }
        }
        if (inputs.empty()) {
            throw InvalidInput(dataset.path() + ": no inputs " + output + "0, " + output +
                               "1 and so on (a roll-out starts from the states of " + output +
                               " before its first time, the earliest first); name them so on import");
        }
        RolledState& state = states.emplace_back(RolledState{output, {}});
        for (const auto& [number, name] : inputs) {
            state.inputs.push_back(name);
        }
    }
    return states;
}

/// States become what the network predicts: they have the constants of that, not of the first states alone.
void give_states_constants_of_outputs(Recipe& recipe) {
    for (const RolledState& state : recipe.rollout.states) {
        const auto field = std::ranges::find(recipe.network.fields, state.output, &Field::name);
        for (Channel& channel : recipe.network.channels) {
            if (std::ranges::find(state.inputs, last_part(channel.source)) != state.inputs.end()) {
                channel.offset = field->offset;
                channel.scale = field->scale;
                channel.points = field->points;
            }
        }
    }
}

}  // namespace

Recipe recipe_for_data(const std::string& architecture, const std::string& path, Constants constants,
                       std::int64_t rollout_steps) {
    const Dataset whole(path);
    if (whole.geometry() != Geometry::generic) {
        throw InvalidInput(path +
                           ": describes reservoirs (the defaults know their inputs and fields); leave the data "
                           "set out");
    }
    if (!whole.has_outputs()) {
        throw InvalidInput(path + ": no /outputs to learn (the data hold inputs only); give data with outputs");
    }
    Recipe recipe;
    if (rollout_steps > 0) {
        recipe.rollout = {rollout_steps, states_in(whole)};
    }
    const Dataset windows = rollout_steps > 0 ? whole.windows(recipe.rollout) : Dataset(path);
    const DatasetStatistics statistics = dataset_statistics(path);
    recipe.network.channels = channels_of(windows, statistics);
    recipe.network.fields = fields_of(statistics);
    if (constants == Constants::of_each_point) {
        add_point_constants(whole, recipe.network);
    }
    give_states_constants_of_outputs(recipe);
    recipe.network.network = network_for(architecture, windows.space().append(windows.snapshots()));
    recipe.network.network.channels = static_cast<std::int64_t>(recipe.network.channels.size());
    recipe.network.network.fields = static_cast<std::int64_t>(recipe.network.fields.size());
    recipe.network.network.check();
    recipe.train_files = {path};
    recipe.output = "runs/" + std::filesystem::path(path).stem().string();
    recipe.loss.derivative_weight = 0.0;
    recipe.schedule.kind = ScheduleOptions::Kind::cosine;
    recipe.schedule.learning_rate = 1e-3;
    return recipe;
}

}  // namespace plumecast
