#pragma once

#include <cstddef>
#include <vector>

namespace plumecast::connections {

/// Edges of `count` cells of one width [m], from 0 on.
inline std::vector<double> even_edges(std::size_t count, double width) {
    std::vector<double> edges;
    for (std::size_t i = 0; i <= count; ++i) {
        edges.push_back(width * static_cast<double>(i));
    }
    return edges;
}

}  // namespace plumecast::connections
