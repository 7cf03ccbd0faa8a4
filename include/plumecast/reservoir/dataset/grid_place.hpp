#pragma once

#include <array>
#include <optional>
#include <string>

#include <plumecast/core/json.hpp>

namespace plumecast {

/// How a Cartesian grid lies on the map, as far as that is known: a grid with an origin has a rotation too.
struct GridPlace {
    std::optional<double> rotation;               ///< of its x axis from that of the map, anticlockwise [degree]
    std::optional<std::array<double, 2>> origin;  ///< x and y on the map of its own x = 0, y = 0 [m]

    /// "rotated by 30 degrees, origin at x 431000 m, y 6521000 m", as far as it is known; empty where nothing is.
    std::string text() const;
    /// The point of the map where x and y of the grid lie [m]; as they are where nothing is known.
    std::array<double, 2> on_map(double x, double y) const;

    /// Adds what is known to an object: `rotation` and `origin` [x, y].
    void put(Json& json) const;
    /// Reads that. Throws InvalidInput with the dotted path for what is not admissible.
    static GridPlace read(JsonReader& object);

    friend bool operator==(const GridPlace&, const GridPlace&) = default;
};

/// Whether a number can be a rotation [degree], from -360 to 360, or a coordinate on the map [m], from -1e8 to 1e8.
bool is_rotation(double degrees);
/// The same of a coordinate.
bool is_map_coordinate(double metres);

}  // namespace plumecast
