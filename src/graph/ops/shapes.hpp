#pragma once

#include <plumecast/core/error.hpp>
#include <plumecast/core/tensor.hpp>

namespace plumecast {

/// The corner of all arrays of so many axes.
inline Shape origin(int rank) {
    Shape low;
    for (int axis = 0; axis < rank; ++axis) {
        low = low.append(0);
    }
    return low;
}

}  // namespace plumecast
