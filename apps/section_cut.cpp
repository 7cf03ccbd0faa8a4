#include "section_cut.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast::app {
namespace {

/// The cell that takes in most CO2, [z, y, x].
std::vector<std::int64_t> strongest_cell(const Dataset& dataset, std::int64_t which) {
    std::vector<float> rates(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map("cell_injection_rate", {&which, 1}, rates);
    const auto cell = static_cast<std::int64_t>(std::ranges::max_element(rates) - rates.begin());
    const Shape space = dataset.space();
    return {cell / space.count(1, 3), cell / space[2] % space[1], cell % space[2]};
}

double middle(const std::vector<double>& edges, std::int64_t cell) {
    const auto at = static_cast<std::size_t>(cell);
    return 0.5 * (edges[at] + edges[at + 1]);
}

std::int64_t checked(std::int64_t position, std::int64_t cells, const char* axis) {
    if (position < 0 || position >= cells) {
        throw InvalidInput(
            fmt::format("--at {}: the grid has {} cells along {}, counted from 0 (the section would lie "
                        "outside); choose another",
                        position, cells, axis));
    }
    return position;
}

std::string unit_along(const Dataset& dataset, char axis) {
    const ArraySpec* stated = dataset.find(std::string("/grid/") + axis);
    return stated == nullptr ? "1" : stated->unit;
}

/// A map of generic data with two or three axes.
SectionCut cut_of_points(const Dataset& dataset, const std::optional<CutWish>& wish) {
    const Shape space = dataset.space();
    if (space.rank() == 2) {
        if (wish) {
            throw InvalidInput(dataset.path() +
                               ": has two axes (which are one section already); leave --section and --at out");
        }
        return {dataset.x_edges(),
                dataset.z_edges(),
                "x",
                "y",
                "",
                0,
                space[1],
                1,
                true,
                std::pair(unit_along(dataset, 'x'), unit_along(dataset, 'y'))};
    }
    const CutKind kind = wish ? wish->kind : CutKind::layer;
    const int across = kind == CutKind::along_y ? 1 : 2, down = kind == CutKind::layer ? 1 : 0;
    const int through = 3 - across - down;
    constexpr std::array<std::string_view, 3> names{"z", "y", "x"};
    const std::array<const std::vector<double>*, 3> edges{&dataset.z_edges(), &dataset.y_edges(), &dataset.x_edges()};
    const auto name = [&](int axis) { return names[static_cast<std::size_t>(axis)]; };
    const std::int64_t position = wish ? wish->position.value_or(space[through] / 2) : space[through] / 2;
    const std::int64_t at = checked(position, space[through], name(through).data());
    const double place = dataset.coordinates(through)[static_cast<std::size_t>(at)];
    return {*edges[static_cast<std::size_t>(across)],
            *edges[static_cast<std::size_t>(down)],
            name(across),
            name(down),
            fmt::format("{} = {:.5g}", name(through), place),
            at * space.count(through + 1, 3),
            space.count(down + 1, 3),
            space.count(across + 1, 3),
            true,
            std::pair(unit_along(dataset, name(across).front()), unit_along(dataset, name(down).front()))};
}

}  // namespace

std::vector<float> SectionCut::of(const float* cells) const {
    std::vector<float> map;
    for (std::size_t row = 0; row + 1 < down.size(); ++row) {
        for (std::size_t column = 0; column + 1 < across.size(); ++column) {
            map.push_back(cells[first + static_cast<std::int64_t>(row) * step_down +
                                static_cast<std::int64_t>(column) * step_across]);
        }
    }
    return map;
}

SectionCut section_cut(const Dataset& dataset, std::int64_t which, const std::optional<CutWish>& wish) {
    const Shape space = dataset.space();
    if (dataset.geometry() == Geometry::generic) {
        return cut_of_points(dataset, wish);
    }
    if (dataset.geometry() == Geometry::radial) {
        if (wish) {
            throw InvalidInput(dataset.path() +
                               ": holds a radial grid (which is one section already); leave --section and --at out");
        }
        return {dataset.r_edges(), dataset.z_edges(), "radius", "depth", "", 0, space[1], 1, false};
    }
    const CutWish cut = wish.value_or(CutWish());
    const std::int64_t plane = space.count(1, 3);
    if (cut.kind == CutKind::layer) {
        const std::int64_t row = checked(cut.position.value_or(0), space[0], "z");
        return {dataset.x_edges(),
                dataset.y_edges(),
                "x",
                "y",
                fmt::format("layer {}, depth {:.4g} m", row, middle(dataset.z_edges(), row)),
                row * plane,
                space[2],
                1,
                true};
    }
    const bool along_x = cut.kind == CutKind::along_x;
    const std::int64_t well = strongest_cell(dataset, which)[along_x ? 1 : 2];
    const std::int64_t at = checked(cut.position.value_or(well), space[along_x ? 1 : 2], along_x ? "y" : "x");
    const double place = middle(along_x ? dataset.y_edges() : dataset.x_edges(), at);
    return {along_x ? dataset.x_edges() : dataset.y_edges(),
            dataset.z_edges(),
            along_x ? "x" : "y",
            "depth",
            fmt::format("section along {} at {} = {:.5g} m", along_x ? "x" : "y", along_x ? "y" : "x", place),
            along_x ? at * space[2] : at,
            plane,
            along_x ? 1 : space[2],
            false};
}

}  // namespace plumecast::app
