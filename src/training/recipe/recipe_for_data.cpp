#include "training/recipe/recipe_for_data.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"

namespace plumecast {
namespace {

/// Mean and deviation of numbers, with which they become of mean 0 and deviation 1.
struct Constants {
    double mean = 0.0, deviation = 1.0;
};

/// A deviation of 1 where all is the same.
Constants constants_of(double mean, double deviation) { return {mean, deviation > 0.0 ? deviation : 1.0}; }

Constants constants_of(const std::vector<double>& points) {
    const auto count = static_cast<double>(points.size());
    const double mean = std::accumulate(points.begin(), points.end(), 0.0) / count;
    const double squares = std::accumulate(points.begin(), points.end(), 0.0, [&](double sum, double point) {
        return sum + (point - mean) * (point - mean);
    });
    return constants_of(mean, std::sqrt(squares / count));
}

Channel standardised(const std::string& name, const std::string& source, const std::string& unit,
                     const Constants& constants) {
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
            const Constants constants = constants_of(array.mean, array.deviation);
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
/// along each axis, and no cells added along an axis of one point.
NetworkConfig network_for(const std::string& architecture, const Shape& extents) {
    NetworkConfig network = NetworkConfig::published(architecture);
    constexpr std::int64_t most_modes = 12;
    network.modes.clear();
    network.padding.clear();
    network.edges.clear();
    for (const std::int64_t extent : extents.extents()) {
        network.modes.push_back(std::clamp<std::int64_t>(extent / 2, 1, most_modes));
        network.padding.push_back(extent == 1 ? 0 : 8);
        network.edges.push_back(Padding::Edge::zero);
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

}  // namespace

Recipe recipe_for_data(const std::string& architecture, const std::string& path) {
    const Dataset dataset(path);
    if (dataset.geometry() != Geometry::generic) {
        throw InvalidInput(path +
                           ": describes reservoirs (the defaults know their inputs and fields); leave the data "
                           "set out");
    }
    if (!dataset.has_outputs()) {
        throw InvalidInput(path + ": no /outputs to learn (the data hold inputs only); give data with outputs");
    }
    Recipe recipe;
    const DatasetStatistics statistics = dataset_statistics(path);
    recipe.network.channels = channels_of(dataset, statistics);
    recipe.network.fields = fields_of(statistics);
    recipe.network.network = network_for(architecture, dataset.space().append(dataset.snapshots()));
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
