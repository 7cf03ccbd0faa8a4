#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// What an op moves and computes.
struct OpWork {
    double bytes = 0.0;       ///< each input read once and each result written once
    double operations = 0.0;  ///< floating-point operations, a multiply-add as two

    OpWork& operator+=(const OpWork& other);
};

/// Work of a node with the element types of a backend; 0 for nodes that are given or that name a further result of
/// an op, to which its work is counted.
OpWork work_of(const Graph& graph, const Node& node, const Backend& backend);

}  // namespace plumecast
