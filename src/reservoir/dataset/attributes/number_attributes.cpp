#include "reservoir/dataset/attributes/number_attributes.hpp"

#include <algorithm>
#include <array>

#include "core/number_text.hpp"
#include "reservoir/dataset/range_text.hpp"

namespace plumecast {
namespace {

/// The table of docs/data_format.md, which a test compares with it.
constexpr std::array<NumberAttribute, 9> known_numbers{{
    {"residual_gas_saturation", "1", 0.0, 0.9, "gas saturation up to which gas does not flow"},
    {"entry_pressure", "bar", 0.0, 100.0, "capillary entry pressure of rock of 100 mD and porosity 0.2"},
    {"rock_compressibility", "1/bar", 0.0, 0.01, "compressibility of the pore volume"},
    {"initial_brine_temperature", "degC", 0.0, 250.0, "temperature of the brine whose weight makes the pressures"},
    {"aquifer_factor", "1", 1.0, 1e9, "factor on the pore volume of the cells at the sides of a box"},
    {"temperature_gradient", "degC/m", 0.0, 0.2, "by which a box grows warmer with depth"},
    {"rotation", "degree", -360.0, 360.0, "angle of the grid's x axis from the x axis of the map"},
    {"top_depth", "m", -1e5, 1e5, "depth of the top of the formation below the surface"},
    {"well_radius", "m", 0.001, 10.0, "radius of the wells"},
}};

}  // namespace

std::span<const NumberAttribute> number_attributes() { return known_numbers; }

const NumberAttribute* find_number_attribute(std::string_view name) {
    const auto found = std::ranges::find_if(known_numbers, [&](const auto& one) { return one.name == name; });
    return found == known_numbers.end() ? nullptr : &*found;
}

std::string admissible_text(const NumberAttribute& attribute) {
    return "a number from " +
           with_unit(number_text(attribute.low) + " to " + number_text(attribute.high), attribute.unit);
}

}  // namespace plumecast
