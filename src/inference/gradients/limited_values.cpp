#include "inference/gradients/limited_values.hpp"

#include <cmath>

namespace plumecast {

Place place_of(const Field& field, double value, double limit) {
    if (is_share(field) && (value < 0.0 || (value > 1.0 && limit >= 1.0))) {
        return Place::fixed;
    }
    if (value > limit) {
        return limit < field.cutoff ? Place::fixed : Place::limited;
    }
    return std::abs(value) < field.cutoff ? Place::fixed : Place::free;
}

}  // namespace plumecast
