#include <plumecast/reservoir/dataset/grid_place.hpp>

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/attributes/number_attributes.hpp"
#include "reservoir/dataset/turn.hpp"

namespace plumecast {

bool is_rotation(double degrees) { return find_number_attribute("rotation")->admits(degrees); }

bool is_map_coordinate(double metres) { return std::isfinite(metres) && std::abs(metres) <= 1e8; }

std::string GridPlace::text() const {
    std::string result = rotation ? fmt::format("rotated by {:.6g} degrees", *rotation) : "";
    if (origin) {
        result +=
            fmt::format("{}origin at x {:.10g} m, y {:.10g} m", result.empty() ? "" : ", ", (*origin)[0], (*origin)[1]);
    }
    return result;
}

std::array<double, 2> GridPlace::on_map(double x, double y) const {
    const MapPoint turned = Turn::by(rotation.value_or(0.0)).of({x, y});
    const std::array<double, 2> from = origin.value_or(std::array<double, 2>{});
    return {from[0] + turned.x, from[1] + turned.y};
}

void GridPlace::put(Json& json) const {
    if (rotation) {
        json["rotation"] = *rotation;
    }
    if (origin) {
        json["origin"] = Json::Array{(*origin)[0], (*origin)[1]};
    }
}

GridPlace GridPlace::read(JsonReader& object) {
    GridPlace place;
    if (object.has("origin")) {
        const auto values = object.get<std::vector<double>>("origin");
        if (values.size() != 2 || !is_map_coordinate(values[0]) || !is_map_coordinate(values[1])) {
            throw InvalidInput(object.path("origin") +
                               " is no place on the map (x and y from -1e8 to 1e8 m are needed); correct or remove it");
        }
        place.origin = {values[0], values[1]};
        place.rotation = 0.0;
    }
    if (object.has("rotation")) {
        place.rotation = object.get<double>("rotation");
        if (!is_rotation(*place.rotation)) {
            throw InvalidInput(object.path("rotation") +
                               " is no angle (degrees from -360 to 360 are needed); correct or remove it");
        }
    }
    return place;
}

}  // namespace plumecast
