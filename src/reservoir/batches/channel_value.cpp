#include "channel_value.hpp"

#include <cmath>
#include <string>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/dataset_layout.hpp"

namespace plumecast {
namespace {

double transformed(const Channel& channel, double value, std::int64_t cell) {
    switch (channel.transform) {
        case Transform::log:
            value = std::log(value);
            break;
        case Transform::log10:
            value = std::log10(value);
            break;
        case Transform::identity:
            break;
    }
    if (!channel.points.empty()) {
        const auto point = static_cast<std::size_t>(cell);
        return (value - channel.points.offsets[point]) / channel.points.scales[point];
    }
    return (value - channel.offset) / channel.scale;
}

}  // namespace

double channel_value(const Dataset& dataset, const Channel& channel, double source, std::int64_t which,
                     std::int64_t cell) {
    const double result = transformed(channel, source, cell);
    if (!std::isfinite(static_cast<float>(result))) {
        const std::string place = cell < 0 ? "" : ", cell " + cell_text(dataset.space(), cell);
        throw InvalidData(dataset.path() + ": " + channel.source + " is " + number_text(source) + " " + channel.unit +
                          " in case " + std::to_string(which) + place + " (channel " + channel.name +
                          " cannot take it); correct the value or mark the cell inactive");
    }
    return result;
}

}  // namespace plumecast
