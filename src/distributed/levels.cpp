#include "distributed/levels.hpp"

namespace plumecast {
namespace {

constexpr std::size_t most_levels = 4;

std::string name_of(const ConvGeometry& geometry, int from, int to) {
    std::string name = std::to_string(from) + ">" + std::to_string(to) + (geometry.transposed ? "t" : "c");
    for (const auto* axes : {&geometry.kernel, &geometry.stride, &geometry.padding_low, &geometry.padding_high}) {
        for (const std::int64_t number : *axes) {
            name += "," + std::to_string(number);
        }
    }
    const ConvGeometry::OuterAxis& outer = geometry.outer;
    for (const std::int64_t number : {outer.kernel, outer.stride, outer.padding_low, outer.padding_high}) {
        name += "," + std::to_string(number);
    }
    return name;
}

}  // namespace

Levels::Levels(const Partition& finest) : partitions_{finest} {
    while (partitions_.size() < most_levels) {
        partitions_.push_back(partitions_.back().coarser());
    }
}

const Partition& Levels::at(int level) const {
    expects(level >= 0 && static_cast<std::size_t>(level) < partitions_.size(), "a level of three halvings");
    return partitions_[static_cast<std::size_t>(level)];
}

ConvHalo& Levels::halo(const ConvGeometry& geometry, int from, int to) {
    auto& known = halos_[name_of(geometry, from, to)];
    if (!known) {
        known = std::make_unique<ConvHalo>(geometry, at(from), at(to));
    }
    return *known;
}

}  // namespace plumecast
