#include "reservoir/dataset/connections.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {
namespace {

constexpr std::array<std::string_view, 3> along_axes = {"transmissibility_x", "transmissibility_y",
                                                        "transmissibility_z"};
constexpr std::array<std::string_view, 2> of_corners = {"pillars", "corner_depths"};
constexpr std::array<std::string_view, 3> of_pairs = {"connection_first", "connection_second",
                                                      "connection_transmissibility"};

/// Arrays that tell something together alone.
void check_together(const DatasetStore& store, std::span<const std::string_view> names, const std::string& why,
                    std::vector<Violation>& found) {
    const auto has = [&](std::string_view name) { return store.has(find_array(name)->path); };
    const auto there = std::ranges::find_if(names, has);
    for (const std::string_view name : names) {
        if (there != names.end() && !has(name)) {
            const std::string& path = find_array(name)->path;
            found.push_back({path, fmt::format("the array is missing (there is {}; {})", find_array(*there)->path, why),
                             "add it, or leave out what is there", true});
        }
    }
}

/// The cells of the grid of a store; 0 where its edges cannot be read.
std::size_t cells_of(const DatasetStore& store) {
    std::size_t cells = 1;
    for (const char* name : {"x_edges", "y_edges", "z_edges"}) {
        const std::string& path = find_array(name)->path;
        const std::size_t edges = store.has(path) ? store.read<double>(path).size() : 0;
        cells *= edges > 0 ? edges - 1 : 0;
    }
    return cells;
}

/// What is wrong with a cell of a pair, or nothing.
std::string problem_of(double number, std::size_t cells) {
    if (!(number >= 0.0 && number < static_cast<double>(cells)) || number != std::floor(number)) {
        return fmt::format("is {}, no number of a cell (the grid has {}, counted from 0)", number_text(number), cells);
    }
    return "";
}

void check_pairs(const DatasetStore& store, std::vector<Violation>& found) {
    const std::string &path = find_array("connection_first")->path, &other = find_array("connection_second")->path;
    const std::vector<double> first = store.read<double>(path), second = store.read<double>(other);
    const std::size_t cells = cells_of(store);
    std::set<std::pair<double, double>> pairs;
    const auto report = [&](const std::string& array, std::size_t at, const std::string& problem) {
        found.push_back({array, fmt::format("entry {} {}", at, problem), "correct the pair", true});
    };
    for (std::size_t i = 0; i < std::min(first.size(), second.size()) && found.empty(); ++i) {
        if (const std::string problem = problem_of(first[i], cells); !problem.empty()) {
            report(path, i, problem);
        } else if (const std::string of_second = problem_of(second[i], cells); !of_second.empty()) {
            report(other, i, of_second);
        } else if (first[i] == second[i]) {
            report(other, i, fmt::format("is {}, the first cell of the pair too (two are connected)", second[i]));
        } else if (!pairs.insert(std::minmax(first[i], second[i])).second) {
            report(path, i, fmt::format("connects the cells {} and {} a second time", first[i], second[i]));
        }
    }
}

}  // namespace

std::vector<Violation> connection_violations(const DatasetStore& store) {
    std::vector<Violation> found;
    if (geometry_of(store) != Geometry::cartesian) {
        return found;
    }
    check_together(store, along_axes, "cells have neighbours along all axes", found);
    check_together(store, of_corners, "corners lie on pillars", found);
    check_together(store, of_pairs, "a connection has two cells and a transmissibility", found);
    const auto is_list = [&](std::string_view name) {
        const std::string& path = find_array(name)->path;
        return store.has(path) && store.info(path).is_number && store.info(path).extents.size() == 1;
    };
    if (found.empty() && is_list("connection_first") && is_list("connection_second")) {
        check_pairs(store, found);
    }
    return found;
}

}  // namespace plumecast
