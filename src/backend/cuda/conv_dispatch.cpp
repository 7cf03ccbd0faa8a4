#include "backend/cuda/conv_dispatch.hpp"

#include <array>
#include <cstddef>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/core/tensor.hpp>

namespace plumecast::cuda {
namespace {

/// The time of a way into memory of its own; negative where it cannot be taken.
double seconds_of(const ConvWay& way, std::span<const OutputRef> targets, const ConvTimer& timer) {
    std::vector<Tensor> scratch;
    std::vector<OutputRef> results;
    for (const OutputRef& target : targets) {
        scratch.emplace_back(timer.memory, target.view.shape, target.view.type);
        results.push_back({scratch.back().view(), target.beta});
    }
    return way(results) ? timer.seconds([&] { way(results); }) : -1.0;
}

}  // namespace

bool ConvDispatch::prefers_tiles(const std::string& kind, std::span<const OutputRef> targets, const ConvWay& library,
                                 const ConvWay& tiles, const ConvTimer& timer) {
    const std::array ways{TimedWay{"library", [&] { return seconds_of(library, targets, timer); }},
                          TimedWay{"tiles", [&] { return seconds_of(tiles, targets, timer); }}};
    try {
        return ways_.choose(kind, ways, timer.may_time) == 1;
    } catch (const DeviceError&) {  // no room for the results
        return false;
    }
}

void ConvDispatch::run(const std::string& kind, std::span<const OutputRef> targets, const ConvWay& library,
                       const ConvWay& tiles, const ConvTimer& timer) {
    if (!prefers_tiles(kind, targets, library, tiles, timer) || !tiles(targets)) {
        library(targets);
    }
}

std::string conv_kind(const std::string& product, const std::string& precision, const ConvGeometry& geometry,
                      std::span<const Shape> inputs, const Shape& output) {
    const auto text = [](const ConvGeometry::Axes& axes) { return Shape({axes[0], axes[1], axes[2]}).text(); };
    std::string kind = product + " " + precision + (geometry.transposed ? " transposed" : "") + " kernel " +
                       text(geometry.kernel) + " stride " + text(geometry.stride) + " padding " +
                       text(geometry.padding_low) + " " + text(geometry.padding_high) + " from";
    for (const Shape& input : inputs) {
        kind += " " + input.text();
    }
    return kind + " to " + output.text();
}

std::vector<Shape> shapes_of(std::span<const ConstView> fields) {
    std::vector<Shape> shapes;
    for (const ConstView& field : fields) {
        shapes.push_back(field.shape);
    }
    return shapes;
}

}  // namespace plumecast::cuda
