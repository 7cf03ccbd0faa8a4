#include "inference/guided/axis_stencils.hpp"

#include <algorithm>
#include <cmath>

namespace plumecast {
namespace {

double on_scale(double value, AxisScale scale) {
    constexpr double least = 1e-9;  // an axis may begin at 0
    return scale == AxisScale::log ? std::log(std::max(value, least)) : value;
}

/// Between the two nodes around a value, or at the outermost one; `nodes` increase.
Stencil between(const std::vector<double>& nodes, double value) {
    const auto above = std::ranges::upper_bound(nodes, value);
    if (above == nodes.begin()) {
        return {};
    }
    const auto low = static_cast<std::size_t>(above - nodes.begin()) - 1;
    if (above == nodes.end()) {
        return {low, low, 0.0, 1.0};
    }
    return {low, low + 1, (value - nodes[low]) / (nodes[low + 1] - nodes[low]), 1.0};
}

std::vector<double> centres(const std::vector<double>& edges) {
    std::vector<double> result;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        result.push_back(0.5 * (edges[i] + edges[i + 1]));
    }
    return result;
}

std::vector<double> all_on_scale(std::vector<double> values, AxisScale scale) {
    std::ranges::transform(values, values.begin(), [scale](double value) { return on_scale(value, scale); });
    return values;
}

}  // namespace

std::vector<Stencil> cell_stencils(const std::vector<double>& from, const std::vector<double>& to, AxisScale scale) {
    const std::vector<double> nodes = all_on_scale(centres(from), scale);
    std::vector<Stencil> stencils;
    for (const double centre : centres(to)) {
        stencils.push_back(between(nodes, on_scale(centre, scale)));
        if (centre > from.back()) {
            stencils.back().weight = 0.0;
        }
    }
    return stencils;
}

std::vector<Stencil> place_stencils(const std::vector<double>& from, const std::vector<double>& places) {
    const std::vector<double> nodes = centres(from);
    std::vector<Stencil> stencils;
    for (const double place : places) {
        stencils.push_back(between(nodes, place));
        if (place < from.front() || place > from.back()) {
            stencils.back().weight = 0.0;
        }
    }
    return stencils;
}

std::vector<Stencil> time_stencils(const std::vector<double>& from, const std::vector<double>& to) {
    const std::vector<double> nodes = all_on_scale(from, AxisScale::log);
    std::vector<Stencil> stencils;
    for (const double time : to) {
        stencils.push_back(between(nodes, on_scale(time, AxisScale::log)));
        if (time < from.front()) {
            stencils.back().weight = time / from.front();
        }
    }
    return stencils;
}

}  // namespace plumecast
