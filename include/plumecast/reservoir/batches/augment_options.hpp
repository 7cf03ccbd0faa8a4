#pragma once

#include <string>
#include <vector>

namespace plumecast {

/// How cases are moved in space before a network learns from them, each case in each epoch by chance. Coordinates stay
/// where they are, all else goes along.
struct AugmentOptions {
    std::vector<std::string> flip = {};  ///< axes of space that are turned round or not: "x", "y", "z"
    bool rotate = false;                 ///< quarter turns in the plane of y and x, which then have the same points
    /// Inputs and outputs of generic data that change their sign where an axis is turned round: the component of a
    /// vector along it, a vorticity in its plane.
    std::vector<std::string> odd_in_x = {}, odd_in_y = {}, odd_in_z = {};

    bool moves() const { return rotate || !flip.empty(); }

    friend bool operator==(const AugmentOptions&, const AugmentOptions&) = default;
};

}  // namespace plumecast
