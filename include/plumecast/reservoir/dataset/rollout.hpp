#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace plumecast {

/// The inputs of generic data that are the states of an output before its first time, the earliest first.
struct RolledState {
    std::string output;               ///< "w"
    std::vector<std::string> inputs;  ///< "w0", "w1" ...

    friend bool operator==(const RolledState&, const RolledState&) = default;
};

/// How a network rolls over times: from states it predicts the next `steps`, these become its states, and so on.
struct RolloutOptions {
    std::int64_t steps = 0;           ///< times that are predicted at once; 0 where nothing rolls
    std::vector<RolledState> states;  ///< of all outputs of the network

    bool rolls() const { return steps > 0; }

    friend bool operator==(const RolloutOptions&, const RolloutOptions&) = default;
};

/// Outputs [N, T, space...] of generic data by name, as far as a roll-out has come.
using RolledOutputs = std::map<std::string, std::vector<float>>;

}  // namespace plumecast
