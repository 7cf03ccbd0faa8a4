#include "reservoir/dataset/attributes/number_attributes.hpp"

#include "core/number_text.hpp"
#include "reservoir/dataset/range_text.hpp"

namespace plumecast {

std::span<const NumberAttribute> number_attributes() { return quantities(QuantityKind::attribute); }

const NumberAttribute* find_number_attribute(std::string_view name) {
    return find_quantity(QuantityKind::attribute, name);
}

std::string admissible_text(const NumberAttribute& attribute) {
    return "a number from " +
           with_unit(number_text(attribute.low) + " to " + number_text(attribute.high), attribute.unit);
}

}  // namespace plumecast
