#pragma once

#include <string>

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// Less memory for more time: what the output `forward` is computed from is computed again where other outputs,
/// gradients say, need it, and so not kept until then (Chen et al. 2016, arXiv:1604.06174). Kept is the input of every
/// `blocks`-th block, a block beginning where all that follows reads one field, and more than one op does; besides what
/// follows the last of them, what has an eighth of the largest field at most, and what comes from other ranks.
/// 0 blocks keep all.
Graph rematerialise(const Graph& graph, const std::string& forward, int blocks);

}  // namespace plumecast
